"""Judgements of made-up maps, row by row of a table: what is planted and what is said."""
