"""Running b_eff in SimGrid's SMPI, on a network that need not exist."""
