"""Figures for print. Nothing here needs a window; matplotlib is imported by `drawing` and `paper` alone."""
