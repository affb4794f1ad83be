"""Two of the walks of a newcomer by codes and files; that of an admin is cluster/test_fleet_night.

Everything is typed as README and the pages have it.
"""

import os
import subprocess
from pathlib import Path

import pytest
import yaml

from engines.support import VENV
from golden.inputs import make

TENDER = "job slurm --nodes 8 --tasks-per-node 1 --path /scratch --memory-per-process 512MiB"


def beff(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    """Run a line in a folder, with the programs of this checkout."""
    settings = {**os.environ, "PATH": f"{VENV}:{os.environ['PATH']}"}
    words = [str(VENV / "beff"), *line.split()]
    return subprocess.run(
        words, cwd=folder, env=settings, capture_output=True, text=True, check=False
    )


@pytest.mark.thorough
@pytest.mark.timeout(600)
def test_a_student_comes_from_a_number_to_a_figure_in_a_paper(tmp_path: Path) -> None:
    done = beff(tmp_path, "run --quick --benchmark b_eff -n 2 --output-dir results")
    assert done.returncode == 0, done.stderr
    assert "b_eff short" in done.stdout
    assert beff(tmp_path, "verify results").returncode == 0
    paper = "show results -o rings_and_random.pdf --no-title --data"
    assert beff(tmp_path, paper).returncode == 0
    assert (tmp_path / "rings_and_random.pdf").read_bytes().startswith(b"%PDF")
    assert len((tmp_path / "rings_and_random.csv").read_text("utf-8").splitlines()) > 21
    assert beff(tmp_path, "show results -o figures.tex").returncode == 0
    table = (tmp_path / "figures.tex").read_text("utf-8")
    value = next(line for line in done.stdout.splitlines() if "b_eff short" in line).split()[2]
    assert rf"b\_eff short & {value} " in table
    assert r"\begin{tabular}" in table


def test_a_buyer_comes_from_a_tender_to_a_page_of_what_is_kept(tmp_path: Path) -> None:
    for day in (1, 2, 3, 4, 7):
        make(tmp_path / f"days/{day}.json", f"days/{day}.json")
    assert beff(tmp_path, f"{TENDER} --tender tender").returncode == 0
    file = tmp_path / "tender/committed.expect.yaml"
    blank = beff(tmp_path, f"check days/1.json --expect {file}")
    assert (blank.returncode, "fill in the 8 COMMITTED" in blank.stderr) == (2, True)
    content = yaml.safe_load(file.read_text("utf-8"))
    for entry in content["expectations"]:
        entry["optional"] = entry["benchmark"] != "b_eff"  # what is bought is the network
        for name, figure in entry["reference"].items():
            figure[0] = 2.0 if name == "latency_us" else 20000
    file.write_text(yaml.safe_dump(content), encoding="utf-8")
    offered = beff(tmp_path, f"check days/1.json --expect {file}")
    assert offered.returncode == 0, offered.stdout
    accept = "accept days/1.json days/2.json days/3.json --as site/2026 --tolerance 10%"
    assert beff(tmp_path, accept).returncode == 0
    kept = beff(tmp_path, "check days/4.json --accepted site/2026 -o report.pdf")
    assert kept.returncode == 0, kept.stdout
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")
    later = beff(tmp_path, "check days/7.json --accepted site/2026 -o later.svg")
    assert later.returncode == 1, later.stdout
    page = (tmp_path / "later.svg").read_text("utf-8")
    assert "of 5 figures do not keep what was accepted." in page
    assert page.count(">NOT kept<") + page.count(">kept<") == 5
    assert ">at least 90.0 %<" in page
    assert "sha256 " in page
