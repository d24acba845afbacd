"""What the help says of a formulation, with its formulae; and a heading above a part of a card."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

from PySide6.QtWidgets import QLabel

from quatviz.core.latex import formulae_of
from quatviz.help.pages import LINK
from quatviz.ui.theme import Theme
from quatviz.ui.tr import tr
from quatviz.ui.typeset_words import Words

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


def heading(text: str) -> QLabel:
    """A heading of a card."""
    made = QLabel(text)
    made.setObjectName("subheading")
    return made


def notes_views(notes: Mapping[str, str], theme: Theme) -> list[tuple[QLabel, Words]]:
    """A heading and a paragraph for each point."""
    made = []
    for point, title in TITLES.items():
        if point in notes:
            words = Words(theme)
            words.say(_sentence(notes[point]))
            made.append((heading(tr(title)), words))
    return made


def formulae_in(notes: Mapping[str, str]) -> list[str]:
    """What has to be typeset before they are shown."""
    return [latex for point in TITLES for latex in formulae_of(notes.get(point, ""))]


def _sentence(words: str) -> str:
    """With a capital, unless it begins with code or a formula. Links are their words: a card leads nowhere."""
    return LINK.sub(r"\1", words[:1].upper() + words[1:])


def rich(markdown: str) -> str:
    """Code in a fixed pitch, emphasis in italics, links as their words."""
    text = html.escape(markdown, quote=False)
    text = LINK.sub(r"\1", text)
    parts = text.split("`")
    for number in range(0, len(parts), 2):
        parts[number] = re.sub(r"\*([^*]+)\*", r"<i>\1</i>", parts[number])
    for number in range(1, len(parts), 2):
        parts[number] = f"<code>{parts[number]}</code>"
    return "".join(parts)
