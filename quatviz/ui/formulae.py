"""Formulae among the words of a document of Qt: set aside while Markdown is read, then typeset where they stood."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Qt, QUrl
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QImage,
    QPainter,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextImageFormat,
)

from quatviz.core.latex import Malformed, plain_text, spellings, with_formulae
from quatviz.ui.cards.typeset import Formula, book, formula
from quatviz.ui.fonts import tabular
from quatviz.ui.theme import UNIT, Theme

READS = QTextFormat.Property.UserProperty.value
"""Property of a formula's picture: how it reads in letters."""
_FIRST = 0xE000
"""Letters of nobody's alphabet stand for formulae while Markdown is read, which would take their underscores for its own."""
_DISPLAYED = 1.12
"""Size of a formula that stands by itself over that of the words."""
_INLINE = 1.08
"""Size of one in a line: its letters are smaller than those of the words."""
_CLOSING, _JOINER = tuple(".,;:)’"), "\u2060"
"""No line ends between a formula and one of these, which Qt would allow without the joiner."""
_SCHEME = "formula"


@dataclass(frozen=True)
class Aside:
    """A formula that was taken out of Markdown."""

    latex: str
    displayed: bool


@dataclass(frozen=True)
class _Picture:
    drawn: Formula
    size: float
    wide: int
    height: int
    depth: int


class FormulaDocument(QTextDocument):
    """A document that paints a formula when it comes into sight, for a screen with `ratio` pixels to each of Qt's."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setUndoRedoEnabled(
            False
        )  # nobody edits it, and the way back would keep every page that it has shown
        self.ratio = 1.0
        self._pictures: list[_Picture] = []

    @property
    def count(self) -> int:
        """Formulae that it has."""
        return len(self._pictures)

    def hold(self, markdown: str) -> None:
        """Hold these words, and nothing of what was there before."""
        self.clear()
        self._pictures.clear()
        self.setMarkdown(markdown)

    def take(self, drawn: Formula, size: float, font: QFont) -> QTextImageFormat:
        """The format of a formula in type of `size` pixels among words in this font.

        Qt puts a picture's foot as deep as its font reaches, so that the picture is made as deep, or the font as deep as
        the picture.
        """
        metrics = QFontMetricsF(font)
        while metrics.descent() < drawn.descent * size:
            font.setPixelSize(font.pixelSize() + 1)
            metrics = QFontMetricsF(font)
        depth, height = math.floor(metrics.descent()), math.ceil(drawn.ascent * size)
        wide = math.ceil(drawn.width * size)
        shape = QTextImageFormat()
        shape.setName(f"{_SCHEME}:{len(self._pictures)}")
        shape.setFont(font)
        shape.setWidth(wide)
        shape.setHeight(height + depth)
        shape.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignBaseline)
        self._pictures.append(_Picture(drawn, size, wide, height, depth))
        return shape

    def places(self, words: Sequence[str]) -> list[tuple[int, int]]:
        """From where to where one of these words stands, in small letters; a whole formula where it has it."""
        sought = [re.escape(spelling) for word in words for spelling in spellings(word)]
        if not sought:
            return []
        one = re.compile("|".join(sought), re.IGNORECASE)
        text = self.toRawText()
        found = [(match.start(), match.end()) for match in one.finditer(text)]
        cursor = QTextCursor(self)
        for picture in re.finditer("\ufffc", text):
            cursor.setPosition(picture.end())
            if one.search(cursor.charFormat().stringProperty(READS)):
                found.append((picture.start(), picture.end()))
        return found

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Qt keeps what it is given until the document is cleared."""
        url = QUrl(name)
        if url.scheme() != _SCHEME:
            return super().loadResource(kind, url)
        made = self._pictures[int(url.path())]
        ratio = self.ratio
        image = QImage(
            round(made.wide * ratio),
            round((made.height + made.depth) * ratio),
            QImage.Format.Format_ARGB32_Premultiplied,
        )
        image.setDevicePixelRatio(ratio)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        made.drawn.paint(painter, 0.0, float(made.height), made.size)
        painter.end()
        return image


def set_aside(markdown: str) -> tuple[str, list[Aside]]:
    """Markdown with a letter for each of its formulae, and what they are."""
    found: list[Aside] = []

    def take(latex: str, displayed: bool) -> str:
        found.append(Aside(latex, displayed))
        letter = chr(_FIRST + len(found) - 1)
        return f"\n\n{letter}\n\n" if displayed else letter

    return with_formulae(markdown, take), found


def put(
    document: FormulaDocument, found: Sequence[Aside], theme: Theme, size: int, width: int, left: float
) -> None:
    """Put the formulae in the places of their letters, in type of `size` pixels, none wider than `width`; those that stand
    by themselves begin at `left`. What is not typeset yet is left in letters, of which there are none for nonsense."""
    lacking = set(book().lacks(one.latex for one in found))
    text = document.toRawText()
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    for number in range(len(found) - 1, -1, -1):
        at = text.rfind(chr(_FIRST + number))
        if at < 0:
            continue
        cursor.setPosition(at)
        cursor.setPosition(at + 1, QTextCursor.MoveMode.KeepAnchor)
        _put_one(document, cursor, found[number], theme, size, width, left, found[number].latex in lacking)
    cursor.endEditBlock()


def _put_one(
    document: FormulaDocument, cursor: QTextCursor, one: Aside, theme: Theme, size: int, width: int, left: float,
    lacking: bool,
) -> None:  # fmt: skip
    block = cursor.blockFormat()
    drawn = None if lacking else formula(one.latex, theme.text)
    if one.displayed:
        wide = 0.0 if drawn is None else drawn.width * size * _DISPLAYED
        block.setLeftMargin(min(left, max(0.0, width - wide)))
        block.setLineHeight(100.0, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        block.setTopMargin(0.25 * size)
        block.setBottomMargin(0.95 * size)
        cursor.setBlockFormat(block)
    if drawn is None:
        cursor.insertText(_reads(one.latex))
        return
    own = size * (_DISPLAYED if one.displayed else _INLINE)
    own = min(own, (width - 2 * UNIT) / max(drawn.width, 1e-6))
    shape = document.take(drawn, own, tabular(theme, size))
    shape.setProperty(READS, _reads(one.latex))
    cursor.insertImage(shape)
    if document.characterAt(cursor.position()) in _CLOSING:
        cursor.insertText(_JOINER)


def _reads(latex: str) -> str:
    try:
        return plain_text(latex)
    except Malformed:
        return latex
