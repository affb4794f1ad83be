"""The report as one page: a single HTML file that works without a network and without a script."""
