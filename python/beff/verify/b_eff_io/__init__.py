"""b_eff_io by its definition: from raw samples to the value of each release."""
