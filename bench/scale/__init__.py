"""What grows with processes, hosts and results."""
