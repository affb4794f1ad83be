"""Hint files: which lines count for what, and what is said of a wrong one."""

import os
import re
from typing import Any

import io_core as io
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

TYPES = ("scatter", "shared", "separated", "segmented", "seg_coll")
CHUNKS = ("Lmax", "1024", "1032", "32768", "32776", "1048576", "1048584")
PLAN = io.make_plan(1, types=list(io.Type), memory_per_process=128 * 16 * io.MB)
LONGEST = {"key": 255, "value": 1024}


def read(
    text: str,
    *,
    processes: int = 2,
    access: int = io.Access.WRITE,
    pattern: int = 0,
    limits: dict[str, int] = LONGEST,
) -> Any:
    """The hints when the pattern's file is opened, and those before it."""
    return io.core.hints(text, [processes], access, PLAN.patterns[pattern].type, pattern, limits)


def test_a_segment_is_filled_up_with_the_hints_of_every_chunk() -> None:
    hints = "all all all all a 1\nall all all 1024 b 1\nall all all Lmax c 1"
    assert read(hints, pattern=33)[1] == {"a": "1"}


def test_a_number_sign_begins_a_comment_in_the_first_column_only() -> None:
    """As in the source of release 2.1."""
    hints = "all all all on_open key a#b, #c \t\r\n#all all\n\n"
    assert read(hints)[0] == {"key": "a#b, #c"}
    with pytest.raises(ValueError, match=r"^line 1: "):
        read("  # all all")


def or_all(*words: str) -> st.SearchStrategy[str]:
    return st.just("all") | st.sampled_from(words)


columns = st.tuples(
    or_all("16"),
    or_all("write", "rewrite", "read"),
    or_all(*TYPES),
    or_all("on_open", *CHUNKS),
    st.sampled_from(["cb_nodes", "cb_buffer_size"]),
    st.sampled_from(["1", "2", "a b"]),
)


@given(st.lists(columns, max_size=12), st.sampled_from(list(io.Access)), st.integers(0, 54))
def test_the_last_line_that_matches_counts(
    lines: list[tuple[str, ...]], access: Any, number: int
) -> None:
    pattern = PLAN.patterns[number]
    kind = TYPES[pattern.type] if pattern.type < len(TYPES) else "random"
    chunk = "Lmax" if pattern.l_bytes == PLAN.schedule.m_part_bytes else str(pattern.l_bytes)

    def expected(place: str) -> dict[str, str]:
        wanted = ("16", access.name.lower(), kind, place)
        return {
            line[4]: line[5]
            for line in lines
            if all(word in ("all", one) for word, one in zip(line, wanted, strict=False))
        }

    found = read("\n".join(map("  ".join, lines)), processes=16, access=access, pattern=number)
    assert found == [expected("on_open"), expected(chunk)]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("none all all all k v", "'none' is not a number of processes; allowed are all and whole"),
        ("0 all all all k v", "'0' is not a number of processes"),
        ("4x all all all k v", "'4x' is not a number of processes"),
        ("99999999999 all all all k v", "'99999999999' is not a number of processes"),
        ("8 all all all k v", "8 is not a partition of this run"),
        ("all append all all k v", "'append' is no access method; allowed are all, write, rewrite"),
        ("all all separate all k v", "'separate' is no pattern type; allowed are all, scatter, sh"),
        ("all all scatter all striping_factor", "ends after 5 of six words: processes, access"),
        ("all all scatter 2048 k v", "'2048' is no place; allowed are all, on_open, Lmax, 1024,"),
        ("all all all all k ", "ends after 5 of six words"),
        ("all all all all abcdefghi v", "the key abcdefghi has 9 characters; this MPI library tak"),
        ("all all all all k 0123456789", "the value 0123456789 has 10 characters"),
    ],
)
def test_a_wrong_line_is_named(line: str, problem: str) -> None:
    text = f"# first\nall all all all k v\n{line}\n2 all all all k v"
    with pytest.raises(ValueError, match=r"^line 3: ") as found:
        read(text, limits={"key": 8, "value": 9})
    assert problem in str(found.value)


PIECES = (
    *("\n", "\r\n", " ", "\t", "#", "all", "on_open", "Lmax", "0", "-1", "2147483648", "1e3"),
    *("9" * 40, "x" * 2000, "\x00", "\x1b[31m", "\u202e", "\xff", "chunk", "écrire"),
)


@settings(max_examples=max(200, int(os.environ.get("BEFF_FUZZ_CASES", "0"))))
@given(st.lists(st.sampled_from(PIECES), max_size=4), st.integers(0, 60))
def test_damaged_files_are_read_or_refused_by_line(pieces: list[str], place: int) -> None:
    text = "2 all all on_open cb_write enable\nall write scatter 1024 cb_nodes 1\n"
    text = text[:place] + "".join(pieces) + text[place + len(pieces) :]
    try:
        found, said = {**read(text)[0], **read(text, pattern=5)[1]}, ""
    except ValueError as problem:
        found, said = {}, str(problem)
    assert not said or re.match(r"line \d+: ", said)
    assert all(len(key) <= 255 and len(value) <= 1024 for key, value in found.items())
