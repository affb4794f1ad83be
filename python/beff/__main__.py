"""`python -m beff` is the same as `beff`."""

import sys

from beff.cli.app import main

if __name__ == "__main__":
    sys.exit(main())
