"""`beff balance`."""

import math
import sys
from pathlib import Path
from typing import Annotated

from beff.analysis.common.balance import with_rmax
from beff.analysis.subject import LabelledResult, Subject
from beff.cli import exit_codes
from beff.cli.files import load_with_progress
from beff.cli.options import OverwriteOption, argument, option
from beff.cli.rich_tables import print_table
from beff.importers.linpack import parse_linpack
from beff.model.errors import WrongUsageError
from beff.model.load import Document
from beff.model.result_files import files_of, with_stem_ending
from beff.model.result_parts import RMax
from beff.model.strict_json import read_text
from beff.model.write import check_apart, write_result
from beff.report.tables.balance import balance_table

_SUFFIX = "_balance"
_LARGEST_GFLOPS = 1e13


def balance(
    results: Annotated[list[Path], argument("RESULT...", "Result files, or folders of them.")],
    rmax: Annotated[
        str | None,
        option("--rmax", "GFLOPS", "Linpack's R_max of the same processes, in 10^9 flop/s."),
    ] = None,
    hpl: Annotated[
        Path | None,
        option("--hpl", "FILE", "Output of HPL, or hpccoutf.txt of HPCC, to read R_max from."),
    ] = None,
    output: Annotated[
        Path | None,
        option(
            "--output -o",
            "FILE",
            "The new file, of one RESULT.",
            default="RESULT with _balance before .json",
        ),
    ] = None,
    overwrite: OverwriteOption = False,
) -> int:
    """Set bandwidths in relation to Linpack.

    Adds R_max to results, each as a new file; everything measured stays as it is. Without --rmax
    and --hpl, shows the balance of results that hold R_max already. Results of b_eff and b_eff_io
    on the same hosts with as many processes stand in one row.

    \b
    Examples:
      beff balance results/b_eff_4p.json results/b_eff_io_4p.json --hpl HPL.out
      beff balance results/b_eff_4p.json --rmax 95.2 -o b_eff_with_rmax.json
    """  # noqa: D301 - \b keeps the lines of the examples apart
    if rmax is not None and hpl is not None:
        raise WrongUsageError(f"--rmax {rmax} and --hpl {hpl}: give one of them")
    added = _rmax(rmax, hpl)
    subject = load_with_progress(results, maps=False, with_rmax=added is None)
    if added is None:
        if output is not None:
            raise WrongUsageError(f"--output {output}: needs --rmax or --hpl, as nothing is added")
    else:
        if output is not None and len(subject.results) > 1:
            raise WrongUsageError(f"--output {output}: is one file for {len(subject.results)}")
        if output is not None:
            check_apart({"--output": output}, [one for path in results for one in files_of(path)])
        subject = _added(subject, added, output, overwrite)
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


def _added(subject: Subject, rmax: RMax, output: Path | None, overwrite: bool) -> Subject:
    """Write the new files, and return what they hold."""
    sources = [Path(entry.document.source) for entry in subject.results]
    targets = [output or with_stem_ending(source, _SUFFIX) for source in sources]
    for path in targets:
        check_apart({"--output": path}, sources)
    written = []
    for entry, source, path in zip(subject.results, sources, targets, strict=True):
        document = with_rmax(entry.document, rmax)
        write_result(path, document.fields, overwrite=overwrite)
        print(f"{path}: {source.name} with R_max = {rmax.gflops:g} GFLOP/s")
        for line in remarks(document, rmax):
            print(f"beff: {line}", file=sys.stderr)
        written.append(LabelledResult(entry.label, document))
    return Subject(tuple(written))


def remarks(document: Document, rmax: RMax) -> list[str]:
    """Say what makes a balance doubtful: Linpack ran on another number of processes."""
    processes = document.fields["environment"]["processes"]
    if rmax.p is None or rmax.q is None or rmax.p * rmax.q == processes:
        return []
    return [
        f"{document.source}: Linpack ran on {rmax.p} x {rmax.q} processes, the benchmark on"
        f" {processes}; the balance holds only if both used the same cores"
    ]
