"""Machines as physics has them, and the maps of pairs that b_pairs would measure on them."""
