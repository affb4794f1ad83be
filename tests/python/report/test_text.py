"""Format .txt: the measuring programs' last line, threads and hints."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.io_results import SHORT, IoRun, io, make_io_parts
from support.reports import written

from beff.report.text_file import write_text
from beff.verify.subject import load_subject
from scripted_machine import run


def text_of(folder: Path, *results: Path) -> str:
    target = folder / "report.txt"
    write_text(load_subject(results), target)
    return target.read_text(encoding="utf-8")


def b_eff_run(stop_after: int | None = None, **plan: Any) -> tuple[dict[str, Any], str]:
    """A run of the measuring program's core on a scripted machine: its JSON and its protocol."""
    benchmark = run(stop_after=stop_after, **plan)
    return benchmark.result, benchmark.protocol


def io_run(wanted: IoRun) -> tuple[dict[str, Any], str]:
    """The same for b_eff_io."""
    result, document = make_io_parts(wanted)
    return document, result.protocol


RUNS: dict[str, Callable[[], tuple[dict[str, Any], str]]] = {
    "b_eff": lambda: b_eff_run(processes=4),
    "b_eff stopped": lambda: b_eff_run(processes=5, stop_after=1),
    "b_eff_io": lambda: io_run(SHORT),
}


@pytest.mark.parametrize("run", RUNS)
def test_last_line_of_the_measuring_program(run: str, tmp_path: Path) -> None:
    document, protocol = RUNS[run]()
    text = text_of(tmp_path, written(tmp_path, "result.json", document))
    assert text.splitlines()[-1] == protocol.splitlines()[-1]


def facts_of(folder: Path, document: dict[str, Any]) -> list[list[str]]:
    """Lines of two columns: what, and its value."""
    lines = text_of(folder, written(folder, "result.json", document)).splitlines()
    return [line.split("  ", 1) for line in lines]


def test_threads_and_what_is_said_of_the_file_system(tmp_path: Path) -> None:
    document, _ = io_run(IoRun(note="8 servers, stripe 4 MiB"))
    facts = {what: rest[0].strip() for what, *rest in facts_of(tmp_path, document) if rest}
    assert facts["file system note"] == "8 servers, stripe 4 MiB"
    assert facts["threads"] == "OMP_NUM_THREADS=4,2; a process may use 2 to 4 cores"
    document["environment"]["omp_num_threads"] = None
    document["environment"]["binding"].update(cores_per_process_min=1, cores_per_process_max=1)
    facts = {what: rest[0].strip() for what, *rest in facts_of(tmp_path, document) if rest}
    assert facts["threads"] == "OMP_NUM_THREADS not set; a process may use 1 core"


def test_hints_stand_with_the_librarys_answers(tmp_path: Path) -> None:
    asked = {"cb_nodes": "4", "romio_ds_read": "disable", "unknown": "1"}
    accepted = {"cb_nodes": "4", "romio_ds_read": "automatic"}
    document, _ = io_run(IoRun(hints=((1, io.Access.READ, io.Type.SHARED, 12, asked, accepted),)))
    text = text_of(tmp_path, written(tmp_path, "result.json", document))
    told = [line.split() for line in text.splitlines() if "pattern 12  " in line]
    processes = str(document["partitions"][1]["processes"])
    place = [processes, "read", "shared", "pattern", "12"]
    assert [*place, "cb_nodes=4", "accepted"] in told
    assert [*place, "romio_ds_read=disable", "became", "automatic"] in told
    assert [*place, "unknown=1", "not", "reported", "by", "the", "library"] in told
