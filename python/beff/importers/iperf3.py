"""Output of `iperf3 -J` (--json), one file for each pair.

What the receiver got counts, `end.sum_received.bits_per_second`, or `end.sum` of UDP (src/
iperf_api.c, iperf_print_results): bit/s. Messages are as long as its blocks. The client sends, with
`--reverse` the server, with `--bidir` both. Hosts have the names of the file, else their addresses.
"""

from datetime import datetime, timezone
from typing import Any

from beff.importers.pair_logs import hosts_of_name
from beff.importers.pairs import Readings, Test
from beff.importers.printed import Printed
from beff.result.errors import ResultError
from beff.result.strict_json import json_object

_LARGEST_TIME = 9_000_000_000


def recognises(text: str) -> bool:
    """Whether it looks like its JSON."""
    return text.lstrip().startswith("{") and '"start"' in text and '"end"' in text


def read(printed: Printed, found: Readings) -> None:
    """Take the rate over. Raises ResultError where there is none."""
    fields = json_object(printed.source, printed.text)
    if fields.get("error"):
        raise printed.problem(f"says '{str(fields['error'])[:80]}'")
    start, asked = _part(fields, "start"), _part(_part(fields, "start"), "test_start")
    client, server = _ends(printed, start)
    bidir = bool(asked.get("bidir"))
    sums = [("sum_received" if asked.get("protocol") != "UDP" else "sum", (client, server))]
    if asked.get("reverse"):
        sums = [(sums[0][0], (server, client))]
    if bidir:
        sums.append((f"{sums[0][0]}_bidir_reverse", (server, client)))
    test = Test(f"iperf3 {asked.get('protocol', 'TCP')}", True, "both at once" if bidir else None)
    for name, ends in sums:
        got = _part(_part(fields, "end"), name).get("bits_per_second")
        size = asked.get("blksize")
        if not isinstance(got, int | float) or not isinstance(size, int) or got <= 0 or size <= 0:
            raise printed.problem(f"has no end.{name}.bits_per_second: the run broke off")
        found.add(ends, (test, size), got / 8)
    seconds = _part(start, "timestamp").get("timesecs")
    if isinstance(seconds, int) and 0 < seconds < _LARGEST_TIME:
        found.seen_at(f"{datetime.fromtimestamp(seconds, timezone.utc):%Y-%m-%dT%H:%M:%S}Z")


def _part(fields: dict[str, Any], name: str) -> dict[str, Any]:
    found = fields.get(name)
    return found if isinstance(found, dict) else {}


def _ends(printed: Printed, start: dict[str, Any]) -> tuple[str, str]:
    """Return client and server, by the name of the file, else by their addresses."""
    try:
        return hosts_of_name(printed)
    except ResultError:
        connected = start.get("connected")
        first = connected[0] if isinstance(connected, list) and connected else {}
        ends = [first.get(end) for end in ("local_host", "remote_host")]
        if not all(isinstance(end, str) and end for end in ends):
            raise
        return str(ends[0]), str(ends[1])
