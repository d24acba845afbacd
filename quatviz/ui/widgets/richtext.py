"""Markdown with typeset formulas in Qt documents, for help, lessons, cards, the tour and printed sheets."""

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
"""Format property of a formula's image that holds its plain-text form."""
_DISPLAY_SCALE = 1.12
"""Type size of a display formula (on a line of its own), relative to that of the text."""
_INLINE_SCALE = 1.08
"""Size of an inline formula relative to the text. It is above 1, because letters of a formula appear smaller than those
of the text."""
_INLINE_LEFT_SPACE = 0.1
"""Space before an inline formula, relative to its size. Without it, italic text would overlap the image of the formula."""
_MAX_DESCENT_OVERHANG = 0.5
"""Distance [pixels] by which a formula may extend below the descent of its font before a larger font is used."""
FORMULA_SCHEME = "formula"
"""URL scheme of formula images."""
_MAX_IMAGE_SIDE = 4096
"""Largest side of an image [pixels]."""


def document_style_sheet(theme: Theme, size: int, compact: bool = False) -> str:
    """Return the style sheet of documents with text of `size` pixels. `compact` reduces the line spacing."""
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
    """A text document that paints formulas on demand at device pixel ratio `pixel_ratio`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setUndoRedoEnabled(False)  # the document is not edited, and undo would keep every earlier page
        self.pixel_ratio = 1.0
        self._formulas: list[_PlacedFormula] = []
        self._folder: Path | None = None
        self._images: Mapping[str, bytes] = {}

    @property
    def formula_count(self) -> int:
        """The number of formulas in the document."""
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
        """Replace the content.

        Parameters
        ----------
        markdown
            Text with formulas.
        theme
            Theme that gives fonts and colors.
        size
            Font size [pixels].
        width
            Largest width of formulas and images [pixels]; display formulas are indented.
        links
            True to keep links active.
        folder
            Folder of the text's file, from which images may be loaded; None for no files.
        images
            Image data by name.
        compact
            True for tighter lines.

        Notes
        -----
        A formula that is not typeset yet is shown as plain text. A malformed one stays so.
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
        """Clear the font size adjustment that Qt applies to a heading in addition to the style sheet."""
        cursor = QTextCursor(block)
        for position in range(block.position(), block.position() + block.length() - 1):
            cursor.setPosition(position)
            cursor.setPosition(position + 1, QTextCursor.MoveMode.KeepAnchor)
            char_format = cursor.charFormat()
            char_format.clearProperty(QTextFormat.Property.FontSizeAdjustment)
            cursor.setCharFormat(char_format)

    def _format_images(self, formats: Sequence[QTextImageFormat], width: float) -> None:
        """Set the formats of formulas, which HTML cannot express, and limit the width of other images."""
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
        """Return the image format of a formula of `size` pixels, with `left_space` pixels before it.

        Qt aligns the bottom of an image with the descent of the font, in whole pixels. The image is therefore extended
        down to the descent of the font. If the formula itself extends further down, a larger font is used for the image
        instead.
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
        """Return start and end positions of all matches for the words, ignoring case.

        If any match is at the beginning of a word, matches within words are left out. A formula matches as a whole.
        """
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
        """Return the image for a URL. A missing image is replaced by an empty one, because Qt would otherwise read the file
        of that name."""
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
    """Return an image from `folder` or from quatviz's assets, or None.

    Devices, pipes, files elsewhere, other formats and large images are refused.
    """
    try:
        path = real_path(folder / name)
        is_inside = any(path.is_relative_to(real_path(root)) for root in (folder, resources.asset_path("")))
        if not is_inside or not path.is_file() or path.stat().st_size > MAX_PICTURE_BYTES:
            raise ValueError("not a file beside the text, or too large")
        reader = QImageReader(str(path))
        if bytes(reader.format().data()).decode("ascii", "replace") not in PICTURE_FORMATS:
            raise ValueError("unsupported image format")
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
    """Return a transparent image of one pixel."""
    image = QImage(1, 1, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    return image


def heading_blocks(document: QTextDocument) -> list[QTextBlock]:
    """Return the heading blocks of a document in order."""
    blocks, block = [], document.begin()
    while block.isValid():
        if block.blockFormat().headingLevel():
            blocks.append(block)
        block = block.next()
    return blocks


class RichTextLabel(Themed, QWidget):
    """A label for Markdown. A formula that is not typeset yet is shown as plain text until `refresh` is called."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._font_size, self._compact, self._markdown = 0, False, ""
        self._folder: Path | None = None
        self._document = FormulaDocument(self)
        self._width = 0
        self._heights_by_width: dict[int, int] = {}
        """Height of the label for each requested width [pixels]. It is cached, because layouts ask for the same widths
        repeatedly."""
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def text(self) -> str:
        """The content as plain text."""
        return " ".join(to_plain_text(self._markdown).split())

    def set_markdown(self, markdown: str, folder: Path | None = None) -> None:
        """Show Markdown, with images from `folder`; without a folder, images are not shown."""
        self._markdown, self._folder = markdown, folder
        self.refresh()

    def set_font_size(self, size: int, compact: bool = False) -> None:
        """Set the font size [pixels], which replaces that of the theme, and the line spacing."""
        self._font_size, self._compact = size, compact
        self.refresh()

    def follow_theme(self) -> None:
        self.refresh()

    def refresh(self) -> None:
        """Lay out the content again."""
        self._width = 0
        self._heights_by_width.clear()
        self._update_document(max(self.width(), 8 * GRID_UNIT))
        self.setAccessibleName(self.text or tr("Text"))
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
