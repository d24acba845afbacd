"""Markdown with typeset formulae in documents of Qt: those of the help, of lessons, cards, the tour, and sheets on paper."""

import logging
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QRectF, QSize, Qt, QUrl
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QImage,
    QImageReader,
    QPainter,
    QPaintEvent,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextImageFormat,
    QTextLength,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from quatviz.base import resources
from quatviz.base.latex import spellings
from quatviz.base.markdown import JOINER, formulae_of, html_of, letters_of, plain
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import UNIT, Theme, mixed, type_size
from quatviz.files.formula_cache import book
from quatviz.files.limits import LARGEST_PICTURE, PICTURES
from quatviz.physics.geometry.preset_relative_paths import followed
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.style import Themed, fixed_pitch, tabular
from quatviz.ui.widgets.typeset import Formula, formula

log = logging.getLogger(__name__)

READS = QTextFormat.Property.UserProperty.value
"""Property of a formula's picture: how it reads in letters."""
_DISPLAYED = 1.12
"""Size of a formula that stands by itself over that of the words."""
_INLINE = 1.08
"""Size of one in a line: its letters are smaller than those of the words."""
_BEFORE = 0.1
"""Of its size, left free before one in a line: it begins with its ink, and words that lean reach over to it."""
_UNSEEN = 0.5
"""Of a pixel, which a formula may reach deeper than its line."""
FORMULA = "formula"
"""Scheme of the names of formulae among pictures."""
_LARGEST_SIDE = 4096
"""Of a picture, in its pixels."""


def style_of(theme: Theme, size: int, close: bool = False) -> str:
    """The style sheet of all words, in type of `size` pixels, their lines `close` to each other or not."""
    code = fixed_pitch(size - 1).family()
    head = mixed(theme.muted, theme.surface, 0.14)
    return f"""
        body {{ color: {theme.text}; }}
        p, li {{ line-height: {110 if close else 130}%; margin-top: 0; }}
        p {{ margin-bottom: {0.7 * size:.1f}px; }}
        li {{ margin-bottom: {0.35 * size:.1f}px; }}
        ul, ol {{ margin-top: 0; margin-bottom: {0.7 * size:.1f}px; }}
        h1, h2, h3 {{ font-weight: 600; line-height: 130%; margin-bottom: {UNIT}px; }}
        h1 {{ font-size: {type_size(1.7 * size)}px; margin-top: 0; }}
        h2 {{ font-size: {type_size(1.28 * size)}px; margin-top: {4 * UNIT}px; }}
        h3 {{ font-size: {type_size(1.08 * size)}px; margin-top: {3 * UNIT}px; }}
        strong {{ font-weight: 600; }}
        a {{ color: {theme.accent}; text-decoration: underline; }}
        code, pre {{ font-family: '{code}'; font-size: {type_size(size - 1)}px; background-color: {theme.raised}; }}
        pre {{
            margin: {UNIT}px 0 {1.5 * UNIT}px {4 * UNIT}px; text-indent: -{2 * UNIT}px; line-height: 100%;
            white-space: pre-wrap;
        }}
        pre.given {{ background-color: transparent; color: {theme.muted}; }}
        table {{ border-collapse: collapse; margin-top: {UNIT / 2}px; margin-bottom: {2 * UNIT}px; }}
        td, th {{
            padding: {UNIT / 2}px {2 * UNIT}px {UNIT / 2}px {UNIT / 2}px; border-bottom: 1px solid {theme.line};
            text-align: left; line-height: 130%;
        }}
        th {{ font-weight: 600; background-color: {head}; }}
    """


@dataclass(frozen=True)
class _DrawnFormula:
    drawn: Formula
    size: float
    before: float
    wide: int
    height: int
    depth: int


class FormulaDocument(Guarded, QTextDocument):
    """A document that paints a formula when it comes into sight, for a screen with `ratio` pixels to each of Qt's."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setUndoRedoEnabled(
            False
        )  # nobody edits it, and the way back would keep every page that it has shown
        self.ratio = 1.0
        self._pictures: list[_DrawnFormula] = []
        self._folder: Path | None = None
        self._held: Mapping[str, bytes] = {}

    @property
    def count(self) -> int:
        """Formulae that it has."""
        return len(self._pictures)

    def hold(
        self,
        markdown: str,
        theme: Theme,
        size: int,
        width: float,
        links: bool = False,
        folder: Path | None = None,
        pictures: Mapping[str, bytes] | None = None,
        close: bool = False,
    ) -> None:
        """Hold these words in type of `size` pixels, and nothing of what was there before.

        No formula and no picture is wider than `width`, and a formula that stands by itself begins inside of the margin.
        One that is not typeset yet stands there in letters, of which there are none for nonsense. Without `links` their
        words lead nowhere. Pictures are those that are given by name, or come from `folder`, that of the words' own file;
        without one there are none.
        """
        self._pictures.clear()
        self._folder, self._held = folder, pictures or {}
        self.setDefaultFont(tabular(theme, size))
        self.setIndentWidth(2.2 * size)
        self.setDefaultStyleSheet(style_of(theme, size, close))
        lacking = set(book().lacks(formulae_of(markdown)))
        shapes: list[QTextImageFormat] = []

        def put(latex: str, displayed: bool) -> str:
            drawn = None if latex in lacking else formula(latex, theme.text)
            said = escape(letters_of(latex), quote=False)
            own = size * (_DISPLAYED if displayed else _INLINE)
            if drawn is not None:
                own = min(own, (width - 2 * UNIT) / max(drawn.width, 1e-6))
                said = f'<img src="{FORMULA}:{len(shapes)}">'
                shapes.append(
                    self.take(drawn, own, tabular(theme, size), 0.0 if displayed else _BEFORE * own)
                )
                shapes[-1].setProperty(READS, letters_of(latex))
            if not displayed:
                return said
            left = min(1.5 * size, max(0.0, width - (0.0 if drawn is None else drawn.width * own)))
            margins = f"{0.25 * size:.1f}px 0 {0.95 * size:.1f}px {left:.1f}px"
            return f'<p style="line-height: 100%; margin: {margins};">{said}</p>'

        self.setHtml(f"<body>{html_of(markdown, put, links, folder is not None)}</body>")
        self._shape_pictures(shapes, width)
        for heading in headings(self):
            self._size_as_styled(heading)

    def _size_as_styled(self, heading: QTextBlock) -> None:
        """Take from a heading the size that Qt gives it whatever its style says."""
        cursor = QTextCursor(heading)
        for at in range(heading.position(), heading.position() + heading.length() - 1):
            cursor.setPosition(at)
            cursor.setPosition(at + 1, QTextCursor.MoveMode.KeepAnchor)
            own = cursor.charFormat()
            own.clearProperty(QTextFormat.Property.FontSizeAdjustment)
            cursor.setCharFormat(own)

    def _shape_pictures(self, shapes: Sequence[QTextImageFormat], width: float) -> None:
        """Give formulae what HTML has no words for; let no other picture be wider than there is room."""
        cursor = QTextCursor(self)
        for at in [match.start() for match in re.finditer("\ufffc", self.toRawText())]:
            cursor.setPosition(at)
            cursor.setPosition(at + 1, QTextCursor.MoveMode.KeepAnchor)
            picture = cursor.charFormat().toImageFormat()
            scheme, _, number = picture.name().partition(":")
            held = self._held.get(picture.name())
            if scheme == FORMULA:
                picture = shapes[int(number)]
            elif held is not None:
                size = QImage.fromData(held).size()
                picture.setWidth(min(width, size.width()))
                picture.setHeight(picture.width() * size.height() / size.width())
            else:
                room = width - cursor.blockFormat().indent() * self.indentWidth()
                picture.setMaximumWidth(QTextLength(QTextLength.Type.FixedLength, room))
            cursor.setCharFormat(picture)

    def take(self, drawn: Formula, size: float, font: QFont, before: float = 0.0) -> QTextImageFormat:
        """The format of a formula in type of `size` pixels among words in this font, with so many pixels free `before` it.

        Qt puts a picture's foot as deep as its font reaches, in whole pixels, so that the picture is made as deep, or the font as
        deep as the picture.
        """
        while (depth := QFontMetrics(font).descent()) < drawn.descent * size - _UNSEEN:
            font.setPixelSize(font.pixelSize() + 1)
        height = math.ceil(drawn.ascent * size)
        wide = math.ceil(before + drawn.width * size)
        shape = QTextImageFormat()
        shape.setName(f"{FORMULA}:{len(self._pictures)}")
        shape.setFont(font)
        shape.setWidth(wide)
        shape.setHeight(height + depth)
        shape.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignBaseline)
        self._pictures.append(_DrawnFormula(drawn, size, before, wide, height, depth))
        return shape

    def places(self, words: Sequence[str]) -> list[tuple[int, int]]:
        """From where to where one of these words begins a word, or stands in one where it begins none, in small letters; a whole
        formula where it has it."""
        sought = [
            re.sub("[/|]", rf"\g<0>{JOINER}?", re.escape(spelling))
            for word in words
            for spelling in spellings(word)
        ]
        if not sought:
            return []
        one = re.compile("|".join(sought), re.IGNORECASE)
        text = self.toRawText()
        found = [(match.start(), match.end()) for match in one.finditer(text)]
        begin = [(start, end) for start, end in found if not text[start - 1 : start].isalnum()]
        found = begin or found
        cursor = QTextCursor(self)
        for picture in re.finditer("\ufffc", text):
            cursor.setPosition(picture.end())
            if one.search(cursor.charFormat().stringProperty(READS)):
                found.append((picture.start(), picture.end()))
        return found

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Qt keeps what it is given until the document is cleared, and reads the file of that name itself where it is given
        none."""
        url = QUrl(name)
        if (held := self._held.get(url.path())) is not None:
            return QImage.fromData(held)
        if url.scheme() != FORMULA:
            picture = None if self._folder is None else _picture_in(self._folder, url.path())
            return _nothing() if picture is None else picture
        made = self._pictures[int(url.path())]
        ratio = self.ratio
        image = QImage(
            round(made.wide * ratio),
            round((made.height + made.depth) * ratio),
            QImage.Format.Format_ARGB32_Premultiplied,
        )
        image.setDevicePixelRatio(ratio)
        image.fill(Qt.GlobalColor.transparent)
        with QPainter(image) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            made.drawn.paint(painter, made.before, float(made.height), made.size)
        return image


def _picture_in(folder: Path, name: str) -> QImage | None:
    """A picture that words from `folder` name: one from there, or of those that quatviz ships. A text never makes the program
    read a device, a pipe, or what stands elsewhere."""
    try:
        path = followed(folder / name)
        known = any(path.is_relative_to(followed(place)) for place in (folder, resources.asset("")))
        if not known or not path.is_file() or path.stat().st_size > LARGEST_PICTURE:
            raise ValueError("no picture beside the text, or a large one")
        reader = QImageReader(str(path))
        if bytes(reader.format().data()).decode("ascii", "replace") not in PICTURES:
            raise ValueError("another kind of picture")
        if max(reader.size().width(), reader.size().height()) > _LARGEST_SIDE:
            raise ValueError("too many pixels")
        picture = reader.read()
        if picture.isNull():
            raise ValueError(reader.errorString())
    except (OSError, ValueError) as error:
        log.info("the picture %r is not shown: %s", name, error)
        return None
    return picture


def _nothing() -> QImage:
    """A picture on which nothing is to be seen."""
    made = QImage(1, 1, QImage.Format.Format_ARGB32_Premultiplied)
    made.fill(Qt.GlobalColor.transparent)
    return made


def headings(document: QTextDocument) -> list[QTextBlock]:
    """In their order."""
    found, block = [], document.begin()
    while block.isValid():
        if block.blockFormat().headingLevel():
            found.append(block)
        block = block.next()
    return found


class Words(Themed, QWidget):
    """A paragraph or more. Formulae that are not typeset yet stand in letters until `renew`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._size, self._close, self._markdown = 0, False, ""
        self._folder: Path | None = None
        self._document = FormulaDocument(self)
        self._width = 0
        self._heights: dict[int, int] = {}
        """At each width that a layout has asked about: it asks about the same few over and over."""
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def text(self) -> str:
        """What is said, with formulae in letters."""
        return " ".join(plain(self._markdown).split())

    def say(self, markdown: str, folder: Path | None = None) -> None:
        """Show this, with pictures from the `folder` of its own file; without one there are none."""
        self._markdown, self._folder = markdown, folder
        self.renew()

    def set_size(self, size: int, close: bool = False) -> None:
        """In type of `size` pixels, in place of the theme's, with lines that stand `close` or not."""
        self._size, self._close = size, close
        self.renew()

    def follow_theme(self) -> None:
        self.renew()

    def renew(self) -> None:
        """Lay it out again."""
        self._width = 0
        self._heights.clear()
        self._lay_out(max(self.width(), 8 * UNIT))
        self.setAccessibleName(self.text or tr("Words"))
        self.setVisible(bool(self._markdown))
        self.updateGeometry()
        self.update()

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights:
            self._lay_out(width)
            self._heights[width] = math.ceil(self._document.size().height())
        return self._heights[width]

    def sizeHint(self) -> QSize:
        return QSize(320, self.heightForWidth(max(self.width(), 320)))

    def paintEvent(self, event: QPaintEvent) -> None:
        self._lay_out(self.width())
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            self._document.drawContents(painter, QRectF(event.rect()))

    def _lay_out(self, width: int) -> None:
        if width != self._width:
            self._width = width
            self._document.ratio = self.devicePixelRatioF()
            self._document.setDocumentMargin(0)
            self._document.setTextWidth(width)
            size = self._size or self.theme.normal
            folder, close = self._folder, self._close
            self._document.hold(self._markdown, self.theme, size, width, folder=folder, close=close)
