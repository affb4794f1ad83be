"""Format .tex: an article with tables (booktabs) and diagrams (pgfplots)."""
