"""Checks that the results of both benchmarks share."""
