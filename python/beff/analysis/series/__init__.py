"""Runs of one machine over time: noise, intervals, words and thresholds; nowhere else."""
