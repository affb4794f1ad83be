"""Machines of bench/slow_hosts, and the maps of pairs that b_pairs would measure on them."""
