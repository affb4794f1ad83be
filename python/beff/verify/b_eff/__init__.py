"""b_eff by its definition: from raw samples to the one number."""
