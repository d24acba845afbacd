"""What equation cards are made of: equations, term by term with their present numbers. No Qt; each form has its own `card.py`."""

from quatviz.physics.equations.equation import Equation, Term
from quatviz.physics.equations.evaluation_point import EvaluationPoint

__all__ = ["Equation", "EvaluationPoint", "Term"]
