"""Widgets shared by all parts of the window: guarded virtuals, fields, lists, labels, fonts and painting.
They do not depend on a run."""
