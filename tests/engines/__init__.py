"""Tests that start the measuring programs for real."""
