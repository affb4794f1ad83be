"""Results of b_pairs."""
