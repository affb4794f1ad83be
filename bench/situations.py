#!/usr/bin/env python3
"""What check, verify and run say of results in many situations, and how they end.

    bench/situations.py [--bin .venv/bin]

Made-up results, and some that `beff run` measures. Prints a table in Markdown: the situation, the
command, its exit code, and the line in which it answers. Exit code 1 where a code is another one
than the situation asks for.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "python"))

from support.machines.flat import flat  # noqa: E402
from support.machines.leaves import leaves  # noqa: E402
from support.machines.machine import Machine  # noqa: E402
from support.machines.result import make_map  # noqa: E402
from support.results import Plan, make_result, with_derived  # noqa: E402

from beff.analysis.b_eff.criteria import verdicts_of  # noqa: E402
from beff.analysis.common.criteria import rejudged  # noqa: E402
from beff.model.b_eff_result import BEffResult  # noqa: E402

Fields = dict[str, Any]
PLAN = Plan(processes=8, hosts=(1,) * 8)
LIMIT_S = 300
ANSWER = re.compile(r"verdict|verified|should be|valid", re.IGNORECASE)


@dataclass(frozen=True)
class Situation:
    """A name, command lines, and the exit code of each; `make` prepares the folder."""

    name: str
    make: Callable[[Path], None]
    commands: tuple[tuple[int, str], ...]


def measured() -> Fields:
    """Return a valid result of b_eff."""
    return make_result(PLAN)


def again(fields: Fields) -> Fields:
    """Return a result whose criteria and figures follow from what was measured."""
    verdicts = verdicts_of(BEffResult.model_validate(fields))
    return with_derived(fields | {"criteria": rejudged(fields["criteria"], verdicts)})


def hosts(**machine: Any) -> Fields:
    """Return a valid map of pairs of such a machine."""
    return make_map(flat(8, **machine))


def noisy() -> Fields:
    """Repetitions that differ by up to half."""
    fields = measured()
    samples = fields["samples"]
    for row, repetition in enumerate(samples["repetition"]):
        for name in ("time_max_s", "time_avg_s", "time_min_s"):
            samples[name][row] *= (1.0, 1.3, 1.5)[repetition]
    return again(fields)


def one_method() -> Fields:
    """Return a result that is not valid."""
    return make_result(Plan(processes=8, hosts=(1,) * 8, methods=("sendrecv",)))


def too_good() -> Fields:
    """Return a result whose value is a fifth above what its samples give."""
    fields = measured()
    summary = fields["summary"]
    return fields | {"summary": summary | {"b_eff_MBps": 1.2 * summary["b_eff_MBps"]}}


def wrong_data() -> Fields:
    """Return a run that received wrong bytes."""
    fields = measured()
    wrong = {"wrong_messages": 3, "first_error": "rank 1, pattern 5: first byte 7 instead of 8"}
    return again(fields | {"data_check": fields["data_check"] | wrong})


def file(content: Fields | str | bytes, name: str = "a.json") -> Callable[[Path], None]:
    """Return what writes a file."""

    def write(folder: Path) -> None:
        text = json.dumps(content) if isinstance(content, dict) else content
        data = text if isinstance(text, bytes) else text.encode()
        (folder / name).write_bytes(data)

    return write


def nothing(_: Path) -> None:
    """Leave the folder empty."""


def both(*writers: Callable[[Path], None]) -> Callable[[Path], None]:
    """Return what calls all of them."""

    def write(folder: Path) -> None:
        for one in writers:
            one(folder)

    return write


def expecting(low: float) -> Callable[[Path], None]:
    """Return what writes expectations: b_eff above a share of what was measured."""
    value = measured()["summary"]["b_eff_MBps"] * low
    entry = {"benchmark": "b_eff", "reference": {"b_eff_MBps": [value, -0.05, None, "MB/s"]}}
    return file(json.dumps({"expectations": [entry]}), "e.yaml")


CHECK, VERIFY = "beff check a.json", "beff verify a.json"
JUDGED = ((0, CHECK), (0, VERIFY))
QUICK = "--methods sendrecv --loop-time 50us --patterns 0-5"
RUN = (
    "beff run --benchmark b_eff --processes {} --memory-per-process 4MiB --output-dir out -- "
    + QUICK
)


def situations() -> Iterator[Situation]:
    """Return the rows of the table."""
    open_, bad = ((3, CHECK), (0, VERIFY)), ((1, CHECK), (0, VERIFY))
    yield Situation("healthy hosts, quiet, valid", file(hosts()), JUDGED)
    yield Situation("valid, nothing to check it by", file(measured()), open_)
    yield Situation("not valid: one method of three", file(one_method()), open_)
    partial = make_result(Plan(processes=8, hosts=(1,) * 8, measured=400))
    yield Situation("partial: 400 loops", file(partial), open_)
    yield Situation("noisy", file(noisy()), open_)
    yield Situation("wrong data", file(wrong_data()), bad)
    yield Situation("one host x 2", file(hosts(slow={3: 2.0})), bad)
    yield Situation("one link x 3", file(hosts(links={(2, 5): 3.0})), bad)
    far = Machine(leaves(2, 6, hop=4.0), passes=20)
    yield Situation("a quarter of the hosts x 4 as far", file(make_map(far)), open_)
    expected = "beff check a.json --expect e.yaml"
    yield Situation("as expected", both(file(measured()), expecting(1.0)), ((0, expected),))
    yield Situation(
        "20 % below what is expected", both(file(measured()), expecting(1.25)), ((1, expected),)
    )
    changed = both(file(too_good()), expecting(1.1))
    yield Situation("the value was changed", changed, ((3, expected), (1, VERIFY)))
    refused = ((2, CHECK), (2, VERIFY))
    yield Situation("cut in the middle", file(json.dumps(measured())[:5000]), refused)
    yield Situation("no JSON", file("b_eff = 12 MB/s"), refused)
    yield Situation("another program's JSON", file({"a": 1}), refused)
    yield Situation("nothing there", nothing, refused)
    yield Situation("a FIFO", lambda folder: os.mkfifo(folder / "a.json"), refused)
    yield Situation("an empty folder", lambda folder: (folder / "a.json").mkdir(), refused)
    yield Situation("the reader has gone", file(measured()), ((141, f"{CHECK} | head -n 0"),))
    cores = os.cpu_count() or 1
    for name, count in (("run, short loops", 2), ("run, two processes a core", 2 * cores)):
        left = f"out/b_eff_{count}p.json"
        judged = ((3, f"beff check {left}"), (0, f"beff verify {left}"))
        yield Situation(name, nothing, ((3, RUN.format(count)), *judged))
    run = RUN.format(2)
    yield Situation("run, standard output on /dev/full", nothing, ((1, f"{run} > /dev/full"),))
    yield Situation("run, second time into a folder", nothing, ((2, f"{run} > out.txt; {run}"),))
    unknown = "beff run --benchmark b_eff --output-dir out -- --colour"
    yield Situation("run, an unknown option", nothing, ((2, unknown),))


def answer(folder: Path, command: str, programs: Path) -> tuple[int, str]:
    """Run a command line; its exit code and the line that answers."""
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        env=os.environ | {"PATH": f"{programs}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    said = [one.strip() for one in done.stdout.splitlines() if one.strip()]
    errors = [
        one.strip() for one in done.stderr.splitlines() if one.startswith(("beff", "a.json", "out"))
    ]
    answers = [one for one in said if ANSWER.search(one)]
    return done.returncode, (errors or answers or said or ["(nothing)"])[-1]


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--bin", type=Path, default=ROOT / ".venv/bin", help="where beff is")
    parser.add_argument("--only", default="", help="situations whose names match this")
    wanted = parser.parse_args()
    wrong = 0
    print("| situation | command | exit code | answer |\n|---|---|---|---|")
    for situation in filter(lambda one: re.search(wanted.only, one.name), situations()):
        with tempfile.TemporaryDirectory() as place:
            situation.make(Path(place))
            for code, command in situation.commands:
                found, said = answer(Path(place), command, wanted.bin.absolute())
                mark = "" if found == code else f", not {code}"
                wrong += found != code
                shown = " ".join(command.split()[:2])
                print(
                    f"| {situation.name} | `{shown}` | {found}{mark} | {said[:200]} |", flush=True
                )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
