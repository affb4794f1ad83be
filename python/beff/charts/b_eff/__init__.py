"""Diagrams of b_eff."""
