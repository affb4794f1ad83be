"""The core of the programs: computations that are called by name, with JSON in and out."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import beff_core_testing
from pydantic_core import from_json, to_json


class Fields(dict[str, Any]):
    """A JSON object whose fields are attributes as well."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


class Part:
    """A part of the core: `core.ring_sizes(7, 2)` computes "ring_sizes".

    Arguments given by name are the fields of an object behind the others. `ask` answers what the
    computation asks of its script, thousands of times in a whole benchmark: so pydantic's reader
    and writer, which take a fifth of the time; only the outermost object has attributes.
    """

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def compute(*given: Any, ask: Callable[[Any], Any] | None = None, **named: Any) -> Any:
            def answer(question: str) -> str:
                assert ask is not None
                asked = from_json(question)
                said = ask(Fields(asked) if isinstance(asked, dict) else asked)
                return to_json(said, inf_nan_mode="constants").decode()

            arguments = json.dumps([*given, named] if named else given, default=str)
            found = beff_core_testing.compute(self._prefix + name, arguments, answer)
            return json.loads(found, object_hook=Fields)

        return compute


core, pairs = Part(), Part("pairs.")


def plant(root: Path, files: Mapping[str, str]) -> None:
    """Write files of a tree like /sys or /proc."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{content}\n", encoding="utf-8")
