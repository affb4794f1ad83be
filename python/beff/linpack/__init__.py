"""Linpack beside the benchmarks: its input, its run, its output."""
