"""Lessons and help pages."""
