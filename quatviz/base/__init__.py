"""Foundations without physics and without Qt: errors, declared parameters, registries, expressions, units and formatting.

Every other package may import from here; this package imports no other package of quatviz.
"""
