"""Compressed host lists, taken apart again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.result.host_list import expand_host_list, fold_host_list, hosts_in_list


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("login", ["login"]),
        ("node[001-003]", ["node001", "node002", "node003"]),
        ("node[08-11,20],login", ["node08", "node09", "node10", "node11", "node20", "login"]),
        ("a[1-2].site,b[7,9]x", ["a1.site", "a2.site", "b7x", "b9x"]),
        ("r[1-2]c[0-1]", ["r1c0", "r1c1", "r2c0", "r2c1"]),
        ("r[1]-[08-09,2]x[3],y", ["r1-08x3", "r1-09x3", "r1-2x3", "y"]),
    ],
)
def test_expand_host_list(text: str, names: list[str]) -> None:
    assert expand_host_list(text, len(names)) == names


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["n1", "n2", "n4"], "n[1-2,4]"),
        (["n8", "n9", "n10", "n11"], "n[8-11]"),
        (["n08", "n9", "n099", "n100"], "n[08,9,099-100]"),
        (["login", "rank 0", "rank 1"], "login,rank [0-1]"),
        (["1" * 5000, "a.site"], "1" * 5000 + ",a.site"),
        ([], ""),
    ],
)
def test_fold_host_list(names: list[str], text: str) -> None:
    assert fold_host_list(names) == text


@given(st.lists(st.from_regex(r"[a-z.]{1,3}([0-9]{1,4})?", fullmatch=True), max_size=20))
def test_a_folded_list_is_expanded_again(names: list[str]) -> None:
    assert expand_host_list(fold_host_list(names), 100) == names
    assert hosts_in_list(fold_host_list(names)) == len(names)


def test_hosts_are_counted_without_being_named() -> None:
    assert hosts_in_list("a[1-999999999999,7],b,c[3-1],d[x],e[0-9]f[1-5]") == 10**12 + 53


@pytest.mark.parametrize(
    "text",
    [
        "node[1-999999999999]",
        "a[1-9],a[1-9999999999]",
        "a[1-3,4-6]",
        "a[1-9]b[1-99999999999]",
        "a,b,c,d,e,f,g,h,i",
    ],
)
def test_a_list_that_claims_too_many_ends_soon(text: str) -> None:
    assert 3 < len(expand_host_list(text, 3)) < 20


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("vm[--]", ["vm[--]"]),
        ("vm[1-2-3]", ["vm[1-2-3]"]),
        ("vm[3-1]", ["vm[3-1]"]),
        ("vm[1-2,x]", ["vm[1-2,x]"]),
        ("vm[1-2][x]", ["vm[1-2][x]"]),
        ("vm[1-2]]", ["vm[1-2]]"]),
        ("vm[" + "9" * 5000 + "]", ["vm[" + "9" * 5000 + "]"]),
        ("[" * 300_000, ["[" * 300_000]),
        ("x" * 900_000 + "[1-9]", ["x" * 900_000 + "[1-9]"]),
        ("", []),
    ],
)
def test_what_is_no_list_of_numbers_is_a_name(text: str, names: list[str]) -> None:
    """Found by hostile files: ValueError, hours of backtracking, memory for each long name."""
    assert expand_host_list(text, 100_000) == names
