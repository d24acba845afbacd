"""Formulations that the user types as text.

`definition` is the data that a preset holds, `programs` makes kernels from the data, and `templates` are example
definitions. The text is never executed: `base.vector_program` reads the lines and refuses everything that is not an
arithmetic expression.
"""
