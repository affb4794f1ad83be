"""Texts of a result as a drawing can hold them."""

import re
from typing import Any

# Everything but the characters of XML 1.0 (section 2.2): control characters, halves of pairs.
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def plain(text: str) -> str:
    """Replace what XML cannot hold, which a host name or label may, by question marks."""
    return _NOT_IN_XML.sub("?", text)


def plain_texts(fields: Any) -> Any:
    """Return nested dicts and lists with all their texts, keys included, made plain."""
    if isinstance(fields, dict):
        return {plain_texts(key): plain_texts(value) for key, value in fields.items()}
    if isinstance(fields, list):
        return [plain_texts(value) for value in fields]
    return plain(fields) if isinstance(fields, str) else fields
