"""How numbers and texts stand in a protocol."""

import re
from collections.abc import Mapping

from beff.model.result_parts import Figure
from beff.model.units import MIB

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def figure(value: Figure, width: int = 10) -> str:
    """Write a figure with three decimals, right-aligned; '-' where there is none."""
    shown = "-" if value is None else f"{value:.3f}"
    return f"{shown:>{width}}"


def heading(title: str) -> list[str]:
    """Return an empty line, the title and its rule."""
    return ["", title, "-" * len(title)]


def plain(text: str) -> str:
    """Return a text without signs that could move a terminal's cursor or end the line."""
    return _CONTROLS.sub("?", text)


def memory_text(size_bytes: int) -> str:
    """Write the memory of a process in whole MByte of 2^20 byte, as both programs print it."""
    return f"{size_bytes / MIB:.0f}"


def machine_text(uname: Mapping[str, str]) -> str:
    """Name the machine as both last lines do."""
    return " ".join(
        uname[name] for name in ("sysname", "nodename", "release", "version", "machine")
    )
