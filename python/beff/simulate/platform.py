"""A simulated platform: its XML text, its hosts, and what a result records of it."""

import hashlib
import os
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

from beff.model.errors import NetworkError, ResultError
from beff.model.strict_json import read_bytes, read_text

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
        raise NetworkError(f"--platform {problem}") from None
    except (ET.ParseError, ValueError, LookupError):
        raise NetworkError(f"--platform {path}: is not XML, as a SimGrid platform is") from None
    if root.tag != "platform":
        raise NetworkError(f"--platform {path}: is XML, but its root is not <platform>")
    hosts = tuple(name for element in root.iter() for name in _hosts_of(element, path))
    if not hosts:
        raise NetworkError(
            f"--platform {path}: names no <host>, <peer> or <cluster>; a platform made by a program"
            " cannot be used here"
        )
    if len(hosts) > MOST_HOSTS:
        raise NetworkError(f"--platform {path}: names more than {MOST_HOSTS} hosts")
    digest = hashlib.sha256(text.encode())
    try:
        for profile in _profiles(root, path):
            digest.update(read_bytes(profile, LARGEST_BYTES))
    except ResultError as problem:
        raise NetworkError(f"--platform {path}: {problem}") from None
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
            f"--platform {path}: the radical '{element.get('radical', '')[:40]}' of a cluster is no"
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
        if os.path.isfile(name) and not os.path.isfile(path.parent / name)  # noqa: PTH113 - a name may be too long
        else path.parent / name
        for name in named
    ]
