"""What a map of measured pairs says of its hosts and links."""
