"""What several formats of a report show."""
