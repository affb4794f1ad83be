"""Diagrams of results."""

from beff.charts.table import figures_of

__all__ = ["figures_of"]
