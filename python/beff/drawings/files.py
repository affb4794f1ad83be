"""The five pattern types of b_eff_io: what a call moves, and where it lies in the files."""

from collections.abc import Sequence

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
from beff.drawings.canvas import Canvas, Point
from beff.model.bounds import OFFICIAL_TYPES
from beff.model.numbers import MIB, counted, format_size

_WIDTH = 984.0
_HEAD, _PANEL = 64.0, 172.0
_MOST_PROCESSES = 5
_DRAWN_CHUNK = 32 * KIB
"""The chunks that are drawn are those of the pattern with this l."""
_SOME_M_PART = 4 * MIB
_CHUNKS_OF_A_CALL = 4
_MEMORY_AT, _FILE_AT = 214.0, 424.0
_FILE_WIDTH = _WIDTH - _FILE_AT - 14
_ROW, _GAP = 15.0, 4.0
_ABOUT = {
    0: ("strided file view, collective:", "a call scatters L byte to chunks of l"),
    1: ("same layout, collective, shared pointer:", "a call moves one chunk of l byte"),
    2: ("a file for each process, not collective:", "a call moves one chunk of l byte"),
    3: ("a segment for each process, not collective:", "a call moves one chunk of l byte"),
    4: ("a segment for each process, collective:", "a call moves one chunk of l byte"),
}
_COLLECTIVE = (SCATTER, SHARED, SEG_COLL)


def draw_files(processes: int, theme: Theme, m_part_bytes: int | None = None) -> str:
    """Draw the layouts for a number of processes as SVG; M_PART is named where it is known."""
    title = f"The pattern types of b_eff_io with {counted(processes, 'process')}"
    canvas = Canvas(_WIDTH, theme)
    canvas.text((12, 24), title, size=17, bold=True)
    shown = _shown(processes)
    left_out = processes - sum(process is not None for process in shown)
    more = f" {left_out} of the {processes} processes are not drawn." if left_out else ""
    if m_part_bytes is not None:
        more += f" M_PART is {format_size(m_part_bytes)}."
    canvas.text(
        (12, 43),
        "A colour is a process; full colour is what one call of each process moves with chunks of"
        f" {format_size(_DRAWN_CHUNK)}, pale what further calls move.{more}",
        colour=theme.soft_ink,
    )
    m_part = m_part_bytes or _SOME_M_PART
    table = all_patterns(m_part)
    for number, kind in enumerate(OFFICIAL_TYPES):
        top = _HEAD + number * _PANEL
        canvas.line((12, top), (_WIDTH - 12, top), theme.grid, width=1)
        patterns = [facts for facts in table if facts.type == kind]
        _panel(canvas, top, kind, patterns, shown)
        _row_of_patterns(canvas, top + _PANEL - 40, patterns, m_part)
        canvas.flush()
    return canvas.svg(_HEAD + len(OFFICIAL_TYPES) * _PANEL + 4, title)


def _shown(processes: int) -> list[int | None]:
    """Return the processes that are drawn; None stands for those left out."""
    if processes <= _MOST_PROCESSES:
        return list(range(processes))
    return [*range(_MOST_PROCESSES - 2), None, processes - 1]


def _panel(
    canvas: Canvas,
    top: float,
    kind: int,
    patterns: Sequence[IoPatternFacts],
    shown: Sequence[int | None],
) -> None:
    soft = canvas.theme.soft_ink
    canvas.text((12, top + 20), f"Type {kind}: {TYPE_NAMES[kind]}", size=12, bold=True)
    for line, words in enumerate(_ABOUT[kind]):
        canvas.text((12, top + 37 + 14 * line), words, size=10, colour=soft)
    drawn = next(facts for facts in patterns if facts.chunk == _DRAWN_CHUNK)
    chunks = drawn.chunks_per_call
    _memory(canvas, top + 28, kind, chunks, shown)
    if kind in (SCATTER, SHARED):
        canvas.text((_FILE_AT, top + 20), "one file: chunks in turn", size=10, colour=soft)
        _interleaved(canvas, top + 28, kind, chunks, shown)
    elif kind == SEPARATE:
        canvas.text((_FILE_AT, top + 20), "a file for each process", size=10, colour=soft)
        _separate(canvas, top + 28, shown)
    else:
        words = "one file: segments of L_SEG byte, one behind the other"
        canvas.text((_FILE_AT, top + 20), words, size=10, colour=soft)
        _segments(canvas, top + 28, shown)


def _memory(
    canvas: Canvas, top: float, kind: int, chunks: int, shown: Sequence[int | None]
) -> None:
    """Draw the memory that one call of each process moves, and the bracket of a collective call."""
    drawn = min(chunks, _CHUNKS_OF_A_CALL)
    soft = canvas.theme.soft_ink
    words = f"memory of a call: {chunks} chunks" if chunks > 1 else "memory of a call: one chunk"
    canvas.text((_MEMORY_AT + 26, top - 8), words, size=10, colour=soft)
    for row, process in enumerate(shown):
        y = top + row * (_ROW + _GAP)
        if process is None:
            canvas.text((_MEMORY_AT + 34, y + 9), "…", colour=soft)
            continue
        canvas.text((_MEMORY_AT + 22, y + 11), str(process), size=10, anchor="end", colour=soft)
        for chunk in range(drawn):
            corner = (_MEMORY_AT + 26 + 26 * chunk, y)
            canvas.box(corner, (25, _ROW), canvas.series(row))
        if chunks > drawn:
            canvas.text((_MEMORY_AT + 28 + 26 * drawn, y + 11), f"… {chunks}", size=10, colour=soft)
    if kind in _COLLECTIVE:
        x, bottom = _MEMORY_AT + 4, top + len(shown) * (_ROW + _GAP) - _GAP
        canvas.line((x, top), (x, bottom), canvas.theme.ink, width=2)
        for y in (top, bottom):
            canvas.line((x, y), (x + 5, y), canvas.theme.ink, width=2)


def _interleaved(
    canvas: Canvas, top: float, kind: int, chunks: int, shown: Sequence[int | None]
) -> None:
    """Draw one file in which the chunks of the processes take turns."""
    turns = min(chunks, _CHUNKS_OF_A_CALL) + 1
    if kind == SHARED:
        turns = _CHUNKS_OF_A_CALL + 1
    called = turns - 1 if kind == SCATTER else 1
    break_width = 22.0
    of_turn = (_FILE_WIDTH - break_width) / turns
    y, height = top + 20, 34.0
    for turn in range(turns):
        # In type 0 the rest of the call's chunks lies before what the next call moves.
        cut = chunks > called and turn == called and kind == SCATTER
        left = _FILE_AT + turn * of_turn + (break_width if turn >= called and cut else 0)
        if cut:
            canvas.text((left - break_width / 2, y + 21), "…", anchor="middle")
        _turn(canvas, (left, y), (of_turn - 3, height), shown, full=turn < called)
    right = _FILE_AT + _FILE_WIDTH
    canvas.text(
        (right, y + height + 13), "and so on", size=10, anchor="end", colour=canvas.theme.soft_ink
    )
    rest = f" of {chunks} turns" if chunks > called else ""
    said = f"one call of all processes: {called}{rest}" if kind == SCATTER else "one call of all"
    width = called * of_turn - 3
    canvas.line((_FILE_AT, y - 5), (_FILE_AT + width, y - 5), canvas.theme.ink, width=2)
    canvas.text((_FILE_AT, y + height + 13), said, size=10, colour=canvas.theme.soft_ink)


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


def _separate(canvas: Canvas, top: float, shown: Sequence[int | None]) -> None:
    """Draw a file for each process, filled chunk by chunk."""
    for row, process in enumerate(shown):
        y = top + row * (_ROW + _GAP)
        if process is None:
            canvas.text((_FILE_AT + 8, y + 9), "…", colour=canvas.theme.soft_ink)
            continue
        _filled(canvas, (_FILE_AT, y), (_FILE_WIDTH, _ROW), canvas.series(row))


def _segments(canvas: Canvas, top: float, shown: Sequence[int | None]) -> None:
    """Draw one file of segments, each filled chunk by chunk."""
    each = _FILE_WIDTH / len(shown)
    y, height = top + 20, 34.0
    for row, process in enumerate(shown):
        left = _FILE_AT + row * each
        if process is None:
            canvas.text((left + each / 2, y + 20), "…", anchor="middle")
            continue
        _filled(canvas, (left, y), (each - 3, height), canvas.series(row))
        words = f"segment of {process}"
        at = (left, y + height + 13)
        canvas.text(at, words, size=10, colour=canvas.theme.soft_ink)


def _filled(canvas: Canvas, at: Point, size: Point, colour: str) -> None:
    """Draw chunks one behind the other, the first one of this call."""
    (left, top), (width, height) = at, size
    count = max(2, int(width // 26))
    chunk = width / count - 1
    for index in range(count):
        corner = (left + index * (chunk + 1), top)
        canvas.box(corner, (chunk, height), colour, opacity=1 if index == 0 else 0.3)


def _row_of_patterns(
    canvas: Canvas, top: float, patterns: Sequence[IoPatternFacts], m_part_bytes: int
) -> None:
    """Write the patterns of the type in the order in which they lie in its file."""
    soft = canvas.theme.soft_ink
    canvas.text((12, top + 12), "patterns, in the order of the file", size=10, colour=soft)
    canvas.text((12, top + 25), "(not to scale)", size=10, colour=soft)
    left = _MEMORY_AT
    each = (_WIDTH - 14 - left) / max(len(patterns), 9)
    for place, facts in enumerate(patterns):
        corner = (left + place * each, top)
        canvas.box(corner, (each - 3, 31), "none", stroke=soft, width=0.8)
        middle = corner[0] + (each - 3) / 2
        first = f"{facts.number}: {_chunk(facts, m_part_bytes)}"
        canvas.text((middle, top + 13), first, size=9, anchor="middle")
        canvas.text((middle, top + 25), _how(facts), size=9, anchor="middle", colour=soft)


def _chunk(facts: IoPatternFacts, m_part_bytes: int) -> str:
    if facts.chunk is None:
        return "fill up"
    if facts.chunk == m_part_bytes and facts.chunk > MIB:
        return "M_PART"
    odd = facts.chunk % KIB
    return format_size(facts.chunk - odd) + (f" + {odd}" if odd else "")


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
