"""Every command that reads results, run in this process."""

from collections.abc import Callable, Iterator
from pathlib import Path

from beff.cli.common import exit_codes
from beff.show.formats import FORMATS
from support.examples import B_EFF_IO_IMPORTED
from support.reports import run_beff

ANSWERS = (exit_codes.OK, exit_codes.FAILED, exit_codes.WRONG_USAGE, exit_codes.NOT_VALID)
PICTURES = sorted(entry.ending for entry in FORMATS if entry.draw or entry.ending == ".html")
"""What draws, which takes seconds."""
TEXTS = sorted(entry.ending for entry in FORMATS if entry.ending not in PICTURES)


def run(*arguments: object) -> tuple[int, str]:
    """Run a command in this process; its exit code and what it printed. A fault fails the test."""
    done = run_beff(*arguments)
    code, said = done.returncode, done.stdout + done.stderr
    assert code in ANSWERS, said
    assert "Traceback" not in said
    assert "explains the usage" not in said, f"{arguments}: tests the parser of options alone"
    if code != exit_codes.OK:
        assert said.strip(), f"{arguments} ended with {code} and without a message"
    return code, said


Lines = Iterator[tuple[object, ...]]


def written(file: Path, folder: Path, endings: list[str]) -> Lines:
    """The result in each format."""
    for ending in endings:
        yield "show", file, "-o", folder / f"report{ending}", "--overwrite"


def _show(file: Path, folder: Path, endings: list[str]) -> Lines:
    yield "show", file, "--all"
    yield "show", "--history", file
    yield "show", "--history", file, "--json"
    yield from written(file, folder, endings)
    added = folder / "with_rmax.json"
    yield "show", file, "--rmax", "12.5"
    yield "show", file, "--rmax", "12.5", "-o", added, "--overwrite"
    yield "show", added, "--published"
    yield "verify", added
    yield from written(added, folder, [ending for ending in endings if ending == ".md"])


def _list(file: Path, folder: Path, _: list[str]) -> Lines:
    """A list of one system with this result, and the same added."""
    place = folder / "list" / "systems" / "one" / "results"
    place.mkdir(parents=True, exist_ok=True)
    (folder / "list" / "list.yaml").write_text("title: One\n", encoding="utf-8")
    (place.parent / "system.yaml").write_text("name: One\n", encoding="utf-8")
    (place / "r.json").write_bytes(file.read_bytes())
    yield "list", "build", "--check", folder / "list"
    yield "list", "build", folder / "list", "--output-dir", folder / "site"
    yield "list", "add", file, "--system", "Other", "--list", folder / "list"


READERS: dict[str, Callable[[Path, Path, list[str]], Lines]] = {
    "verify": lambda file, _, __: iter([("verify", "--all", file)]),
    "show": _show,
    "compare": lambda file, _, __: iter(
        ("compare", file, *words, "--force")
        for words in ((file, "--all"), (file, "--json"), (B_EFF_IO_IMPORTED,))
    ),
    "check": lambda file, folder, _: iter(
        [("check", file, "--baseline", file, "--openmetrics", folder / "check.prom", "--overwrite")]
    ),
    "accept": lambda file, folder, _: iter(
        [("accept", file, "--as", folder / "accepted", "--tolerance", "10%")]
    ),
    "list add": _list,
    "import": lambda file, folder, _: iter([("import", file, "-o", folder / "again.json")]),
}
"""Command → its command lines for a result; the endings are those of the reports to be written."""
NO_READERS = {
    *("run", "today", "job", "doctor", "nodes"),
    *("list init", "list build"),
}
"""They make results or jobs, or are about a whole list."""
