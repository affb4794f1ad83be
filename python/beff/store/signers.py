"""By which keys the results of a system are signed, and whether one is that of those before."""

from dataclasses import dataclass, field

from beff.analysis.common.signature import short_key


@dataclass
class Signers:
    """The keys of results in the order of time."""

    _seen: set[str] = field(default_factory=set)
    _last: str | None = None
    _in_a_row: int = 0

    def add(self, key: str | None) -> None:
        """Take in the next result; None where it is not signed."""
        self._in_a_row = self._in_a_row + 1 if key == self._last else 1
        self._last = key
        if key is not None:
            self._seen.add(key)

    def words(self, key: str | None) -> str:
        """Say by which key a result is signed that follows; nothing where none ever was."""
        if key is None:
            return "not signed, though the result before is" if self._last else ""
        signed = f"signed by key {short_key(key)}, "
        if key == self._last:
            number = "" if self._in_a_row == 1 else f" {self._in_a_row}"
            return f"{signed}the same key as the last{number}"
        if key in self._seen:
            return f"{signed}not the key of the result before, but of an earlier one"
        if self._seen:
            return f"{signed}a key that no result of this system had before"
        return f"{signed}the first signed result of this system"

    def breaks(self, key: str | None) -> bool:
        """Whether a result that follows is signed otherwise than readers have come to expect."""
        return bool(self._last) if key is None else bool(self._seen) and key not in self._seen
