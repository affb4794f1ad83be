"""Whether this machine lets us make namespaces."""

import os
import shutil
import subprocess

PROGRAMS = {"unshare": "util-linux", "nsenter": "util-linux", "ip": "iproute2", "tc": "iproute2"}
"""Needed programs and the Debian packages that hold them."""

_TRIAL = """
set -e
ip link add a0 type veth peer name b0
ip link add br0 type bridge
tc qdisc replace dev a0 root tbf rate 100mbit burst 64kb limit 4mb
unshare --net --uts --ipc --mount true
"""


def unsharing() -> list[str]:
    """Command that starts another in the namespaces of a cell; without root in a user namespace."""
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    names = ["--net", "--uts", "--ipc", "--mount", "--pid", "--fork", "--mount-proc"]
    return ["unshare", *user, *names]


def reason_against() -> str | None:
    """Why no cluster can be emulated here, in one sentence; None where it can."""
    for program, package in PROGRAMS.items():
        if shutil.which(program) is None:
            return f"there is no {program} (Debian package {package})"
    trial = subprocess.run(
        [*unsharing(), "sh", "-c", _TRIAL],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if trial.returncode == 0:
        return None
    told = trial.stderr.strip().splitlines() or ["without a message"]
    return f"namespaces with shaped links cannot be made: {told[0]}"
