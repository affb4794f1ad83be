"""Files of matrices between two ranks that are wrong, and what is said of them."""

from __future__ import annotations

MARKET = "%%MatrixMarket matrix coordinate"
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
    (f"{MARKET} real general\n3 3 1\n2 1 5\n", "line 2: the matrix is 3 x 3; it must be 2 x 2"),
    (f"{MARKET} real general\n2 2 1\n0 1 5\n", "line 3: from is 0; ranks are from 1 to 2"),
    (f"{MARKET} real general\n2 2 1\n2 1 1.5\n", "line 3: bytes is 1.5"),
    (f"{MARKET} real general\n2 2 2\n2 1 1\n", "has 1 entries, and says 2"),
]
