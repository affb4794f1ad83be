"""Comparing documents: changes that are known, what is refused, and what is said about it."""

import math
from collections.abc import Callable

import pytest
from support.changes import PLAN, Fields, at, b_eff, b_eff_io, changed, set_in, slowed
from support.repeated import with_figures
from support.results import Plan, make_result

from beff.judge.benchmarks import compared_figures
from beff.judge.change import ERROR, JudgedFigure, Word
from beff.judge.compare import Report, compare, deciding
from beff.result.load import Document, check_document
from beff.show.parts.comparison import basis_text, headline_of_report, is_assumed

HINT = {
    **{"partition": 0, "access": "write", "type": 0, "pattern": None},
    **{"requested": {"cb_nodes": "1"}, "accepted": {}},
}


def all_rows(report: Report) -> list[JudgedFigure]:
    return [row for c in report.comparisons for rows in c.tables.values() for row in rows]


NOISE = (1.0, 1.001, 0.999)


def short_messages_slower(factor: float) -> Document:
    """Messages of 2 byte to 4 KiB take twice as long, those of 1 byte as long as before."""
    fields = make_result(PLAN)
    samples = fields["samples"]
    samples["time_max_s"] = [
        seconds * factor * (2 if 1 <= size <= 12 else 1)
        for size, seconds in zip(samples["size"], samples["time_max_s"], strict=True)
    ]
    return check_document("b.json", with_figures(fields))


def test_message_sizes_decide() -> None:
    """Latency and L_max are as before, and b_eff loses little: the sizes tell."""
    a, b = ([of(f) for f in NOISE] for of in (slowed, short_messages_slower))
    report = compare(a, b)
    (comparison,) = report.comparisons
    assert report.word is Word.SLOWER
    values, sizes = (comparison.tables[name] for name in ("values", "message sizes"))
    assert [row.word for row in sizes[1:13]] == [Word.SLOWER] * 12
    assert values[-1].word is Word.AS_FAST


@pytest.mark.parametrize("runs", [1, 3])
def test_all_times_longer_by_a_fifth(runs: int) -> None:
    a, b = ([slowed(factor * f) for f in NOISE[:runs]] for factor in (1.0, 1.2))
    report = compare(a, b)
    tables = {*report.comparisons[0].tables}
    assert tables == {
        "values",
        "further values",
        "patterns",
        "message sizes",
        "methods",
        "patterns by size",
    }
    for row in all_rows(report):
        expected = -1 / 6 if row.figure.more_is_better else 0.2
        assert row.shares[1] == pytest.approx(expected, rel=1e-9)
    assert (report.word is Word.SLOWER) == (runs == 3)
    if runs == 3:
        assert {row.word for row in all_rows(report)} == {Word.SLOWER}
        assert "b_eff -16.7 %" in headline_of_report(report).text


@pytest.mark.parametrize(
    ("make", "change", "sentence"),
    [
        (b_eff, set_in("definition", "3.1"), "definition: 3.5 in a.json, 3.1 in b.json"),
        (b_eff, set_in("message_sizes_bytes", -1, 1 << 24), "L_max: 1 MiB in a.json, 16"),
        (b_eff, set_in("methods", ["sendrecv", "nonblocking"]), "methods: sendrecv in a.json"),
        (b_eff, set_in("options", "repetitions", 7), "repetitions: 2 in a.json, 7 in b.json"),
        (b_eff, set_in("options", "loop_time_s", 5e-3), "loop time: 2.50 ms in a.json, 5.00"),
        (b_eff, set_in("environment", "simulated", True), "simulated: real in a.json"),
        (b_eff, set_in("complete", False), "b.json is the result of a run that did not measure"),
        (b_eff, set_in("data_check", "wrong_messages", 3), "wrong data: 3 errors found"),
        (b_eff, lambda fields: fields["patterns"].pop(), "patterns: "),
        (b_eff_io, set_in("definition", "2.1"), "release: "),
        (b_eff_io, set_in("schedule", "time_s", 1800.0), "scheduled time: "),
        (b_eff_io, set_in("schedule", "rewrite", "scatter"), "rewrite: all in a.json"),
        (b_eff_io, set_in("schedule", "max_data_bytes", None), "bound of the data: "),
        (b_eff_io, set_in("schedule", "max_segment_bytes", 7 << 20), "bound of a segment: "),
        (b_eff_io, set_in("schedule", "m_part_bytes", 7 << 20), "largest chunk: "),
        (b_eff_io, set_in("pointer", "individual"), "file pointers: shared in a.json"),
        (b_eff_io, set_in("hints", [HINT]), "hints: none in a.json, one ("),
        (
            b_eff_io,
            set_in("medium", "code", "files in memory"),
            "what the bandwidth is of: ",
        ),
        (b_eff_io, set_in("data_check", "wrong_chunks", 2), "wrong data: 2 errors"),
        (b_eff_io, lambda fields: fields["partitions"].pop(), "partitions: "),
    ],
)
def test_refusals(
    make: Callable[[], Document], change: Callable[[Fields], None], sentence: str
) -> None:
    report = compare([make()], [changed(change, make())])
    assert [refusal for refusal in report.notes["refusals"] if sentence in refusal] != []
    assert not report.is_whole
    assert report.comparisons == ()


def test_runs_of_one_side_must_be_alike_too() -> None:
    other = changed(set_in("options", "repetitions", 5), slowed(1.01))
    report = compare([b_eff(), other], [b_eff()])
    assert [text.split(": ")[1] for text in report.notes["refusals"]] == ["repetitions"]


def test_the_order_of_time_is_not_that_of_the_text() -> None:
    """17:00+14:00 is 03:00Z: A B A B."""
    a = [at("2024-05-01T17:00:00+14:00"), at("2024-05-01T19:00:00+14:00")]
    b = [at("2024-05-01T04:00:00Z"), at("2024-05-01T06:00:00Z")]
    assert compare(a, b).comparisons[0].alternated


def test_folders_of_several_benchmarks_are_matched() -> None:
    many = check_document("3.json", make_result(Plan(processes=3, methods=("sendrecv",))))
    many_name = "b_eff with 3 processes"
    report = compare([b_eff(), b_eff_io(), many], [b_eff_io(), b_eff()])
    assert [one.name for one in report.comparisons] == [
        "b_eff with 2 processes",
        "b_eff_io with 2 processes",
    ]
    assert [text.split(":")[0] for text in report.notes["unpaired"]] == [many_name]
    assert [len(one.day.figures) for one in report.comparisons] == [5 + 21, 7]


def test_of_days_the_value_has_most_of_the_error() -> None:
    first, *others = deciding([compared_figures(b_eff().result)]).values()
    assert first == pytest.approx(0.95 * ERROR)
    assert sum(others) == pytest.approx(0.05 * ERROR)


def on_days(days: range, runs: int, factor: float = 1.0) -> list[Document]:
    """Runs on days that differ by 2 % and from run to run by 0.2 %, in the seconds after ten."""
    return [
        at(
            f"2024-05-{day:02}T10:00:{n:02}Z",
            factor * (1 + 0.02 * math.sin(5 * day)) * (1 + 0.002 * math.cos(7 * day + 3 * n)),
        )
        for day in days
        for n in range(runs)
    ]


def test_two_days_do_not_show_how_much_days_differ() -> None:
    """Five quiet runs on Monday and five on Tuesday, a tenth slower."""
    monday, tuesday = on_days(range(6, 7), 5), on_days(range(7, 8), 5, 1 / 0.9)
    report = compare(monday, tuesday)
    (found,) = report.comparisons
    assert report.word is Word.OPEN
    assert not found.day.by_runs
    assert is_assumed(found)
    assert "days" in basis_text(found)
    assert "--history" in headline_of_report(report).lines[1]


def test_the_folders_themselves_may_hold_the_days() -> None:
    a, b = on_days(range(1, 10), 1), on_days(range(10, 11), 1, 1 / 0.7)
    report = compare(a, b)
    assert not is_assumed(report.comparisons[0])
    assert report.word is Word.SLOWER
    assert is_assumed(compare(a[:3], b).comparisons[0])


def test_alternating_in_every_session_takes_their_levels_out() -> None:
    """The days differ by 30 %, the sides by 20 % within each: the days cancel."""
    sides: tuple[list[Document], list[Document]] = ([], [])
    for day, level in ((6, 1.0), (7, 1.3), (8, 0.8)):
        for n in range(3):
            for side, (shift, factor) in zip(sides, ((0, 1.0), (30, 1.2)), strict=True):
                time = f"2024-05-{day:02}T10:{n:02}:{shift:02}Z"
                side.append(at(time, level * factor * NOISE[n]))
    report = compare(*sides)
    (found,) = report.comparisons
    assert found.day.by_runs
    value = found.day.figures[0]
    assert value.change.noise == pytest.approx(0.001, rel=0.3)
    assert value.shares[1] == pytest.approx(-1 / 6, rel=1e-3)
    assert report.word is Word.SLOWER
    assert "would look the same" not in " ".join(headline_of_report(report).lines)
