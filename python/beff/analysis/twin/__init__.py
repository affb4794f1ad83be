"""The machine as a map of pairs shows it: times of patterns under other placements."""
