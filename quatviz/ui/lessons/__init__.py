"""Presentation of lessons in the main window."""
