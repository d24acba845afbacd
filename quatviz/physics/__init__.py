"""Rigid-body rotation in NumPy and numba: bodies, loads, equations of motion, integrators, exact solutions. No Qt."""
