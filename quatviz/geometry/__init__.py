"""Shapes of space, as NumPy arrays: polyhedra, meshes, curves on ellipsoids. Imports `base` only."""
