"""The bytes of a file that somebody named: of a regular one, and no more than there is use for."""

import gzip
import os
import stat
import zlib
from pathlib import Path

from beff.model.errors import ResultError

LARGEST = 1 << 30
"""Bytes of any file that is read as a whole."""
_MORE = 1 << 16
"""Bytes beyond the stated size of a file, which may be growing."""
GZIP_SUFFIX = ".gz"


def read_raw(path: Path, most: int) -> bytes:
    """Return the first bytes of a regular file, as they lie there. Raises ResultError."""
    try:
        # Opening a pipe that nobody writes into would wait for ever.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        found = os.fstat(handle)
        kind = found.st_mode
        if stat.S_ISREG(kind):
            with os.fdopen(handle, "rb") as file:
                return file.read(min(most, found.st_size + _MORE))  # which is set aside at once
        os.close(handle)
    except FileNotFoundError:
        raise ResultError(f"{path}: there is no such file") from None
    except OSError as problem:
        raise ResultError(f"{path}: cannot be read ({problem.strerror})") from None
    what = "a folder, not a file" if stat.S_ISDIR(kind) else "no regular file"
    raise ResultError(f"{path}: is {what}")


def read_bytes(path: Path, most: int = LARGEST) -> bytes:
    """Return what a file holds; of one whose name ends in .gz, unpacked. Raises ResultError."""
    content = read_raw(path, most + 1)
    if path.suffix == GZIP_SUFFIX:
        content = _unpacked(path, content, most + 1)
    if len(content) > most:
        raise ResultError(f"{path}: is larger than the {most >> 20} MiB that are read")
    return content


def _unpacked(path: Path, content: bytes, most: int) -> bytes:
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        unpacked = unpacker.decompress(content, most)
    except zlib.error:
        raise ResultError(f"{path}: is damaged, it cannot be unpacked") from None
    if len(unpacked) < most and (not unpacker.eof or unpacker.unused_data):
        raise ResultError(f"{path}: is damaged, it ends in the middle or has more behind its end")
    return unpacked


def packed(content: bytes) -> bytes:
    """Return content as a file whose name ends in .gz holds it; the same whenever it is made."""
    return gzip.compress(content, mtime=0)
