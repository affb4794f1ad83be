"""`beff accept`."""

from dataclasses import dataclass
from datetime import datetime, timezone
from functools import partial
from pathlib import Path

from beff.cli.common import exit_codes
from beff.cli.common.options import (
    REQUIRED,
    Kind,
    Quantity,
    argument,
    option,
    taking,
    value_of,
)
from beff.cli.common.say import say, warn
from beff.result.numbers import parse_percent


@dataclass(frozen=True, kw_only=True)
class _Options:
    results: list[Path] = argument("RESULT...", "Result files, or folders of them.")
    name: Path = option(
        "NAME", "The folder to make, such as acceptance-2026.", names="--as", default=REQUIRED
    )
    tolerance: Quantity | None = option(
        Kind("PERCENT", partial(parse_percent, most=0.9)),
        "How much less a later result may give.",
        otherwise="by how much three or more equal runs differ",
    )


@taking(_Options)
def accept(given: _Options) -> int:
    """Keep what a machine gives at its acceptance, and what is expected of it from then on.

    Makes a folder with the results, whose figures are recomputed first, and what they let one
    expect; git can hold and sign it. beff check --accepted NAME judges later results by it. Only
    valid results are accepted.

    Examples:
      beff accept results/acceptance --as acceptance-2026 --tolerance 10%
      beff check results/today --accepted acceptance-2026
    """
    from beff.store import acceptance  # noqa: PLC0415 - needs a package of an extra

    today = datetime.now(timezone.utc).date()
    for sentence in acceptance.accept(given.results, given.name, value_of(given.tolerance), today):
        warn(f"beff: {sentence}")
    say(
        f"{given.name}: accepted on {today}; {given.name / acceptance.FILE} says what is expected"
        " from now on"
    )
    return exit_codes.OK
