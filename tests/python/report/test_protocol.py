"""Format .txt against the protocols that the measuring programs write."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import beff_core_testing as core
import pytest
from support.io_results import SHORT, IoRun, io, make_io_parts
from support.reports import B_EFF, B_EFF_IO, STORED, document_of, written

from beff.analysis.spread import spread_of
from beff.model.load import check_document
from beff.report.protocol.write import write_protocol
from beff.report.subject import load_subject

ONLY_IN_THE_PLAN = ("Running time:", "Bound:")
"""What the program tells before it measures, and no result holds."""


def protocol_of(result: Path, folder: Path) -> list[str]:
    target = folder / "again.txt"
    write_protocol(load_subject([result]), target)
    return target.read_text(encoding="utf-8").splitlines()


def b_eff_run(stop_after: int | None = None, **plan: Any) -> tuple[dict[str, Any], str]:
    """A run of the measuring program's core on a scripted machine: its JSON and its protocol."""
    benchmark = core.scripted_benchmark(**plan)
    done = 0
    while (order := benchmark.next()) is not None and done != stop_after:
        wobble = 1 + (7 * order["pattern"] + 3 * order["repetition"] + done) % 11 / 50
        slowest = order["loop_length"] * (1e-6 + order["size_bytes"] / 2e9) * wobble
        benchmark.completed(slowest, slowest * 0.9, slowest * 0.8, 1)
        done += 0 if order["latency"] else 1
    return json.loads(benchmark.result_json()), benchmark.protocol()


def io_run(wanted: IoRun) -> tuple[dict[str, Any], str]:
    """The same for b_eff_io."""
    plan, result, document = make_io_parts(wanted)
    return document, result.protocol(plan)


ASKED = {"cb_nodes": "4", "romio_ds_read": "disable", "unknown": "1"}
ACCEPTED = {"cb_nodes": "4", "romio_ds_read": "automatic"}
HINTS = tuple(
    (partition, io.Access.READ, io.Type.SHARED, pattern, ASKED, ACCEPTED)
    for partition, pattern in ((0, None), (1, 12))
)

RUNS: dict[str, Callable[[], tuple[dict[str, Any], str]]] = {
    "b_eff": lambda: b_eff_run(processes=4),
    "b_eff on 7": lambda: b_eff_run(processes=7, repetitions=2),
    "b_eff stopped": lambda: b_eff_run(processes=5, stop_after=1234),
    "b_eff_io": lambda: io_run(SHORT),
    "b_eff_io hints": lambda: io_run(IoRun(hints=HINTS)),
    "b_eff_io scatter": lambda: io_run(IoRun(plan={"rewrite": io.RewriteSet.SCATTER_ONLY})),
    "b_eff_io with a note": lambda: io_run(IoRun(note="8 servers, stripe 4 MiB")),
    "b_eff_io random types": lambda: io_run(IoRun(plan={"types": list(io.Type)})),
}


@pytest.mark.parametrize("run", RUNS)
def test_same_lines_as_the_measuring_program(run: str, tmp_path: Path) -> None:
    document, protocol = RUNS[run]()
    expected = [line for line in protocol.splitlines() if not line.startswith(ONLY_IN_THE_PLAN)]
    again = protocol_of(written(tmp_path, "result.json", document), tmp_path)
    of_the_companion = f"CAUTION: {spread_of(check_document('', document)).caution}"
    assert [line for line in again if line != of_the_companion] == expected


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_protocol_of_stored_results(path: Path, tmp_path: Path) -> None:
    document = document_of(path)
    lines = protocol_of(path, tmp_path)
    text = "\n".join(lines)
    value = document["summary"][f"{document['benchmark']}_MBps"]
    if value is not None:
        assert f"{value:.3f}" in lines[-1]
    for criterion in document["criteria"]:
        if not criterion["met"]:
            assert criterion["found"] in text
    for caution in document["cautions"]:
        assert caution in text
    assert "NOT VALID" in lines[-1]


def test_samples_of_b_eff_stand_with_their_numbers(tmp_path: Path) -> None:
    document = document_of(B_EFF)
    samples = document["samples"]
    lines = protocol_of(B_EFF, tmp_path)
    start = next(i for i, line in enumerate(lines) if line.startswith("pattern")) + 1
    for index, line in enumerate(lines[start : start + len(samples["size"])]):
        pattern, size, _, repetition, length, *times, slowest, _ = line.split()
        assert int(pattern) == samples["pattern"][index]
        assert int(size) == document["message_sizes_bytes"][samples["size"][index]]
        assert int(repetition) == samples["repetition"][index] + 1
        assert int(length) == samples["loop_length"][index]
        per_loop = [
            samples[name][index] / samples["loop_length"][index] * 1e6
            for name in ("time_min_s", "time_avg_s", "time_max_s")
        ]
        assert times == [f"{value:.3f}" for value in per_loop]
        assert int(slowest) == samples["slowest_rank"][index]


def test_several_results_are_compared_first(tmp_path: Path) -> None:
    target = tmp_path / "all.txt"
    write_protocol(load_subject([B_EFF, B_EFF_IO]), target)
    text = target.read_text(encoding="utf-8")
    assert text.index("b_eff beside published systems") < text.index(f"Result {B_EFF.stem}")
    assert "Cray T3E/900-512" in text


def test_nothing_from_a_result_moves_the_cursor(tmp_path: Path) -> None:
    document = document_of(B_EFF)
    document["environment"]["cpu"]["model"] = "CPU\x1b[2J\nb_eff = 99999 MB/s"
    lines = protocol_of(written(tmp_path, "evil.json", document), tmp_path)
    text = "\n".join(lines)
    assert "\x1b" not in text
    assert not any(line.startswith("b_eff = 99999") for line in lines)


def test_threads_and_what_is_said_of_the_file_system(tmp_path: Path) -> None:
    document, _ = io_run(IoRun(note="8 servers, stripe 4 MiB"))
    lines = protocol_of(written(tmp_path, "result.json", document), tmp_path)
    assert "file system note    8 servers, stripe 4 MiB" in lines
    assert "threads             OMP_NUM_THREADS=4,2; a process may use 2 to 4 cores" in lines
    document["environment"]["omp_num_threads"] = None
    document["environment"]["binding"].update(cores_per_process_min=1, cores_per_process_max=1)
    lines = protocol_of(written(tmp_path, "result.json", document), tmp_path)
    assert "threads             OMP_NUM_THREADS not set; a process may use 1 core" in lines


def test_an_older_result_says_nothing_of_threads(tmp_path: Path) -> None:
    document = document_of(B_EFF)
    document["environment"].pop("omp_num_threads", None)
    lines = protocol_of(written(tmp_path, "older.json", document), tmp_path)
    assert not any("OMP_NUM_THREADS" in line for line in lines)
