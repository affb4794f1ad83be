"""How long building a list takes: 2000 results of 500 systems, from nothing and after one more.

    python bench/list_build.py [SYSTEMS]

Copies of the recorded results, four for each system, each made a file of its own by blanks; they
are valid, as far as the list knows. Then how long a change of weights takes in Chromium, from the
event until the rows stand in their places.
"""

import gzip
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from beff.cli.app import main

DATA = Path(__file__).resolve().parents[1] / "tests" / "data"
FILES = ("b_eff_2p_valid.json", "b_eff_io_short.json")


def beff(*arguments: str) -> None:
    """Run a command, which must not fail."""
    if main(list(arguments)) != 0:
        raise SystemExit(f"beff {' '.join(arguments)} failed")


def timed(folder: Path) -> str:
    """Build and return the seconds, by the clock and of processors."""
    begin, used = time.monotonic(), sum(os.times()[:4])
    beff("list", "build", str(folder), "--output-dir", str(folder / "site"))
    return f"{time.monotonic() - begin:.1f} s, {sum(os.times()[:4]) - used:.1f} s of processors"


def bench(systems: int) -> None:
    """Make the list, build it twice, and print what it took."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "list"
        os.environ["XDG_CACHE_HOME"] = place  # nothing is known of these files
        beff("list", "init", str(folder))
        contents = [(DATA / name).read_bytes() for name in FILES]
        for number in range(4 * systems):
            home = folder / "systems" / f"machine-{number // 4}"
            (home / "results").mkdir(parents=True, exist_ok=True)
            hardware = f"name: Machine {number // 4}\ncpus: CPU {number % 7}\nsite: Site\n"
            (home / "system.yaml").write_text(hardware, "utf-8")
            blanks = b" " * (number + 1)
            packed = gzip.compress(contents[number % 2] + blanks, 1, mtime=0)
            (home / "results" / f"r{number}.json.gz").write_bytes(packed)
        print(f"from nothing: {timed(folder)}")
        (home / "results" / "new.json").write_bytes(contents[0] + blanks + b" ")
        print(f"after one new result: {timed(folder)}")
        for name in ("index.html", "data.js", "assets/list.js", "assets/list.css"):
            print(f"{name}: {(folder / 'site' / name).stat().st_size / 1e3:.0f} kB")
        print(f"a change of weights: {changes_of_weights(folder / 'site')}")


CHANGE = """value => {
  const slider = document.getElementById("w_b_eff");
  const begin = performance.now();
  slider.value = value;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  document.getElementById("systems").offsetHeight;
  return performance.now() - begin;
}"""


def changes_of_weights(site: Path) -> str:
    """Return the median and the longest of some changes, in milliseconds."""
    program = shutil.which("chromium")
    if program is None:
        return "no chromium to measure it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto((site / "index.html").as_uri())
        page.locator("#choice summary").first.click()
        page.evaluate("document.getElementById('w_latency').value = 2")
        took = [page.evaluate(CHANGE, str(value % 5)) for value in range(1, 42)]
        browser.close()
    return f"{statistics.median(took):.0f} ms, at most {max(took):.0f} ms"


if __name__ == "__main__":
    bench(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
