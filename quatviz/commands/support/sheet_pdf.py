"""The copies of a sheet as PDF, from their Markdown and the figures beside them, and the picture of a body in a figure."""

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

from quatviz.base.markdown import formulae_of
from quatviz.display.view_state.theme import PROJECTOR
from quatviz.display.view_state.view_state import Look
from quatviz.export.film.plan import FilmPlan
from quatviz.files.files import replacing
from quatviz.files.formula_cache import book
from quatviz.simulation.simulation import Simulation
from quatviz.teaching.lessons.sheet import ANSWER, QUESTION
from quatviz.ui.tools.export.frame_sources import take_of_run
from quatviz.ui.widgets.richtext import FORMULA, FormulaDocument

_WIDTH = 640
"""Of the text in pixels of 1/96 inch: 170 mm."""
_HEIGHT = _WIDTH * 257.0 / 170.0
_FOOT = 20.0
"""Height of a page's foot, below the text."""
_SIZE = 12
_FURTHER = re.compile(rf"{QUESTION} (?!1\.)\d+\.")
_PICTURE = "\ufffc"
"""What stands in a text for one."""
_RULE = QTextFormat.Property.BlockTrailingHorizontalRulerWidth
_ROW = 22.0
"""Above a line to write on, which is a line of type high itself: 10 mm, for a hand."""
_MOST_ROWS = 8
"""Lines of a question where its page has room for more than it was given: more would ask for an essay."""
_BLANK = "_" * 9
"""What is filled in by hand in a line of words."""
_APART = 14.0
"""Above such a line, and below lines to write on."""
_BELOW = 6.0
"""Below a paragraph."""
_ABOVE = 20.0
"""Above the heading of a step that is not the first of its page."""
_LEADING = 118.0
"""Of its lines, in percent of their type: a sheet is read from nearer than a window."""
_DESIGNED_FOR = 400
"""Pixels of a body's picture at which words have their own size: in print they are as large as those beside the curves."""


def paint_body(run: Simulation, look: Look, time: float, width: int, height: int) -> np.ndarray:
    """The 3D view of a computed run: see `quatviz.teaching.lessons.sheet.Painter`."""
    plan = FilmPlan(width, height, low=time, high=time)
    take = take_of_run(run, plan, replace(look, theme=PROJECTOR.name), _DESIGNED_FOR)
    try:
        for view in take.views.shown:
            view.words.labels_alone = (
                True  # lanes are named beside it, and lengths of arrows are not measured on paper
            )
        image = take.picture(time).convertToFormat(QImage.Format.Format_RGB888)
    finally:
        take.close()
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3) / 255.0


def write_pdf(sheet: Path, path: Path) -> None:
    """Write the Markdown file `sheet` to the PDF `path`, A4, whole or not at all."""
    words = sheet.read_text("utf-8")
    document = laid_out(words, sheet.parent)
    title = words.partition("\n")[0].removeprefix("# ")
    with replacing(path) as fresh:
        writer = QPdfWriter(str(fresh))
        writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
        writer.setPageMargins(QMarginsF(20.0, 15.0, 20.0, 15.0), QPageLayout.Unit.Millimeter)
        writer.setResolution(1200)
        writer.setTitle(title)
        _paint(document, writer, title)


def laid_out(words: str, folder: Path) -> FormulaDocument:
    """A sheet on its pages, in pixels of 1/96 inch, with figures from `folder`."""
    for latex in formulae_of(words):
        book().draw(latex)
    book().keep()
    document = FormulaDocument()
    document.ratio = 4.0
    document.setDocumentMargin(0)
    document.setTextWidth(_WIDTH)
    black = replace(PROJECTOR, text="#000000")
    document.hold(words, black, _SIZE, _WIDTH, folder=folder)
    _set_tighter(document)
    _leave_room_to_write(document)
    document.markContentsDirty(0, document.characterCount())
    document.setPageSize(QSizeF(_WIDTH, _HEIGHT))  # or Qt would take pixels for those of the paper
    _break_pages(document)
    _fill_pages(document)
    return document


def _leave_room_to_write(document: QTextDocument) -> None:
    """A rule is a line to write on, as far from what is above it as a hand needs, and dark enough to be copied."""
    for block in _blocks(document):
        look, before = block.blockFormat(), block.previous().blockFormat()
        if _is_ruled(block):
            first = not _is_ruled(block.previous())
            look.setTopMargin(0.0 if first else _ROW)  # whose line begins behind the word
            look.setBackground(QColor("#808080"))
            QTextCursor(block).setBlockFormat(look)
            if first:
                before.setBottomMargin(0.0)
                QTextCursor(block.previous()).setBlockFormat(before)
        elif _BLANK in block.text() or _is_ruled(block.previous()):
            look.setTopMargin(_APART)
            QTextCursor(block).setBlockFormat(look)


def _set_tighter(document: QTextDocument) -> None:
    """With less between lines and steps than in a window, so that two steps share a page."""
    kind = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
    for block in _blocks(document):
        look = block.blockFormat()
        if _is_step(block):
            look.setTopMargin(_ABOVE)
        if block.text() == _PICTURE:
            look.setLineHeight(0.0, QTextBlockFormat.LineHeightTypes.SingleHeight.value)
        elif look.lineHeightType() == kind and look.lineHeight() > _LEADING:
            look.setLineHeight(_LEADING, kind)
            look.setBottomMargin(min(look.bottomMargin(), _BELOW))
        QTextCursor(block).setBlockFormat(look)


def _blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def _break_pages(document: QTextDocument) -> None:
    """Let a step begin on the next page where one before it is asked about, for its words and figures go on from the answer; and
    where it does not fit on what is left of a page. A further question of a step and, on the teacher's copy, each paragraph or
    figure of what answers one are parts that may stand there by themselves."""
    parts, answers = list[QTextBlock](), False
    for block in _blocks(document):
        answers = block.text().startswith(ANSWER) or (answers and not (_is_step(block) or _begins(block)))
        if _is_step(block) or _begins(block) or (answers and not _belongs(block)):
            parts.append(block)
    lasts = [*(following.previous() for following in parts[1:]), document.lastBlock()]
    layout = document.documentLayout()
    for step, last in list(zip(parts, lasts, strict=True))[1:]:  # the first one stands below the title
        top, foot = layout.blockBoundingRect(step).top(), layout.blockBoundingRect(last).bottom()
        asked = _is_step(step) and _is_ruled(step.previous())
        if asked or top // _HEIGHT != (foot - 1.0) // _HEIGHT:
            look = step.blockFormat()
            look.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
            look.setTopMargin(0.0)
            QTextCursor(step).setBlockFormat(look)
            # Qt lays out anew no more than it holds to be changed by that, and would count too few pages.
            document.markContentsDirty(step.position(), document.characterCount() - step.position())


def _fill_pages(document: QTextDocument) -> None:
    """Let the questions of a page share what is left of it: each gets as many lines more as there is room for, up to a limit."""
    layout = document.documentLayout()
    lasts: dict[int, list[QTextBlock]] = {}
    feet: dict[int, float] = {}
    for block in _blocks(document):
        foot = layout.blockBoundingRect(block).bottom()
        page = int((foot - 1.0) // _HEIGHT)
        feet[page] = foot
        if _is_ruled(block) and not _is_ruled(block.next()):
            lasts.setdefault(page, []).append(block)
    for page, ends in lasts.items():
        high = (
            layout.blockBoundingRect(ends[0]).bottom() - layout.blockBoundingRect(ends[0].previous()).bottom()
        )
        fresh = int(((page + 1) * _HEIGHT - feet[page]) / high / len(ends))
        for end in ends:
            for _ in range(min(fresh, _MOST_ROWS - _rows_to(end))):
                cursor = QTextCursor(end)
                cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock)
                cursor.insertBlock(end.blockFormat())
    document.markContentsDirty(0, document.characterCount())


def _rows_to(block: QTextBlock) -> int:
    """How many lines to write on end with this one."""
    rows = 0
    while _is_ruled(block):
        rows, block = rows + 1, block.previous()
    return rows


def _is_ruled(block: QTextBlock) -> bool:
    """Whether it is a line to write on."""
    return block.isValid() and block.blockFormat().hasProperty(_RULE)


def _is_step(block: QTextBlock) -> bool:
    """Whether it is the heading of one."""
    return block.blockFormat().headingLevel() == 2


def _belongs(block: QTextBlock) -> bool:
    """Whether it is to stand on the page of what is above it: a formula by itself, and what is said below a picture."""
    return _is_picture(block, FORMULA) or _is_picture(block.previous(), "")


def _is_picture(block: QTextBlock, scheme: str) -> bool:
    """Whether there is nothing but a picture, a formula's with that scheme, a file's without one."""
    name = block.begin().fragment().charFormat().toImageFormat().name() if block.text() == _PICTURE else ""
    return bool(name) and (name.partition(":")[0] if ":" in name else "") == scheme


def _begins(block: QTextBlock) -> bool:
    """Whether another question of a step, or an answer, begins there."""
    words = block.text()
    return words.startswith(ANSWER) or bool(_FURTHER.match(words))


def _paint(document: QTextDocument, writer: QPdfWriter, title: str) -> None:
    """Page by page, with a foot that says which."""
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
        foot = QRectF(0.0, _HEIGHT + 4.0, _WIDTH, _FOOT)
        painter.drawText(foot, Qt.AlignmentFlag.AlignLeft, title)
        painter.drawText(foot, Qt.AlignmentFlag.AlignRight, f"{page + 1} / {pages}")
    painter.end()
