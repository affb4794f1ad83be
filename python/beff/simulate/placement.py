"""Which process runs on which host."""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from beff.model.errors import NetworkError, ResultError
from beff.model.strict_json import read_text
from beff.simulate.platform import LARGEST_BYTES, Platform

MOST_PROCESSES = 1_000_000
"""Of a simulation, whose processes are threads of one."""


@dataclass(frozen=True)
class Slots:
    """Room for processes: `processes` of them on `used` hosts, at most `per_host` on each."""

    processes: int
    used: int
    per_host: int


def _block(slots: Slots, _seed: int) -> list[int]:
    return [rank // slots.per_host for rank in range(slots.processes)]


def _cyclic(slots: Slots, _seed: int) -> list[int]:
    return [rank % slots.used for rank in range(slots.processes)]


def _random(slots: Slots, seed: int) -> list[int]:
    hosts = _block(slots, seed)
    random.Random(seed).shuffle(hosts)
    return hosts


RULES: dict[str, Callable[[Slots, int], list[int]]] = {
    "block": _block,
    "cyclic": _cyclic,
    "random": _random,
}
"""Host index of each rank; the seed matters to `random` alone."""


def parse_placement(text: str) -> tuple[str, int | None]:
    """Return the rule or file, and how many processes a host has: `block:4`.

    Raises NetworkError.
    """
    rule, _, number = text.partition(":")
    if rule not in RULES or not number:
        return text, None
    if not re.fullmatch(r"[1-9]\d{0,6}", number, re.ASCII):
        raise NetworkError(f"--placement {text}: must be like {rule}:4")
    return rule, int(number)


def place(
    platform: Platform, processes: int, rule: str, per_host: int | None, seed: int
) -> list[str]:
    """Return the host of each rank. Raises NetworkError.

    `rule` is one of RULES or the path of a file with the host of each rank, one a line. Without
    `per_host`, processes share hosts only when there are more of them than hosts.
    """
    if processes > MOST_PROCESSES:
        raise NetworkError(f"--processes {processes}: at most {MOST_PROCESSES} are simulated")
    if rule not in RULES:
        return _from_file(Path(rule), platform, processes)
    hosts = len(platform.hosts)
    most = -(-processes // hosts) if per_host is None else per_host
    used = -(-processes // most)
    if used > hosts:
        raise NetworkError(
            f"--placement {rule}:{per_host}: {processes} processes need {used} hosts, but"
            f" {platform.name} has {hosts}; leave the number out or give at least"
            f" {-(-processes // hosts)}"
        )
    indices = RULES[rule](Slots(processes, used, most), seed)
    return [platform.hosts[index] for index in indices]


def _from_file(path: Path, platform: Platform, processes: int) -> list[str]:
    try:
        lines = read_text(path, LARGEST_BYTES).split()
    except ResultError as problem:
        raise NetworkError(
            f"--placement {path}: is neither {', '.join(RULES)} nor a readable file with the host"
            f" of each rank, one a line ({str(problem).removeprefix(f'{path}: ')})"
        ) from None
    if len(lines) < processes:
        raise NetworkError(
            f"--placement {path}: names {len(lines)} hosts for {processes} processes; give a line"
            " for each"
        )
    known = set(platform.hosts)
    for name in lines[:processes]:
        if name not in known:
            raise NetworkError(
                f"--placement {path}: {name} is not a host of {platform.name}; its hosts are"
                f" {platform.hosts[0]} to {platform.hosts[-1]}"
            )
    return lines[:processes]
