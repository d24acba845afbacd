"""Equation cards: the equations of each formulation, divided into terms, with the current values of the terms.

This package holds what cards share; it needs no Qt. The equations of a formulation are in its own `card.py`.
"""

from quatviz.physics.equations.equation import Equation, Term
from quatviz.physics.equations.evaluation_point import EvaluationPoint

__all__ = ["Equation", "EvaluationPoint", "Term"]
