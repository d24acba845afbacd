"""The card of Lagrange's equations in Euler angles."""

import numpy as np

from quatviz.cards._coordinates import Coordinates, equations
from quatviz.cards.base import Card, Equation
from quatviz.core.errors import phrase
from quatviz.core.euler_sequences import S, angles_from_p


class EulerAnglesCard(Card):
    name = "euler_angles"

    def equations(self, variant: str) -> tuple[Equation, ...]:
        sequence = variant or "321"
        own = Coordinates(
            lambda at: np.asarray(angles_from_p(at.p, sequence)), lambda q: np.asarray(S(q, sequence))
        )
        return equations(own, "N m", phrase("axes of the angles, {sequence}", sequence="-".join(sequence)))
