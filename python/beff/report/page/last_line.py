"""The last line of a run, in the form of the papers, from its result."""

from beff.model.b_eff_io_result import BEffIoResult
from beff.model.load import Document, as_b_eff, as_b_eff_io
from beff.model.result_parts import Figure
from beff.model.units import MIB


def last_line(document: Document) -> str:
    """Return the line that the measuring program printed last."""
    if document.benchmark == "b_eff_io":
        return _of_b_eff_io(as_b_eff_io(document), document)
    result = as_b_eff(document)
    summary, environment = result.summary, result.environment
    stamp = "" if result.valid else " -- NOT VALID for comparison"
    return (
        f"b_eff = {_cell(summary.b_eff_MBps, 10)} MB/s ="
        f" {_cell(summary.b_eff_per_process_MBps, 7)} * {environment.processes} PEs with"
        f" {environment.memory_per_process_bytes // MIB} MB/PE on"
        f" {_uname(document, ('sysname', 'nodename', 'release', 'version', 'machine'))}{stamp}"
    )


def _of_b_eff_io(result: BEffIoResult, document: Document) -> str:
    value = result.summary.b_eff_io_MBps
    written = "not available" if value is None else f"{value:8.3f} MB/s"
    processes = result.summary.processes or result.environment.processes
    stamp = "" if result.valid else ", NOT VALID (see the criteria above)"
    return (
        f"b_eff_io of these measurements = {written} on {processes} processes with"
        f" {result.environment.memory_per_process_bytes / MIB:.0f} MByte/PE and scheduled"
        f" time={result.schedule.time_s / 60:.1f} min on"
        f" {_uname(document, ('sysname', 'nodename', 'release', 'machine'))}{stamp}"
    )


def _cell(value: Figure, width: int) -> str:
    return f"{'-':>{width}}" if value is None else f"{value:{width}.3f}"


def _uname(document: Document, names: tuple[str, ...]) -> str:
    uname = document.fields["environment"]["uname"]
    return " ".join(str(uname[name]) for name in names)
