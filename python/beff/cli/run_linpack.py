"""`beff run --with-hpl`: Linpack after the benchmarks, and its R_max in their results."""

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from beff.analysis.common.balance import with_rmax
from beff.cli.live import display_for
from beff.cli.rich_tables import print_table
from beff.cli.run_benchmarks import MeasuredRun, Run
from beff.launch.follow import Progress
from beff.linpack.problem import LinpackSize, linpack_size
from beff.linpack.program import Linpack, find_linpack, run_linpack
from beff.model.errors import BeffError, WrongUsageError
from beff.model.load import as_b_eff, as_b_eff_io
from beff.model.result_parts import RMax
from beff.model.write import write_result
from beff.report.tables.balance import balance_table


def find_for_run(with_hpl: bool, size: str | None) -> Linpack | None:
    """Return the program, before anything is measured; None when it is not wanted.

    Raises WrongUsageError and LaunchError.
    """
    if size is not None and not with_hpl:
        raise WrongUsageError(f"--hpl-size {size}: belongs to --with-hpl, which is not given")
    return find_linpack() if with_hpl else None


def add_rmax(
    linpack: Linpack, runs: list[Run], size: str | None, folder: Path
) -> tuple[list[Run], bool]:
    """Run Linpack for each number of processes and write R_max into the results of `runs`.

    Returns the runs with what their files hold now, and whether every Linpack gave R_max.
    """
    found: dict[int, RMax] = {}
    for processes, memory in _sizes(runs).items():
        wanted = linpack_size(processes, memory, short=size != "memory")
        title = f"Linpack ({linpack.kind.name}), {processes} processes, N = {wanted.n}"
        print(f"{title}, started by {linpack.launcher.path}", file=sys.stderr)
        try:
            found[processes] = _run(linpack, wanted, folder / f"hpl_{processes}p", title)
        except BeffError as problem:
            print(f"beff: {problem}", file=sys.stderr)
    return [_with(run, found) for run in runs], len(found) == len(_sizes(runs))


def _run(linpack: Linpack, size: LinpackSize, folder: Path, title: str) -> RMax:
    display = display_for(title)
    working = Progress(share=None, done="", now="solving")
    try:
        return run_linpack(linpack, size, folder, lambda: display.show(working))
    finally:
        display.close()


def print_balance(runs: Iterable[Run], size: str | None) -> None:
    """Print the balance of the results that hold R_max."""
    measured = [(run.result_file.stem, run.measured) for run in runs if run.measured is not None]
    documents = [(label, found.document) for label, found in measured]
    b_eff = [(label, as_b_eff(d)) for label, d in documents if d.benchmark == "b_eff"]
    b_eff_io = [(label, as_b_eff_io(d)) for label, d in documents if d.benchmark == "b_eff_io"]
    if not any(document.fields.get("rmax") for _, document in documents):
        return
    print_table(balance_table(b_eff, b_eff_io))
    if size != "memory":
        print(
            "R_max is that of a short Linpack, below what a long one reaches; --hpl-size memory"
            " fills 80 % of the memory"
        )


def _sizes(runs: Iterable[Run]) -> dict[int, int]:
    """Total memory in byte by number of processes, of the runs that left a result."""
    return {
        run.processes: run.measured.result.environment.total_memory_bytes
        for run in runs
        if run.measured is not None
    }


def _with(run: Run, found: dict[int, RMax]) -> Run:
    if run.measured is None or run.processes not in found:
        return run
    if run.measured.document.benchmark == "b_pairs":  # which has no value to set in relation
        return run
    document = with_rmax(run.measured.document, found[run.processes])
    write_result(run.result_file, document.fields, overwrite=True)
    return replace(run, measured=MeasuredRun(document, run.benchmark.read(document)))
