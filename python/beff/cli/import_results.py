"""`beff import`."""

from pathlib import Path
from typing import Annotated

from beff.cli.common import exit_codes
from beff.cli.common.options import OverwriteOption, argument, option
from beff.cli.common.say import say
from beff.cli.common.verified import verify_file
from beff.importers.table import import_file
from beff.result.errors import WrongUsageError
from beff.result.result_files import with_stem_ending
from beff.result.write import check_apart, write_result


def import_results(
    files: Annotated[list[Path], argument("FILE...", "Outputs of the original programs.")],
    output: Annotated[
        Path | None,
        option(
            "--output -o",
            "FILE",
            "The result file, of one FILE.",
            default="FILE with the ending .json",
        ),
    ] = None,
    definition: Annotated[
        str | None,
        option(
            "--definition",
            "RELEASE",
            "Definition it was measured by, if the output does not say: 3.5 or 3.1; 0.5, 1 or 2.1.",
        ),
    ] = None,
    overwrite: OverwriteOption = False,
) -> int:
    """Make results of what the original programs printed.

    Takes the summary (*.sum) of b_eff_io 1.x and 2.1, and the last line and summary table of b_eff
    3.x. Such a result is marked as imported, is incomplete and never valid; report, verify and
    compare take it as far as it goes.

    \b
    Example:
      beff import b_eff_io_T30.sum -o results/t3e_b_eff_io.json
    """  # noqa: D301 - \b keeps the lines of the example apart
    if output is not None and len(files) > 1:
        raise WrongUsageError(f"--output {output}: is one file for {len(files)} results")
    agree = True
    for file in files:
        documents = import_file(file, definition)
        target = output or file.with_suffix(".json")
        for number, document in enumerate(documents, start=1):
            path = target
            if len(documents) > 1:
                path = with_stem_ending(target, f"_{number}")
            check_apart({"--output": path}, files)
            write_result(path, document.fields, overwrite=overwrite)
            say(f"{path}: imported from {file}, never valid for comparison")
            agree = verify_file(path) and agree
    return exit_codes.OK if agree else exit_codes.FAILED
