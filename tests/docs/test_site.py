"""The site of the documentation: made without a warning, and all that it needs is in it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from beff.result.b_eff_io_result import BEffIoResult
from beff.result.b_eff_result import BEffResult, Summary
from beff.result.b_pairs_result import BPairsResult

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for needed in ("sphinx", "furo", "myst_parser"):
        pytest.importorskip(needed)
    target = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-c", "docs"]
    done = subprocess.run(
        [*command, ".", str(target)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=560,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return target


def test_every_page_is_in_the_site_and_its_contents(site: Path) -> None:
    contents = (site / "docs" / "index.html").read_text(encoding="utf-8")
    side = contents.partition('class="sidebar-tree"')[2].partition("</aside>")[0]
    pages = [page.relative_to(ROOT / "docs") for page in (ROOT / "docs").rglob("*.md")]
    assert len(pages) > 20
    for page in pages:
        assert (site / "docs" / page).with_suffix(".html").exists()
        if page.name != "index.md":
            assert f'href="{page.with_suffix(".html")}"' in side


def test_the_site_has_the_help_of_programs_and_a_row_for_each_field(site: Path) -> None:
    reference = (site / "docs" / "reference" / "cli.html").read_text(encoding="utf-8")
    parts = {part.partition("<")[0]: part for part in reference.split("<h2>")[1:]}
    assert {"beff run", "beff list add", "b_eff", "b_eff_io", "b_pairs"} <= set(parts)
    assert [name for name, part in parts.items() if "--help" not in part] == []
    page = (site / "docs" / "reference" / "output.html").read_text(encoding="utf-8")
    rows = set(
        re.findall(r'<td><p><code[^>]*><span class="pre">(\w+)</span></code></p></td>', page)
    )
    for model in (BEffResult, Summary, BEffIoResult, BPairsResult):
        assert set(model.model_fields) <= rows


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        fetched = re.findall(r"<(?:script|link|img|iframe)\b[^>]*(?:src|href)=\"([^\"]*)\"", text)
        assert fetched
        assert [address for address in fetched if re.match("(https?:)?//", address)] == []
    for style in site.rglob("*.css"):
        assert not re.search(r"url\(\W?https?:|@import", style.read_text(encoding="utf-8"))
