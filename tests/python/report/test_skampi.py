"""Format .sko: a reader of SKaMPI's syntax finds the measured times again."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import B_EFF_IO_IMPORTED
from support.reports import B_EFF, B_EFF_3_1, B_EFF_IO, STOPPED_IO, document_of, written

from beff.report.skampi import _line, write_skampi
from beff.result.errors import BeffError
from beff.verify.subject import load_subject


class Measurement(NamedTuple):
    parameters: dict[str, int]
    size_bytes: int
    time_us: float
    error_us: float | None
    count: int
    of_processes_us: list[float]


def measurement(line: str) -> Measurement:
    """Read a line by section 7.1 of SKaMPI's manual: first 2 k fields are names and values."""
    fields, parameters = line.split(), {}
    while fields[0].endswith("="):
        parameters[fields[0][:-1]] = int(fields[1])
        del fields[:2]
    size, time, error, count, *rest = fields
    of_error = None if error == "---" else float(error)
    return Measurement(
        parameters, int(size), float(time), of_error, int(count), [float(field) for field in rest]
    )


def read(text: str) -> dict[str, list[Measurement]]:
    """Read a file: results by name; everything else is a comment or empty."""
    results: dict[str, list[Measurement]] = {}
    name = None
    for line in text.splitlines():
        if line.startswith('# begin result "'):
            assert name is None
            name = line.split('"')[1]
            assert name not in results
            results[name] = []
        elif line.startswith("# end result "):
            assert line == f'# end result "{name}"'
            name = None
        elif line and not line.startswith("#"):
            assert name is not None
            results[name].append(measurement(line))
    assert name is None
    return results


def results_of(files: list[Path], folder: Path) -> dict[str, list[Measurement]]:
    target = folder / "times.sko"
    write_skampi(load_subject(files), target)
    return read(target.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", [B_EFF, B_EFF_3_1], ids=lambda path: path.stem)
def test_times_of_b_eff_are_those_of_the_loops(path: Path, tmp_path: Path) -> None:
    document = document_of(path)
    found = results_of([path], tmp_path)
    samples, sizes = document["samples"], document["message_sizes_bytes"]
    loops: dict[tuple[str, int], list[tuple[float, float]]] = {}
    for index, pattern in enumerate(samples["pattern"]):
        method = document["methods"][samples["method"][index]]
        length = samples["loop_length"][index]
        key = (f"b_eff-{pattern}-{method}", sizes[samples["size"][index]])
        times = (samples["time_max_s"][index] / length, samples["time_min_s"][index] / length)
        loops.setdefault(key, []).append(times)
    assert {(name, m.size_bytes) for name, lines in found.items() for m in lines} == set(loops)
    processes = {f"{p['id']}": p["processes"] for p in document["patterns"]}
    for name, lines in found.items():
        for line in lines:
            slowest, fastest = zip(*loops[name, line.size_bytes], strict=True)
            mean = statistics.fmean(slowest) * 1e6
            assert line.parameters == {
                "procs": processes[name.split("-")[1]],
                "count": line.size_bytes,
            }
            assert line.count == len(slowest)
            assert line.time_us == pytest.approx(mean, rel=1e-6)
            if line.count > 1:
                error = statistics.stdev(slowest) / line.count**0.5 * 1e6
                assert line.error_us == pytest.approx(error, rel=1e-5, abs=1e-5)
            else:
                assert line.error_us is None
            shortest = statistics.fmean(fastest) * 1e6
            assert line.of_processes_us == pytest.approx([shortest, mean], rel=1e-6)


@pytest.mark.parametrize("path", [B_EFF_IO, STOPPED_IO], ids=lambda path: path.stem)
def test_times_of_b_eff_io_are_those_of_a_call(path: Path, tmp_path: Path) -> None:
    document = document_of(path)
    found = results_of([path], tmp_path)
    samples = document["samples"]
    patterns = {p["number"]: p for p in document["patterns"]}
    names = {entry["type"]: entry["name"] for entry in document["type_names"]}
    expected: dict[tuple[str, int, int], tuple[int, float]] = {}
    for index, number in enumerate(samples["pattern"]):
        if samples["status"][index] == "measured":
            pattern = patterns[number]
            n = document["partitions"][samples["partition"][index]]["processes"]
            name = f"b_eff_io-{names[pattern['type']]}-{samples['access'][index]}"
            calls = samples["repetitions"][index]
            moved = samples["bytes"][index] / n / calls
            expected[name, n, number] = (int(moved), samples["time_s"][index] / calls * 1e6)
    read_back = {
        (name, m.parameters["procs"], m.parameters["pattern"]): m
        for name, lines in found.items()
        for m in lines
    }
    assert set(read_back) == set(expected)
    for key, (moved, time_us) in expected.items():
        line = read_back[key]
        chunk = patterns[key[2]]["l_bytes"]
        assert line.size_bytes == moved
        assert line.parameters["chunk"] == (moved if chunk is None else chunk)
        assert line.time_us == pytest.approx(time_us, rel=1e-6)
        assert (line.error_us, line.count, line.of_processes_us) == (None, 1, [])


@given(
    st.lists(st.floats(1e-9, 1e6), min_size=1, max_size=9),
    st.integers(1, 2**40),
)
def test_a_line_is_read_back(times_s: list[float], size: int) -> None:
    line = _line({"procs": 3, "count": size}, size, times_s, (min(times_s), max(times_s)))
    assert "e" not in line.split(maxsplit=4)[4]
    found = measurement(line)
    assert found.parameters == {"procs": 3, "count": size}
    assert found.time_us == pytest.approx(statistics.fmean(times_s) * 1e6, rel=1e-6)
    assert found.of_processes_us == pytest.approx(
        [min(times_s) * 1e6, max(times_s) * 1e6], rel=1e-6
    )


def test_times_that_no_machine_has_do_not_fail() -> None:
    line = _line({}, 1, [1e308, 1e308, 0.0])
    assert line.split()[1:3] == ["---", "---"]


def test_a_name_cannot_become_a_line(tmp_path: Path) -> None:
    document = document_of(B_EFF)
    document["environment"]["host_list"] = 'n0\nprocs= 9 1 1 1 1\n# begin result "x"'
    document["patterns"][0]["name"] = "a\nb"
    found = results_of([written(tmp_path, 'od"d.json', document)], tmp_path)
    assert "x" not in found
    assert len(found) == len(results_of([B_EFF], tmp_path))


def test_a_result_without_times_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BeffError, match=r"times\.sko: there is no time to write"):
        write_skampi(load_subject([B_EFF_IO_IMPORTED]), tmp_path / "times.sko")
