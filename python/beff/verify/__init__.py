"""The second implementation of the definitions: recomputes results from their raw samples."""
