"""Hint files: which lines count for what, and what is said of a wrong one."""

from __future__ import annotations

import os
import re
from functools import partial
from itertools import product
from typing import Any

import io_core as io
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

ACCESSES = {"write": io.Access.WRITE, "rewrite": io.Access.REWRITE, "read": io.Access.READ}
TYPES = {
    "scatter": io.Type.SCATTER,
    "shared": io.Type.SHARED,
    "separated": io.Type.SEPARATE,
    "segmented": io.Type.SEGMENTED,
    "seg_coll": io.Type.SEG_COLL,
}
CHUNKS = ["Lmax", "1024", "1032", "32768", "32776", "1048576", "1048584"]
M_PART = 16 << 20
LONGEST = {"key": 255, "value": 1024}


def all_patterns() -> list[Any]:
    found: list[Any] = io.make_patterns(list(io.Type), M_PART)
    return found


def chunk_word(pattern: Any) -> str | None:
    return "Lmax" if pattern.chunk == M_PART else str(pattern.chunk) if pattern.chunk else None


def test_each_line_says_for_what_it_counts() -> None:
    hints = (
        "# made for 4 processes\n"
        "\n"
        "all all all on_open striping_factor 8\n"
        "4 write separated on_open striping_factor 1\n"
        "all read scatter Lmax cb_buffer_size 16777216\n"
        "4 all all 32776 romio_ds_write disable\n"
        "all all shared all access_style read_once,  random\t\r\n"
    )
    opened = partial(io.hints_on_open, hints)
    assert opened(2, io.Access.WRITE, io.Type.SEPARATE) == {"striping_factor": "8"}
    assert opened(4, io.Access.WRITE, io.Type.SEPARATE) == {"striping_factor": "1"}
    assert opened(4, io.Access.READ, io.Type.SEPARATE) == {"striping_factor": "8"}
    assert opened(1, io.Access.READ, io.Type.SHARED) == {
        "striping_factor": "8",
        "access_style": "read_once,  random",
    }
    before = partial(io.hints_before_pattern, hints)
    assert before(2, io.Access.READ, 1) == {"cb_buffer_size": "16777216"}
    assert before(2, io.Access.WRITE, 1) == {}
    assert before(2, io.Access.READ, 3) == {}
    # 32 kB + 8: patterns 6, 14, 22, 30, 39 and the random 46, 52
    assert [
        pattern.number
        for pattern in all_patterns()
        if "romio_ds_write" in before(4, io.Access.REWRITE, pattern.number)
    ] == [6, 14, 22, 30, 39, 46, 52]
    assert all("access_style" in before(3, io.Access.READ, number) for number in range(9, 17))


def test_a_segment_is_filled_up_with_the_hints_of_every_chunk() -> None:
    hints = "all all all all a 1\nall all all 1024 b 1\nall all all Lmax c 1"
    assert io.hints_before_pattern(hints, 2, io.Access.WRITE, 33) == {"a": "1"}


def test_a_number_sign_begins_a_comment_in_the_first_column_only() -> None:
    """As in the source of release 2.1."""
    hints = "all all all on_open key a#b #c \n#all all\n\n"
    assert io.hints_on_open(hints, 1, io.Access.WRITE, io.Type.SCATTER) == {"key": "a#b #c"}
    with pytest.raises(ValueError, match=r"^line 1: "):
        io.all_hints("  # all all", LONGEST)


columns = st.tuples(
    st.sampled_from(["all", "1", "2", "16"]),
    st.sampled_from(["all", *ACCESSES]),
    st.sampled_from(["all", *TYPES]),
    st.sampled_from(["all", "on_open", *CHUNKS]),
    st.sampled_from(["cb_nodes", "cb_buffer_size"]),
    st.sampled_from(["1", "2", "a b"]),
)


@given(
    st.lists(columns, max_size=12),
    st.sampled_from([1, 2, 16]),
    st.sampled_from(list(ACCESSES)),
    st.integers(0, 42),
)
def test_the_last_line_that_matches_counts(
    lines: list[tuple[str, ...]], processes: int, access: str, number: int
) -> None:
    pattern = all_patterns()[number]
    hints = "\n".join("  ".join(line) for line in lines)
    kind = next(name for name, value in TYPES.items() if value == pattern.type)

    def expected(places: set[str | None]) -> dict[str, str]:
        wanted = ({"all", str(processes)}, {"all", access}, {"all", kind}, places)
        matching = [
            line
            for line in lines
            if all(word in words for word, words in zip(line, wanted, strict=False))
        ]
        return {line[4]: line[5] for line in matching}

    at_open = io.hints_on_open(hints, processes, ACCESSES[access], pattern.type)
    assert at_open == expected({"all", "on_open"})
    found = io.hints_before_pattern(hints, processes, ACCESSES[access], number)
    assert found == expected({"all", chunk_word(pattern)})


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("none all all all k v", "'none' is not a number of processes; allowed are all and whole"),
        ("0 all all all k v", "'0' is not a number of processes"),
        ("4x all all all k v", "'4x' is not a number of processes"),
        ("99999999999 all all all k v", "'99999999999' is not a number of processes"),
        ("all append all all k v", "'append' is no access method; allowed are all, write, rewrite"),
        ("all all separate all k v", "'separate' is no pattern type; allowed are all, scatter, sh"),
        ("all all scatter all striping_factor", "ends after 5 of six words: processes, access"),
        ("all all scatter 2048 k v", "'2048' is no place; allowed are all, on_open, Lmax, 1024,"),
        ("all all all all k ", "ends after 5 of six words"),
        ("all romio_ds_write disable", "ends after 3 of six words"),
        ("all all all all abcdefghi v", "the key abcdefghi has 9 characters; this MPI library tak"),
        ("all all all all k 0123456789", "the value 0123456789 has 10 characters"),
    ],
)
def test_a_wrong_line_is_named(line: str, problem: str) -> None:
    text = f"# first\nall all all all k v\n{line}\nalso wrong"
    with pytest.raises(ValueError, match=r"^line 3: ") as found:
        io.all_hints(text, key=8, value=9)
    assert problem in str(found.value)


def test_a_line_for_a_number_of_processes_that_is_no_partition_is_an_error() -> None:
    hints = "all all all all k v\n# none\n8 all all all k v"
    io.check_hints(hints, [2, 8])
    with pytest.raises(
        ValueError, match=r"^line 3: 8 is not a partition of this run; .* 2, 4 proc"
    ):
        io.check_hints(hints, [2, 4])


GOOD = (
    "# processes access type place key value\n"
    "all all all on_open romio_cb_write enable\n"
    "2 write scatter 1024 cb_nodes 1\n"
    "16 read seg_coll Lmax striping_factor 4\n"
)
PIECES = (
    *("\n", "\r\n", " ", "\t", "#", "all", "on_open", "Lmax", "0", "-1", "2147483648", "1e3"),
    *("9" * 40, "x" * 2000, "\x00", "\x1b[31m", "\u202e", "\xff", "chunk", "écrire"),
)


@settings(max_examples=max(200, int(os.environ.get("BEFF_FUZZ_CASES", "0"))))
@given(
    st.lists(
        st.tuples(st.integers(0, len(GOOD)), st.integers(0, 12), st.sampled_from(PIECES)),
        min_size=1,
        max_size=4,
    )
)
def test_damaged_files_are_read_or_refused_by_line(changes: list[tuple[int, int, str]]) -> None:
    text = GOOD
    for place, length, piece in changes:
        text = text[:place] + piece + text[place + length :]
    try:
        io.all_hints(text, LONGEST)
    except ValueError as problem:
        said = str(problem)
    else:
        said = ""
    if said:
        assert re.match(r"line \d+: ", said)
        return
    for access, kind in product(ACCESSES.values(), io.Type):
        given_at_open = io.hints_on_open(text, 2, access, kind)
        assert all(len(key) <= 255 and len(value) <= 1024 for key, value in given_at_open.items())
