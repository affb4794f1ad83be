"""`beff accept`."""

from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import Annotated

from beff.cli.common import exit_codes
from beff.cli.common.options import Kind, Quantity, argument, option, value_of
from beff.cli.common.say import say, warn
from beff.result.numbers import parse_percent


def accept(
    results: Annotated[list[Path], argument("RESULT...", "Result files, or folders of them.")],
    name: Annotated[Path, option("--as", "NAME", "The folder to make, such as acceptance-2026.")],
    tolerance: Annotated[
        Quantity | None,
        option(
            "--tolerance",
            Kind("PERCENT", partial(parse_percent, most=0.9)),
            "How much less a later result may give.",
            default="by how much three or more equal runs differ",
        ),
    ] = None,
) -> int:
    """Keep what a machine gives at its acceptance, and what is expected of it from then on.

    Makes a folder with the results, whose figures are recomputed first, and what they let one
    expect; git can hold and sign it. beff check --accepted NAME judges later results by it. Only
    valid results are accepted.

    \b
    Examples:
      beff accept results/acceptance --as acceptance-2026 --tolerance 10%
      beff check results/today --accepted acceptance-2026
    """  # noqa: D301 - \b keeps the lines of the examples apart
    from beff.store import acceptance  # noqa: PLC0415 - needs a package of an extra

    today = datetime.now(timezone.utc).date()
    for sentence in acceptance.accept(results, name, value_of(tolerance), today):
        warn(f"beff: {sentence}")
    say(f"{name}: accepted on {today}; {name / acceptance.FILE} says what is expected from now on")
    return exit_codes.OK
