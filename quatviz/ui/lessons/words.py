"""Words of a lesson with their formulae, in type that a lecture room can read."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, QUrl
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QPainter,
    QPaintEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextImageFormat,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from quatviz.lessons.stating import FORMULA
from quatviz.ui.cards.typeset import Formula, book, formula
from quatviz.ui.fonts import fixed_pitch, tabular
from quatviz.ui.guard import guarded
from quatviz.ui.theme import UNIT, Theme

_FIRST = 0xE000
"""Letters of nobody's alphabet stand for formulae while Markdown is read, which would take their underscores for its own."""
_DISPLAYED = 1.12
"""Size of a formula that stands by itself over that of the words."""
_HEADS = {1: 1.6, 2: 1.25}
"""Sizes of headings over that of the words, where there are any: on sheets."""


class Words(QWidget):
    """A paragraph or more. Formulae that are not typeset yet are left out until `renew`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._size, self._markdown = theme, theme.normal, ""
        self._document = QTextDocument(self)
        self._width = 0
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def text(self) -> str:
        """What is said, without formulae."""
        return " ".join(self._document.toPlainText().replace("￼", " ").split())

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
        self.setAccessibleName(self.text or self.tr("Words of the lesson"))
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
            fill(self._document, self._markdown, self._theme, self._size, width, self.devicePixelRatioF())


def fill(
    document: QTextDocument, markdown: str, theme: Theme, size: int, width: int, ratio: float = 1.0
) -> None:
    """Put words and formulae into a document that is `width` pixels wide, in type of `size` pixels."""
    found: list[tuple[str, bool]] = []

    def take(one: re.Match[str]) -> str:
        displayed, inline = one[1], one[2]
        found.append((" ".join((displayed or inline).split()), displayed is not None))
        letter = chr(_FIRST + len(found) - 1)
        return f"\n\n{letter}\n\n" if displayed is not None else letter

    document.clear()
    document.setDocumentMargin(0)
    document.setIndentWidth(2.2 * size)
    document.setDefaultFont(tabular(theme, size))
    document.setMarkdown(FORMULA.sub(take, markdown))
    document.setTextWidth(width)
    _dress(document, theme, size)
    _put_formulae(document, found, theme, size, width, ratio)


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


def _put_formulae(
    document: QTextDocument,
    found: Sequence[tuple[str, bool]],
    theme: Theme,
    size: int,
    width: int,
    ratio: float,
) -> None:
    lacking = set(book().lacks(latex for latex, _ in found))
    for number, (latex, displayed) in enumerate(found):
        cursor = document.find(chr(_FIRST + number))
        if cursor.isNull():
            continue
        if latex in lacking:
            cursor.insertText("…")
            continue
        drawn = formula(latex, theme.text)
        own = size * _DISPLAYED if displayed else float(size)
        own = min(own, (width - 2 * UNIT) / max(drawn.width, 1e-6))
        name = QUrl(f"formula:{number}")
        image, shape = _picture(drawn, own, tabular(theme, size), ratio)
        document.addResource(QTextDocument.ResourceType.ImageResource.value, name, image)
        shape.setName(name.toString())
        if displayed:
            block = cursor.blockFormat()
            block.setLeftMargin(min(1.2 * size, max(0.0, width - drawn.width * own)))
            block.setLineHeight(100.0, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            block.setTopMargin(0.25 * size)
            block.setBottomMargin(0.95 * size)
            cursor.setBlockFormat(block)
        cursor.insertImage(shape)


def _picture(drawn: Formula, size: float, font: QFont, ratio: float) -> tuple[QImage, QTextImageFormat]:
    """A formula, and how it stands on the base line: Qt puts a picture's foot as deep as its font reaches, so that the
    picture is made as deep, or the font as deep as the picture."""
    metrics = QFontMetricsF(font)
    while metrics.descent() < drawn.descent * size:
        font.setPixelSize(font.pixelSize() + 1)
        metrics = QFontMetricsF(font)
    depth, height = math.floor(metrics.descent()), math.ceil(drawn.ascent * size)
    wide = math.ceil(drawn.width * size)
    image = QImage(
        round(wide * ratio), round((height + depth) * ratio), QImage.Format.Format_ARGB32_Premultiplied
    )
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    drawn.paint(painter, 0.0, float(height), size)
    painter.end()
    shape = QTextImageFormat()
    shape.setFont(font)
    shape.setWidth(wide)
    shape.setHeight(height + depth)
    shape.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignBaseline)
    return image, shape
