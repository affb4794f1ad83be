"""`beff recover`."""

import json
import sys
from pathlib import Path
from typing import Annotated

from beff.analysis.recover import recover as recover_result
from beff.cli import exit_codes
from beff.cli.options import OverwriteOption, argument, option
from beff.cli.verify import verify_file
from beff.model.errors import BeffError
from beff.model.journal import SUFFIX, read_journal
from beff.model.write import write_atomically


def recover(
    journal: Annotated[Path, argument(None, f"Journal of the run, PREFIX{SUFFIX}.")],
    output: Annotated[
        str | None,
        option("--output -o", "PREFIX", "Write PREFIX.json.", default="the journal's prefix"),
    ] = None,
    overwrite: OverwriteOption = False,
) -> int:
    """Make a partial result of a run that was killed.

    The result holds every loop in the run's journal; it is never valid for comparison.

    \b
    Example:
      beff recover results/b_eff_4p.journal.jsonl -o results/b_eff_4p_recovered
    """  # noqa: D301 - \b keeps the lines of the example apart
    entries = read_journal(journal)
    if entries.cut_line:
        print(f"{journal}: the last line was cut in the middle and is left out", file=sys.stderr)
    fields = recover_result(str(journal), entries)
    path = Path(f"{output or _prefix(journal)}.json")
    write_atomically(
        path, json.dumps(fields, indent=1, allow_nan=False) + "\n", overwrite=overwrite
    )
    loops = f"{len(fields['samples']['pattern'])} of {entries.header.loops} loops"
    print(f"{path}: partial result with {loops}, not valid for comparison")
    return exit_codes.OK if verify_file(path) else exit_codes.FAILED


def _prefix(journal: Path) -> str:
    name = str(journal)
    if not name.endswith(SUFFIX):
        raise BeffError(f"{journal}: does not end in {SUFFIX}; name the result with --output")
    return name.removesuffix(SUFFIX)
