"""Maps of pairs by b_pairs: groups, slow hosts and links, the network, topologies, fleets."""
