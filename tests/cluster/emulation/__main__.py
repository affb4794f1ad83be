"""Run a command on an emulated cluster, or look whether one can be made.

Examples, from the folder `tests`:
  python -m cluster.emulation --check
  python -m cluster.emulation --hosts 4 --link 200 -- bash
  python -m cluster.emulation --hosts 4 --link 200 --backbone 50 -- mpiexec ... b_eff
"""

import argparse
import subprocess
import sys

from cluster.emulation.cell import HERE, make_cell
from cluster.emulation.network import Network
from cluster.emulation.possible import reason_against


def main() -> int:
    """Return the exit code of the command."""
    parser = argparse.ArgumentParser(
        prog="python -m cluster.emulation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--check", action="store_true", help="exit code 0: a cluster can be made")
    parser.add_argument("--hosts", type=int, default=4, metavar="N")
    parser.add_argument("--link", type=float, default=200, metavar="MBIT", help="rate of each link")
    parser.add_argument("--backbone", type=float, metavar="MBIT", help="between two switches")
    parser.add_argument("command", nargs="*", default=["sh"], help="is run on host n0")
    asked = parser.parse_args()
    reason = reason_against()
    if reason is not None or asked.check:
        print(reason or "a cluster can be emulated", file=sys.stderr)
        return 1 if reason else 0
    network = Network(asked.hosts, asked.link, asked.backbone)
    with make_cell(network) as cell:
        hosts = " ".join(network.host_names)
        print(f"hosts {hosts}; {HERE / 'rsh'} stands for ssh", file=sys.stderr)
        return subprocess.call(cell.command("n0", asked.command), env=cell.environment())


sys.exit(main())
