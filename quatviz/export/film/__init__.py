"""Films of a run: their length and size, and writing them to a file."""
