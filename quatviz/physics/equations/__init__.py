"""Equations of the cards, term by term with their current numbers, without Qt. Each formulation has its own
`card.py`."""

from quatviz.physics.equations.equation import Equation, Term
from quatviz.physics.equations.evaluation_point import EvaluationPoint

__all__ = ["Equation", "EvaluationPoint", "Term"]
