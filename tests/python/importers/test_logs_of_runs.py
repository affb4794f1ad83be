"""`beff import` of what OSU, IMB, IOR and IO500 print of whole runs, as figures over time."""

from __future__ import annotations

import json
import os
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.commands import run

FIRST = datetime(2026, 10, 31, 10, tzinfo=timezone.utc)
IOR = """\
Began               : {day:%c}
api                 : POSIX
access              : file-per-process
clients per node    : 16
tasks               : 64
xfersize            : 1 MiB
access    bw(MiB/s)  IOPS       Latency(s)  block(KiB)
Max Write: {rate:.2f} MiB/sec (1.00 MB/sec)
Max Read:  {rate:.2f} MiB/sec (1.00 MB/sec)
"""
IO500 = """\
[RESULT]       ior-easy-write {rate:15f} GiB/s : time 300.331 seconds
[      ]            timestamp        0.000000 kIOPS : time 0.000 seconds
[RESULT]                 find {rate:15f} kIOPS : time 1.9 seconds [INVALID]
[SCORE ] Bandwidth {rate:f} GiB/s : IOPS 0.000000 kiops : TOTAL {rate:f} [INVALID]
"""
OSU = """\
# OSU MPI Allreduce Latency Test v7.5
# Size       Avg Latency(us)
1048576              {time:.2f}
# OSU MPI-CUDA Barrier Latency Test v5.8
# Avg Latency(us)
                     {time:.2f}
# OSU MPI Multiple Bandwidth / Message Rate Test v7.5
# [ pairs: 4 ] [ window size: 64 ]
# Size                  MB/s        Messages/s
8                     {rate:.2f}       125000.00
"""
IMB = """\
# Date                  : {day:%c}
# Benchmarking PingPong
# #processes = 2
       #bytes #repetitions      t[usec]   Mbytes/sec
            8         1000       {time:.2f}         1.00
# Benchmarking Allreduce
# #processes = 4
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
            0         1000         0.00         0.01         0.00
            8         1000         1.00         9.00       {time:.2f}
# Benchmarking Uniband
# #processes = 2
       #bytes #repetitions   Mbytes/sec      Msg/sec
            8         1000         1.00     {rate:.0f}
"""
PRINTS = {
    IOR: {
        "IOR write, POSIX, file-per-process, 1 MiB, 64 tasks": "MiB/s",
        "IOR read, POSIX, file-per-process, 1 MiB, 64 tasks": "MiB/s",
    },
    IO500: {
        "IO500 ior-easy-write": "GiB/s",
        "IO500 find (INVALID)": "kIOPS",
        "IO500 SCORE Bandwidth (INVALID)": "GiB/s",
        "IO500 SCORE TOTAL (INVALID)": "points",
    },
    OSU: {
        "OSU MPI Allreduce Latency, 1048576 B": "us",
        "OSU MPI-CUDA Barrier Latency": "us",
        "OSU MPI Multiple Bandwidth / Message Rate, 4 pairs, 8 B": "MB/s",
    },
    IMB: {
        "IMB PingPong, 2 processes, 8 B": "us",
        "IMB Allreduce, 4 processes, 8 B": "us",
        "IMB Uniband, 2 processes, 8 B": "msg/s",
    },
}
"""Figures and units of a print, whose rates are `rate` and times `time`."""


def written(folder: Path, text: str, day: int = 0, rate: float = 5000) -> Path:
    """Write a log as a run of that day leaves it; times are 10^6/rate."""
    when = FIRST + timedelta(day)
    log = folder / f"{when:%Y.%m.%d-%H.%M.%S}" / "log.txt"
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text(text.format(day=when, rate=rate, time=1e6 / rate), encoding="utf-8")
    os.utime(log, (when.timestamp(), when.timestamp()))
    return log


@pytest.mark.parametrize("text", PRINTS, ids=["IOR", "IO500", "OSU", "IMB"])
@pytest.mark.parametrize(("factor", "code"), [(1.0, 0), (0.8, 1)])
def test_a_fall_on_the_last_of_ten_days_is_named(
    text: str, factor: float, code: int, tmp_path: Path
) -> None:
    """Units are those of the program, the time is that of its print, folder or file."""
    rates = [5000 * (1 + (day * 7 % 5 - 2) / 200) for day in range(9)] + [5000 * factor]
    logs = [written(tmp_path, text, day, rate) for day, rate in enumerate(rates)]
    file = tmp_path / "x.figures.json"
    assert run("import", *logs, "-o", file)[0] == 0
    series = json.loads(file.read_text("utf-8"))["series"]
    assert {one["figure"]: one["unit"] for one in series} == PRINTS[text]
    for one in series:
        assert one["when"] == [f"{FIRST + timedelta(n):%Y-%m-%dT%H:%M:%SZ}" for n in range(10)]
        expected = [1e6 / rate for rate in rates] if one["unit"] == "us" else rates
        assert one["values"] == pytest.approx(expected, rel=1e-3)
    told = run("check", file, "--json")
    assert told[0] == code
    said = {one["about"]: one["verdict"] for one in json.loads(told[1])["findings"]}
    assert said == dict.fromkeys(PRINTS[text], "bad" if code else "good")
    assert run("history", file)[1].count("\n") == len(series)


def test_a_log_is_of_a_pair_where_it_names_one_and_else_of_a_run(tmp_path: Path) -> None:
    text = "# OSU MPI Latency Test v7.4\n# Size          Latency (us)\n8 2.00\n"
    for name, made, code in (
        ("osu_latency.log", "osu_latency.figures.json", 0),
        ("latency.log", "latency.figures.json", 0),
        ("latency_2026-11-01.log", "latency_2026-11-01.figures.json", 0),
        ("latency.log", "x.json", 2),
        ("n1_n2.log", "n1_n2.json", 0),
        ("n1_n2.log", "x.figures.json", 0),
        ("pairs.csv", "y.figures.json", 2),
    ):
        table = "from,to,bytes,seconds\na,b,8,1\n"
        (tmp_path / name).write_text(table if ".csv" in name else text, encoding="utf-8")
        more = ["-o", tmp_path / made] if made[0] in "xy" else ["--date", "2026-11-01"]
        assert run("import", tmp_path / name, *more)[0] == code
        assert (tmp_path / made).exists() is (code == 0)
    whole = ["-o", tmp_path / "x.figures.json", "--overwrite"]
    assert run("import", tmp_path, *whole)[0] == 0  # what was made of logs before is no log
    assert '"2026-11-01T00:00:00Z"' in (tmp_path / "latency.figures.json").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[RESULT] find 0.000000 kIOPS : time 1.0 seconds\n", "line 1: '0.000000' is no"),
        (
            "# OSU MPI Latency Test\n# Size  Latency (us)  Validation\n8 2.00 Fail\n",
            "line 3: 'Fail' is no",
        ),
        ("# OSU MPI Latency Test v7.4\n# Size          Latency (us)\n", "holds no figure"),
        ("Began : Sun Nov  1 10:00:00 1066\nMax Write: 1.00 MiB/sec\n", "line 2: '1066"),
    ],
)
def test_a_broken_log_is_one_sentence_and_others_count(
    text: str, said: str, tmp_path: Path
) -> None:
    log, file = tmp_path / "broken.log", tmp_path / "x.figures.json"
    log.write_text(text, encoding="utf-8")
    code, told = run("import", log)
    assert (code, told.count("\n")) == (2, 1)
    assert f"broken.log: {said}" in told
    assert run("import", log, written(tmp_path, IOR), "-o", file)[0] == 0
    assert len(json.loads(file.read_text("utf-8"))["series"]) == 2


PLACE = st.integers(0, 400)
PIECES = st.sampled_from(["", "-", "9" * 400, "nan", "\x00", "\n", " : ", "#repetitions", "[", "%"])


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from([*PRINTS]), PLACE, PLACE, PIECES)
def test_damaged_logs_give_figures_or_a_sentence(
    tmp_path: Path, text: str, begin: int, end: int, piece: str
) -> None:
    log = written(tmp_path, text)
    text = log.read_text("utf-8")
    log.write_text(f"{text[:begin]}{piece}{text[end:]}", encoding="utf-8")
    code, told = run("import", log, "-o", tmp_path / "x.figures.json", "--overwrite")
    assert (code, told.count("\n")) in {(0, 1), (2, 1)}
