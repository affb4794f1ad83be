"""The five pattern types of b_eff_io: what a call moves, and where it lies in the files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from beff.analysis.b_eff_io.definition import (
    KIB,
    SCATTER,
    SEG_COLL,
    SEPARATE,
    SHARED,
    TYPE_NAMES,
    IoPatternFacts,
    all_patterns,
)
from beff.charts.common.theme import Theme
from beff.drawings.canvas import Canvas, Parts, Point
from beff.model.bounds import OFFICIAL_TYPES
from beff.model.numbers import MIB, counted, format_chunk, format_size

_WIDTH = 984.0
_HEAD, _PANEL = 64.0, 172.0
_MOST_PROCESSES = 5
_DRAWN_CHUNK = 32 * KIB
"""The chunks that are drawn are those of the pattern with this l."""
_SOME_M_PART = 4 * MIB
_CHUNKS_OF_A_CALL = 4
_ROW, _GAP = 15.0, 4.0
_ABOUT = {
    0: ("strided file view, collective:", "a call scatters L byte to chunks of l"),
    1: ("same layout, collective, shared pointer:", "a call moves one chunk of l byte"),
    2: ("a file for each process, not collective:", "a call moves one chunk of l byte"),
    3: ("a segment for each process, not collective:", "a call moves one chunk of l byte"),
    4: ("a segment for each process, collective:", "a call moves one chunk of l byte"),
}
_COLLECTIVE = (SCATTER, SHARED, SEG_COLL)


@dataclass(frozen=True)
class _Place:
    """Where a pattern type is drawn: memory, file and patterns below words or beside them.

    `in_a_row` are the boxes of patterns, `text` the size of most words, `small` that in boxes.
    """

    canvas: Canvas
    name: Point
    memory: Point
    file: Point
    file_width: float
    patterns: Point
    in_a_row: int
    text: float
    small: float

    def say(self, at: Point, words: str, anchor: str = "start") -> None:
        """Write soft words."""
        soft = self.canvas.theme.soft_ink
        self.canvas.text(at, words, size=self.text, anchor=anchor, colour=soft)


def _wide(canvas: Canvas, top: float) -> _Place:
    file_left = 424.0
    return _Place(
        canvas,
        name=(12, top + 20),
        memory=(214, top + 28),
        file=(file_left, top + 28),
        file_width=_WIDTH - file_left - 14,
        patterns=(214, top + _PANEL - 40),
        in_a_row=9,
        text=10,
        small=9,
    )


_NARROW_WIDTH = 366.0
_BOX_ROW, _LEAST_FILE = 36.0, 72.0


def _narrow(canvas: Canvas, processes: int) -> _Place:
    lines = len(_shown(processes)) * (_ROW + _GAP)
    memory = 76.0
    file = memory + lines + 26
    return _Place(
        canvas,
        name=(6, 16),
        memory=(0, memory),
        file=(6, file),
        file_width=_NARROW_WIDTH - 12,
        patterns=(6, file + max(lines, _LEAST_FILE) + 28),
        in_a_row=3,
        text=11,
        small=11,
    )


def draw_files(processes: int, theme: Theme, m_part_bytes: int | None = None) -> str:
    """Draw the layouts for a number of processes as SVG; M_PART is named where it is known.

    The theme says whether there is a title.
    """
    title = f"The pattern types of b_eff_io with {counted(processes, 'process')}"
    canvas = Canvas(_WIDTH, theme)
    begin = _HEAD if theme.headed else 4.0
    if theme.headed:
        canvas.text((12, 24), title, size=17, bold=True)
        canvas.text((12, 43), about_files(processes, m_part_bytes), colour=theme.soft_ink)
    for number, kind in enumerate(OFFICIAL_TYPES):
        top = begin + number * _PANEL
        canvas.line((12, top), (_WIDTH - 12, top), theme.grid, width=1)
        place = _wide(canvas, top)
        _panel(place, kind, processes, m_part_bytes)
        place.say((12, top + _PANEL - 28), "patterns, in the order of the file")
        place.say((12, top + _PANEL - 15), "(not to scale)")
        canvas.flush()
    return canvas.svg(begin + len(OFFICIAL_TYPES) * _PANEL + 4, title)


def file_parts(processes: int, theme: Theme, m_part_bytes: int | None) -> Parts:
    """Draw the same for a page, each type alone."""
    drawn = []
    for kind in OFFICIAL_TYPES:
        canvas = Canvas(_NARROW_WIDTH, theme)
        place = _narrow(canvas, processes)
        _panel(place, kind, processes, m_part_bytes)
        left, top = place.patterns
        place.say((left, top - 10), "patterns, in the order of the file (not to scale)")
        name = f"Type {kind}: {TYPE_NAMES[kind]}"
        drawn.append((name, canvas.svg(top + place.in_a_row * _BOX_ROW + 4, name)))
    return [("", drawn)]


def about_files(processes: int, m_part_bytes: int | None) -> str:
    """Say what colours are, and what is not drawn."""
    left_out = processes - sum(process is not None for process in _shown(processes))
    more = f" {left_out} of the {processes} processes are not drawn." if left_out else ""
    if m_part_bytes is not None:
        more += f" M_PART is {format_size(m_part_bytes)}."
    return (
        "A colour is a process; full colour is what one call of each process moves with chunks of"
        f" {format_size(_DRAWN_CHUNK)}, pale what further calls move.{more}"
    )


def _shown(processes: int) -> list[int | None]:
    """Return the processes that are drawn; None stands for those left out."""
    if processes <= _MOST_PROCESSES:
        return list(range(processes))
    return [*range(_MOST_PROCESSES - 2), None, processes - 1]


def _panel(place: _Place, kind: int, processes: int, m_part_bytes: int | None) -> None:
    shown, m_part = _shown(processes), m_part_bytes or _SOME_M_PART
    patterns = [facts for facts in all_patterns(m_part) if facts.type == kind]
    name_x, name_y = place.name
    place.canvas.text(place.name, f"Type {kind}: {TYPE_NAMES[kind]}", size=12, bold=True)
    for line, words in enumerate(_ABOUT[kind]):
        place.say((name_x, name_y + 17 + 14 * line), words)
    drawn = next(facts for facts in patterns if facts.chunk == _DRAWN_CHUNK)
    chunks = drawn.chunks_per_call
    _memory(place, kind, chunks, shown)
    above = (place.file[0], place.file[1] - 8)
    if kind in (SCATTER, SHARED):
        place.say(above, "one file: chunks in turn")
        _interleaved(place, kind, chunks, shown)
    elif kind == SEPARATE:
        place.say(above, "a file for each process")
        _separate(place, shown)
    else:
        place.say(above, "one file: segments of L_SEG byte, one behind the other")
        _segments(place, shown)
    _boxes(place, patterns, m_part)


def _rows(place: _Place, at: Point, shown: Sequence[int | None]) -> Iterator[tuple[int, Point]]:
    """Yield process and place of each line; three dots stand for what is left out."""
    for row, process in enumerate(shown):
        corner = (at[0], at[1] + row * (_ROW + _GAP))
        if process is None:
            place.canvas.text(
                (corner[0] + 8, corner[1] + 9), "…", colour=place.canvas.theme.soft_ink
            )
        else:
            yield row, corner


def _memory(place: _Place, kind: int, chunks: int, shown: Sequence[int | None]) -> None:
    """Draw the memory that one call of each process moves, and the bracket of a collective call."""
    canvas, (left, top) = place.canvas, place.memory
    drawn = min(chunks, _CHUNKS_OF_A_CALL)
    words = f"memory of a call: {chunks} chunks" if chunks > 1 else "memory of a call: one chunk"
    place.say((left + 26, top - 8), words)
    for row, (x, y) in _rows(place, (left + 26, top), shown):
        place.say((x - 4, y + 11), str(shown[row]), anchor="end")
        for chunk in range(drawn):
            canvas.box((x + 26 * chunk, y), (25, _ROW), canvas.series(row))
        if chunks > drawn:
            place.say((x + 2 + 26 * drawn, y + 11), f"… {chunks}")
    if kind in _COLLECTIVE:
        x, bottom = left + 4, top + len(shown) * (_ROW + _GAP) - _GAP
        canvas.line((x, top), (x, bottom), canvas.theme.ink, width=2)
        for y in (top, bottom):
            canvas.line((x, y), (x + 5, y), canvas.theme.ink, width=2)


def _interleaved(place: _Place, kind: int, chunks: int, shown: Sequence[int | None]) -> None:
    """Draw one file in which the chunks of the processes take turns."""
    canvas, (begin, top) = place.canvas, place.file
    turns = min(chunks, _CHUNKS_OF_A_CALL) + 1
    if kind == SHARED:
        turns = _CHUNKS_OF_A_CALL + 1
    called = turns - 1 if kind == SCATTER else 1
    break_width = 22.0
    of_turn = (place.file_width - break_width) / turns
    y, height = top + 20, 34.0
    for turn in range(turns):
        # In type 0 the rest of the call's chunks lies before what the next call moves.
        cut = chunks > called and turn == called and kind == SCATTER
        left = begin + turn * of_turn + (break_width if turn >= called and cut else 0)
        if cut:
            canvas.text((left - break_width / 2, y + 21), "…", anchor="middle")
        _turn(canvas, (left, y), (of_turn - 3, height), shown, full=turn < called)
    below = y + height + 13
    place.say((begin + place.file_width, below), "and so on", anchor="end")
    rest = f" of {chunks} turns" if chunks > called else ""
    said = f"one call of all processes: {called}{rest}" if kind == SCATTER else "one call of all"
    width = called * of_turn - 3
    canvas.line((begin, y - 5), (begin + width, y - 5), canvas.theme.ink, width=2)
    place.say((begin, below), said)


def _turn(
    canvas: Canvas,
    at: Point,
    size: Point,
    shown: Sequence[int | None],
    *,
    full: bool,
) -> None:
    """Draw a chunk of each process side by side."""
    (left, top), (width, height) = at, size
    each = width / len(shown)
    for row, process in enumerate(shown):
        corner = (left + row * each, top)
        if process is None:
            canvas.text((corner[0] + each / 2, top + height / 2 + 3), "…", anchor="middle", size=10)
            continue
        canvas.box(corner, (each - 1, height), canvas.series(row), opacity=1 if full else 0.3)


def _separate(place: _Place, shown: Sequence[int | None]) -> None:
    """Draw a file for each process, filled chunk by chunk."""
    for row, corner in _rows(place, place.file, shown):
        _filled(place.canvas, corner, (place.file_width, _ROW), place.canvas.series(row))


def _segments(place: _Place, shown: Sequence[int | None]) -> None:
    """Draw one file of segments, each filled chunk by chunk."""
    canvas, (begin, top) = place.canvas, place.file
    each = place.file_width / len(shown)
    y, height = top + 20, 34.0
    for row, process in enumerate(shown):
        left = begin + row * each
        if process is None:
            canvas.text((left + each / 2, y + 20), "…", anchor="middle")
            continue
        _filled(canvas, (left, y), (each - 3, height), canvas.series(row))
        words = f"segment of {process}" if each > _ROOM_FOR_SEGMENT else f"of {process}"
        place.say((left, y + height + 13), words)


_ROOM_FOR_SEGMENT = 80.0


def _filled(canvas: Canvas, at: Point, size: Point, colour: str) -> None:
    """Draw chunks one behind the other, the first one of this call."""
    (left, top), (width, height) = at, size
    count = max(2, int(width // 26))
    chunk = width / count - 1
    for index in range(count):
        corner = (left + index * (chunk + 1), top)
        canvas.box(corner, (chunk, height), colour, opacity=1 if index == 0 else 0.3)


def _boxes(place: _Place, patterns: Sequence[IoPatternFacts], m_part_bytes: int) -> None:
    """Write the patterns of the type in the order in which they lie in its file."""
    canvas, (left, top) = place.canvas, place.patterns
    soft = canvas.theme.soft_ink
    room = canvas.width - left - 6
    each = room / place.in_a_row
    for number, facts in enumerate(patterns):
        row, column = divmod(number, place.in_a_row)
        corner = (left + column * each, top + _BOX_ROW * row)
        canvas.box(corner, (each - 3, 31), "none", stroke=soft, width=0.8)
        middle = corner[0] + (each - 3) / 2
        first = f"{facts.number}: {_chunk(facts, m_part_bytes)}"
        canvas.text((middle, corner[1] + 13), first, size=place.small, anchor="middle")
        below = (middle, corner[1] + 25)
        canvas.text(below, _how(facts), size=place.small, anchor="middle", colour=soft)


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
    memory = format_size(facts.memory - odd) if odd else format_size(facts.memory)
    return f"{units}, L = {memory}{'+' if odd else ''}"
