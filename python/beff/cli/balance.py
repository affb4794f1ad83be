"""`beff balance`."""

import math
from dataclasses import dataclass
from pathlib import Path

from beff.cli.common import exit_codes
from beff.cli.common.files import load_with_progress
from beff.cli.common.options import argument, option, overwrite_flag, taking
from beff.cli.common.rich_tables import print_table
from beff.cli.common.say import say, warn
from beff.importers.linpack import parse_linpack
from beff.report.tables.balance import balance_table
from beff.result.errors import TargetError, WrongUsageError
from beff.result.load import Document
from beff.result.places import is_folder
from beff.result.result_files import files_of
from beff.result.result_parts import RMax
from beff.result.strict_json import read_text
from beff.result.write import check_apart, require_free, write_result
from beff.verify.common.summary_figures import with_rmax
from beff.verify.subject import LabelledResult, Subject

_LARGEST_GFLOPS = 1e13


@dataclass(frozen=True, kw_only=True)
class _Options:
    results: list[Path] = argument("RESULT...", "Result files, or folders of them.")
    rmax: str | None = option("GFLOPS", "Linpack's R_max of the same processes, in 10^9 flop/s.")
    hpl: Path | None = option("FILE", "Output of HPL, or hpccoutf.txt of HPCC, to read R_max from.")
    output: Path | None = option(
        "PATH",
        "Also write RESULT with R_max: a new file, or a folder, where each of several keeps"
        " its name.",
        names="--output -o",
    )
    overwrite: bool = overwrite_flag()


@taking(_Options)
def balance(given: _Options) -> int:
    """Set bandwidths in relation to Linpack.

    Shows the balance with the R_max given, else of results that hold R_max already. Results of
    b_eff and b_eff_io on the same hosts with as many processes stand in one row. Writes results
    with R_max only where --output says; everything measured stays as it is.

    Examples:
      beff balance results/b_eff_4p.json results/b_eff_io_4p.json --hpl HPL.out
      beff balance results/b_eff_4p.json --rmax 95.2 -o b_eff_with_rmax.json
    """
    if given.rmax is not None and given.hpl is not None:
        raise WrongUsageError(f"--rmax {given.rmax} and --hpl {given.hpl}: give one of them")
    added = _rmax(given.rmax, given.hpl)
    subject = load_with_progress(given.results, maps=False, with_rmax=added is None)
    if added is None and given.output is not None:
        raise WrongUsageError(
            f"--output {given.output}: needs --rmax or --hpl, as nothing is added"
        )
    if added is not None:
        targets = (
            []
            if given.output is None
            else _targets(given.output, subject, given.results, given.overwrite)
        )
        subject = _added(subject, added)
        for entry, path in zip(subject.results, targets, strict=False):
            write_result(path, entry.document.fields, overwrite=given.overwrite)
            say(f"{path}: {Path(entry.document.source).name} with R_max = {added.gflops:g} GFLOP/s")
    print_table(balance_table(subject.b_eff(), subject.b_eff_io()))
    return exit_codes.OK


def _rmax(given: str | None, hpl: Path | None) -> RMax | None:
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


def _targets(output: Path, subject: Subject, read: list[Path], overwrite: bool) -> list[Path]:
    """Return where each result with R_max goes. Raises TargetError."""
    sources = [Path(entry.document.source) for entry in subject.results]
    if len(sources) > 1 and not is_folder(output):
        raise WrongUsageError(
            f"--output {output}: is no folder, for {len(sources)} results; make it or name another"
        )
    targets = [output / source.name for source in sources] if is_folder(output) else [output]
    files = [file for path in read for file in files_of(path)]
    for number, path in enumerate(targets):
        check_apart({"--output": path}, files)
        if path in targets[:number]:
            raise TargetError(f"--output {output}: two results have the name {path.name}")
        require_free(path, overwrite=overwrite, option="--output")
    return targets


def _added(subject: Subject, rmax: RMax) -> Subject:
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
