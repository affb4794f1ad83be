"""How SimGrid turns messages into time: the settings of each model."""

_COMMON = (
    "smpi/simulate-computation:no",  # only communication takes time, so every run is the same
    "smpi/wtime:0",  # reading the clock takes none
    "smpi/privatization:no",  # the engine keeps nothing in global variables
    "smpi/coll-selector:mpich",
    # The selector's own look for nodes first, which costs SMPI n^2 messages.
    "smpi/allreduce:redbcast",
    "smpi/barrier:ompi_bruck",
    "smpi/bcast:binomial_tree",
    "smpi/reduce:binomial",
    "smpi/gather:ompi_binomial",
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

FOLDING = ("smpi/shared-malloc:local", "smpi/auto-shared-malloc-thresh:65536")
"""Keeps the message buffers of all processes in the same memory, which nobody writes."""
