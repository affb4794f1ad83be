"""Why a result counts in no ranking."""

from beff.store.entry import Entry

NO_RELEASE_1 = (
    "has no value of b_eff_io by release 1, by which lists rank; measure with --release 1, or with"
    " --rewrite all, which gives the values by all releases"
)
_STATUS = {"invalid": "not valid", "partial": "not complete"}


def why_not(entry: Entry) -> str:
    """Say in few words why a result counts in no ranking; nothing where it may."""
    if entry.simulated:
        return "simulated"
    if lacks_release_1(entry):
        return "not by release 1"
    return _STATUS.get(entry.status, "")


def lacks_release_1(entry: Entry) -> bool:
    """Whether a run of b_eff_io has a value, and not the one that lists rank by."""
    has_value = entry.benchmark == "b_eff_io" and entry.io_value_MBps is not None
    return has_value and entry.io_value_1_MBps is None and entry.status != "historic"
