"""What a command line asks for that is not here: a missing extra, what earlier versions had."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec

from beff.launch.installation import install_command
from beff.result.errors import WrongUsageError

EXTRA_OF = {
    "vl_convert": "report",
    "pypdf": "report",
    "yaml": "list",
    "confusable_homoglyphs": "list",
}
"""The extra of pyproject.toml that brings a package, by the name under which it is imported."""


def is_installed(extra: str) -> bool:
    """Whether all packages of an extra can be imported."""
    packages = (package for package, brought in EXTRA_OF.items() if brought == extra)
    try:
        return all(map(find_spec, packages))
    except ModuleNotFoundError:
        return False


@contextmanager
def missing_extra_explained() -> Iterator[None]:
    """Make one sentence of an import that fails as an extra is missing. Raises WrongUsageError."""
    try:
        yield
    except ModuleNotFoundError as problem:
        extra = EXTRA_OF.get((problem.name or "").partition(".")[0])
        if extra is None:  # a fault
            raise
        raise WrongUsageError(
            f"this needs the package {problem.name}, which is not installed;"
            f" {install_command(extra)} adds it"
        ) from None


_SIGNING = (
    "results are no longer signed by beff; sign files by ssh-keygen -Y sign -n beff, as"
    " docs/how-to/sign.md shows"
)
_LINPACK = "beff no longer starts Linpack; run it, and give its output to beff balance --hpl FILE"

_HISTORY = "beff history shows runs over time, and where the system changed"
_ACCEPT = "beff accept RESULTS --as NAME writes what to expect of later results"

COMMANDS = {
    **{name: f"it is now beff twin {name}" for name in ("simulate", "predict", "order")},
    "sign": _SIGNING,
    "trend": _HISTORY,
    "expect": _ACCEPT,
    "figure": "beff report RESULT -o patterns.svg draws what a result has by the name of the chart:"
    " patterns, pairs, bisection, per-host and all others",
    "list serve": "show a built site by python -m http.server -d site",
}
OPTIONS = {
    "--history": _HISTORY,
    "--sign": _SIGNING,
    "--with-hpl": _LINPACK,
    "--hpl-size": _LINPACK,
    **dict.fromkeys(
        ("--shape", "--hosts", "--bandwidth", "--latency", "--backbone-bandwidth"),
        "beff twin simulate has the network in one text: --network fat-tree:16x4x4,1GB/s,1us",
    ),
    "--processes-per-host": "beff twin simulate has it behind the rule: --placement block:4",
    "--io-time": "beff job has T of b_eff_io as --time, as beff run; the job's time is --walltime",
    "--check-data": "simulated processes share one memory; data is checked on real machines",
    "--write-expect": _ACCEPT,
    "--topology-out": "beff twin topology MAP... -o topology.conf writes what maps show",
    "--published": "beff show --published shows the published systems",
}


def said_of_command(given: Sequence[str]) -> str | None:
    """Return what to say of a command that is gone; None of any other."""
    for name, said in COMMANDS.items():
        if list(given[: name.count(" ") + 1]) == name.split():
            return f"beff {name} is gone: {said}"
    return None


def said_of_option(message: str) -> str:
    """Return what to add to the message about an option that does not exist; else nothing."""
    if not message.startswith("No such option"):
        return ""
    words = re.split(r"[\s'=.,]+", message)
    gone = next((said for name, said in OPTIONS.items() if name in words), None)
    return "" if gone is None else f"; it is gone: {gone}"
