"""Which days one is compared with, and since when a machine is slower."""

from __future__ import annotations

from collections.abc import Sequence

from beff.today.days import Day, JudgedDay, Standing, standing_after
from beff.today.rule import Word

QUIET = (0.0, 0.004, -0.004, 0.002, -0.002)
"""What days differ by, in turn."""


def day(number: int, level: float = 0.0, *, latency: float = 0.0, load: float | None = 0.01) -> Day:
    at = QUIET[number % len(QUIET)]
    logs = {"b_eff": tuple(level + at + one for one in (-0.001, 0.0, 0.001))}
    logs["latency"] = tuple(latency - at + one for one in (-0.001, 0.0, 0.001))
    return Day(86400.0 * number, logs, load)


def judged(levels: Sequence[float]) -> list[JudgedDay]:
    """Judge a day for each level, in order."""
    standing, found = Standing("b_eff"), []
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


def test_the_first_days_cannot_say_and_the_fifth_can() -> None:
    found = words([0.0] * 5)
    assert found == [None, Word.OPEN, Word.OPEN, Word.OPEN, Word.AS_FAST]
    assert words([0.0, 0.0, -1.0])[-1] is Word.SLOWER
    assert words([0.0] * 4 + [-0.25])[-1] is Word.SLOWER


def test_a_single_slow_day_is_one_of_those_before() -> None:
    found = judged([0.0] * 8 + [-0.12] + [0.0] * 2)
    assert found[8].word is Word.SLOWER
    assert len(found[10].before) == 10
    assert found[10].word is Word.AS_FAST


def test_a_faster_machine_is_compared_with_what_it_is_now() -> None:
    found = judged([0.0] * 10 + [0.2] * 8 + [0.1])
    assert found[10].word is Word.FASTER
    assert len(found[17].before) < 8
    assert found[17].word is Word.AS_FAST
    assert found[18].word is Word.SLOWER


def test_a_loss_beside_more_load_than_usual_is_open() -> None:
    standing = standing_after("b_eff", [day(number) for number in range(8)])
    busy = standing.judged(day(8, -0.3, load=0.31))
    assert (busy.word, busy.more_load) == (Word.OPEN, 0.31)
    standing.add(busy)
    assert len(standing.judged(day(9)).before) == 8
    assert standing.judged(day(9, load=0.31)).word is Word.AS_FAST
    usual = standing_after("b_eff", [day(number, load=0.3) for number in range(8)])
    assert usual.judged(day(8, -0.3, load=0.31)).word is Word.SLOWER


def test_latency_tells_alone_but_never_leaves_open() -> None:
    standing = standing_after("b_eff", [day(number) for number in range(8)])
    slower = standing.judged(day(8, latency=-0.4))
    assert slower.word is Word.SLOWER
    assert slower.worst.figure.name == "latency"
    assert slower.worst.shares[1] > 0.4
    wild = Day(8 * 86400.0, {**day(8).logs, "latency": (-0.5, 0.5, 0.0)})
    assert standing.judged(wild).word is Word.AS_FAST


def test_a_day_without_a_figure_is_judged_by_the_others() -> None:
    days = [day(number) for number in range(8)]
    only = Day(9 * 86400.0, {"b_eff": days[0].logs["b_eff"]})
    assert standing_after("b_eff", days).judged(only).word is Word.AS_FAST
    without = [Day(one.start_s, {"b_eff": one.logs["b_eff"]}) for one in days]
    assert [
        one.figure.name for one in standing_after("b_eff", without).judged(days[0]).figures
    ] == ["b_eff"]
