"""Output of perftest's ib_write_bw, ib_send_bw, ib_read_bw and *_lat, one run for each pair.

                        RDMA_Write BW Test
     #bytes     #iterations    BW peak[MiB/sec]    BW average[MiB/sec]   MsgRate[Mpps]
     65536      5000             11480.10            11479.90             0.183678

The average counts. MiB/sec are 2^20 byte/s, and so are the MB/sec that older releases print for the
same number; Gb/sec are 10^9 bit/s (src/perftest_parameters.c, print_report_bw, format_factor). Of
a bidirectional test it is the sum of both ways. The programs do not print hosts.
"""

import re
from collections.abc import Iterator

from beff.importers.pair_logs import take_blocks
from beff.importers.pairs import Readings, Size, Test
from beff.importers.printed import COUNT, NUMBER, Printed
from beff.result.numbers import MIB

_TITLE = re.compile(
    r"^ *(\w[\w ]*?)( Bidirectional)?(?: Post List)? (?:BW|Latency) Test *$",
    re.MULTILINE | re.ASCII,
)
_RATE = re.compile(
    r"^ *#bytes +#iterations +BW peak\[(MB|MiB|Gb)/sec\] +BW average\[\1/sec\]", re.M
)
_LATENCY = re.compile(
    r"^ *#bytes +#iterations +t_min\[usec\] +t_max\[usec\] +t_typical\[usec\]", re.M
)
_BYTES = {"MB": MIB, "MiB": MIB, "Gb": 125_000_000}
_ROW = re.compile(
    rf"^ *({COUNT})\s+{COUNT}\s+{NUMBER}\s+({NUMBER})\s+({NUMBER})(?:\s.*)?$",
    re.MULTILINE | re.ASCII,
)


def recognises(text: str) -> bool:
    """Whether the heads of its tables are there."""
    return _RATE.search(text) is not None or _LATENCY.search(text) is not None


def read(printed: Printed, found: Readings) -> None:
    """Take over the figures of each pair. Raises ResultError where there are none."""
    take_blocks(printed, found, _measured)


def _measured(text: str) -> Iterator[tuple[Size, float]]:
    heads = sorted([*_RATE.finditer(text), *_LATENCY.finditer(text)], key=lambda head: head.start())
    stops = [head.start() for head in heads[1:]] + [len(text)]
    begins = [0, *(head.end() for head in heads)]
    for begin, head, stop in zip(begins, heads, stops, strict=False):
        test = _test(text[begin : head.start()], is_rate=head.re is _RATE)
        for size, average, typical in _ROW.findall(text[head.end() : stop]):
            value = float(average) * _BYTES[head[1]] if test.is_rate else float(typical) * 1e3
            yield (test, int(size)), value


def _test(above: str, *, is_rate: bool) -> Test:
    titles = _TITLE.findall(above)
    verb, both = titles[-1] if titles else ("perftest", "")
    name = f"{verb}{both} {'BW' if is_rate else 'Latency'}"
    if not is_rate:
        return Test(name, False, "each")
    return Test(name, True, "both at once" if both else None)
