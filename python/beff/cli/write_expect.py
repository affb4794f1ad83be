"""`beff check --write-expect`: what to expect of the next run, by the results of earlier ones."""

import sys
from collections.abc import Sequence
from pathlib import Path

from beff.cli import exit_codes
from beff.model.errors import ResultError, WrongUsageError
from beff.model.result_files import files_of
from beff.model.write import check_apart, require_free, write_atomically
from beff.store.history import FEWEST_RUNS, expectations
from beff.store.reading_files import entries_of


def write_expect(
    results: Sequence[Path], target: Path, *, overwrite: bool, others: Sequence[str]
) -> int:
    """Write the file for --expect; nothing is judged, so the `others` options do not go with it.

    Raises WrongUsageError, ResultError where the results are too few, and TargetError.
    """
    import yaml  # noqa: PLC0415 - of an extra

    if others:
        raise WrongUsageError(f"--write-expect {target}: judges nothing; leave out {others[0]}")
    require_free(target, overwrite=overwrite, option="--write-expect")
    files = [file for path in results for file in files_of(path)]
    check_apart({"--write-expect": target}, files)
    entries, left_out = entries_of(results)
    found, too_few = expectations(entries)
    for sentence in (*left_out, *too_few):
        print(f"beff: left out: {sentence}", file=sys.stderr)
    names = ", ".join(map(str, results))
    if not found:
        raise ResultError(
            f"{names}: has no {FEWEST_RUNS} valid runs under equal conditions since the last step"
            " of their history; add more"
        )
    content = {"system": results[0].resolve().name, "expectations": found}
    text = yaml.safe_dump(content, sort_keys=False, default_flow_style=None, width=100)
    write_atomically(target, text, overwrite=overwrite)
    print(f"{target}: what to expect of the next run, by the results in {names}")
    return exit_codes.OK
