"""Widgets shared by all parts of the window: guarded overrides of Qt methods, fields, lists, labels, fonts and painting.

They do not depend on a run.
"""
