"""A simulated platform, what a result records of it, and which process runs on which host."""

import hashlib
import random
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from beff.result.errors import NetworkError, ResultError
from beff.result.places import is_file
from beff.result.strict_json import read_bytes, read_text

HEADER = (
    "<?xml version='1.0'?>\n"
    '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
    '<platform version="4.1">\n'
)
FOOTER = "</platform>\n"
MOST_HOSTS = 1_000_000
LARGEST_BYTES = 64 << 20
"""Of a file about a simulated network."""


@dataclass(frozen=True)
class Platform:
    """A network and its hosts.

    `hosts` in the order in which processes are placed; `file` is None for a described network,
    whose text is in `xml`; `sha256` is over the XML text and the profiles that it names.
    """

    name: str
    description: str
    xml: str
    hosts: tuple[str, ...]
    sha256: str
    file: Path | None = None


def described(name: str, description: str, body: str, hosts: tuple[str, ...]) -> Platform:
    """Return the platform of a described network; `body` stands inside <platform>."""
    xml = HEADER + body + FOOTER
    return Platform(name, description, xml, hosts, hashlib.sha256(xml.encode()).hexdigest())


def from_file(path: Path) -> Platform:
    """Read a platform file of SimGrid. Raises NetworkError."""
    try:
        text = read_text(path, LARGEST_BYTES)
        root = ET.fromstring(text)
    except ResultError as problem:
        raise NetworkError(f"--simulate {problem}") from None
    except (ET.ParseError, ValueError, LookupError):
        raise NetworkError(f"--simulate {path}: is not XML, as a SimGrid platform is") from None
    if root.tag != "platform":
        raise NetworkError(f"--simulate {path}: is XML, but its root is not <platform>")
    hosts = tuple(name for element in root.iter() for name in _hosts_of(element, path))
    if not hosts:
        raise NetworkError(
            f"--simulate {path}: names no <host>, <peer> or <cluster>; a platform made by a program"
            " cannot be used here"
        )
    if len(hosts) > MOST_HOSTS:
        raise NetworkError(f"--simulate {path}: names more than {MOST_HOSTS} hosts")
    digest = hashlib.sha256(text.encode())
    try:
        for profile in _profiles(root, path):
            digest.update(read_bytes(profile, LARGEST_BYTES))
    except ResultError as problem:
        raise NetworkError(f"--simulate {path}: {problem}") from None
    return Platform(
        path.stem, f"platform file {path.name}", text, hosts, digest.hexdigest(), path.absolute()
    )


def _hosts_of(element: ET.Element, path: Path) -> list[str]:
    if element.tag in ("host", "peer"):
        return [element.get("id", "")]
    if element.tag not in ("cluster", "cabinet"):
        return []
    prefix, suffix = element.get("prefix", ""), element.get("suffix", "")
    try:
        return [f"{prefix}{number}{suffix}" for number in _radical(element.get("radical", ""))]
    except ValueError:
        raise NetworkError(
            f"--simulate {path}: the radical '{element.get('radical', '')[:40]}' of a cluster is no"
            f" list such as 0-63,70 of at most {MOST_HOSTS} hosts"
        ) from None


def _radical(text: str) -> list[int]:
    numbers: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        more = range(int(first), int(last or first) + 1)
        if int(last or first) - int(first) >= MOST_HOSTS - len(numbers):
            raise ValueError(text)
        numbers += more
    return numbers


def _profiles(root: ET.Element, path: Path) -> list[Path]:
    """Files with the course of a bandwidth, latency, speed or state over time.

    They lie beside the platform or, if not there, in the working folder, as SimGrid looks for them.
    """
    named = sorted(
        value
        for element in root.iter()
        for attribute, value in element.attrib.items()
        if attribute.endswith("_file")
    )
    return [
        Path(name)
        if not is_file(path.parent / name) and is_file(Path(name))
        else path.parent / name
        for name in named
    ]


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


def _random(slots: Slots, seed: int) -> list[int]:
    hosts = _block(slots, seed)
    random.Random(seed).shuffle(hosts)
    return hosts


RULES: dict[str, Callable[[Slots, int], list[int]]] = {
    "block": _block,
    "cyclic": lambda slots, _: [rank % slots.used for rank in range(slots.processes)],
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
            f" of each rank, one a line ({problem.reason})"
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
