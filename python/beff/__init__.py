"""Companion of the effective-bandwidth benchmarks: runs, verifies, recovers and shows results."""

import os
from importlib.metadata import PackageNotFoundError, version

# Looking for plug-ins of pydantic takes longer than reading a result, and none may change how.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

try:
    __version__ = version("beff")
except PackageNotFoundError:  # imported from a source tree that was never installed
    __version__ = "0+source"
