"""Why a result is not valid: one short phrase for each criterion that is not met."""

from collections.abc import Callable, Iterator

from beff.model.b_eff_io_result import BEffIoFigures
from beff.model.contract import AnyResult
from beff.model.numbers import counted, format_duration, format_size
from beff.model.result_parts import Criterion


def reasons(result: AnyResult) -> list[str]:
    """Return the phrases in the order of the criteria, each once; none of a valid result."""
    found = (phrase for one in result.criteria if not one.met for phrase in _phrases(one, result))
    return list(dict.fromkeys(found))


def _phrases(criterion: Criterion, result: AnyResult) -> Iterator[str]:
    """Say it by the criterion's numbers; in its own words where they hold none."""
    say = _PHRASES.get(criterion.name)
    phrases = [] if say is None else list(say(criterion, result))
    yield from phrases or [f"{criterion.name}: {criterion.found} (needs {criterion.required})"]


def _count(what: str) -> Callable[[Criterion, AnyResult], Iterator[str]]:
    """Return what says that so many of the required number were measured."""

    def say(criterion: Criterion, _: AnyResult) -> Iterator[str]:
        for one in criterion.numbers[:1]:
            if one.found is not None and one.required is not None:
                yield f"{one.found:.0f} of {one.required:.0f} {what}"

    return say


def _repetitions(criterion: Criterion, _: AnyResult) -> Iterator[str]:
    for one in criterion.numbers[:1]:
        if one.found is not None:
            yield f"{counted(int(one.found), 'repetition')} ({one.required:.0f} needed)"


def _duration(name: str) -> Callable[[Criterion, AnyResult], Iterator[str]]:
    def say(criterion: Criterion, _: AnyResult) -> Iterator[str]:
        for one in criterion.numbers[:1]:
            if one.found is not None and one.required is not None:
                needed = format_duration(one.required)
                yield f"{name} {format_duration(one.found)} ({needed} needed)"

    return say


def _methods(criterion: Criterion, _: AnyResult) -> Iterator[str]:
    yield f"only by {criterion.found} (needs {criterion.required})"


def _data(criterion: Criterion, _: AnyResult) -> Iterator[str]:
    for one in criterion.numbers[:1]:
        if one.found:
            yield f"{one.found:.0f} {one.what}"
        else:
            yield "no data was checked"


def _errors(criterion: Criterion, _: AnyResult) -> Iterator[str]:
    for one in criterion.numbers[:1]:
        if one.found is not None:
            yield f"{one.found:.0f} {one.what}"


def _origin(criterion: Criterion, result: AnyResult) -> Iterator[str]:
    if isinstance(result, BEffIoFigures) and "in memory" in criterion.found:
        yield "measured in memory, not on a file system"
        return
    for one in criterion.numbers[:1]:
        if one.found is None:
            yield "where the reads came from is not known"
        else:
            yield f"only {one.found:.0f} % of the reads came from the file system"


def _in_full(criterion: Criterion, _: AnyResult) -> Iterator[str]:
    for one in criterion.numbers[:1]:
        if one.found is not None and one.required is not None:
            missing = int(one.required - one.found)
            what = f"{missing} of {one.required:.0f} patterns cut short or missing"
            yield what if missing else "no value"


def _schedule(criterion: Criterion, _: AnyResult) -> Iterator[str]:
    for one in criterion.numbers:
        if one.unit == "bytes" and one.found is not None:
            what = "segments" if "segment" in one.what else "writing"
            yield f"{what} capped at {format_size(int(one.found))}"
        elif one.required is not None and one.found != one.required:
            yield f"{one.found or 0:.0f} of {one.required:.0f} official types"


def _build(criterion: Criterion, _: AnyResult) -> Iterator[str]:
    yield f"built as {criterion.found}, not for release"


def _machine(criterion: Criterion, _: AnyResult) -> Iterator[str]:
    yield criterion.found


def _device(criterion: Criterion, _: AnyResult) -> Iterator[str]:
    yield f"buffers on a device: {criterion.found}"


_PHRASES: dict[str, Callable[[Criterion, AnyResult], Iterator[str]]] = {
    "complete": _count("loops measured"),
    "patterns": _count("patterns measured"),
    "message sizes": _count("message sizes measured"),
    "methods": _methods,
    "repetitions": _repetitions,
    "loop time": _duration("loops of"),
    "data": _data,
    "scheduled time": _duration("T ="),
    "shared file pointers": lambda criterion, _: iter([f"shared file pointers: {criterion.found}"]),
    "no error": _errors,
    "read from the file system": _origin,
    "measured in full": _in_full,
    "schedule": _schedule,
    "build": _build,
    "machine": _machine,
    "device buffers confirmed": _device,
}
