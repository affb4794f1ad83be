"""Where `beff` and `python -m beff` begin: with their own packages, whatever is in PYTHONPATH."""

import gc
import os
import sys
from pathlib import Path

_OBJECTS_UNTIL_CYCLES_ARE_SOUGHT = 50_000
"""By default 700: then a tenth of the time of a command is spent on looking, and nothing found."""


def main() -> int:
    """Run the command line. Returns the exit code."""
    gc.set_threshold(_OBJECTS_UNTIL_CYCLES_ARE_SOUGHT)
    # a site's module may have packages of another Python in PYTHONPATH, so that is looked in last;
    # not where beff itself lies there, as its packages may, too
    given = os.environ.get("PYTHONPATH", "") if not sys.flags.ignore_environment else ""
    folders = [os.path.abspath(one) for one in given.split(os.pathsep) if one]  # noqa: PTH100
    if str(Path(__file__).parents[1]) not in folders:
        sys.path.sort(key=folders.__contains__)
    from beff.cli.app import main as run  # noqa: PLC0415 - with the right packages only

    return run()


if __name__ == "__main__":
    sys.exit(main())
