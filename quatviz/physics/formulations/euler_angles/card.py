"""Equation card of Lagrange's equations in Euler angles: the equations, divided into terms whose values are
displayed.
"""

import numpy as np

from quatviz.base.errors import phrase
from quatviz.base.formatting import humanize
from quatviz.physics.equations.coordinates import GeneralizedCoordinates, coordinate_equations
from quatviz.physics.equations.equation import Equation
from quatviz.physics.equations.symbols import coordinate_symbols
from quatviz.physics.mechanics.euler_sequences import S, angles_from_p

SYMBOLS = coordinate_symbols("Euler angles", "rad")


def equations(variant: str) -> tuple[Equation, ...]:
    sequence = variant or "321"
    coordinates = GeneralizedCoordinates(
        lambda at: np.asarray(angles_from_p(at.p, sequence)), lambda q: np.asarray(S(q, sequence))
    )
    return coordinate_equations(
        coordinates, "N m", phrase("axes of the angles, {sequence}", sequence=humanize(sequence))
    )
