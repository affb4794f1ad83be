"""Printed results of the original programs as result documents: one file per format."""
