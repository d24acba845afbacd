"""Presenting a lesson in the window."""
