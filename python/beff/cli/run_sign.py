"""`beff run --sign`: the results of a run, signed by the user's key."""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from beff.cli.run_benchmark import Run
from beff.model.errors import BeffError


def signer() -> Callable[[Path], object]:
    """Return what signs a file, before anything is measured. Raises BeffError."""
    from beff.cli.signing import sign_file, signing_key  # noqa: PLC0415 - of an extra

    key = signing_key()
    return lambda path: sign_file(path, key)


def sign_runs(runs: Iterable[Run], sign_result: Callable[[Path], object]) -> bool:
    """Sign what was measured. Returns whether all could be."""
    good = True
    for run in runs:
        if run.measured is None:
            continue
        try:
            sign_result(run.result_file)
        except BeffError as problem:
            print(f"beff: {problem}", file=sys.stderr)
            good = False
    return good
