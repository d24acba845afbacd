"""Films of a run: length, size, and writing to a file."""
