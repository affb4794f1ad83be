"""`beff list`: a folder of results in git, and the site that is built of it."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from beff.cli.common import exit_codes
from beff.cli.common.files import Outcome, with_each
from beff.cli.common.options import AnyPath, Folder, Results
from beff.cli.common.say import say, warn
from beff.launch.engine import repository
from beff.list import site, submissions
from beff.list.folder import SETTINGS, read_list
from beff.result.errors import DisagreementError, WrongUsageError
from beff.result.numbers import counted


@dataclass(frozen=True, kw_only=True)
class _InitOptions:
    folder: Annotated[AnyPath, "FOLDER"] = field(kw_only=False)
    """A new or empty folder, or a fresh repository."""
    title: str = "b_eff list"
    """Heading of the list."""


def init(given: _InitOptions) -> int:
    """Make a list: list.yaml, a README, and a workflow that checks submissions and publishes.

    Example:
      beff list init our-list

    Exit codes:
      0  done
      1  something is missing, failed or could not be written
    """
    submissions.init(given.folder, given.title)
    say(
        f"{given.folder}: made; put it under git, and add results with beff list add --list"
        f" {given.folder}"
    )
    if repository() is None:
        say(
            f"edit {given.folder / SETTINGS}: 'beff' must name the repository and commit that beff"
            " is installed from, which this installation does not know"
        )
    return exit_codes.OK


@dataclass(frozen=True, kw_only=True)
class _AddOptions:
    results: Results = field(kw_only=False)
    """Result files, or folders of them."""
    system: Annotated[str | None, "NAME"] = None
    """Name of the system.  [default: by the names of its hosts]"""
    folder: Annotated[AnyPath, "FOLDER", Parameter(name="--list")] = Path()
    """The folder of the list."""


def add(given: _AddOptions) -> int:
    """Verify results and put them in their places.

    Says whether each counts, or why it does not. A new system gets a system.yaml from the result;
    complete it. Copies of results of the list are refused. If one file is refused, the others are
    still added.

    Example:
      beff list add results/*/b_eff_*p.json --system "Our cluster"

    Exit codes:
      0  all are added, or were there
      1  one is refused
    """
    there = [one for system in read_list(given.folder).systems for one in system.results]

    def added(result: Path) -> Outcome:
        entry = submissions.add(given.folder, result, given.system, there)
        how = f"{'added as' if entry.new else 'is there already as'} {entry.path}"
        return True, [f"{result}: {line}" for line in (how, entry.place, *entry.differences)]

    return with_each(given.results, added, (submissions.NotTakenError, DisagreementError))


@dataclass(frozen=True, kw_only=True)
class _BuildOptions:
    folder: Annotated[AnyPath, "FOLDER"] = field(default=Path(), kw_only=False)
    """The folder of the list."""
    output_dir: Folder = Path("site")
    """Folder for the site."""
    check: bool = False
    """Build nothing, but say what a reviewer should know about the files."""
    since: Annotated[str | None, "REF"] = None
    """With --check: only what changed since this commit of git."""


def build(given: _BuildOptions) -> int:
    """Build the site of a list from the results that verify, for any web server or file://.

    Files that cannot be used are left out. With --check, submitted files are reviewed: copies,
    changed hardware and removed results are found, too.

    Examples:
      beff list build --output-dir site
      beff list build --check --since origin/main

    Exit codes:
      0  built of all files; with --check, nothing was found
      1  with --check, a file must not be merged
      3  files that cannot be used are left out; with --check, one needs an answer
    """
    if given.check:
        results, objections = submissions.check(given.folder, given.since)
        verdict, code = "good", exit_codes.OK
        if objections:
            verdict, code = "needs an answer", exit_codes.NOT_VALID
        if any(one.refused for one in objections):
            verdict, code = "refused", exit_codes.FAILED
        counts = f"{counted(results, 'result')} looked at, {counted(len(objections), 'finding')}"
        say(*objections, f"{counts}: {verdict}")
        return code
    if given.since is not None:
        raise WrongUsageError(f"--since {given.since}: is of --check; a site is built of all files")
    refused = site.build(given.folder, given.output_dir)
    warn(*refused)
    say(given.output_dir / "index.html")
    return exit_codes.NOT_VALID if refused else exit_codes.OK
