"""The weekly job: which hosts stay on the list of bad ones."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

WEEKLY = Path(__file__).resolve().parents[2] / "packaging" / "monitoring" / "beff-weekly.sh"
BEFF = """#!/bin/bash
[ "$1" = check ] || exit 0
while [ $# -gt 1 ]; do
  case $1 in
    --good | --bad) [ -e "$LISTS/${1#--}" ] && cp "$LISTS/${1#--}" "$2" ;;
  esac
  shift
done
exit 3
"""


@pytest.mark.parametrize(
    ("before", "good", "bad", "after"),
    [
        (None, ["n1"], ["n2"], ["n2"]),
        (["n7"], ["n1"], [], ["n7"]),  # was not measured again
        (["n1", "n7"], ["n1", "n2"], ["n3"], ["n3", "n7"]),
        (["n7"], [], ["n7"], ["n7"]),
        (["n11", "n1"], ["n1"], [], ["n11"]),
        (["n7"], ["n7"], [], []),
        (["n7"], None, None, ["n7"]),  # no host was judged
    ],
)
def test_a_bad_host_stays_until_it_was_found_good(
    before: list[str] | None,
    good: list[str] | None,
    bad: list[str] | None,
    after: list[str],
    tmp_path: Path,
) -> None:
    shared, lists = tmp_path / "shared", tmp_path / "lists"
    shared.mkdir()
    lists.mkdir()
    for name, text in (("beff", BEFF), ("date", "#!/bin/sh\necho today\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    for place, names in (
        (shared / "bad_hosts", before),
        (lists / "good", good),
        (lists / "bad", bad),
    ):
        if names is not None:
            place.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    path = f"{tmp_path}:{os.environ['PATH']}"
    environment = {"PATH": path, "LISTS": str(lists), "BEFF_SHARED": str(shared)}
    (shared / "weekly" / "today").mkdir(parents=True)
    assert subprocess.run([WEEKLY], env=environment, check=False).returncode == 3
    assert (shared / "bad_hosts").read_text(encoding="utf-8").split() == after
    assert {place.name for place in shared.iterdir()} == {"bad_hosts", "weekly"}
