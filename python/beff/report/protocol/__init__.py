"""The protocols of the measuring programs, made anew from their result files."""
