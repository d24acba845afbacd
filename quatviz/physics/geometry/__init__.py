"""Geometry in NumPy: polyhedra, triangles, meshes and curves on ellipsoids. Imports `base` only."""
