"""Made-up machines whose slow hosts are known, to try detectors on: README.md."""
