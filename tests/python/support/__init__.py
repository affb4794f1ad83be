"""Synthetic results, and stand-ins for the measuring program and its launcher."""
