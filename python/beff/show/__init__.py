"""Reports of results in every format: one file per format, one row in `formats.py`."""
