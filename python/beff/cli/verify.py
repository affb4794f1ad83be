"""`beff verify`."""

from typing import Annotated

from beff.cli.common.files import with_each
from beff.cli.common.options import ResultFiles, flag
from beff.cli.common.verified import verify_file


def verify(
    files: ResultFiles,
    show_all: Annotated[
        bool, flag("--all", "Show every disagreement, not only the first.")
    ] = False,
) -> int:
    """Recompute every derived number of result files.

    Each file is checked against the schema and then recomputed from its raw samples by an
    implementation of the definition that shares nothing with the measuring program.

    \b
    Example:
      beff verify results/*/b_eff_*p.json
    """  # noqa: D301 - \b keeps the lines of the example apart
    return with_each(files, lambda file: verify_file(file, show_all), many_at_once=True)
