"""The papers' line with which a run ends, as the measuring programs print it."""

from beff.result.b_eff_io_result import BEffIoResult
from beff.result.b_eff_result import RULES, BEffResult
from beff.result.b_pairs_result import BPairsResult
from beff.result.load import Document
from beff.result.numbers import MIB, MISSING
from beff.result.result_parts import ImportedHead


def last_line(document: Document) -> str | None:
    """Return the line; None for a map of pairs, and for an imported result."""
    result = document.result
    if isinstance(result, ImportedHead):
        return None
    machine = " ".join(result.environment.uname.model_dump().values())
    if isinstance(result, BPairsResult):
        return None
    return _b_eff(result, machine) if isinstance(result, BEffResult) else _b_eff_io(result, machine)


def memory_text(size_bytes: int) -> str:
    """Write the memory of a process in whole MByte of 2^20 byte."""
    return f"{size_bytes / MIB:.0f}"


def _b_eff(result: BEffResult, machine: str) -> str:
    e, s = result.environment, result.summary
    value, each = (
        MISSING if mbps is None else f"{mbps:.3f}"
        for mbps in (s.b_eff_MBps, s.b_eff_per_process_MBps)
    )
    stamp = "" if result.valid else " -- NOT VALID for comparison"
    return (
        f"{RULES[result.definition].value} = {value:>10} MB/s = {each:>7} * {e.processes} PEs"
        f" with {memory_text(e.memory_per_process_bytes)} MB/PE on {machine}{stamp}"
    )


def _b_eff_io(result: BEffIoResult, machine: str) -> str:
    value = result.summary.b_eff_io_MBps
    shown = "not available" if value is None else f"{value:>8.3f} MB/s"
    processes = result.summary.processes or result.environment.processes
    stamp = "" if result.valid else ", NOT VALID (see the criteria above)"
    minutes = result.schedule.time_s / len(result.partitions) / 60
    return (
        f"b_eff_io of these measurements = {shown} on {processes} processes with"
        f" {memory_text(result.environment.memory_per_process_bytes)} MByte/PE and scheduled"
        f" time={minutes:.1f} min on {machine}{stamp}"
    )
