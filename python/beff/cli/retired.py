"""What earlier versions had: who uses it reads what does the same now."""

import re
from collections.abc import Sequence

_SIGNING = (
    "results are no longer signed by beff; sign files by ssh-keygen -Y sign -n beff, as"
    " docs/how-to/sign.md shows"
)
_LINPACK = "beff no longer starts Linpack; run it, and give its output to beff balance --hpl FILE"

COMMANDS = {
    "sign": _SIGNING,
    "trend": "beff show --history shows runs over time, and where the system changed",
    "expect": "beff check RESULTS --write-expect FILE writes what to expect",
    "list serve": "show a built site by python -m http.server -d site",
}
OPTIONS = {
    "--sign": _SIGNING,
    "--with-hpl": _LINPACK,
    "--hpl-size": _LINPACK,
    **dict.fromkeys(
        ("--shape", "--hosts", "--bandwidth", "--latency", "--backbone-bandwidth"),
        "beff simulate has the network in one text: --network fat-tree:16x4x4,1GB/s,1us",
    ),
    "--processes-per-host": "beff simulate has it behind the rule: --placement block:4",
    "--io-time": "beff job has T of b_eff_io as --time, as beff run; the job's time is --walltime",
    "--check-data": "simulated processes share one memory; data is checked on real machines",
    "--published": "beff show --published shows the published systems",
}


def said_of_command(given: Sequence[str]) -> str | None:
    """Return what to say of a command that is gone; None of any other."""
    for name, said in COMMANDS.items():
        if list(given[: name.count(" ") + 1]) == name.split():
            return f"beff {name} is gone: {said}"
    return None


def said_of_option(message: str) -> str:
    """Return what to add to the message about an option that does not exist."""
    words = re.split(r"[\s'=.,]+", message)
    gone = next((said for name, said in OPTIONS.items() if name in words), None)
    return "" if gone is None else f"; it is gone: {gone}"
