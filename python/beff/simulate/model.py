"""How SimGrid turns messages into time: the settings of each model."""

_COMMON = (
    "smpi/simulate-computation:no",  # only communication takes time, so every run is the same
    "smpi/wtime:0",  # reading the clock takes none
    "smpi/privatization:no",  # the engine keeps nothing in global variables
    "smpi/coll-selector:mpich",  # collectives that do not need n messages at one process
)

_EXACT = (
    "network/model:CM02",
    "network/bandwidth-factor:1",
    "network/latency-factor:1",
    "network/weight-S:0",
    "network/TCP-gamma:0",
    "network/crosstraffic:0",
    "smpi/send-is-detached-thresh:0",
)

MODELS: dict[str, tuple[str, ...]] = {
    "exact": (*_COMMON, *_EXACT),
    "smpi": _COMMON,
}
"""`exact`: latencies of the route plus (size + 16 byte) / fair share of the narrowest link, nothing
else. `smpi`: SimGrid's default, with factors by message size that were fitted to a real cluster."""

_PAGE = 4096
_FOLD_FROM_BYTES = 65536
_LARGEST_BLOCK_BYTES = 1 << 30


def folding(buffer_bytes: int) -> tuple[str, ...]:
    """Return the settings that keep the message buffers of all processes in the same memory.

    One block per buffer: each block is a mapping, and the kernel bounds their number.
    """
    block = min(-(-buffer_bytes // _PAGE) * _PAGE, _LARGEST_BLOCK_BYTES)
    return (
        "smpi/shared-malloc:global",
        f"smpi/auto-shared-malloc-thresh:{_FOLD_FROM_BYTES}",
        f"smpi/shared-malloc-blocksize:{block}",
    )
