"""`beff verify`."""

from dataclasses import dataclass
from pathlib import Path

from beff.cli.common.files import verify_file, with_each
from beff.cli.common.options import argument, flag, taking


@dataclass(frozen=True, kw_only=True)
class _Options:
    files: list[Path] = argument("FILE...", "Result files, or folders of them.")
    show_all: bool = flag("Show every disagreement, not only the first.", names="--all")


@taking(_Options)
def verify(given: _Options) -> int:
    """Recompute every derived number of result files.

    Each file is checked against the schema and then recomputed from its raw samples by an
    implementation of the definition that shares nothing with the measuring program.

    Example:
      beff verify results/*/b_eff_*p.json
    """
    return with_each(given.files, lambda file: verify_file(file, given.show_all), many_at_once=True)
