"""Writing of a worksheet as PDF from its Markdown and figures, and rendering of bodies for its figures."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QMarginsF, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QImage,
    QPageLayout,
    QPageSize,
    QPainter,
    QPalette,
    QPdfWriter,
    QTextBlock,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)

from quatviz.base.markdown import find_formulae
from quatviz.display.view_state.theme import PROJECTOR
from quatviz.display.view_state.view_state import ViewState
from quatviz.export.film.plan import FilmPlan
from quatviz.files.files import replace_atomically
from quatviz.files.formula_cache import formula_cache
from quatviz.simulation.simulation import Simulation
from quatviz.teaching.lessons.sheet import ANSWER, QUESTION
from quatviz.ui.tools.export.frame_sources import run_frame_source
from quatviz.ui.widgets.richtext import FORMULA_SCHEME, FormulaDocument

_WIDTH = 640
"""Width of the text [pixels of 1/96 inch], 170 mm."""
_HEIGHT = _WIDTH * 257.0 / 170.0
"""Height of the text [pixels of 1/96 inch], 257 mm."""
_FOOTER_HEIGHT = 20.0
"""Height of the page footer, below the text [pixels]."""
_FONT_SIZE = 12
"""Font size [pixels]."""
_LATER_QUESTION = re.compile(rf"{QUESTION} (?!1\.)\d+\.")
_OBJECT_CHARACTER = "\ufffc"
"""Character that represents an embedded object in the text."""
_RULE = QTextFormat.Property.BlockTrailingHorizontalRulerWidth
_WRITING_LINE_MARGIN = 22.0
"""Margin above a line for handwriting [pixels]. With the height of the line it gives 10 mm."""
_MAX_WRITING_LINES = 14
"""Largest number of lines for handwriting per question. A smaller limit would leave half a page empty below a single
question."""
_BLANK = "_" * 9
"""Characters that stand in the text for a gap that is filled in by hand."""
_BLANK_MARGIN = 14.0
"""Margin [pixels] above a line of text that has a gap to be filled in by hand. It is also the margin below lines for
handwriting."""
_PARAGRAPH_MARGIN = 6.0
"""Margin below a paragraph [pixels]."""
_STEP_MARGIN = 20.0
"""Margin above the heading of a step that is not the first of its page [pixels]."""
_LINE_HEIGHT_PERCENT = 118.0
"""Line height in percent of the font height. It is smaller than in a window, because paper is read from a shorter distance."""
_REFERENCE_SIZE = 400
"""Size of a body's picture [pixels] at which its labels have their normal size. In print they are as large as labels of
plots."""


def paint_body(run: Simulation, look: ViewState, time: float, width: int, height: int) -> np.ndarray:
    """Return an image of the 3D view of a computed run. This function is passed to `quatviz.teaching.lessons.sheet` as
    `Painter`."""
    plan = FilmPlan(width, height, low=time, high=time)
    source = run_frame_source(run, plan, replace(look, theme=PROJECTOR.name), _REFERENCE_SIZE)
    try:
        for view in source.views.shown_views:
            # The figure has a legend, and arrows are not measured on paper.
            view.text_overlay.shows_labels_only = True
        image = source.render(time).convertToFormat(QImage.Format.Format_RGB888)
    finally:
        source.close()
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3) / 255.0


def write_pdf(sheet: Path, path: Path) -> None:
    """Write the Markdown file `sheet` as an A4 PDF, completely or not at all."""
    markdown = sheet.read_text("utf-8")
    document = lay_out(markdown, sheet.parent)
    title = markdown.partition("\n")[0].removeprefix("# ")
    with replace_atomically(path) as temporary_path:
        writer = QPdfWriter(str(temporary_path))
        writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
        writer.setPageMargins(QMarginsF(20.0, 15.0, 20.0, 15.0), QPageLayout.Unit.Millimeter)
        writer.setResolution(1200)
        writer.setTitle(title)
        _paint_pages(document, writer, title)


def lay_out(markdown: str, folder: Path) -> FormulaDocument:
    """Return a worksheet divided into pages, in pixels of 1/96 inch. Its figures are read from `folder`."""
    for latex in find_formulae(markdown):
        formula_cache().render(latex)
    formula_cache().save()
    document = FormulaDocument()
    document.pixel_ratio = 4.0
    document.setDocumentMargin(0)
    document.setTextWidth(_WIDTH)
    black = replace(PROJECTOR, text="#000000")
    document.set_markdown(markdown, black, _FONT_SIZE, _WIDTH, folder=folder)
    _tighten_spacing(document)
    _add_writing_space(document)
    document.markContentsDirty(0, document.characterCount())
    # Without a page size Qt would interpret pixels as those of the paper.
    document.setPageSize(QSizeF(_WIDTH, _HEIGHT))
    _break_pages(document)
    _fill_pages(document)
    return document


def _add_writing_space(document: QTextDocument) -> None:
    """Turn horizontal rules into lines for handwriting. They have enough space above, and are dark enough to be photocopied."""
    for block in _blocks(document):
        block_format, previous_format = block.blockFormat(), block.previous().blockFormat()
        if _is_ruled(block):
            first = not _is_ruled(block.previous())
            # The first line begins after the word above it.
            block_format.setTopMargin(0.0 if first else _WRITING_LINE_MARGIN)
            block_format.setBackground(QColor("#808080"))
            QTextCursor(block).setBlockFormat(block_format)
            if first:
                previous_format.setBottomMargin(0.0)
                QTextCursor(block.previous()).setBlockFormat(previous_format)
        elif _BLANK in block.text() or _is_ruled(block.previous()):
            block_format.setTopMargin(_BLANK_MARGIN)
            QTextCursor(block).setBlockFormat(block_format)


def _tighten_spacing(document: QTextDocument) -> None:
    """Reduce the spacing of lines, and the space above steps, so that two steps fit on a page."""
    proportional = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
    for block in _blocks(document):
        block_format = block.blockFormat()
        if _is_step(block):
            block_format.setTopMargin(_STEP_MARGIN)
        if block.text() == _OBJECT_CHARACTER:
            block_format.setLineHeight(0.0, QTextBlockFormat.LineHeightTypes.SingleHeight.value)
        elif (
            block_format.lineHeightType() == proportional and block_format.lineHeight() > _LINE_HEIGHT_PERCENT
        ):
            block_format.setLineHeight(_LINE_HEIGHT_PERCENT, proportional)
            block_format.setBottomMargin(min(block_format.bottomMargin(), _PARAGRAPH_MARGIN))
        QTextCursor(block).setBlockFormat(block_format)


def _blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def _break_pages(document: QTextDocument) -> None:
    """Insert page breaks before steps.

    A step begins on a new page if it does not fit on the rest of the page. It also begins on a new page after a step
    that asks a question, because the text of the new step would reveal the answer. Further questions of a step may be
    on another page than the step. In the teacher's copy, so may paragraphs and figures of an answer.
    """
    parts, answers = list[QTextBlock](), False
    for block in _blocks(document):
        answers = block.text().startswith(ANSWER) or (
            answers and not (_is_step(block) or _begins_question(block))
        )
        if _is_step(block) or _begins_question(block) or (answers and not _belongs_to_previous(block)):
            parts.append(block)
    last_blocks = [*(following.previous() for following in parts[1:]), document.lastBlock()]
    layout = document.documentLayout()
    for step, last in list(zip(parts, last_blocks, strict=True))[1:]:  # The first step follows the title.
        top, bottom = layout.blockBoundingRect(step).top(), layout.blockBoundingRect(last).bottom()
        follows_question = _is_step(step) and _is_ruled(step.previous())
        if follows_question or top // _HEIGHT != (bottom - 1.0) // _HEIGHT:
            block_format = step.blockFormat()
            block_format.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
            block_format.setTopMargin(0.0)
            QTextCursor(step).setBlockFormat(block_format)
            # Qt lays out only what it considers changed, and would count too few pages.
            document.markContentsDirty(step.position(), document.characterCount() - step.position())


def _fill_pages(document: QTextDocument) -> None:
    """Fill the free space of each page with more lines for handwriting below its questions, at most `_MAX_WRITING_LINES`
    each."""
    layout = document.documentLayout()
    last_lines: dict[int, list[QTextBlock]] = {}
    page_bottoms: dict[int, float] = {}
    for block in _blocks(document):
        bottom = layout.blockBoundingRect(block).bottom()
        page = int((bottom - 1.0) // _HEIGHT)
        page_bottoms[page] = bottom
        if _is_ruled(block) and not _is_ruled(block.next()):
            last_lines.setdefault(page, []).append(block)
    for page, ends in last_lines.items():
        line_height = (
            layout.blockBoundingRect(ends[0]).bottom() - layout.blockBoundingRect(ends[0].previous()).bottom()
        )
        extra_lines = int(((page + 1) * _HEIGHT - page_bottoms[page]) / line_height / len(ends))
        for end in ends:
            for _ in range(min(extra_lines, _MAX_WRITING_LINES - _writing_lines_up_to(end))):
                cursor = QTextCursor(end)
                cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock)
                cursor.insertBlock(end.blockFormat())
    document.markContentsDirty(0, document.characterCount())


def _writing_lines_up_to(block: QTextBlock) -> int:
    """Return the number of consecutive lines for handwriting that end with this block."""
    rows = 0
    while _is_ruled(block):
        rows, block = rows + 1, block.previous()
    return rows


def _is_ruled(block: QTextBlock) -> bool:
    """Return True if the block is an empty ruled line for handwriting."""
    return block.isValid() and block.blockFormat().hasProperty(_RULE)


def _is_step(block: QTextBlock) -> bool:
    """Return True if the block is the heading of a step."""
    return block.blockFormat().headingLevel() == 2


def _belongs_to_previous(block: QTextBlock) -> bool:
    """Return True if the block must be on the same page as the block before it. This applies to separate formulas and
    captions."""
    return _is_picture(block, FORMULA_SCHEME) or _is_picture(block.previous(), "")


def _is_picture(block: QTextBlock, scheme: str) -> bool:
    """Return True if the block contains only a picture: a formula with this URL scheme, or a file if the scheme is ""."""
    name = (
        block.begin().fragment().charFormat().toImageFormat().name()
        if block.text() == _OBJECT_CHARACTER
        else ""
    )
    return bool(name) and (name.partition(":")[0] if ":" in name else "") == scheme


def _begins_question(block: QTextBlock) -> bool:
    """Return True if the block is the beginning of a further question of a step, or of an answer."""
    words = block.text()
    return words.startswith(ANSWER) or bool(_LATER_QUESTION.match(words))


def _paint_pages(document: QTextDocument, writer: QPdfWriter, title: str) -> None:
    """Paint the pages, with a footer that has the title and the page number."""
    painter = QPainter(writer)
    painter.scale(writer.width() / _WIDTH, writer.width() / _WIDTH)
    context = QAbstractTextDocumentLayout.PaintContext()
    context.palette.setColor(QPalette.ColorRole.Text, Qt.GlobalColor.black)
    pages = document.pageCount()
    for page in range(pages):
        if page:
            writer.newPage()
        area = QRectF(0.0, page * _HEIGHT, _WIDTH, _HEIGHT)
        painter.save()
        painter.translate(0.0, -area.top())
        painter.setClipRect(area)
        context.clip = area
        document.documentLayout().draw(painter, context)
        painter.restore()
        painter.setFont(document.defaultFont())
        footer = QRectF(0.0, _HEIGHT + 4.0, _WIDTH, _FOOTER_HEIGHT)
        painter.drawText(footer, Qt.AlignmentFlag.AlignLeft, title)
        painter.drawText(footer, Qt.AlignmentFlag.AlignRight, f"{page + 1} / {pages}")
    painter.end()
