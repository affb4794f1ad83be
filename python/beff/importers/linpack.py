"""R_max from the output of HPL or HPCC.

    T/V                N    NB     P     Q               Time                 Gflops
    WR11C2R4       29184   192     2     2             717.06              2.311e+01
    ||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)=        0.0024559 ...... PASSED

The output file of HPCC holds the same lines. Older releases of HPL print three residuals.
"""

import re

from beff.definition.balance import linpack_gflops
from beff.result.bounds import LARGEST_FIGURE, LONGEST_S
from beff.result.errors import ResultError
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
        raise ResultError(
            "holds no run of Linpack; name the output file of HPL or hpccoutf.txt", source
        )
    ends = [line.start() for line in lines[1:]] + [len(text)]
    runs = [
        _run(source, name, line, text[line.end() : end])
        for line, end in zip(lines, ends, strict=True)
    ]
    return max(runs, key=lambda run: run.gflops)


def _run(source: str, name: str, line: re.Match[str], below: str) -> RMax:
    n, nb, p, q = (int(number) for number in line.groups()[:4])
    time_s, gflops = float(line[5]), float(line[6])
    what = f"{source}: the run with N = {n}, NB = {nb}, {p} x {q} processes"
    residuals = _RESIDUAL.findall(below)
    if not residuals:
        raise ResultError(f"{what} has no line with its residual, so it cannot count")
    if any(verdict.upper() != "PASSED" for _, verdict in residuals):
        raise ResultError(f"{what} FAILED its check of the residual, so R_max is not known")
    if not 0 < gflops < _IMPOSSIBLE_GFLOPS or min(n, nb, p, q) < 1:
        raise ResultError(f"{what} states {line[6]} GFLOP/s, which is impossible")
    if not time_s < LONGEST_S:
        raise ResultError(f"{what} states a time of {line[5]} s, which is impossible")
    if time_s > 1 and not 0.9 < gflops / linpack_gflops(n, time_s) < 1.1:
        raise ResultError(f"{what} states {line[6]} GFLOP/s, which N and time contradict")
    return RMax(
        gflops=gflops,
        origin="hpl",
        source=name,
        n=n,
        nb=nb,
        p=p,
        q=q,
        time_s=time_s,
        residual=min(max(float(residual) for residual, _ in residuals), LARGEST_FIGURE),
    )
