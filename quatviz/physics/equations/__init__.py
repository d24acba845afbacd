"""Equation cards: the equations of each formulation, divided into terms, with the current values of the terms.

Terms: a *card* shows the equations of one formulation. An *evaluation point* is a lane at one instant, from which
the values of all terms are computed. The equations of a formulation are in its own `card.py`; this package holds
what cards share, and needs no Qt.
"""

from quatviz.physics.equations.equation import Equation, Term
from quatviz.physics.equations.evaluation_point import EvaluationPoint

__all__ = ["Equation", "EvaluationPoint", "Term"]
