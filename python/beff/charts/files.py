"""The five pattern types of b_eff_io: what a call moves, and where it lies in the files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from beff.charts.chart import Axis, Chart, Marks, Panel, Part, Row
from beff.charts.patterns import MOST_PROCESSES
from beff.definition.b_eff_io_patterns import (
    KIB,
    SCATTER,
    SEG_COLL,
    SEPARATE,
    SHARED,
    TYPE_NAMES,
    IoPatternFacts,
    all_patterns,
)
from beff.result.b_eff_io_result import BEffIoFigures
from beff.result.bounds import OFFICIAL_TYPES
from beff.result.numbers import MIB, counted, format_chunk, format_size
from beff.verify.common.summary_figures import value_processes

_WIDTH = 354.0
_MOST_PROCESSES = 5
_DRAWN_CHUNK = 32 * KIB
"""The chunks that are drawn are those of the pattern with this l."""
_SOME_M_PART = 4 * MIB
_CHUNKS_OF_A_CALL = 4
_ROW, _GAP = 15.0, 4.0
_PATTERNS_IN_A_ROW = 3
_ABOUT = {
    0: ("strided file view, collective:", "a call scatters L byte to chunks of l"),
    1: ("same layout, collective, shared pointer:", "a call moves one chunk of l byte"),
    2: ("a file for each process, not collective:", "a call moves one chunk of l byte"),
    3: ("a segment for each process, not collective:", "a call moves one chunk of l byte"),
    4: ("a segment for each process, collective:", "a call moves one chunk of l byte"),
}
_COLLECTIVE = (SCATTER, SHARED, SEG_COLL)
_SERIES = tuple(map(str, range(_MOST_PROCESSES)))


@dataclass
class _Drawn:
    """Boxes in the colours of processes, full or pale, frames, lines and words."""

    full: list[Row] = field(default_factory=list)
    pale: list[Row] = field(default_factory=list)
    frames: list[Row] = field(default_factory=list)
    lines: list[Row] = field(default_factory=list)
    words: dict[tuple[str, str], list[Row]] = field(default_factory=dict)

    def box(self, x: float, y: float, width: float, height: float, row: int, *, full: bool) -> None:
        """Draw bytes of a process, a pixel narrower than their room."""
        box = Row(x, y, _SERIES[row], x2=x + width - 1, y2=y + height)
        (self.full if full else self.pale).append(box)

    def line(self, *points: tuple[float, float]) -> None:
        """Draw a line through points."""
        self.lines += [*(Row(*point) for point in points), Row(points[-1][0], None)]

    def say(self, x: float, y: float, words: str, kind: str = "label", style: str = "soft") -> None:
        """Write words beside a point, `words` of the middle of them."""
        self.words.setdefault((kind, style), []).append(Row(x, y, text=words))

    def panel(self, height: float, title: str) -> Panel:
        """Return all that was drawn."""
        marks = [
            Marks("box", self.full),
            Marks("box", self.pale, opacity=0.3),
            Marks("outline", self.frames, "soft"),
            Marks("line", self.lines, "ink", 2),
            *(Marks(kind, rows, style, 11) for (kind, style), rows in self.words.items()),
        ]
        x, y = Axis(ends=(0, _WIDTH)), Axis(ends=(height, 0))
        return Panel(x, y, marks, _SERIES, (_WIDTH, height), title)


def files_of(result: BEffIoFigures) -> Chart | None:
    """Draw the layouts of a result; None for too many processes."""
    n, pointer = value_processes(result), result.pointer
    if n > MOST_PROCESSES:
        return None
    remark = "" if pointer == "shared" else f" In this run type 1 used {pointer} pointers."
    return files(n, result.schedule.m_part_bytes, remark)


def files(processes: int, m_part_bytes: int | None = None, remark: str = "") -> Chart:
    """Draw the layouts for a number of processes; M_PART is named where it is known.

    Of many processes the first and the last are drawn; None stands for those left out.
    """
    shown: list[int | None] = [*range(min(processes, _MOST_PROCESSES))]
    if processes > _MOST_PROCESSES:
        shown[-2:] = [None, processes - 1]
    left_out = processes - sum(process is not None for process in shown)
    more = f" {left_out} of the {processes} processes are not drawn." if left_out else ""
    if m_part_bytes is not None:
        more += f" M_PART is {format_size(m_part_bytes)}."
    return Chart(
        "patterns",
        f"The pattern types with {counted(processes, 'process')}",
        "A colour is a process; full colour is what one call of each process moves with chunks of"
        f" {format_size(_DRAWN_CHUNK)}, pale what further calls move.{more}{remark}",
        f"{len(OFFICIAL_TYPES)} types.",
        [Part([_type(kind, shown, m_part_bytes or _SOME_M_PART) for kind in OFFICIAL_TYPES], 3)],
    )


def _type(kind: int, shown: Sequence[int | None], m_part: int) -> Panel:
    drawn = _Drawn()
    patterns = [facts for facts in all_patterns(m_part) if facts.type == kind]
    for line, words in enumerate(_ABOUT[kind]):
        drawn.say(0, 8 + 14 * line, words)
    chunks = next(f for f in patterns if f.chunk == _DRAWN_CHUNK).chunks_per_call
    height = len(shown) * (_ROW + _GAP)
    _memory(drawn, 58, kind, chunks, shown)
    top = 58 + height + 26
    if kind in (SCATTER, SHARED):
        drawn.say(0, top - 10, "one file: chunks in turn")
        _interleaved(drawn, top, kind, chunks, shown)
    elif kind == SEPARATE:
        drawn.say(0, top - 10, "a file for each process")
        for row, y in _rows(drawn, 0, top, shown):
            _filled(drawn, (0, y), (_WIDTH, _ROW), row)
    else:
        drawn.say(0, top - 10, "one file: segments of L_SEG byte, one behind the other")
        _segments(drawn, top, shown)
    top += max(height, 72) + 28
    drawn.say(0, top - 13, "patterns, in the order of the file (not to scale)")
    _boxes(drawn, top, patterns, m_part)
    bottom = top + 36 * -(-len(patterns) // _PATTERNS_IN_A_ROW)
    return drawn.panel(bottom, f"Type {kind}: {TYPE_NAMES[kind]}")


def _rows(
    drawn: _Drawn, left: float, top: float, shown: Sequence[int | None]
) -> Iterator[tuple[int, float]]:
    """Yield process and upper edge of each line; three dots stand for what is left out."""
    for row, process in enumerate(shown):
        y = top + row * (_ROW + _GAP)
        if process is None:
            drawn.say(left + 8, y + _ROW / 2, "…")
        else:
            yield row, y


def _memory(drawn: _Drawn, top: float, kind: int, chunks: int, shown: Sequence[int | None]) -> None:
    """Draw the memory that one call of each process moves, and the bracket of a collective call."""
    count = min(chunks, _CHUNKS_OF_A_CALL)
    drawn.say(
        26, top - 10, f"memory of a call: {f'{chunks} chunks' if chunks > 1 else 'one chunk'}"
    )
    for row, y in _rows(drawn, 26, top, shown):
        drawn.say(16, y + _ROW / 2, str(shown[row]), "words")
        for chunk in range(count):
            drawn.box(26 + 26 * chunk, y, 26, _ROW, row, full=True)
        if chunks > count:
            drawn.say(28 + 26 * count, y + _ROW / 2, f"… {chunks}")
    if kind in _COLLECTIVE:
        bottom = top + len(shown) * (_ROW + _GAP) - _GAP
        drawn.line((9, top), (4, top), (4, bottom), (9, bottom))


def _interleaved(
    drawn: _Drawn, top: float, kind: int, chunks: int, shown: Sequence[int | None]
) -> None:
    """Draw one file in which the chunks of the processes take turns."""
    called = min(chunks, _CHUNKS_OF_A_CALL) if kind == SCATTER else 1
    turns = called + 1 if kind == SCATTER else _CHUNKS_OF_A_CALL + 1
    room = 22.0  # between what is drawn of a call and the next call, where a call has more
    of_turn = (_WIDTH - room) / turns
    y, height = top + 20, 34.0
    for turn in range(turns):
        left = turn * of_turn
        if turn >= called and chunks > called:
            drawn.say(left + room / 2 - 1, y + height / 2, "…", "words", "ink")
            left += room
        each = (of_turn - 3) / len(shown)
        for row, process in enumerate(shown):
            if process is None:
                drawn.say(left + (row + 0.5) * each, y + height / 2, "…", "words", "ink")
            else:
                drawn.box(left + row * each, y, each, height, row, full=turn < called)
    drawn.line((0, y - 5), (called * of_turn - 3, y - 5))
    rest = f" of {chunks} turns" if chunks > called else ""
    of_call = f" of all processes: {called}{rest}" if kind == SCATTER else " of all"
    drawn.say(0, y + height + 10, f"one call{of_call}")
    drawn.say(_WIDTH - 28, y + height + 10, "and so on", "words")


def _segments(drawn: _Drawn, top: float, shown: Sequence[int | None]) -> None:
    """Draw one file of segments, each filled chunk by chunk."""
    each = _WIDTH / len(shown)
    y, height = top + 20, 34.0
    for row, process in enumerate(shown):
        if process is None:
            drawn.say((row + 0.5) * each, y + height / 2, "…", "words", "ink")
            continue
        _filled(drawn, (row * each, y), (each - 3, height), row)
        words = f"segment of {process}" if each > 80 else f"of {process}"
        drawn.say(row * each, y + height + 10, words)


def _filled(drawn: _Drawn, at: tuple[float, float], size: tuple[float, float], row: int) -> None:
    """Draw chunks one behind the other, the first one of this call."""
    count = max(2, int(size[0] // 26))
    chunk = size[0] / count
    for index in range(count):
        drawn.box(at[0] + index * chunk, at[1], chunk, size[1], row, full=index == 0)


def _boxes(
    drawn: _Drawn, top: float, patterns: Sequence[IoPatternFacts], m_part_bytes: int
) -> None:
    """Write the patterns of the type in the order in which they lie in its file."""
    each = _WIDTH / _PATTERNS_IN_A_ROW
    for number, facts in enumerate(patterns):
        row, column = divmod(number, _PATTERNS_IN_A_ROW)
        left, y = column * each, top + 36 * row
        drawn.frames.append(Row(left, y, x2=left + each - 3, y2=y + 31))
        middle = left + (each - 3) / 2
        drawn.say(middle, y + 10, f"{facts.number}: {_chunk(facts, m_part_bytes)}", "words", "ink")
        drawn.say(middle, y + 22, _how(facts), "words")


def _chunk(facts: IoPatternFacts, m_part_bytes: int) -> str:
    if facts.chunk is None:
        return "fill up"
    if facts.chunk == m_part_bytes and facts.chunk > MIB:
        return "M_PART"
    return format_chunk(facts.chunk)


def _how(facts: IoPatternFacts) -> str:
    """Say how long a pattern is repeated, and L where it is not l."""
    if facts.kind == "fill-up":
        return "the rest"
    if facts.kind == "once":
        return "once"
    units = f"U = {facts.units}"
    if facts.memory is None or facts.memory == facts.chunk:
        return units
    odd = facts.memory % MIB
    return f"{units}, L = {format_size(facts.memory - odd)}{'+' if odd else ''}"
