"""YAML of fields and words, and nothing else: what people write about a system or a list."""

from collections.abc import Iterator
from typing import Any

import yaml

from beff.model.errors import RefusedError
from beff.model.plain_text import one_line

_LONGEST = 20_000
_PLAIN_TAGS = (None, "!")
_EMPTY = ("", "~", "null", "Null", "NULL")


def plain_yaml(source: str, text: str, *, levels: int = 1) -> dict[str, Any]:
    """Return the fields of a YAML text, with all values as words. Raises RefusedError.

    The text is read as events, so that what is not a plain list of fields is refused before
    anything is made of it: aliases of aliases would grow beyond any memory. `NO` stays a word.
    """
    if len(text) > _LONGEST:
        raise RefusedError(f"{source}: is longer than {_LONGEST} characters")
    try:
        events = (
            event
            for event in yaml.parse(text, Loader=yaml.SafeLoader)
            if isinstance(event, yaml.NodeEvent | yaml.MappingEndEvent)
        )
        return _fields(source, next(events, None), events, levels)
    except (yaml.YAMLError, RecursionError, ValueError) as problem:
        mark = getattr(problem, "problem_mark", None)
        place = f", line {mark.line + 1}" if mark is not None else ""
        raise RefusedError(f"{source}: is not YAML{place}") from None


def _fields(source: str, start: Any, events: Iterator[Any], levels: int) -> dict[str, Any]:
    if start is None or not isinstance(start, yaml.MappingStartEvent) or start.anchor or not levels:
        place = f" (line {start.start_mark.line + 1})" if start is not None else ""
        raise RefusedError(
            f"{source}: must hold lines of the form 'field: value', and nothing else{place}"
        )
    fields: dict[str, Any] = {}
    while not isinstance(key := next(events), yaml.MappingEndEvent):
        name = _word(key)
        if name is None:
            return _fields(source, key, events, 0)  # says where
        if name in fields:
            raise RefusedError(f"{source}: gives the field '{name}' twice")
        value = next(events)
        is_word = isinstance(value, yaml.ScalarEvent) and value.tag in _PLAIN_TAGS
        fields[name] = _word(value) if is_word else _fields(source, value, events, levels - 1)
    return fields


def _word(event: Any) -> str | None:
    """Return a word; None for an empty one, and for what is none."""
    if not isinstance(event, yaml.ScalarEvent) or event.tag not in _PLAIN_TAGS:
        return None
    empty = event.style is None and event.value in _EMPTY
    return None if empty else one_line(str(event.value))
