"""The problem that HPL solves: its size, and its input file."""

from dataclasses import dataclass
from math import isqrt

_BYTES_PER_ELEMENT = 8
_SHARE_OF_MEMORY = 0.8
"""The rest is for the system and for Linpack's own buffers."""
_SHORT_S = 10.0
_SHORT_FLOPS_PER_PROCESS = 0.5e9
"""A core without an optimised BLAS reaches about that."""
_BLOCK, _LARGE_BLOCK = 128, 192
_LARGE_ORDER = 20_000


@dataclass(frozen=True)
class LinpackSize:
    """What is solved: n equations in blocks of nb on p x q processes."""

    n: int
    nb: int
    p: int
    q: int


def linpack_size(processes: int, total_memory_bytes: int, *, short: bool) -> LinpackSize:
    """Return a size for so many processes and so much memory of all of them.

    A run that shall give R_max fills 80 % of the memory. A short one takes some ten seconds on
    cores of modest speed, and its rate is below R_max.
    """
    p = next(p for p in range(isqrt(processes), 0, -1) if processes % p == 0)
    q = processes // p
    largest = isqrt(int(_SHARE_OF_MEMORY * total_memory_bytes / _BYTES_PER_ELEMENT))
    n = min(largest, _short_order(processes)) if short else largest
    nb = _LARGE_BLOCK if n >= _LARGE_ORDER else _BLOCK
    return LinpackSize(max(nb, n // nb * nb), nb, p, q)


def _short_order(processes: int) -> int:
    flops = _SHORT_S * _SHORT_FLOPS_PER_PROCESS * processes
    return int((1.5 * flops) ** (1 / 3))


HPL_OUTPUT = "HPL.out"


def hpl_dat(size: LinpackSize) -> str:
    """Return the 31 lines of HPL.dat for one run."""
    rows = [
        (HPL_OUTPUT, "name of the output file"),
        ("8", "output goes to: 6 standard output, 7 standard error, else the file"),
        ("1", "how many N"),
        (str(size.n), "N"),
        ("1", "how many NB"),
        (str(size.nb), "NB"),
        ("0", "order of the processes: 0 by rows"),
        ("1", "how many grids"),
        (str(size.p), "P"),
        (str(size.q), "Q"),
        ("16.0", "largest scaled residual that passes"),
        ("1", "how many panel factorisations"),
        ("2", "panel factorisation: 2 right-looking"),
        ("1", "how many ends of the recursion"),
        ("4", "columns at which the recursion ends"),
        ("1", "how many divisions"),
        ("2", "panels of a recursion"),
        ("1", "how many recursive factorisations"),
        ("1", "recursive factorisation: 1 Crout"),
        ("1", "how many broadcasts"),
        ("1", "broadcast: 1 ring, modified"),
        ("1", "how many depths"),
        ("1", "depth of looking ahead"),
        ("2", "swapping: 2 mixed"),
        ("64", "columns from which swapping is by spread-roll"),
        ("0", "L1: 0 transposed"),
        ("0", "U: 0 transposed"),
        ("1", "equilibration: 1 yes"),
        ("8", "alignment in doubles"),
    ]
    head = ["HPL input, made by beff", "one run for the balance"]
    return "".join(f"{line}\n" for line in [*head, *(f"{v:<12} {what}" for v, what in rows)])


def hpccinf(size: LinpackSize) -> str:
    """Return hpccinf.txt: the lines of HPL.dat, and no sizes of its own for PTRANS."""
    end = [
        "# the lines below are for PTRANS",
        "0            how many more N",
        "0            N",
        "0            how many more NB",
        "0            NB",
    ]
    return hpl_dat(size) + "".join(f"{line}\n" for line in end)
