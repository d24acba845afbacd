"""Formulations that a person types as text: `definition` is what a preset holds, `programs` makes kernels of it, and `templates`
are definitions to begin with.

They are data: the lines are read by `base.vector_program`, and nothing in them can run code.
"""
