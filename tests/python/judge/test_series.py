"""Which days one is compared with, and since when a machine is slower."""

from __future__ import annotations

from collections.abc import Sequence

from beff.judge.benchmarks import VALUES, Quantity
from beff.judge.change import ERROR, Word
from beff.judge.series import (
    Day,
    JudgedDay,
    Standing,
    first_day,
    standing_after,
    steps_of,
)

DAY = 86400.0

QUIET = (0.0, 0.004, -0.004, 0.002, -0.002)
"""What days differ by, in turn."""


def day(number: int, level: float = 0.0, *, latency: float = 0.0) -> Day:
    at = QUIET[number % len(QUIET)]
    logs = {"b_eff": tuple(level + at + one for one in (-0.001, 0.0, 0.001))}
    logs["latency"] = tuple(latency - at + one for one in (-0.001, 0.0, 0.001))
    return Day(86400.0 * number, logs)


def judged(levels: Sequence[float]) -> list[JudgedDay]:
    """Judge a day for each level, in order."""
    standing, found = first_day("b_eff"), []
    for number, level in enumerate(levels):
        found.append(standing.judged(day(number, level)))
        standing.add(found[-1])
    return found


def words(levels: Sequence[float]) -> list[Word | None]:
    return [one.word for one in judged(levels)]


def test_it_is_slower_since_the_first_day_and_until_it_is_mended() -> None:
    found = judged([0.0] * 8 + [-0.12] * 5 + [0.0] * 2)
    assert [one.word for one in found[8:]] == [Word.SLOWER] * 5 + [Word.AS_FAST] * 2
    assert {one.since for one in found[8:13]} == {8 * 86400.0}
    assert all(len(one.before) == 8 for one in found[8:14])
    assert found[13].since is None
    assert len(found[14].before) == 9


def test_a_faster_machine_is_compared_with_what_it_is_now() -> None:
    found = judged([0.0] * 10 + [0.2] * 8 + [0.1])
    assert found[10].word is Word.FASTER
    assert len(found[17].before) < 8
    assert found[17].word is Word.AS_FAST
    assert found[18].word is Word.SLOWER


def test_latency_tells_alone_but_never_leaves_open() -> None:
    standing = standing_after(first_day("b_eff"), [day(number) for number in range(8)])
    slower = standing.judged(day(8, latency=-0.4))
    assert slower.word is Word.SLOWER
    assert slower.worst.figure.name == "latency"
    assert slower.worst.shares[1] > 0.4
    wild = Day(8 * 86400.0, {**day(8).logs, "latency": (-0.5, 0.5, 0.0)})
    assert standing.judged(wild).word is Word.AS_FAST


# --- steps of a history ---

VALUE = Quantity(VALUES, "value", "MB/s")
NOISE = (1.0, 1.01, 0.99, 1.005, 0.995, 1.0)


def test_a_loss_that_was_mended_one_that_grew_and_a_gain() -> None:
    cases: dict[tuple[float, ...], list[Word]] = {
        (1.0, 0.8, 1.0): [Word.SLOWER, Word.FASTER],
        (1.0, 0.9, 0.75): [Word.SLOWER, Word.SLOWER],
        (1.0, 1.2, 1.0): [Word.FASTER, Word.SLOWER],
        (1.0, 0.97, 1.0): [],
    }
    for levels, words in cases.items():
        values = [level * one for level in levels for one in NOISE]
        starts = [DAY * day for day in range(len(values))]
        marks = [(step.index, step.word) for step in steps_of(VALUE, starts, values)]
        assert marks == list(zip((6, 12), words, strict=False))


def test_the_figure_by_which_a_day_is_open_is_named() -> None:
    """The value is as fast, and the other figure has likely lost a fifth."""
    errors = {Quantity(VALUES, "x", ""): ERROR, Quantity(VALUES, "y", ""): 1e-6}
    standing = Standing(errors, parts=[[]])
    for day, log in enumerate((0.0, 0.02, -0.02, 0.01, -0.01) * 2):
        standing.parts[0].append(Day(86400.0 * day, {"x": (log / 10,), "y": (2 * log,)}))
    judged = standing.judged(Day(1e9, {"x": (0.0,), "y": (-0.15,)}))
    assert [one.word for one in judged.figures] == [Word.AS_FAST, Word.OPEN]
    assert judged.word is Word.OPEN
    assert judged.worst.figure.name == "y"
