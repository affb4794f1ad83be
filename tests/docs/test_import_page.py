"""The lines of docs/how-to/import.md, run as printed on short logs (tests/docs/logs), and imported.

Lines of awk are tried with each awk that is here: mawk, gawk, BusyBox's and the original one.
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from pages_of_docs import DOCS, ROOT, part_of_page, text_of
from support.commands import run

LOGS = ROOT / "tests" / "docs" / "logs"
AWKS = [name for name in ("mawk", "gawk", "busybox", "original-awk", "awk") if shutil.which(name)]
MIB = 2**20
AT = "2026-11-01T10:00:00Z"
PAIRS = {"n1 n2": (2.0, 100.0), "n1 n3": (2.1, 110.0), "n2 n3": (2.2, 120.0)}
"""What pairs take in the logs of IMB and nccl-tests, in us: a message of 8 B, and of 1 MiB."""
SHORT = {pair: times[0] for pair, times in PAIRS.items()}
LONG = {pair: times[1] for pair, times in PAIRS.items()}
RATES = {"n1 n2": 9500.25, "n1 n3": 9600.25, "n2 n3": 9700.25}
MAPS: dict[str, tuple[dict[int, dict[str, float]], str]] = {
    "osu": ({1: dict.fromkeys(PAIRS, 1.91), MIB: {p: MIB / r for p, r in RATES.items()}}, "one"),
    "imb": ({0: dict.fromkeys(PAIRS, 1.9), MIB: LONG}, "one"),
    "perftest": ({8: SHORT, MIB: dict.fromkeys(PAIRS, 100.0)}, "one"),
    "nccl-tests": ({8: SHORT, MIB: {**LONG, "n1 n4": 130.0}}, "each"),
    "mpigraph": (
        {
            MIB: {
                **dict.fromkeys(["n2 n3", "n1 n4", "n2 n4", "n3 n4"], 125.0),
                "n1 n2": 250.0,
                "n1 n3": 200.0,
            }
        },
        "each",
    ),
    "clusterkit": (
        {0: SHORT, 32_000_000: {"n1 n2": 1600.0, "n1 n3": 2000.0, "n2 n3": 320.0}},
        "each",
    ),
    "iperf3": ({MIB: LONG}, "one"),
}
"""What maps hold: of each length what pairs take in us, and which ways messages went."""
FIGURES: dict[str, dict[str, tuple[float, str]]] = {
    "osu_runs": {
        "OSU MPI Allreduce Latency 8 B": (3.5, "us"),
        "OSU MPI Allreduce Latency 1048576 B": (250, "us"),
        "OSU MPI-CUDA Barrier Latency": (4.25, "us"),
        "OSU MPI Multiple Bandwidth / Message Rate 8 B": (120.5, "MB/s"),
    },
    "imb_runs": {
        "IMB PingPong 2 processes 0 B": (1.9, "us"),
        "IMB PingPong 2 processes 8 B": (2, "us"),
        "IMB PingPong 2 processes 1048576 B": (100, "us"),
        "IMB Allreduce 64 processes 8 B": (3.1, "us"),
        "IMB Barrier 64 processes": (2.2, "us"),
    },
    "ior": {
        "IOR write POSIX file-per-process 1 MiB 64 tasks": (5120, "MiB/s"),
        "IOR read POSIX file-per-process 1 MiB 64 tasks": (6144, "MiB/s"),
    },
    "io500": {
        "IO500 ior-easy-write": (5.18662, "GiB/s"),
        "IO500 mdtest-easy-write": (103.300821, "kIOPS"),
        "IO500 find (invalid)": (850.5, "kIOPS"),
        "IO500 score (invalid)": (17.141, "points"),
    },
}


def lines_of(name: str) -> str:
    page, heading = text_of(DOCS / "how-to" / "import.md"), name.replace("_", ", whole ")
    (title,) = re.findall(rf"^### {heading}$", page, re.IGNORECASE | re.MULTILINE)
    part = part_of_page(page, title)
    (lines,) = re.findall(r"^```\n(.*?)^```$", part, re.DOTALL | re.MULTILINE)
    return str(lines)


def table_of(name: str, awk: str, folder: Path) -> Path:
    """Run the lines of a format in a folder with its logs, and return the table that they make."""
    logs = folder / "logs"
    shutil.copytree(LOGS / name, logs)
    for log in logs.glob("*.log"):
        os.utime(log, (1793527200, 1793527200))
    called = f"{shutil.which(awk)} awk" if awk == "busybox" else shutil.which(awk)
    program = folder / "awk"
    program.write_text(f'#!/bin/sh\nexec {called} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    path = f"{folder}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euc", lines_of(name)],
        cwd=logs,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    said = "n1_to_n9.json unable to connect to server: Connection refused\n"
    assert done.stderr == (said if name == "iperf3" else "")
    return logs / ("figures.csv" if name in FIGURES else "pairs.csv")


def imported(name: str, awk: str, folder: Path) -> dict[str, Any]:
    made = folder / ("x.figures.json" if name in FIGURES else "x.json")
    code, told = run("import", table_of(name, awk, folder), "-o", made)
    assert code == 0, told
    fields: dict[str, Any] = json.loads(made.read_text(encoding="utf-8"))
    return fields


def awks_of(name: str) -> list[str]:
    return AWKS if "awk " in lines_of(name) else AWKS[:1]


@pytest.mark.parametrize(("name", "awk"), [(name, awk) for name in MAPS for awk in awks_of(name)])
def test_lines_make_a_map_of_logs_of_pairs(name: str, awk: str, tmp_path: Path) -> None:
    fields = imported(name, awk, tmp_path)
    sizes, ways = MAPS[name]
    plan, met = fields["plan"], fields["meetings"]
    hosts = [host["name"] for host in fields["environment"]["hosts"]]
    found: dict[int, dict[str, float]] = {}
    for kind in ("small", "large"):
        if plan[f"{kind}_bytes"] is None:
            continue
        columns = (met["first"].split(), met["second"].split(), met[f"{kind}_ns"].split())
        times = {
            " ".join(sorted((hosts[int(one)], hosts[int(other)]))): int(ns) / 1e3
            for one, other, ns in zip(*columns, strict=True)
            if ns != "-"
        }
        found[plan[f"{kind}_bytes"]] = times
    assert found.keys() == sizes.keys()
    for size, expected in sizes.items():
        assert found[size] == pytest.approx(expected, rel=1e-3)
    assert plan["ways"] == ways
    assert (met["round"] is None) == (name != "mpigraph")
    assert fields["environment"]["started_at"] == (AT if name == "iperf3" else None)


@pytest.mark.parametrize(
    ("name", "awk"), [(name, awk) for name in FIGURES for awk in awks_of(name)]
)
def test_lines_make_figures_of_logs_of_runs(name: str, awk: str, tmp_path: Path) -> None:
    columns = imported(name, awk, tmp_path)["measured"]
    rows = zip(*(columns[name] for name in ("figure", "value", "unit")), strict=True)
    found = {figure: (value, unit) for figure, value, unit in rows}
    assert {figure: one[1] for figure, one in found.items()} == {
        figure: one[1] for figure, one in FIGURES[name].items()
    }
    for figure, (value, _) in FIGURES[name].items():
        assert found[figure][0] == pytest.approx(value, rel=1e-5)
    assert {*columns["when"]} == {AT}


def test_numbers_have_points_whatever_the_language() -> None:
    """Of some awks they have commas in some; what they read as numbers ends at the point then."""
    for name in (*MAPS, *FIGURES):
        assert lines_of(name).count("LC_ALL=C awk ") == len(re.findall(r"\bawk ", lines_of(name)))
