"""Companion of the effective-bandwidth benchmarks: runs, verifies, recovers and shows results."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("beff")
except PackageNotFoundError:  # imported from a source tree that was never installed
    __version__ = "0+source"
