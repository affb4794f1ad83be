"""`python -m beff` is the same as `beff`."""

import sys

from beff.cli.entry import main

if __name__ == "__main__":
    sys.exit(main())
