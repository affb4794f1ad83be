"""Everything that a judgement holds, as a short number: no figure changes unseen."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """Return a value in which sets are sorted and numbers have five digits, as machines agree."""
    if isinstance(value, Enum | float | np.floating):
        return value.value if isinstance(value, Enum) else f"{value:.5g}"
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(one) for key, one in value.items()}
    value = value.tolist() if isinstance(value, np.ndarray) else value
    if isinstance(value, set | frozenset):
        return sorted(map(str, map(plain, value)))
    return [*map(plain, value)] if isinstance(value, list | tuple) else value


def digest(value: Any) -> str:
    """Return eight digits of all of it."""
    return f"{zlib.crc32(repr(plain(value)).encode()):08x}"
