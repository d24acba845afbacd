"""Taking figures and data out of the window."""
