"""Reading what is added to a file while another program writes it."""

from pathlib import Path


class Tail:
    """Hands out the whole lines that were added since the last look."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offset = 0
        self._rest = b""

    def new_lines(self) -> list[bytes]:
        """Return the new lines without their ends; none while the file does not exist."""
        try:
            with self._path.open("rb") as file:
                file.seek(self._offset)
                added = file.read()
        except OSError:
            return []
        self._offset += len(added)
        *lines, self._rest = (self._rest + added).split(b"\n")
        return lines
