"""Formulations that the user types as text.

`definition` is the data that a preset holds, `programs` makes kernels of it, and `templates` are example definitions.
All are data: the lines are read by `base.vector_program`, and nothing in them can run code.
"""
