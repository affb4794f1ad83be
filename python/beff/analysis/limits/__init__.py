"""What limits a run of b_eff: the nearest roof, with its number."""
