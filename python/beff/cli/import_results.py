"""`beff import`."""

from dataclasses import dataclass
from pathlib import Path

from beff.cli.common import exit_codes
from beff.cli.common.options import argument, option, overwrite_flag, taking
from beff.cli.common.say import say
from beff.cli.common.verified import verify_file
from beff.importers.table import import_file
from beff.result.errors import WrongUsageError
from beff.result.result_files import with_stem_ending
from beff.result.write import check_apart, write_result


@dataclass(frozen=True, kw_only=True)
class _Options:
    files: list[Path] = argument("FILE...", "Outputs of the original programs.")
    output: Path | None = option(
        "FILE",
        "The result file, of one FILE.",
        names="--output -o",
        otherwise="FILE with the ending .json",
    )
    definition: str | None = option(
        "RELEASE",
        "Definition it was measured by, if the output does not say: 3.5 or 3.1; 0.5, 1 or 2.1.",
    )
    overwrite: bool = overwrite_flag()


@taking(_Options)
def import_results(given: _Options) -> int:
    """Make results of what the original programs printed.

    Takes the summary (*.sum) of b_eff_io 1.x and 2.1, and the last line and summary table of b_eff
    3.x. Such a result is marked as imported, is incomplete and never valid; report, verify and
    compare take it as far as it goes.

    Example:
      beff import b_eff_io_T30.sum -o results/t3e_b_eff_io.json
    """
    if given.output is not None and len(given.files) > 1:
        raise WrongUsageError(
            f"--output {given.output}: is one file for {len(given.files)} results"
        )
    agree = True
    for file in given.files:
        documents = import_file(file, given.definition)
        target = given.output or file.with_suffix(".json")
        for number, document in enumerate(documents, start=1):
            path = target
            if len(documents) > 1:
                path = with_stem_ending(target, f"_{number}")
            check_apart({"--output": path}, given.files)
            write_result(path, document.fields, overwrite=given.overwrite)
            say(f"{path}: imported from {file}, never valid for comparison")
            agree = verify_file(path) and agree
    return exit_codes.OK if agree else exit_codes.FAILED
