"""The balance of a machine: bandwidth over Linpack's R_max, in byte per flop."""

from beff.analysis.common.summary_figures import main_value
from beff.analysis.common.verification import Recheck
from beff.model.b_eff_io_result import BEffIoFigures
from beff.model.b_eff_result import BEffFigures
from beff.model.load import Document, check_document
from beff.model.numbers import BYTES_PER_MB
from beff.model.result_parts import Figure, RMax

FLOPS_PER_GFLOPS = 1e9
COFFEE_CUP_MIN = 10
"""A balanced system writes its whole memory within 10 minutes (IPDPS paper, section 2.2)."""

_TIME_DIGIT_S = 0.005
_PRINTED = 1e-3
"""Linpack prints the time in hundredths of a second and R_max with four digits."""


def balance_of(bandwidth: Figure, rmax_gflops: Figure) -> Figure:
    """Return byte/s per flop/s of a bandwidth in MB/s; None where a figure is missing."""
    if bandwidth is None or rmax_gflops is None:
        return None
    return bandwidth * BYTES_PER_MB / (rmax_gflops * FLOPS_PER_GFLOPS)


def with_rmax(document: Document, rmax: RMax) -> Document:
    """Return the document with R_max and the balance; everything else stays as it is."""
    summary = document.fields["summary"]
    balance = balance_of(main_value(document.result), rmax.gflops)
    added = {"rmax_gflops": rmax.gflops, "balance_bytes_per_flop": balance}
    fields = {**document.fields, "summary": {**summary, **added}, "rmax": rmax.model_dump()}
    return check_document(document.source, fields)


def linpack_gflops(order: int, seconds: float) -> float:
    """Rate of a factorisation and solution: (2/3 n^3 + 3/2 n^2) / time, as Linpack counts."""
    return (2 / 3 * order + 3 / 2) * order * order / seconds / FLOPS_PER_GFLOPS


def check_balance(result: BEffFigures | BEffIoFigures, check: Recheck) -> None:
    """Compare R_max and balance in the summary with the record of where R_max comes from."""
    summary, rmax = result.summary, result.rmax
    balance = balance_of(main_value(result), summary.rmax_gflops)
    check.compare(["summary", "balance_bytes_per_flop"], summary.balance_bytes_per_flop, balance)
    if rmax is None:
        return
    check.compare(["summary", "rmax_gflops"], summary.rmax_gflops, rmax.gflops)
    if rmax.n is not None and rmax.time_s is not None and rmax.time_s > 0:
        counted = linpack_gflops(rmax.n, rmax.time_s)
        error = _PRINTED + _TIME_DIGIT_S / rmax.time_s
        check.figures += 1
        check.require(
            abs(rmax.gflops - counted) <= error * counted,
            ["rmax", "gflops"],
            rmax.gflops,
            f"{counted:.4g}, from n and time_s",
        )
