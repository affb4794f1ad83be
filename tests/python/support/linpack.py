"""Output of HPL and HPCC in their format, with given numbers."""

from __future__ import annotations

from beff.definition.balance import linpack_gflops


def linpack_run(
    *,
    n: int = 29184,
    nb: int = 192,
    p: int = 2,
    q: int = 2,
    time_s: float = 717.06,
    gflops: float | None = None,
    verdict: str = "PASSED",
    residuals: int = 1,
) -> str:
    """One run; its rate follows from N and the time unless it is given."""
    rate = linpack_gflops(n, time_s) if gflops is None else gflops
    rule = "-" * 80
    lines = [
        f"{'WR11C2R4':<8}{n:>12}{nb:>6}{p:>6}{q:>6}{time_s:>19.2f}{rate:>23.3e}",
        rule,
        *(
            f"||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)=        0.0024559 ...... {verdict}"
            for _ in range(residuals)
        ),
        "",
    ]
    return "\n".join(lines)


def hpl_output(*runs: str) -> str:
    """The whole file."""
    head = [
        "HPLinpack 2.3  --  High-Performance Linpack benchmark",
        "The following parameter values will be used:",
        "N      :   29184",
        "NB     :     192",
        f"T/V{'N':>17}{'NB':>6}{'P':>6}{'Q':>6}{'Time':>19}{'Gflops':>23}",
        "-" * 80,
    ]
    return "\n".join([*head, *runs, "Finished.", ""])


def hpcc_output(run: str) -> str:
    """hpccoutf.txt: what other parts print also says PASSED and has rows."""
    before = "WALL   500   500 128 128   1   2     0.09 PASSED    0.023  0.00\n"
    after = "HPL_Tflops=0.0231\nHPL_N=29184\n"
    return f"Begin of MPIRandomAccess section.\n{before}Begin of HPL section.\n{run}\n{after}"
