"""`beff list`: a folder of results in git, and the site that is built of it."""

from dataclasses import dataclass
from pathlib import Path

from beff.cli.common import exit_codes
from beff.cli.common.files import with_each
from beff.cli.common.options import argument, flag, option, taking
from beff.cli.common.say import say, warn
from beff.launch.installation import repository
from beff.list.add import NotTakenError
from beff.list.add import add as add_result
from beff.list.check import check
from beff.list.folder import SETTINGS, Measured, read_list
from beff.list.init import init as init_list
from beff.list.site import build as build_site
from beff.result.errors import DisagreementError, WrongUsageError
from beff.result.numbers import counted


@dataclass(frozen=True, kw_only=True)
class _InitOptions:
    folder: Path = argument("FOLDER", "A new or empty folder, or a fresh repository.")
    title: str = option("TEXT", "Heading of the list.", default="b_eff list")


@taking(_InitOptions)
def init(given: _InitOptions) -> int:
    """Make a list: list.yaml, a README, and a workflow that checks what is sent, and publishes.

    Example:
      beff list init our-list
    """
    init_list(given.folder, given.title)
    say(
        f"{given.folder}: made; put it under git, and add results with beff list add --list"
        f" {given.folder}"
    )
    if repository() is None:
        say(
            f"{given.folder / SETTINGS}: write at 'beff' from which repository and commit the CI of"
            " the list can install beff; this installation did not come from one"
        )
    return exit_codes.OK


@dataclass(frozen=True, kw_only=True)
class _AddOptions:
    results: list[Path] = argument("RESULT...", "Result files, or folders of them.")
    system: str | None = option(
        "NAME", "Name of the system.", otherwise="by the names of its hosts"
    )
    folder: Path = option("FOLDER", "The folder of the list.", names="--list", default=Path())


@taking(_AddOptions)
def add(given: _AddOptions) -> int:
    """Verify results and put them in their places.

    Says whether each counts, or why it does not. A new system gets a system.yaml from the result;
    complete it. Copies of results of the list are refused. If one file is refused, the others are
    still added.

    Example:
      beff list add results/*/b_eff_*p.json --system "Our cluster"
    """
    there = [one for system in read_list(given.folder).systems for one in system.results]
    return with_each(given.results, lambda result: _add(given, result, there))


def _add(given: _AddOptions, result: Path, there: list[Measured]) -> bool:
    """Add a result and say where; False where it is refused. Raises BeffError."""
    try:
        added = add_result(given.folder, result, given.system, there)
    except (NotTakenError, DisagreementError) as problem:
        warn(problem)
        return False
    say(f"{result}: {'added as' if added.new else 'is there already as'} {added.path}")
    for sentence in (added.place, *added.differences):
        say(f"{result}: {sentence}")
    return True


@dataclass(frozen=True, kw_only=True)
class _BuildOptions:
    folder: Path = argument("FOLDER", "The folder of the list.", default=Path())
    output_dir: Path = option("DIR", "Folder for the site.", default=Path("site"))
    check: bool = flag("Build nothing, but say what a reviewer should know of the files.")
    since: str | None = option("REF", "With --check, of what changed since a commit of git.")


@taking(_BuildOptions)
def build(given: _BuildOptions) -> int:
    """Build the site of a list, for any web server or file://, of results that verify.

    Files of the list that cannot be used stay out. With --check, files of others are looked at:
    copies, changed hardware, and results that are gone are found, too.

    Examples:
      beff list build --output-dir site
      beff list build --check --since origin/main
    """
    if given.check:
        return _check(given.folder, given.since)
    if given.since is not None:
        raise WrongUsageError(f"--since {given.since}: is of --check; a site is built of all files")
    refused = build_site(given.folder, given.output_dir)
    for one in refused:
        warn(one)
    say(given.output_dir / "index.html")
    return exit_codes.NOT_VALID if refused else exit_codes.OK


def _check(folder: Path, since: str | None) -> int:
    results, found = check(folder, since)
    for one in found:
        say(one)
    verdict, code = "good", exit_codes.OK
    if found:
        verdict, code = "needs an answer", exit_codes.NOT_VALID
    if any(one.refused for one in found):
        verdict, code = "refused", exit_codes.FAILED
    say(f"{counted(results, 'result')} looked at, {counted(len(found), 'finding')}: {verdict}")
    return code
