"""What stands beside one's own figures: R_max from the output of HPL or HPCC, published results.

    T/V                N    NB     P     Q               Time                 Gflops
    WR11C2R4       29184   192     2     2             717.06              2.311e+01
    ||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)=        0.0024559 ...... PASSED

The output file of HPCC holds the same lines. Older releases of HPL print three residuals.
"""

import json
import re
from functools import cache
from math import isfinite
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from beff.definition.b_eff_plan import MEMORY_PER_LMAX
from beff.definition.common import linpack_gflops
from beff.result.bounds import LARGEST_FIGURE, LONGEST_S, Figure
from beff.result.errors import ResultError
from beff.result.numbers import BYTES_PER_MB
from beff.result.result_parts import RMax

_COUNT = r"[0-9]{1,18}"
_FLOAT = r"[0-9]{1,30}(?:\.[0-9]{0,30})?(?:[eE][+-]?[0-9]{1,4})?"
_RUN = re.compile(
    rf"^W[RC]\S*\s+({_COUNT})\s+({_COUNT})\s+({_COUNT})\s+({_COUNT})\s+({_FLOAT})\s+({_FLOAT})"
    r"(?:[ \t\r].*)?$",  # on GPUs more columns: (per GPU)
    re.MULTILINE | re.ASCII,
)
_RESIDUAL = re.compile(
    rf"^\|\|Ax-b\|\|_oo.*=\s*({_FLOAT}|-?nan|-?inf)\s*(?:\.+\s*)?(PASSED|FAILED)",
    re.MULTILINE | re.ASCII | re.IGNORECASE,
)
_IMPOSSIBLE_GFLOPS = 1e13


def parse_linpack(source: str, name: str, text: str) -> RMax:
    """Return the fastest run of an output, whose residuals must all have passed their check.

    `source` names the file in messages, `name` in the result. Raises ResultError when there is no
    run, when one has no residual or a failed one, or when rate and time contradict each other.
    """
    lines = list(_RUN.finditer(text))
    if not lines:
        why = "holds no run of Linpack; name the output file of HPL or hpccoutf.txt"
        raise ResultError(why, source)
    ends = [line.start() for line in lines[1:]] + [len(text)]
    below = (text[line.end() : end] for line, end in zip(lines, ends, strict=True))
    runs = [_run(source, name, *one) for one in zip(lines, below, strict=True)]
    return max(runs, key=lambda run: run.gflops)


def _run(source: str, name: str, line: re.Match[str], below: str) -> RMax:
    grid = dict(zip(("n", "nb", "p", "q"), map(int, line.groups()[:4]), strict=True))
    time_s, gflops = float(line[5]), float(line[6])
    what = "{}: the run with N = {n}, NB = {nb}, {p} x {q} processes".format(source, **grid)
    residuals = _RESIDUAL.findall(below)
    if not residuals:
        raise ResultError(f"{what} has no line with its residual, so it cannot count")
    passed = [float(residual) for residual, verdict in residuals if verdict.upper() == "PASSED"]
    if len(passed) < len(residuals) or not all(map(isfinite, passed)):
        raise ResultError(f"{what} FAILED its check of the residual, so R_max is not known")
    if not 0 < gflops < _IMPOSSIBLE_GFLOPS or min(grid.values()) < 1:
        raise ResultError(f"{what} states {line[6]} GFLOP/s, which is impossible")
    if not time_s < LONGEST_S:
        raise ResultError(f"{what} states a time of {line[5]} s, which is impossible")
    if time_s > 1 and not 0.9 < gflops / linpack_gflops(grid["n"], time_s) < 1.1:
        raise ResultError(f"{what} states {line[6]} GFLOP/s, which N and time contradict")
    residual = min(max(passed), LARGEST_FIGURE)
    return RMax(gflops=gflops, origin="hpl", source=name, time_s=time_s, residual=residual, **grid)


# --- published results -------------------------------------------------------------------------


@cache
def published_results() -> Any:
    """Return published.json as objects.

    `rows` are those of the paper's Table 1, figures as printed, None where a cell is empty; `note`
    says where they contradict each other. `total_memory_exchange_s` follows from value and L_max,
    by which the memory is known. `earlier` is the last line of a run by definition 3.1,
    `machines` (a dictionary) what the text says of systems beside their figures. `b_eff_io` are
    values of that: `time_min` is T in minutes, `total_memory_write_min` the printed time to write
    the whole memory, 1 MByte = 2^20 byte, and `source` a key of its `sources` (a dictionary),
    which its own `source` names in one part of a sentence.
    """
    text = Path(__file__).with_name("published.json").read_text("utf-8")
    every = json.loads(text, object_hook=lambda fields: SimpleNamespace(**fields))
    every.machines = {name: vars(said) for name, said in vars(every.machines).items()}
    files = every.b_eff_io
    files.sources = vars(files.sources)
    files.source = "; ".join(source.text for source in files.sources.values())
    for row in every.rows:
        memory = row.processes * row.lmax_bytes * MEMORY_PER_LMAX
        row.total_memory_exchange_s = memory / (row.b_eff_MBps * BYTES_PER_MB)
    return every


def as_printed(value_MBps: Figure) -> str | None:  # noqa: N803 - the unit of the field
    """Write a published rate as its source prints it: whole, or with three digits behind the point.

    None where the source has none.
    """
    if value_MBps is None:
        return None
    return f"{value_MBps:.0f}" if value_MBps == int(value_MBps) else f"{value_MBps:.3f}"
