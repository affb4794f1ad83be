"""Format .tex: an article with all tables (booktabs)."""
