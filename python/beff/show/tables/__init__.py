"""What the reports say in tables, as data: every format shows the same rows."""
