"""Changes of a result, each of which verification must find."""

from collections.abc import Callable, Iterator
from typing import Any

from beff.definition.compare import Disagreement
from beff.definition.verify import verify
from beff.result.errors import ResultError
from beff.result.load import check_document

Path = tuple[str | int, ...]
Fields = dict[str, Any]


def findings(document: Fields) -> tuple[Disagreement, ...]:
    return verify(check_document("result", document)).findings


def first_path(document: Fields) -> str:
    return findings(document)[0].path


def is_caught(document: Fields) -> bool:
    try:
        return bool(findings(document))
    except ResultError:
        return True


def get(document: Any, path: Path) -> Any:
    for key in path:
        document = document[key]
    return document


def put(document: Any, path: Path, value: Any) -> None:
    get(document, path[:-1])[path[-1]] = value


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """Paths of all numbers, booleans, nulls and of the words that a column is made of."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, (*path, key))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from leaves(part, (*path, index))
    elif not isinstance(value, str) or words(path):
        yield path


def words(path: Path) -> list[str]:
    """What a text at this place may be; empty for prose."""
    column = path[-1] if isinstance(path[-1], str) else path[-2]
    return {
        "access": ["write", "rewrite", "read"],
        "status": ["measured", "failed", "skipped"],
        "stop": ["once", "time", "count", "space", "max-data", "error", "stopped"],
        "rewrite": ["all", "scatter"],
        "segment_cut": ["none", "max-segment", "space", "max-data"],
        "definition": ["0.5", "1", "2.1"],
        "pointer": ["shared", "individual"],
    }.get(str(column), [])


def changed(path: Path, old: Any) -> list[Any]:
    """Other values for a place."""
    if isinstance(old, bool):
        return [not old]
    if isinstance(old, int):
        return [old + 1, old - 1, 2 * old + 3, 2**64 + old]
    if isinstance(old, float):
        return [old * (1 + 1e-6) + 1e-12, old * 0.9 - 1e-12, old * 1000 + 1.0, 1e300]
    if old is None:
        return [1.0, *words(path)]
    return [word for word in words(path) if word != old]


def assert_all_caught(make: Callable[[], Fields], paths: list[Path]) -> None:
    """Every change of every one of these places is found."""
    good = make()
    for path in paths:
        for value in changed(path, get(good, path)):
            document = make()
            put(document, path, value)
            assert is_caught(document), (path, value)


def assert_numbers_of_criteria_are_caught(make: Callable[[], Fields]) -> None:
    """Every other number in a criterion is found and named."""
    for index, criterion in enumerate(make()["criteria"]):
        for field in ("required", "found"):
            document = make()
            document["criteria"][index][field] = (criterion[field] or 0) + 1
            assert first_path(document) == f"criteria[{index}].{field}"
