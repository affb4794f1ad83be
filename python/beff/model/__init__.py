"""Reading of result files, journals and published figures. Knows nothing of how they are shown."""
