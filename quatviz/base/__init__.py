"""Foundations without physics and without Qt: errors, declared parameters, registries, expressions, units and
formatting.

Every other package may import from here; this package imports no other package of quatviz.

Terms: the *key* of a setting is its dotted path in a preset, such as `lanes[1].dt`. A *topic* is a section of the
help. A *plug-in* is an installed package that adds parts, such as loads, to quatviz. The *remedy* of an error is a
sentence that says what the user can try.
"""
