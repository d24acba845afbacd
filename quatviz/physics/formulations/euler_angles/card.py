"""The card of Lagrange's equations in Euler angles."""

import numpy as np

from quatviz.base.errors import phrase
from quatviz.base.formatting import in_words
from quatviz.physics.equations.coordinates import Coordinates, equations_of
from quatviz.physics.equations.equation import Equation
from quatviz.physics.mechanics.euler_sequences import S, angles_from_p


def equations(variant: str) -> tuple[Equation, ...]:
    sequence = variant or "321"
    own = Coordinates(
        lambda at: np.asarray(angles_from_p(at.p, sequence)), lambda q: np.asarray(S(q, sequence))
    )
    return equations_of(own, "N m", phrase("axes of the angles, {sequence}", sequence=in_words(sequence)))
