"""`beff list`: a folder of results in git, and the site that is built of it."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from beff.cli.common import exit_codes
from beff.cli.common.files import with_each
from beff.cli.common.options import argument, flag, option, taking
from beff.cli.common.say import say, warn
from beff.launch.installation import repository
from beff.list.add import add as add_result
from beff.list.build import build as build_site
from beff.list.check import check as check_list
from beff.list.check import comment as comment_text
from beff.list.folder import SETTINGS
from beff.list.init import init as init_list
from beff.result.errors import DisagreementError
from beff.result.numbers import counted
from beff.result.write import write_atomically

list_folder = partial(argument, "FOLDER", "The folder of the list.", default=Path())


@dataclass(frozen=True, kw_only=True)
class _InitOptions:
    folder: Path = argument("FOLDER", "A new or empty folder, or a fresh repository.")
    title: str = option("TEXT", "Heading of the list.", default="b_eff list")


@taking(_InitOptions)
def init(given: _InitOptions) -> int:
    """Make a list, with the systems of the papers and what forges need.

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

    Says where each counts, or why it does not. A new system gets a system.yaml from the
    result; complete it. If one file is refused, the others are still added.

    Example:
      beff list add results/*/b_eff_*p.json --system "Our cluster"
    """
    return with_each(given.results, lambda result: _add(given.folder, result, given.system))


def _add(folder: Path, result: Path, system: str | None) -> bool:
    """Add a result and say where; False where it is refused. Raises BeffError."""
    try:
        added = add_result(folder, result, system)
    except DisagreementError as problem:
        warn(problem)
        return False
    say(f"{result}: {'added as' if added.new else 'is there already as'} {added.path}")
    say(f"{result}: {added.place}")
    for difference in added.differences:
        say(f"{result}: {difference}")
    return True


@dataclass(frozen=True, kw_only=True)
class _CheckOptions:
    folder: Path = list_folder()
    since: str | None = option("REF", "Only what changed since a commit of git.")
    comment: Path | None = option("FILE", "Also write what was found in Markdown.")


@taking(_CheckOptions)
def check(given: _CheckOptions) -> int:
    """Recompute results, and report what a reviewer should know.

    Finds copies, implausible figures, changed names, and look-alikes.

    Example:
      beff list check --since origin/main --comment comment.md
    """
    checked = check_list(given.folder, given.since)
    kinds = {found.kind for found in checked.objections}
    for found in checked.objections:
        say(found)
    if "refused" in kinds:
        verdict, code = "refused", exit_codes.FAILED
    elif kinds:
        verdict, code = "needs an answer", exit_codes.NOT_VALID
    else:
        verdict, code = "good", exit_codes.OK
    findings = counted(len(checked.objections), "finding")
    sentence = f"{counted(checked.results, 'result')} looked at, {findings}: {verdict}"
    say(sentence)
    if given.comment is not None:
        write_atomically(given.comment, comment_text(checked, verdict), overwrite=True)
    return code


@dataclass(frozen=True, kw_only=True)
class _BuildOptions:
    folder: Path = list_folder()
    output_dir: Path = option("DIR", "Folder for the site.", default=Path("site"))
    reports: bool = flag("Draw the full report of each result, too; takes seconds each.")


@taking(_BuildOptions)
def build(given: _BuildOptions) -> int:
    """Build the site of a list, for any web server or file://.

    Files of the list that cannot be used stay out; the site says so in their rows.

    Example:
      beff list build --output-dir site
    """
    built = build_site(given.folder, given.output_dir, reports=given.reports)
    for broken in built.broken:
        warn(broken)
    say(f"{given.output_dir / 'index.html'}: {built.files} files")
    return exit_codes.NOT_VALID if built.broken else exit_codes.OK
