"""Equation cards: the equations of every formulation, term by term with their present numbers. No Qt."""

from __future__ import annotations

from quatviz.cards._notes import notes
from quatviz.cards._point import Point
from quatviz.cards.base import Card, Equation, Term
from quatviz.core.registry import Registry

__all__ = ["CARDS", "Card", "Equation", "Point", "Term", "equations", "notes"]

CARDS: Registry[Card] = Registry(__name__, Card)


def equations(lane_id: str) -> tuple[Equation, ...]:
    """The equations of a lane id, `name` or `name/variant`; none where a plug-in brings no card."""
    name, _, variant = lane_id.partition("/")
    return CARDS[name]().equations(variant) if name in CARDS else ()
