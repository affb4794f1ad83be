"""Where earlier runs of a machine lie: in the folders beside that of a result."""

import os
from pathlib import Path

from beff.model.errors import ResultError
from beff.model.load import Document, load_document

_MOST = 5
"""The newest ones; reading all of a long history would take longer than it is worth."""


def earlier_documents(file: Path) -> list[Document]:
    """Read the results of the same name in the folders beside that of a result.

    What cannot be read is left out, and so is everything in a folder of somebody else.
    """
    try:
        own = file.resolve()
        around = own.parent.parent
        if around.stat().st_uid != os.getuid():
            return []
        files = [one for one in around.glob(f"*/{own.name}") if one != own and one.is_file()]
        files.sort(key=lambda one: one.stat().st_mtime)
    except OSError:
        return []
    found = []
    for one in files[-_MOST:]:
        try:
            found.append(load_document(one))
        except ResultError:
            continue
    return found
