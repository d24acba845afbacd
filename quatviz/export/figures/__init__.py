"""Printable figures, drawn without a window."""
