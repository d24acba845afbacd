"""Printable figures, without a window. Only `drawing` and `paper` import matplotlib."""
