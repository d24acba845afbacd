"""Presets, sessions and share texts: text on disk to values, and back, with limits and versions. Nothing here can run code."""
