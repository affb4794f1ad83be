"""What the results of all benchmarks share: checks, figures, criteria, digests."""
