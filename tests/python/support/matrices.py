"""Files of matrices between two ranks that are wrong, and what is said of them."""

from __future__ import annotations

MARKET = "%%MatrixMarket matrix coordinate"
REAL = b"%%MatrixMarket matrix coordinate real general\n2 2 1\n"
ODD: list[tuple[bytes, int | None]] = [
    (b"0 1 5 # f\xfcr\n", 5),  # a comment in Latin-1
    (b"0\v1\f5\r\n", 5),
    (b"0\xc2\xa01 5\n", None),  # a no-break space belongs to a word
    (b"0 1\x1f5\n", None),
    (b"0 1 \xd9\xa5\n", None),  # a digit, but not of ASCII
    (b"0 1 5.0\n", None),
    (REAL + b"1 2 12345678." + 30 * b"0" + b"\n", 12345678),
    (REAL + b"1 2 " + 30 * b"0" + b"5\n", 5),
    (REAL + b"1 2 50e-1\n", 5),
    (REAL + b"1 2 5e000\n", 5),
    (REAL + b"1 2 5.e+0\n", 5),
    (REAL + b"1 2 1e-999\n", None),
    (REAL + b"1 2 1e999\n", None),
    (REAL + b"1 2 5e\n", None),
    (REAL + b"1 2 +5\n", None),
    (REAL + b"1 2 0x5\n", None),
]
"""Files of one message from rank 0 to 1, and its bytes; None where it is refused."""
WRONG = [
    ("0 1\n", "line 1: has 2 numbers"),
    ("# a\n0 2 1\n", "line 2: to is 2"),
    ("-1 0 1\n", "line 1: from is -1"),
    ("0 1 4KiB\n", "line 1: bytes is 4KiB"),
    ("0 1 2147483648\n", "line 1: a message of 2147483648 byte is larger"),
    ("0 1 1 1048577\n", "line 1: count is 1048577"),
    ("0 1 0\n", "has no message"),
    ("", "has no message"),
    (f"{MARKET} pattern general\n2 2 1\n2 1\n", "line 1: must be matrix coordinate"),
    (f"{MARKET} integer general\n%\n", "line 2: must hold rows, columns and entries"),
    (f"{MARKET} real general\n3 3 1\n2 1 5\n", "line 2: the matrix is 3 x 3; it must be 2 x 2"),
    (f"{MARKET} real general\n2 2 1\n0 1 5\n", "line 3: from is 0; ranks are from 1 to 2"),
    (f"{MARKET} real general\n2 2 1\n2 1 1.5\n", "line 3: bytes is 1.5"),
    (f"{MARKET} real general\n2 2 2\n2 1 1\n", "has 1 entries, and says 2"),
]
