"""Films of a run: how long, how large, and into which file."""
