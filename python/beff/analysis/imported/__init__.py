"""Checks of results that another program printed: figures against each other."""
