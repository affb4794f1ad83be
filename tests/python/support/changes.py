"""Changes of a result, each of which verification must find."""

import hashlib
import pickle
from collections.abc import Callable
from typing import Any, TypeVar

from beff.definition.common import Disagreement
from beff.definition.verify import verify
from beff.result.errors import ResultError
from beff.result.load import Document, check_document
from support.repeated import with_figures
from support.reports import B_EFF_IO, document_of
from support.results import Plan, make_result

Path = tuple[str | int, ...]
Fields = dict[str, Any]
Value = TypeVar("Value")


def deep_copy(value: Value) -> Value:
    """What `copy.deepcopy` returns of what JSON holds, in a seventh of the time."""
    copied: Value = pickle.loads(pickle.dumps(value))
    return copied


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


# --- runs for both sides of a comparison, and changes of them ---

PLAN = Plan(processes=2, methods=("sendrecv",), repetitions=2)


def b_eff(name: str = "a.json", **changes: Any) -> Document:
    return check_document(name, {**make_result(PLAN), **changes})


def b_eff_io(name: str = "a.json") -> Document:
    return check_document(name, document_of(B_EFF_IO))


def slowed(factor: float, name: str = "b.json") -> Document:
    """The run with all times multiplied."""
    fields = make_result(PLAN)
    samples = fields["samples"]
    samples["time_max_s"] = [seconds * factor for seconds in samples["time_max_s"]]
    return check_document(name, with_figures(fields))


def changed(change: Callable[[Fields], None], run: Document | None = None) -> Document:
    """A copy of a run with something changed, called b.json."""
    fields = deep_copy((run or b_eff()).fields)
    change(fields)
    return check_document("b.json", fields)


def set_in(*path: Any) -> Callable[[Fields], None]:
    *way, name, value = path

    def change(fields: Fields) -> None:
        for step in way:
            fields = fields[step]
        fields[name] = value

    return change


def at(time: str, factor: float = 1.0) -> Document:
    """A run that started then; no other run is a copy of it."""
    run = changed(set_in("environment", "started_at", time), slowed(factor))
    own = hashlib.sha256(f"{time} {factor}".encode()).hexdigest()
    run.fields["digest"]["samples"] = own[:8]
    samples, more = run.fields["samples"], 1 + int(own[:6], 16) / 1e15
    samples["time_max_s"] = [seconds * more for seconds in samples["time_max_s"]]
    return run
