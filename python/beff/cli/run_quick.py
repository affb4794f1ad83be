"""`beff run --quick`: a short run of everything, for comparing with others of its kind every week.

Its results have loops that are too short to be valid, and a memory per process that does not depend
on the machine; comparisons take loop time and L_max as conditions, so they refuse any other kind.
"""

from beff.cli.run_options import RunOptions
from beff.model.contract import MeasuredResult
from beff.model.errors import WrongUsageError

MEMORY = "64MiB"
B_EFF_OPTIONS = ("--loop-time", "500us", "--time-limit", "60s")
"""Loops a fifth as long as those of a valid run; a huge machine ends with fewer repetitions."""
_TOO_SHORT = frozenset({"loop time"})
"""Criteria that such a run of b_eff cannot meet, whatever the machine."""
REMARK = (
    "These are quick runs, never valid: they compare with other quick runs of the same number of"
    " processes only. Being quick alone does not change the exit code."
)


def check_quick(given: RunOptions) -> None:
    """Refuse what would make quick runs differ. Raises WrongUsageError."""
    set_by_quick = {
        "--time": given.time,
        "--memory-per-process": given.memory_per_process,
        "--max-data": given.max_data,
    }
    for name, value in set_by_quick.items():
        if given.quick and value is not None:
            raise WrongUsageError(
                f"{name} {value}: --quick sets it, so that quick runs can be compared; leave one of"
                " the two out"
            )
    if given.quick and given.engine_options:
        raise WrongUsageError(
            f"{given.engine_options[0]} behind '--': --quick sets the options of the programs;"
            " leave one of the two out"
        )


def accepts(result: MeasuredResult) -> bool:
    """Whether a result of b_eff is not valid only because it was quick."""
    unmet = {criterion.name for criterion in result.criteria if not criterion.met}
    return result.complete and unmet <= _TOO_SHORT
