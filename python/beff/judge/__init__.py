"""Judgements: a change between runs, a result beside what is expected, a step in a series."""
