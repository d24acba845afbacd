"""What equation cards are made of: equations, term by term with their present numbers. No Qt; each form has its own `card.py`."""

from quatviz.cards.equation import Equation, Term
from quatviz.cards.point import Point

__all__ = ["Equation", "Point", "Term"]
