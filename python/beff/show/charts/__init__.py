"""Diagrams of results; `table.py` lists them."""
