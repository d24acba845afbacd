"""What the help says of a formulation, with its formulae."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QLabel

from quatviz.base.markdown import formulae_of
from quatviz.base.tr import tr
from quatviz.ui.kit.richtext import Words
from quatviz.ui.kit.widgets import label

TITLES = {
    "State": "State",
    "Singularity": "Where it is singular",
    "Lambda": "What λ is, and why",
    "Variants": "Variants",
    "Source": "Source",
    "Errata": "Errata that concern it",
    "Cost": "Cost of a step",
    "Accuracy": "Accuracy",
}
"""Points of the help's page in the order of a card, and what a person reads above them."""


def notes_views(notes: Mapping[str, str]) -> list[tuple[QLabel, Words]]:
    """A heading and a paragraph for each point."""
    made = []
    for point, title in TITLES.items():
        if point in notes:
            words = Words()
            words.say(notes[point][:1].upper() + notes[point][1:])
            made.append((label("subheading", tr(title), wraps=False), words))
    return made


def formulae_in(notes: Mapping[str, str]) -> list[str]:
    """What has to be typeset before they are shown."""
    return [latex for point in TITLES for latex in formulae_of(notes.get(point, ""))]
