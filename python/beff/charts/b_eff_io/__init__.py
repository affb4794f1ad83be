"""Diagrams of b_eff_io."""
