"""Comparison of two sides, each one result or repeated runs."""
