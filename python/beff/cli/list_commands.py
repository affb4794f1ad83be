"""`beff list`: a folder of results in git, and the site that is built of it."""

from pathlib import Path
from typing import Annotated

from beff.cli.common import exit_codes
from beff.cli.common.files import with_each
from beff.cli.common.options import argument, flag, option
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

FolderArgument = Annotated[Path, argument("FOLDER", "The folder of the list.")]


def init(
    folder: Annotated[Path, argument("FOLDER", "A new or empty folder, or a fresh repository.")],
    title: Annotated[str, option("--title", "TEXT", "Heading of the list.")] = "b_eff list",
) -> int:
    """Make a list, with the systems of the papers and what forges need.

    \b
    Example:
      beff list init our-list
    """  # noqa: D301 - \b keeps the lines of the example apart
    init_list(folder, title)
    say(f"{folder}: made; put it under git, and add results with beff list add --list {folder}")
    if repository() is None:
        say(
            f"{folder / SETTINGS}: write at 'beff' from which repository and commit the CI of the"
            " list can install beff; this installation did not come from one"
        )
    return exit_codes.OK


def add(
    results: Annotated[list[Path], argument("RESULT...", "Result files, or folders of them.")],
    system: Annotated[
        str | None,
        option("--system", "NAME", "Name of the system.", default="by the names of its hosts"),
    ] = None,
    folder: Annotated[Path, option("--list", "FOLDER", "The folder of the list.")] = Path(),
) -> int:
    """Verify results and put them in their places.

    Says where each counts, or why it does not. A new system gets a system.yaml from the
    result; complete it. If one file is refused, the others are still added.

    \b
    Example:
      beff list add results/*/b_eff_*p.json --system "Our cluster"
    """  # noqa: D301 - \b keeps the lines of the example apart
    return with_each(results, lambda result: _add(folder, result, system))


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


def check(
    folder: FolderArgument = Path(),
    since: Annotated[
        str | None, option("--since", "REF", "Only what changed since a commit of git.")
    ] = None,
    comment: Annotated[
        Path | None, option("--comment", "FILE", "Also write what was found in Markdown.")
    ] = None,
) -> int:
    """Recompute results, and report what a reviewer should know.

    Finds copies, implausible figures, changed names, and look-alikes.

    \b
    Example:
      beff list check --since origin/main --comment comment.md
    """  # noqa: D301 - \b keeps the lines of the example apart
    checked = check_list(folder, since)
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
    if comment is not None:
        write_atomically(comment, comment_text(checked, verdict), overwrite=True)
    return code


def build(
    folder: FolderArgument = Path(),
    output_dir: Annotated[Path, option("--output-dir", "DIR", "Folder for the site.")] = Path(
        "site"
    ),
    reports: Annotated[
        bool, flag("--reports", "Draw the full report of each result, too; takes seconds each.")
    ] = False,
) -> int:
    """Build the site of a list, for any web server or file://.

    Files of the list that cannot be used stay out; the site says so in their rows.

    \b
    Example:
      beff list build --output-dir site
    """  # noqa: D301 - \b keeps the lines of the example apart
    built = build_site(folder, output_dir, reports=reports)
    for broken in built.broken:
        warn(broken)
    say(f"{output_dir / 'index.html'}: {built.files} files")
    return exit_codes.NOT_VALID if built.broken else exit_codes.OK
