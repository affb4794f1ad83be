"""The definitions of the benchmarks by their papers: the second implementation."""
