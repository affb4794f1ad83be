"""Which process runs on which host of a measured machine, where it was not measured."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from beff.result.errors import ResultError, WrongUsageError
from beff.result.strict_json import read_text
from beff.verify.common.checks import expand_host_list

RULES = ("block", "cyclic")


def chosen_hosts(hosts: Sequence[str], text: str | None) -> list[int]:
    """Return the numbers of the hosts of a list such as n[0-7],n9. Raises WrongUsageError."""
    if text is None:
        return list(range(len(hosts)))
    number = {name: place for place, name in enumerate(hosts)}
    names = expand_host_list(text, len(hosts) + 1)
    for name in names:
        if name not in number:
            raise WrongUsageError(
                f"--hosts {text}: {name} is no host of the result, whose hosts are {hosts[0]} to"
                f" {hosts[-1]}"
            )
    if len(names) < 2 or len({*names}) < len(names):
        raise WrongUsageError(f"--hosts {text}: name at least two hosts, each once")
    return [number[name] for name in names]


def placed(
    hosts: Sequence[str], chosen: Sequence[int], per_host: int, processes: int, rule: str
) -> tuple[int, ...]:
    """Return the number of the host of each rank; `rule` is one of RULES or a file of names.

    A rule gives each of the first hosts that are chosen `per_host` processes. Raises
    WrongUsageError.
    """
    if rule not in RULES:
        return _from_file(Path(rule), hosts)
    used = processes // per_host
    if used * per_host != processes or not 2 <= used <= len(chosen):
        raise WrongUsageError(
            f"--processes {processes}: {per_host} processes of each host were measured, on"
            f" {len(chosen)} hosts; give a multiple of {per_host} from {2 * per_host} to"
            f" {len(chosen) * per_host}"
        )
    on = chosen[:used]
    if rule == "block":
        return tuple(host for host in on for _ in range(per_host))
    return tuple(on) * per_host


def _from_file(path: Path, hosts: Sequence[str]) -> tuple[int, ...]:
    number = {name: place for place, name in enumerate(hosts)}
    try:
        names = read_text(path).split()
    except ResultError as problem:
        raise WrongUsageError(
            f"--placement {path}: is neither {' nor '.join(RULES)} nor a readable file with the"
            f" host of each rank, one a line ({problem.reason})"
        ) from None
    for name in names:
        if name not in number:
            raise WrongUsageError(f"--placement {path}: {name} is no host of the result")
    if len({*names}) < 2:
        raise WrongUsageError(f"--placement {path}: names fewer than two hosts")
    return tuple(number[name] for name in names)


def not_measured(hosts: Sequence[str], placement: Sequence[int], per_host: int) -> str | None:
    """Say which host has another number of processes than was measured; None where all have it."""
    for host, count in Counter(placement).items():
        if count != per_host:
            return (
                f"{hosts[host]} has {count} processes there, and hosts were measured with"
                f" {per_host}, which share its port in another way"
            )
    return None
