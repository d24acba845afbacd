"""Words with their formulae, in type of any size: of a lesson, which a lecture room has to read, and of a card."""

from __future__ import annotations

import math
import re

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import (
    QColor,
    QFont,
    QPainter,
    QPaintEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from quatviz.ui.fonts import fixed_pitch, tabular
from quatviz.ui.formulae import FormulaDocument, put, set_aside
from quatviz.ui.guard import guarded
from quatviz.ui.theme import UNIT, Theme
from quatviz.ui.tr import tr

JOINER = "\u2060"
"""Between two letters: no line ends here."""
_PER_SECOND = re.compile(r"(?<=\w)/(?=s)")
"""Where a line would end within a unit, such as rad/s."""
_HEADS = {1: 1.6, 2: 1.25}
"""Sizes of headings over that of the words, where there are any: on sheets."""


class Words(QWidget):
    """A paragraph or more. Formulae that are not typeset yet stand in letters until `renew`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._size, self._markdown = theme, theme.normal, ""
        self._document = FormulaDocument(self)
        self._width = 0
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def text(self) -> str:
        """What is said, without formulae."""
        return " ".join(self._document.toPlainText().replace("￼", " ").replace(JOINER, "").split())

    def say(self, markdown: str) -> None:
        """Show this."""
        self._markdown = markdown
        self.renew()

    def restyle(self, theme: Theme, size: int) -> None:
        """In another theme, in type of `size` pixels."""
        self._theme, self._size = theme, size
        self.renew()

    def renew(self) -> None:
        """Lay it out again."""
        self._width = 0
        self._lay_out(max(self.width(), 8 * UNIT))
        self.setAccessibleName(self.text or tr("Words"))
        self.setVisible(bool(self._markdown))
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        self._lay_out(width)
        return math.ceil(self._document.size().height())

    def sizeHint(self) -> QSize:
        return QSize(320, self.heightForWidth(max(self.width(), 320)))

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        self._lay_out(self.width())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        self._document.drawContents(painter, QRectF(event.rect()))
        painter.end()

    def _lay_out(self, width: int) -> None:
        if width != self._width:
            self._width = width
            self._document.ratio = self.devicePixelRatioF()
            fill(self._document, self._markdown, self._theme, self._size, width)


def fill(document: FormulaDocument, markdown: str, theme: Theme, size: int, width: int) -> None:
    """Put words and formulae into a document that is `width` pixels wide, in type of `size` pixels."""
    text, found = set_aside(markdown)
    text = _PER_SECOND.sub(f"/{JOINER}", text)
    document.setDocumentMargin(0)
    document.setIndentWidth(2.2 * size)
    document.setDefaultFont(tabular(theme, size))
    document.hold(text)
    document.setTextWidth(width)
    _dress(document, theme, size)
    put(document, found, theme, size, width, 1.2 * size)


def _dress(document: QTextDocument, theme: Theme, size: int) -> None:
    block = document.begin()
    while block.isValid():
        cursor = QTextCursor(block)
        shape, level = block.blockFormat(), block.blockFormat().headingLevel()
        shape.setLineHeight(
            100.0 if _is_picture(block) else 128.0, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
        )
        shape.setTopMargin(size if level else 0)
        shape.setBottomMargin(0.35 * size if block.textList() else 0.7 * size)
        cursor.setBlockFormat(shape)
        spans = []
        walk = block.begin()
        while not walk.atEnd():
            spans.append((walk.fragment().position(), walk.fragment().length(), walk.fragment().charFormat()))
            walk += 1
        for at, length, given in spans:
            made = QTextCharFormat()
            if given.isImageFormat():
                picture = given.toImageFormat()
                picture.setWidth(document.textWidth())
                made = picture
            elif given.fontFixedPitch():
                made.setFont(fixed_pitch(size - 2))
            else:
                bold = bool(level) or given.fontWeight() > QFont.Weight.Medium
                font = tabular(
                    theme,
                    round(size * _HEADS.get(level, 1.0)),
                    QFont.Weight.DemiBold if bold else QFont.Weight.Normal,
                )
                font.setItalic(given.fontItalic())
                made.setFont(font)
            made.setForeground(QColor(theme.text))
            cursor.setPosition(at)
            cursor.setPosition(at + length, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(made)
        block = block.next()


def _is_picture(block: QTextBlock) -> bool:
    walk = block.begin()
    return not walk.atEnd() and walk.fragment().charFormat().isImageFormat()
