"""A student's sheet as PDF, from its Markdown and the figures beside it."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QMarginsF, QSizeF
from PySide6.QtGui import (
    QPageLayout,
    QPageSize,
    QPdfWriter,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)

from quatviz.base.markdown import formulae_of
from quatviz.lessons.sheet import ANSWERS
from quatviz.look.theme import PROJECTOR
from quatviz.text.files import replacing
from quatviz.ui.kit.richtext import FormulaDocument, headings
from quatviz.ui.kit.typeset import book

_WIDTH = 640
"""Of the text in pixels of 1/96 inch: 170 mm."""


def write_pdf(sheet: Path, path: Path) -> None:
    """Write the Markdown file `sheet` to the PDF `path`, A4, whole or not at all."""
    words = sheet.read_text("utf-8")
    for latex in formulae_of(words):
        book().draw(latex)
    book().keep()
    document = FormulaDocument()
    document.ratio = 4.0
    document.setDocumentMargin(0)
    document.setTextWidth(_WIDTH)
    document.hold(words, replace(PROJECTOR, text="#000000"), 14, _WIDTH, folder=sheet.parent)
    _begin_page(document, ANSWERS)
    document.markContentsDirty(0, document.characterCount())
    document.setPageSize(
        QSizeF(_WIDTH, _WIDTH * 257.0 / 170.0)
    )  # or Qt would take pixels for those of the paper
    with replacing(path) as fresh:
        writer = QPdfWriter(str(fresh))
        writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
        writer.setPageMargins(QMarginsF(20.0, 20.0, 20.0, 20.0), QPageLayout.Unit.Millimeter)
        writer.setResolution(1200)
        writer.setTitle(words.partition("\n")[0].removeprefix("# "))
        document.print_(writer)


def _begin_page(document: QTextDocument, heading: str) -> None:
    """Let a section begin on a page of its own, which need not be handed out with the rest."""
    for block in headings(document):
        if block.blockFormat().headingLevel() == 2 and block.text() == heading:
            look = block.blockFormat()
            look.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
            QTextCursor(block).setBlockFormat(look)
