"""The full report of each result, as `beff report` draws it, with bounded memory and time."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from beff.list.folder import RESULTS, SYSTEMS, ListedSystem
from beff.list.output import Output

_LIMITS = (f"-d {3 << 20}", "-t 90", f"-f {64 << 11}")
"""Of `ulimit`: memory in KiB, processor time in s, the largest file in blocks of 512 byte."""
_LIMIT_S = 120


def draw_reports(folder: Path, systems: Iterable[ListedSystem], output: Output) -> set[str]:
    """Draw the reports that are not there yet; returns the SHA-256 of the results that have one."""
    files = {
        entry.sha256: folder / SYSTEMS / system.slug / RESULTS / entry.file
        for system in systems
        for entry in system.entries
        if entry.sha256 and entry.file
    }
    pages = {sha: output.folder / f"reports/{sha}.html" for sha in files}
    (output.folder / "reports").mkdir(exist_ok=True)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        missing = [sha for sha, page in pages.items() if not page.is_file()]
        list(pool.map(_draw, [files[sha] for sha in missing], [pages[sha] for sha in missing]))
    drawn = {sha for sha, page in pages.items() if page.is_file()}
    output.written |= {pages[sha] for sha in drawn}
    return drawn


def _draw(result: Path, page: Path) -> None:
    """Draw a report; where it cannot be drawn, there is none."""
    with tempfile.TemporaryDirectory(prefix="beff-report-") as place:
        made = Path(place) / page.name
        limits = " && ".join(f"ulimit {limit}" for limit in _LIMITS)
        report = (sys.executable, "-m", "beff", "report", str(result.resolve()), "-o", str(made))
        try:
            subprocess.run(
                ["/bin/sh", "-c", f'{limits} && exec "$@"', "sh", *report],
                env={**os.environ, "TMPDIR": place},
                cwd=place,  # Python would import files of the list's folder
                capture_output=True,
                timeout=_LIMIT_S,
                check=True,
            )
            page.write_bytes(made.read_bytes())
        except (subprocess.SubprocessError, OSError) as problem:
            print(
                f"beff: {result}: no report can be drawn ({type(problem).__name__})",
                file=sys.stderr,
            )
