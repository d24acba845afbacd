"""Equations of the formulation cards: their terms and the current values of the terms. No Qt.

The equations of a formulation are in its own `card.py`.
"""

from quatviz.physics.equations.equation import Equation, Term
from quatviz.physics.equations.evaluation_point import EvaluationPoint

__all__ = ["Equation", "EvaluationPoint", "Term"]
