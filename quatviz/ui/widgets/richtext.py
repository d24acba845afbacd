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
from quatviz.base.markdown import WORD_JOINER, find_formulae, formula_text, to_html, to_plain_text
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT, Theme, mix_colors, nearest_font_size
from quatviz.files.formula_cache import formula_cache
from quatviz.files.limits import MAX_PICTURE_BYTES, PICTURE_FORMATS
from quatviz.physics.geometry.preset_relative_paths import real_path
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.style import Themed, fixed_pitch_font, tabular_font
from quatviz.ui.widgets.typeset import Formula, formula_picture

log = logging.getLogger(__name__)

PLAIN_TEXT_PROPERTY = QTextFormat.Property.UserProperty.value
"""Property of a formula's picture: how it reads in letters."""
_DISPLAY_SCALE = 1.12
"""Size of a formula that stands by itself over that of the words."""
_INLINE_SCALE = 1.08
"""Size of one in a line: its letters are smaller than those of the words."""
_INLINE_LEFT_SPACE = 0.1
"""Of its size, left free before one in a line: it begins with its ink, and words that lean reach over to it."""
_MAX_DESCENT_OVERHANG = 0.5
"""Of a pixel, which a formula may reach deeper than its line."""
FORMULA_SCHEME = "formula"
"""Scheme of the names of formulae among pictures."""
_MAX_IMAGE_SIDE = 4096
"""Of a picture, in its pixels."""


def document_style_sheet(theme: Theme, size: int, compact: bool = False) -> str:
    """The style sheet of all words, in type of `size` pixels, their lines `compact` to each other or not."""
    code = fixed_pitch_font(size - 1).family()
    header_color = mix_colors(theme.muted, theme.surface, 0.14)
    return f"""
        body {{ color: {theme.text}; }}
        p, li {{ line-height: {110 if compact else 130}%; margin-top: 0; }}
        p {{ margin-bottom: {0.7 * size:.1f}px; }}
        li {{ margin-bottom: {0.35 * size:.1f}px; }}
        ul, ol {{ margin-top: 0; margin-bottom: {0.7 * size:.1f}px; }}
        h1, h2, h3 {{ font-weight: 600; line-height: 130%; margin-bottom: {GRID_UNIT}px; }}
        h1 {{ font-size: {nearest_font_size(1.7 * size)}px; margin-top: 0; }}
        h2 {{ font-size: {nearest_font_size(1.28 * size)}px; margin-top: {4 * GRID_UNIT}px; }}
        h3 {{ font-size: {nearest_font_size(1.08 * size)}px; margin-top: {3 * GRID_UNIT}px; }}
        strong {{ font-weight: 600; }}
        a {{ color: {theme.accent}; text-decoration: underline; }}
        code, pre {{ font-family: '{code}'; font-size: {nearest_font_size(size - 1)}px; background-color: {theme.raised}; }}
        pre {{
            margin: {GRID_UNIT}px 0 {1.5 * GRID_UNIT}px {4 * GRID_UNIT}px; text-indent: -{2 * GRID_UNIT}px; line-height: 100%;
            white-space: pre-wrap;
        }}
        pre.given {{ background-color: transparent; color: {theme.muted}; }}
        table {{ border-collapse: collapse; margin-top: {GRID_UNIT / 2}px; margin-bottom: {2 * GRID_UNIT}px; }}
        td, th {{
            padding: {GRID_UNIT / 2}px {2 * GRID_UNIT}px {GRID_UNIT / 2}px {GRID_UNIT / 2}px; border-bottom: 1px solid {theme.line};
            text-align: left; line-height: 130%;
        }}
        th {{ font-weight: 600; background-color: {header_color}; }}
    """


@dataclass(frozen=True)
class _PlacedFormula:
    formula: Formula
    size: float
    left_space: float
    width: int
    height: int
    depth: int


class FormulaDocument(Guarded, QTextDocument):
    """A document that paints a formula when it comes into sight, for a screen with `pixel_ratio` pixels to each of Qt's."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setUndoRedoEnabled(
            False
        )  # nobody edits it, and the way back would keep every page that it has shown
        self.pixel_ratio = 1.0
        self._formulas: list[_PlacedFormula] = []
        self._folder: Path | None = None
        self._images: Mapping[str, bytes] = {}

    @property
    def formula_count(self) -> int:
        """Formulae that it has."""
        return len(self._formulas)

    def set_markdown(
        self,
        markdown: str,
        theme: Theme,
        size: int,
        width: float,
        links: bool = False,
        folder: Path | None = None,
        images: Mapping[str, bytes] | None = None,
        compact: bool = False,
    ) -> None:
        """Hold these words in type of `size` pixels, and nothing of what was there before.

        No formula and no picture is wider than `width`, and a formula that stands by itself begins inside of the margin.
        One that is not typeset yet stands there in letters, of which there are none for nonsense. Without `links` their
        words lead nowhere. Pictures are those that are given by name, or come from `folder`, that of the words' own file;
        without one there are none.
        """
        self._formulas.clear()
        self._folder, self._images = folder, images or {}
        self.setDefaultFont(tabular_font(theme, size))
        self.setIndentWidth(2.2 * size)
        self.setDefaultStyleSheet(document_style_sheet(theme, size, compact))
        missing = set(formula_cache().missing_formulae(find_formulae(markdown)))
        formats: list[QTextImageFormat] = []

        def formula_html(latex: str, displayed: bool) -> str:
            picture = None if latex in missing else formula_picture(latex, theme.text)
            html = escape(formula_text(latex), quote=False)
            font_size = size * (_DISPLAY_SCALE if displayed else _INLINE_SCALE)
            if picture is not None:
                font_size = min(font_size, (width - 2 * GRID_UNIT) / max(picture.width, 1e-6))
                html = f'<img src="{FORMULA_SCHEME}:{len(formats)}">'
                formats.append(
                    self.add_formula(
                        picture,
                        font_size,
                        tabular_font(theme, size),
                        0.0 if displayed else _INLINE_LEFT_SPACE * font_size,
                    )
                )
                formats[-1].setProperty(PLAIN_TEXT_PROPERTY, formula_text(latex))
            if not displayed:
                return html
            left = min(1.5 * size, max(0.0, width - (0.0 if picture is None else picture.width * font_size)))
            margins = f"{0.25 * size:.1f}px 0 {0.95 * size:.1f}px {left:.1f}px"
            return f'<p style="line-height: 100%; margin: {margins};">{html}</p>'

        self.setHtml(f"<body>{to_html(markdown, formula_html, links, folder is not None)}</body>")
        self._format_images(formats, width)
        for block in heading_blocks(self):
            self._clear_heading_size(block)

    def _clear_heading_size(self, block: QTextBlock) -> None:
        """Take from a heading the size that Qt gives it whatever its style says."""
        cursor = QTextCursor(block)
        for position in range(block.position(), block.position() + block.length() - 1):
            cursor.setPosition(position)
            cursor.setPosition(position + 1, QTextCursor.MoveMode.KeepAnchor)
            char_format = cursor.charFormat()
            char_format.clearProperty(QTextFormat.Property.FontSizeAdjustment)
            cursor.setCharFormat(char_format)

    def _format_images(self, formats: Sequence[QTextImageFormat], width: float) -> None:
        """Give formulae what HTML has no words for; let no other picture be wider than there is room."""
        cursor = QTextCursor(self)
        for position in [match.start() for match in re.finditer("\ufffc", self.toRawText())]:
            cursor.setPosition(position)
            cursor.setPosition(position + 1, QTextCursor.MoveMode.KeepAnchor)
            picture = cursor.charFormat().toImageFormat()
            scheme, _, number = picture.name().partition(":")
            data = self._images.get(picture.name())
            if scheme == FORMULA_SCHEME:
                picture = formats[int(number)]
            elif data is not None:
                size = QImage.fromData(data).size()
                picture.setWidth(min(width, size.width()))
                picture.setHeight(picture.width() * size.height() / size.width())
            else:
                available_width = width - cursor.blockFormat().indent() * self.indentWidth()
                picture.setMaximumWidth(QTextLength(QTextLength.Type.FixedLength, available_width))
            cursor.setCharFormat(picture)

    def add_formula(
        self, picture: Formula, size: float, font: QFont, left_space: float = 0.0
    ) -> QTextImageFormat:
        """The format of a formula in type of `size` pixels among words in this font, with so many pixels free `left_space` it.

        Qt puts a picture's foot as deep as its font reaches, in whole pixels, so that the picture is made as deep, or the font as
        deep as the picture.
        """
        while (depth := QFontMetrics(font).descent()) < picture.descent * size - _MAX_DESCENT_OVERHANG:
            font.setPixelSize(font.pixelSize() + 1)
        height = math.ceil(picture.ascent * size)
        width = math.ceil(left_space + picture.width * size)
        image_format = QTextImageFormat()
        image_format.setName(f"{FORMULA_SCHEME}:{len(self._formulas)}")
        image_format.setFont(font)
        image_format.setWidth(width)
        image_format.setHeight(height + depth)
        image_format.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignBaseline)
        self._formulas.append(_PlacedFormula(picture, size, left_space, width, height, depth))
        return image_format

    def find_words(self, words: Sequence[str]) -> list[tuple[int, int]]:
        """From where to where one of these words begins a word, or stands in one where it begins none, in small letters; a whole
        formula where it has it."""
        patterns = [
            re.sub("[/|]", rf"\g<0>{WORD_JOINER}?", re.escape(spelling))
            for word in words
            for spelling in spellings(word)
        ]
        if not patterns:
            return []
        pattern = re.compile("|".join(patterns), re.IGNORECASE)
        text = self.toRawText()
        matches = [(match.start(), match.end()) for match in pattern.finditer(text)]
        word_starts = [(start, end) for start, end in matches if not text[start - 1 : start].isalnum()]
        matches = word_starts or matches
        cursor = QTextCursor(self)
        for picture in re.finditer("\ufffc", text):
            cursor.setPosition(picture.end())
            if pattern.search(cursor.charFormat().stringProperty(PLAIN_TEXT_PROPERTY)):
                matches.append((picture.start(), picture.end()))
        return matches

    def loadResource(self, resource_type: int, name: QUrl | str) -> Any:
        """Qt keeps what it is given until the document is cleared, and reads the file of that name itself where it is given
        none."""
        url = QUrl(name)
        if (data := self._images.get(url.path())) is not None:
            return QImage.fromData(data)
        if url.scheme() != FORMULA_SCHEME:
            picture = None if self._folder is None else _load_image(self._folder, url.path())
            return _empty_image() if picture is None else picture
        placed = self._formulas[int(url.path())]
        pixel_ratio = self.pixel_ratio
        image = QImage(
            round(placed.width * pixel_ratio),
            round((placed.height + placed.depth) * pixel_ratio),
            QImage.Format.Format_ARGB32_Premultiplied,
        )
        image.setDevicePixelRatio(pixel_ratio)
        image.fill(Qt.GlobalColor.transparent)
        with QPainter(image) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            placed.formula.paint(painter, placed.left_space, float(placed.height), placed.size)
        return image


def _load_image(folder: Path, name: str) -> QImage | None:
    """A picture that words from `folder` name: one from there, or of those that quatviz ships. A text never makes the program
    read a device, a pipe, or what stands elsewhere."""
    try:
        path = real_path(folder / name)
        is_inside = any(path.is_relative_to(real_path(root)) for root in (folder, resources.asset_path("")))
        if not is_inside or not path.is_file() or path.stat().st_size > MAX_PICTURE_BYTES:
            raise ValueError("no picture beside the text, or a large one")
        reader = QImageReader(str(path))
        if bytes(reader.format().data()).decode("ascii", "replace") not in PICTURE_FORMATS:
            raise ValueError("another kind of picture")
        if max(reader.size().width(), reader.size().height()) > _MAX_IMAGE_SIDE:
            raise ValueError("too many pixels")
        picture = reader.read()
        if picture.isNull():
            raise ValueError(reader.errorString())
    except (OSError, ValueError) as error:
        log.info("the picture %r is not shown: %s", name, error)
        return None
    return picture


def _empty_image() -> QImage:
    """A picture on which nothing is to be seen."""
    image = QImage(1, 1, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    return image


def heading_blocks(document: QTextDocument) -> list[QTextBlock]:
    """In their order."""
    blocks, block = [], document.begin()
    while block.isValid():
        if block.blockFormat().headingLevel():
            blocks.append(block)
        block = block.next()
    return blocks


class RichTextLabel(Themed, QWidget):
    """A paragraph or more. Formulae that are not typeset yet stand in letters until `refresh`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._font_size, self._compact, self._markdown = 0, False, ""
        self._folder: Path | None = None
        self._document = FormulaDocument(self)
        self._width = 0
        self._heights_by_width: dict[int, int] = {}
        """At each width that a layout has asked about: it asks about the same few over and over."""
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def text(self) -> str:
        """What is said, with formulae in letters."""
        return " ".join(to_plain_text(self._markdown).split())

    def set_markdown(self, markdown: str, folder: Path | None = None) -> None:
        """Show this, with pictures from the `folder` of its own file; without one there are none."""
        self._markdown, self._folder = markdown, folder
        self.refresh()

    def set_font_size(self, size: int, compact: bool = False) -> None:
        """In type of `size` pixels, in place of the theme's, with lines that stand `compact` or not."""
        self._font_size, self._compact = size, compact
        self.refresh()

    def follow_theme(self) -> None:
        self.refresh()

    def refresh(self) -> None:
        """Lay it out again."""
        self._width = 0
        self._heights_by_width.clear()
        self._update_document(max(self.width(), 8 * GRID_UNIT))
        self.setAccessibleName(self.text or tr("Words"))
        self.setVisible(bool(self._markdown))
        self.updateGeometry()
        self.update()

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights_by_width:
            self._update_document(width)
            self._heights_by_width[width] = math.ceil(self._document.size().height())
        return self._heights_by_width[width]

    def sizeHint(self) -> QSize:
        return QSize(320, self.heightForWidth(max(self.width(), 320)))

    def paintEvent(self, event: QPaintEvent) -> None:
        self._update_document(self.width())
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            self._document.drawContents(painter, QRectF(event.rect()))

    def _update_document(self, width: int) -> None:
        if width != self._width:
            self._width = width
            self._document.pixel_ratio = self.devicePixelRatioF()
            self._document.setDocumentMargin(0)
            self._document.setTextWidth(width)
            size = self._font_size or self.theme.normal
            folder, compact = self._folder, self._compact
            self._document.set_markdown(
                self._markdown, self.theme, size, width, folder=folder, compact=compact
            )
