"""What the help says of a formulation, as rich text; and a heading above a part of a card."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from quatviz.ui.tr import tr

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


def notes_labels(notes: Mapping[str, str]) -> list[QLabel]:
    """A heading and a paragraph for each point."""
    made = []
    for point, title in TITLES.items():
        if point in notes:
            words = QLabel(rich(_sentence(notes[point])))
            words.setTextFormat(Qt.TextFormat.RichText)
            words.setWordWrap(True)
            words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            words.setAccessibleName(tr(title))
            made += [heading(tr(title)), words]
    return made


def _sentence(words: str) -> str:
    """With a capital, unless it begins with code."""
    return words[:1].upper() + words[1:]


def rich(markdown: str) -> str:
    """Code in a fixed pitch, emphasis in italics, links as their words."""
    text = html.escape(markdown, quote=False)
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    parts = text.split("`")
    for number in range(0, len(parts), 2):
        parts[number] = re.sub(r"\*([^*]+)\*", r"<i>\1</i>", parts[number])
    for number in range(1, len(parts), 2):
        parts[number] = f"<code>{parts[number]}</code>"
    return "".join(parts)
