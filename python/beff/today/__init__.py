"""A day of a machine beside the days before: measured, kept, judged, said in a line."""
