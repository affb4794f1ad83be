"""Lists of hosts as batch systems write them: node[001-128,130],login."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice, product
from math import prod

MOST_HOSTS = 10**6
_LONGEST_NAME = 1000
"""Characters; a host has no longer one."""
_PARTS = re.compile(r"(?:\[[^\]]*(?:\]|\Z)|[^,\[])+")
"""Of a list, between commas outside of brackets; empty parts are left out."""
_BRACKETS = re.compile(r"\[([^\[\]]+)\]")
_RANGE = re.compile(r"(\d{1,18})(?:-(\d{1,18}))?", re.ASCII)
_NUMBER = re.compile(r"(\d+)")


def number_key(name: str) -> list[tuple[int, str]]:
    """Return by what names are sorted: n2 stands before n10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _NUMBER.split(name)]


def expand_host_list(text: str, most: int = MOST_HOSTS) -> list[str]:
    """Take a compressed list apart: node[001-002,7],login names node001, node002, node7, login.

    Of several brackets the last changes fastest: r[1-2]c[0-1] names r1c0, r1c1, r2c0, r2c1. A part
    with anything but ranges in its brackets is a name as it stands. Stops soon after `most` names:
    a file that nobody checked yet may claim any number of them.
    """
    names: list[str] = []
    for texts, ranges in map(_pieces, _PARTS.findall(text)):
        some = ([*islice(_numbers(each), most + 1)] for each in ranges)
        for numbers in islice(product(*some), most + 1):
            names.append("".join(chain(*zip(texts, (*numbers, ""), strict=True))))
        if len(names) > most:
            break
    return names


def hosts_in_list(text: str) -> int:
    """Return how many names a compressed list has, without making them."""
    parts = (ranges for _, ranges in map(_pieces, _PARTS.findall(text)))
    return sum(prod(sum(len(numbers) for _, numbers in each) for each in part) for part in parts)


def is_host_list(text: str) -> bool:
    """Whether all brackets of a list hold ranges; else what holds another is a name as it is."""
    return not any({*"[]"} & {*"".join(texts)} for texts, _ in map(_pieces, _PARTS.findall(text)))


_Ranges = list[tuple[int, range]]
"""What stands between brackets: of each range how many digits it is written with, its numbers."""


def _pieces(part: str) -> tuple[list[str], list[_Ranges]]:
    """Return the texts around brackets and what is in these; a plain name is a single text."""
    parted = _BRACKETS.split(part)
    texts, inside = parted[::2], parted[1::2]
    ranges = [[_range(piece) for piece in each.split(",")] for each in inside]
    is_list = all(numbers for each in ranges for _, numbers in each)
    if not is_list or sum(map(len, texts)) > _LONGEST_NAME or {*"[]"} & {*"".join(texts)}:
        return [part], []
    return texts, ranges


def _range(piece: str) -> tuple[int, range]:
    """Return a range; an empty one for what is none."""
    if (numbers := _RANGE.fullmatch(piece)) is None:
        return 0, range(0)
    return len(numbers[1]), range(int(numbers[1]), int(numbers[2] or numbers[1]) + 1)


def _numbers(ranges: _Ranges) -> Iterator[str]:
    """Yield the numbers as they are written."""
    return (f"{number:0{digits}}" for digits, numbers in ranges for number in numbers)


def fold_host_list(names: Sequence[str]) -> str:
    """Write names of the same stem with their numbers as ranges: the inverse of the above."""
    parts: list[tuple[str, list[tuple[str, str]]]] = []
    for name in names:
        number = name[len(name.rstrip("0123456789")) :][-9:]
        stem = name[: len(name) - len(number)]
        if not (parts and number and parts[-1][1] and parts[-1][0] == stem):
            parts.append((stem, [(number, number)] if number else []))
            continue
        ranges = parts[-1][1]
        begin, end = ranges[-1]
        if number == f"{int(end) + 1:0{len(end)}}":
            ranges[-1] = begin, number
        else:
            ranges.append((number, number))
    return ",".join(_folded(stem, ranges) for stem, ranges in parts)


def _folded(stem: str, ranges: Sequence[tuple[str, str]]) -> str:
    written = ",".join(begin if begin == end else f"{begin}-{end}" for begin, end in ranges)
    return f"{stem}[{written}]" if "-" in written or "," in written else f"{stem}{written}"
