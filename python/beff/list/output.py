"""The folder that a site is written into: files change only where their content does."""

import shutil
from pathlib import Path

from beff.model.errors import BeffError

MARK = ".beff-site"
"""The file that tells a folder of ours, in which what is of no use any more may be deleted."""


class Output:
    """Writes files and remembers them; `finish` deletes all others. Raises BeffError."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.written: set[Path] = set()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if any(folder.iterdir()) and not (folder / MARK).is_file():
                raise BeffError(f"{folder}: holds other files; build into a folder of its own")
        except OSError as problem:
            raise self._refused(problem) from None
        self.write(MARK, "made by beff list build\n")

    def _refused(self, problem: OSError) -> BeffError:
        return BeffError(f"{self.folder}: cannot be written ({problem.strerror})")

    def keep(self, name: str) -> Path:
        """Return the path of a file that is to stay, and make its folder."""
        path = self.folder / name
        self.written.add(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise self._refused(problem) from None
        return path

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file unless it is there already."""
        path = self.keep(name)
        wanted = content if isinstance(content, bytes) else content.encode("utf-8")
        try:
            if not path.is_file() or path.read_bytes() != wanted:
                path.write_bytes(wanted)
        except OSError as problem:
            raise self._refused(problem) from None

    def copy(self, name: str, source: Path) -> None:
        """Copy a file unless a copy of the same size and time is there."""
        path = self.keep(name)
        try:
            there, wanted = path.stat() if path.is_file() else None, source.stat()
            if there is None or (there.st_size, there.st_mtime_ns) != (
                wanted.st_size,
                wanted.st_mtime_ns,
            ):
                shutil.copy2(source, path)
        except OSError as problem:
            raise self._refused(problem) from None

    def finish(self) -> int:
        """Delete what was not written this time; returns how many files there are."""
        for path in sorted(self.folder.rglob("*"), reverse=True):
            if path not in self.written and (path.is_file() or path.is_symlink()):
                path.unlink()
            elif path.is_dir() and not any(path.iterdir()):
                path.rmdir()
        return len(self.written)
