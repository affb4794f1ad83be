"""Run a command on an emulated cluster, or look whether one can be made.

Examples, from the folder `tests`:
  python -m cluster.emulation --check
  python -m cluster.emulation --hosts 4 --link 200 -- bash
  python -m cluster.emulation --hosts 4 --link 200 --backbone 50 -- mpiexec ... b_eff
  python -m cluster.emulation --down
"""

from __future__ import annotations

import argparse
import subprocess
import sys

from cluster.emulation.cell import HERE, CellError, make_cell, remove_leftovers
from cluster.emulation.network import Network
from cluster.emulation.possible import reason_against


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m cluster.emulation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--check", action="store_true", help="exit code 0: a cluster can be made")
    action.add_argument("--down", action="store_true", help="remove what killed runs left")
    parser.add_argument("--hosts", type=int, default=4, metavar="N")
    parser.add_argument("--link", type=float, default=200, metavar="MBIT", help="rate of each link")
    parser.add_argument(
        "--backbone", type=float, metavar="MBIT", help="two switches, joined at this rate"
    )
    parser.add_argument(
        "--slow",
        action="append",
        default=[],
        metavar="HOST=MBIT",
        help="e.g. 2=50; may be repeated",
    )
    parser.add_argument(
        "--one-kernel", action="store_true", help="hosts that are known as containers"
    )
    parser.add_argument("--mtu", type=int, default=1500)
    parser.add_argument("command", nargs="*", help="is run on host n0")
    return parser


def main() -> int:
    """Return the exit code of the command."""
    parser = _arguments()
    asked = parser.parse_args()
    if asked.down:
        print("\n".join(remove_leftovers()) or "nothing was left")
        return 0
    reason = reason_against()
    if reason is not None:
        print(f"no cluster can be emulated here: {reason}", file=sys.stderr)
        return 1
    if asked.check:
        return 0
    try:
        slow = {int(host): float(mbit) for host, mbit in (each.split("=") for each in asked.slow)}
    except ValueError:
        parser.error(f"--slow {' '.join(asked.slow)}: write HOST=MBIT, such as 2=50")
    network = Network(
        asked.hosts, asked.link, asked.backbone, slow, asked.mtu, one_kernel=asked.one_kernel
    )
    try:
        with make_cell(network) as cell:
            words = asked.command or ["sh"]
            print(
                f"hosts {' '.join(network.host_names)}; {HERE / 'rsh'} stands for ssh",
                file=sys.stderr,
            )
            return subprocess.call(cell.command("n0", words), env=cell.environment())
    except (CellError, KeyboardInterrupt) as problem:
        print(f"{type(problem).__name__}: {problem}", file=sys.stderr)
        return 1


sys.exit(main())
