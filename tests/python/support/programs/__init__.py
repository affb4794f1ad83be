"""Stand-ins for the measuring programs and launchers."""
