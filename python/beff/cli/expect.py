"""`beff expect`."""

import sys
from pathlib import Path
from typing import Annotated

import yaml

from beff.cli import exit_codes
from beff.cli.options import OverwriteOption, argument, option
from beff.model.errors import ResultError
from beff.model.result_files import files_of
from beff.model.write import check_apart, require_free, write_atomically
from beff.store.history import FEWEST_RUNS, expectations
from beff.store.reading_files import entries_of


def expect(
    folder: Annotated[Path, argument("FOLDER", "Results of one system, with all inside.")],
    output: Annotated[
        Path | None, option("--output -o", "FILE", "Write into this file instead of printing.")
    ] = None,
    overwrite: OverwriteOption = False,
) -> int:
    """Write the file for beff check --expect from earlier results.

    The value is the median of a series' runs since its last step; the tolerance follows from their
    spread.

    \b
    Example:
      beff expect results -o cluster.expect.yaml
    """  # noqa: D301 - \b keeps the lines of the example apart
    if output is not None:
        require_free(output, overwrite=overwrite, option="--output")
        check_apart({"--output": output}, files_of(folder))
    entries, left_out = entries_of(folder)
    found, too_few = expectations(entries)
    for sentence in (*left_out, *too_few):
        print(f"beff: left out: {sentence}", file=sys.stderr)
    if not found:
        raise ResultError(
            f"{folder}: has no {FEWEST_RUNS} valid runs under equal conditions since the last step"
            " of their trend; add more"
        )
    content = {"system": folder.resolve().name, "expectations": found}
    text = yaml.safe_dump(content, sort_keys=False, default_flow_style=None, width=100)
    if output is None:
        print(text, end="")
    else:
        write_atomically(output, text, overwrite=overwrite)
        print(f"{output}: what to expect of the next run, by the results in {folder}")
    return exit_codes.OK
