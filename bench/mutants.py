#!/usr/bin/env python3
"""Draw faults at random, apply each alone in a copy of the last commit, and count who is noticed.

Of four kinds as many each: selections, edges, signs and units, of all places in python/beff, core
and engines that have a word of `WAYS`. The tests are those of `make test`: first those in the
folder of the same name, then tests/golden, then all; the first failure ends it. For C++ the copy
builds the engines and the module once, and then what a fault changes; one that does not compile
does not count. Faults that nobody noticed are printed; exit code 1 where they are more than a
tenth. A whole run takes hours: with --log FILE a later call goes on there.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from common import BIN, ROOT, options_of, table

SOURCES = {"python": ["python/beff/**/*.py"], "cpp": ["core/**/*.[ch]pp", "engines/**/*.[ch]pp"]}
PROGRAMS = ("b_eff", "b_eff_io", "b_pairs")
NOT_CODE = re.compile(
    r'""".*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/|#[^\n]*', re.DOTALL
)
COUNT = r"(?=\d+\b(?!\.)|len\(|\w+\.size\(\))"
WAYS = {
    "selection": {
        **{r"\bmin\b": "max", r"\bmax\b": "min", r"\bany\(": "all(", r"\ball\(": "any("},
        **{" and ": " or ", " or ": " and ", " && ": " || ", r" \|\| ": " && "},
        **{" == ": " != ", " != ": " == ", r"\[0\]": "[1]", r"\[-1\]": "[0]", r"\bif not ": "if "},
        **{r"\.front\(\)": ".back()", r"\.back\(\)": ".front()", r"\bif \(!": "if ("},
    },
    "edge": {
        **{f" < {COUNT}": " <= ", f" <= {COUNT}": " < ", f" > {COUNT}": " >= "},
        **{f" >= {COUNT}": " > ", r" \+ 1\b": "", r" - 1\b": "", r"\[1:\]": "[:]"},
    },
    "sign": {
        **{r"(?<![\0\])]) \+ (?![\0\[(])": " - ", " - ": " + ", r"(?<=[ (\[])-(?=[\w(])": ""},
    },
    "unit": {
        **{
            r" \* ": " / ",
            r" / (?=[\d(]|len\()": " * ",
            r"\b1e-?\d+\b": "1.0",
            r"\b1000\b": "1024",
        },
        **{r"\b1024\b": "1000", r"\b100\b": "1", r"\b3600\b": "60", r"\b60\b": "3600"},
    },
}
"""What becomes what, by kind; spaces stand as formatters set them. A 0 byte stands for a text."""
NO_TESTS = 5
"""Exit code of pytest where all tests of a folder are thorough."""
NOBODY, NOT_BUILT = "nobody", "does not compile"
Fault = tuple[str, str, str, str]
"""File and line, kind, the line as it is, and as it becomes."""


def drawn(copy: Path, language: str, seed: int) -> Iterator[Fault]:
    """Yield faults of a language in random order, the kinds in turn."""
    of_kind: dict[str, list[Fault]] = {kind: [] for kind in WAYS}
    ways = [(kind, *way) for kind, of in WAYS.items() for way in of.items()]
    for file in sorted(file for names in SOURCES[language] for file in copy.glob(names)):
        text = file.read_text("utf-8")
        code = NOT_CODE.sub(lambda found: re.sub(r"[^\n]", "\0", found[0]), text)
        lines = zip(text.split("\n"), code.split("\n"), strict=True)
        for row, (line, bare) in enumerate(lines, 1):
            at = f"{file.relative_to(copy)}:{row}"
            for kind, old, new in ways:
                for place in re.finditer(old, bare):
                    becomes = line[: place.start()] + new + line[place.end() :]
                    of_kind[kind].append((at, kind, line, becomes))
    for faults in of_kind.values():
        random.Random(f"{seed} {language}").shuffle(faults)
    return (fault for four in zip(*of_kind.values(), strict=False) for fault in four)


def copied(folder: Path) -> Path:
    """Return a copy of the last commit, with an environment of links."""
    copy = folder / "beff"
    subprocess.run(["git", "clone", "--quiet", ROOT, copy], check=True)
    (copy / ".venv" / "bin").mkdir(parents=True)
    for entry in {*BIN.parent.iterdir(), *BIN.iterdir()} - {BIN}:
        (copy / ".venv" / entry.relative_to(BIN.parent)).symlink_to(entry)
    (copy / "build").mkdir()
    (copy / "build" / "module").symlink_to(ROOT / "build" / "module")
    return copy


def build(copy: Path) -> bool:
    """Build engines and module in the copy; return whether it compiles."""
    module, settings = copy / "build" / "module", {**os.environ, "PATH": f"{BIN}:{os.defpath}"}
    if module.is_symlink():
        module.unlink()
        setup = [
            "-DBEFF_TEST_MODULE=ON",
            "-DBEFF_FMT=beff_fmt",
            f"-DPython_EXECUTABLE={BIN}/python",
        ]
        command = [BIN / "cmake", "-G", "Ninja", "-S", copy, "-B", module, *setup]
        subprocess.run(command, check=True, env=settings, stdout=subprocess.DEVNULL)
        for program in PROGRAMS:
            (copy / ".venv" / "bin" / program).unlink()
            (copy / ".venv" / "bin" / program).symlink_to(module / "engines" / program)
    command = [BIN / "cmake", "--build", module]
    return not subprocess.run(command, env=settings, capture_output=True, check=False).returncode


def failing(copy: Path, *places: str) -> str:
    """Return the first of some folders of tests in which one fails; NOBODY where none does."""
    command = [copy / ".venv/bin/python", "-m", "pytest", "-qx", "-n", "3", "--dist", "loadfile"]
    settings = {**os.environ, "PYTHONPATH": str(copy / "python")}
    for place in places:
        words = [*command, "-m", "not thorough", place]
        done = subprocess.run(words, cwd=copy, env=settings, capture_output=True, check=False)
        if done.returncode not in (0, NO_TESTS):
            return place
    return NOBODY


def noticed_by(copy: Path, fault: Fault, *, is_short: bool) -> str:
    """Return whose tests notice a fault: a folder, NOBODY or NOT_BUILT."""
    name, row = fault[0].split(":")
    text = (copy / name).read_text("utf-8")
    lines = text.split("\n")
    lines[int(row) - 1] = fault[-1]
    beside = Path("tests", name.replace("python/beff", "python")).parents
    near = next(str(place) for place in beside if (copy / place).exists())
    (copy / name).write_text("\n".join(lines), "utf-8")
    found = NOT_BUILT
    if name.endswith(".py") or build(copy):
        found = failing(copy, near, *([] if is_short else ["tests/golden", "tests"]))
    (copy / name).write_text(text, "utf-8")
    return found


def main() -> int:
    """Print the faults that nobody noticed; 1 where they are more than a tenth."""
    parser = options_of(__doc__)
    parser.add_argument("--python", type=int, default=60, help="faults in Python")
    parser.add_argument("--cpp", type=int, default=30, help="faults in C++")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", type=Path, default=Path(os.devnull), help="gets a line for each")
    given = parser.parse_args()
    counts = {"python": 1, "cpp": 0} if given.short else {"python": given.python, "cpp": given.cpp}
    given.log.touch()
    known = {
        tuple(line[:-1]): line[-1]
        for line in map(json.loads, given.log.read_text("utf-8").splitlines())
    }
    outcomes: dict[str, list[tuple[Fault, str]]] = {language: [] for language in counts}
    with tempfile.TemporaryDirectory(prefix="beff-mutants-") as name:
        copy = copied(Path(name))
        if not (given.short or known) and failing(copy, "tests") != NOBODY:
            sys.exit("mutants: tests fail without a fault")
        for language, count in counts.items():
            faults = drawn(copy, language, given.seed)
            while len(outcomes[language]) < count:
                fault = next(faults)
                found = known.get(fault) or noticed_by(copy, fault, is_short=given.short)
                if fault not in known:
                    with given.log.open("a", encoding="utf-8") as log:
                        log.write(json.dumps([*fault, found]) + "\n")
                outcomes[language] += [(fault, found)] * (found != NOT_BUILT)
    left = [fault for of in outcomes.values() for fault, found in of if found == NOBODY]
    table(["place", "kind", "is", "becomes"], (map(str.strip, fault) for fault in left))
    for language, of in outcomes.items():
        print(f"{language}: {sum(found != NOBODY for _, found in of)} of {len(of)} noticed")
    return int(10 * len(left) > sum(counts.values()))


if __name__ == "__main__":
    sys.exit(main())
