"""Places in a JSON document as people write them: patterns[3].bandwidth_MBps."""

from collections.abc import Iterable


def json_path(keys: Iterable[str | int]) -> str:
    """Write object keys and array indices as one path; the document itself is 'the document'."""
    path = ""
    for key in keys:
        if isinstance(key, int):
            path += f"[{key}]"
        else:
            path += f".{key}" if path else key
    return path or "the document"
