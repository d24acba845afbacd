"""Presets, sessions and share texts: reading and writing with limits and versions. Nothing in a file can run code."""
