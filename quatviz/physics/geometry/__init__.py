"""Shapes of space, as NumPy arrays: polyhedra, triangles, meshes, curves on ellipsoids. Imports `base` only."""
