"""YAML of fields, lists and words, and nothing else: the one way in for what people write."""

from collections.abc import Iterator
from typing import Any

import yaml

from beff.result.errors import RefusedError
from beff.result.plain_text import one_line

_LONGEST = 20_000
_PLAIN_TAGS = (None, "!")
_EMPTY = ("", "~", "null", "Null", "NULL")
_MERGE = "<<"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The one in C is twenty times as fast."""


def plain_yaml(
    source: str, text: str, *, levels: int = 1, lists: bool = False, longest: int = _LONGEST
) -> Any:
    """Return the fields of a YAML text, and lists if wanted, with all values as words.

    The text is read as events, so that what is not plain is refused before anything is made of it:
    aliases of aliases would grow beyond any memory. `NO` and `1:30` stay words. Fields and lists
    are nested in at most so many `levels`. Raises RefusedError.
    """
    if len(text) > longest:
        raise RefusedError(f"is longer than {longest} characters", source)
    try:
        events = (
            event
            for event in yaml.parse(text, Loader=_LOADER)
            if isinstance(event, yaml.NodeEvent | yaml.CollectionEndEvent)
        )
        reader = _Reader(source, events, lists)
        found = reader.collection(next(events, None), levels)
        reader.require_end()
    except (yaml.YAMLError, RecursionError, ValueError) as problem:
        mark = getattr(problem, "problem_mark", None)
        place = f", line {mark.line + 1}" if mark is not None else ""
        raise RefusedError(f"is not YAML{place}", source) from None
    return found


class _Reader:
    """Makes values of the events of a text."""

    def __init__(self, source: str, events: Iterator[Any], lists: bool) -> None:
        self._source, self._events, self._lists = source, events, lists

    def collection(self, start: Any, levels: int) -> Any:
        """Return the fields or the list that begin here."""
        is_plain = levels > 0 and not getattr(start, "anchor", None)
        if is_plain and isinstance(start, yaml.MappingStartEvent):
            return self._fields(levels - 1)
        if is_plain and self._lists and isinstance(start, yaml.SequenceStartEvent):
            return list(self._values(levels - 1))
        raise self._refused(start)

    def require_end(self) -> None:
        """Refuse a second document."""
        for event in self._events:
            raise self._refused(event)

    def _fields(self, levels: int) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        while not isinstance(key := next(self._events), yaml.MappingEndEvent):
            name = _word(key) if _is_word(key) else None
            if name is None or name == _MERGE:
                raise self._refused(key)
            if name in fields:
                place = f"(line {key.start_mark.line + 1})"
                raise RefusedError(
                    f"gives the field '{name}' twice {place}; keep one of them", self._source
                )
            fields[name] = self._value(next(self._events), levels)
        return fields

    def _values(self, levels: int) -> Iterator[Any]:
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            yield self._value(event, levels)

    def _value(self, event: Any, levels: int) -> Any:
        return _word(event) if _is_word(event) else self.collection(event, levels)

    def _refused(self, event: Any) -> RefusedError:
        place = "" if event is None else f" (line {event.start_mark.line + 1})"
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            return RefusedError(f"write out what *{event.anchor} stands for{place}", self._source)
        form = "fields, lists and words" if self._lists else "lines of the form 'field: value'"
        return RefusedError(f"must hold {form}, and nothing else{place}", self._source)


def _is_word(event: Any) -> bool:
    return isinstance(event, yaml.ScalarEvent) and event.tag in _PLAIN_TAGS and not event.anchor


def _word(event: Any) -> str | None:
    """Return a word; None for an empty one."""
    empty = event.implicit[0] and event.value in _EMPTY  # not quoted
    return None if empty else one_line(str(event.value))
