"""Folders of results: what is kept of each file, the hardware, the history of a system."""
