"""`beff show --hpl FILE` and `--rmax`: results with Linpack's R_max."""

import math
from pathlib import Path

from beff.cli.common.say import warn
from beff.importers.linpack import parse_linpack
from beff.result.errors import WrongUsageError
from beff.result.load import Document
from beff.result.result_parts import RMax
from beff.result.strict_json import read_text
from beff.verify.common.summary_figures import with_rmax
from beff.verify.subject import LabelledResult, Subject

_LARGEST_GFLOPS = 1e13


def rmax_of(given: str | None, hpl: Path | None) -> RMax | None:
    """Return R_max as it was given, or as Linpack printed it. Raises BeffError."""
    if given is not None and hpl is not None:
        raise WrongUsageError(f"--rmax {given} and --hpl {hpl}: give one of them")
    if hpl is not None:
        return parse_linpack(str(hpl), hpl.name, read_text(hpl))
    if given is None:
        return None
    try:
        gflops = float(given)
    except ValueError:
        gflops = math.nan
    if not 0 < gflops < _LARGEST_GFLOPS:
        raise WrongUsageError(f"--rmax {given}: must be a number of GFLOP/s above 0, such as 95.2")
    return RMax(gflops=gflops, origin="given", source=None)


def balanced(subject: Subject, rmax: RMax) -> Subject:
    """Return the results with R_max, and say on standard error what makes a balance doubtful."""
    added = [LabelledResult(one.label, with_rmax(one.document, rmax)) for one in subject.results]
    for entry in added:
        for line in remarks(entry.document, rmax):
            warn(f"beff: {line}")
    return Subject(tuple(added))


def remarks(document: Document, rmax: RMax) -> list[str]:
    """Say what makes a balance doubtful: Linpack ran on another number of processes."""
    processes = document.result.environment.processes
    if rmax.p is None or rmax.q is None or rmax.p * rmax.q == processes:
        return []
    return [
        f"{document.source}: Linpack ran on {rmax.p} x {rmax.q} processes, the benchmark on"
        f" {processes}; the balance holds only if both used the same cores"
    ]
