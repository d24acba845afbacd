"""What every other room stands on, without physics and without Qt: refusals, declared parameters, registries, expressions, words.

Nothing else of quatviz is imported here; every room may import from here.
"""
