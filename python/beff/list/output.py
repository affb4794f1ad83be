"""The folder that a site is written into: files change only where their content does.

A report of a result is drawn, as `beff report` does, with bounded memory and time.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from beff.list.folder import RESULTS, SYSTEMS, ListedSystem
from beff.result.errors import BeffError, TargetError
from beff.result.places import is_file, is_folder, is_link
from beff.result.plain_text import one_line

MARK = ".beff-site"
"""The file that marks a folder of ours, in which what is of no use any more may be deleted.

It holds what files were made of, by `Output.stays`, once a site is complete.
"""


class Output:
    """Writes files and remembers them; `finish` deletes all others. Raises BeffError."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.written: set[Path] = set()
        self._made_of: dict[str, str] = {}
        self._before: dict[str, str] = {}
        try:
            if not is_folder(folder):
                folder.mkdir(parents=True)
            if any(folder.iterdir()) and not is_file(folder / MARK):
                raise TargetError(f"{folder}: holds other files; build into a folder of its own")
            with suppress(OSError, ValueError, TypeError):
                self._before = dict(json.loads((folder / MARK).read_text("utf-8")))
        except OSError as problem:
            raise self._refused(problem) from None
        self.write(MARK, "{}")

    def _refused(self, problem: OSError) -> BeffError:
        return BeffError(f"{self.folder}: cannot be written ({problem.strerror})")

    def keep(self, name: str) -> Path:
        """Return the path of a file that is to stay, and make its folder."""
        path = self.folder / name
        self.written.add(path)
        self.make(Path(name).parent)
        return path

    def make(self, folder: str | Path) -> None:
        """Make a folder in it."""
        try:
            (self.folder / folder).mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise self._refused(problem) from None

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file unless it is there already."""
        path = self.keep(name)
        wanted = content if isinstance(content, bytes) else content.encode("utf-8")
        try:
            if not is_file(path) or path.read_bytes() != wanted:
                path.write_bytes(wanted)
        except OSError as problem:
            raise self._refused(problem) from None

    def stays(self, files: Sequence[str], made_of: str) -> bool:
        """Whether files are there, made of the same, and so stay; else they must be written."""
        self._made_of[files[0]] = made_of
        paths = [self.folder / name for name in files]
        if self._before.get(files[0]) != made_of or not all(map(is_file, paths)):
            return False
        self.written.update(paths)
        return True

    def copy(self, name: str, source: Path) -> None:
        """Copy a file unless a copy of the same size and time is there."""
        path = self.keep(name)
        try:
            there, wanted = path.stat() if is_file(path) else None, source.stat()
            if there is None or (there.st_size, there.st_mtime_ns) != (
                wanted.st_size,
                wanted.st_mtime_ns,
            ):
                shutil.copy2(source, path)
        except OSError as problem:
            raise self._refused(problem) from None

    def finish(self) -> int:
        """Delete what was not written this time; returns how many files there are."""
        try:
            for path in sorted(self.folder.rglob("*"), reverse=True):
                if path not in self.written and (is_file(path) or is_link(path)):
                    path.unlink()
                elif is_folder(path) and not any(path.iterdir()):
                    path.rmdir()
        except OSError as problem:
            raise self._refused(problem) from None
        self.write(MARK, json.dumps(self._made_of))
        return len(self.written)


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
    output.make("reports")
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        missing = [sha for sha, page in pages.items() if not is_file(page)]
        list(pool.map(_draw, [files[sha] for sha in missing], [pages[sha] for sha in missing]))
    drawn = {sha for sha, page in pages.items() if is_file(page)}
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
                f"beff: {one_line(str(result))}: no report can be drawn ({type(problem).__name__})",
                file=sys.stderr,
            )
