"""`beff recover`."""

import sys
from pathlib import Path
from typing import Annotated

from beff.analysis.recover import recover as recover_result
from beff.cli import exit_codes
from beff.cli.options import OverwriteOption, argument, flag, option
from beff.cli.run_folders import deal_with, run_folders
from beff.cli.verify import verify_file
from beff.model.errors import BeffError
from beff.model.journal import SUFFIX, Journal, read_journal
from beff.model.write import write_result


def recover(
    journal: Annotated[Path, argument(None, f"Journal of the run, PREFIX{SUFFIX}.")],
    output: Annotated[
        Path | None,
        option("--output -o", "FILE", "The result.", default="beside the journal, PREFIX.json"),
    ] = None,
    overwrite: OverwriteOption = False,
    remove_files: Annotated[
        bool, flag("--remove-files", "Remove the files that a killed b_eff_io has left.")
    ] = False,
) -> int:
    """Make a partial result of a run that was killed.

    The result holds every loop in the run's journal; it is never valid for comparison. Files that a
    killed b_eff_io has left are named, and removed with --remove-files only.

    \b
    Example:
      beff recover results/b_eff_4p.journal.jsonl -o results/b_eff_4p_recovered.json
    """  # noqa: D301 - \b keeps the lines of the example apart
    entries = read_journal(journal)
    if entries.cut_line:
        print(f"{journal}: the last line was cut in the middle and is left out", file=sys.stderr)
    recovered = False
    try:
        recovered = _write_result(journal, entries, output or _beside(journal), overwrite)
    finally:
        removed = deal_with(run_folders(entries), journal, remove_files)
    return exit_codes.OK if recovered and removed else exit_codes.FAILED


def _write_result(journal: Path, entries: Journal, path: Path, overwrite: bool) -> bool:
    """Write the result of a journal; whether it verifies. Raises BeffError."""
    fields = recover_result(str(journal), entries)
    write_result(path, fields, overwrite=overwrite)
    if fields["benchmark"] == "b_pairs":
        loops = f"{len(entries.rounds)} rounds"
    else:
        loops = f"{len(fields['samples']['pattern'])} of {entries.header.loops} loops"
    print(f"{path}: partial result with {loops}, not valid for comparison")
    return verify_file(path)


def _beside(journal: Path) -> Path:
    name = str(journal)
    if not name.endswith(SUFFIX):
        raise BeffError(f"{journal}: does not end in {SUFFIX}; name the result with --output")
    return Path(f"{name.removesuffix(SUFFIX)}.json")
