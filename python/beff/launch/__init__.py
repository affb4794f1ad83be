"""Finding and starting the measuring programs, and following them while they run."""
