"""A page of the help as a document of Qt, dressed in a theme."""

from __future__ import annotations

from PySide6.QtCore import QUrl

from quatviz.base import resources
from quatviz.help import Page
from quatviz.look.theme import UNIT, Theme
from quatviz.ui.kit.richtext import FormulaDocument

MEASURE = 52
"""Width of a column of text [type sizes]: some 95 letters."""
_MARGIN = 3 * UNIT


def column_width(theme: Theme) -> int:
    """Of the text [pixels]."""
    return MEASURE * _size(theme)


def document_of(page: Page, theme: Theme, width: int, ratio: float = 1.0) -> FormulaDocument:
    """The page in a column of `width` pixels, for a screen with `ratio` pixels to each of Qt's. Its headings stand in the
    order of `page.sections`. A formula that is not typeset yet stands there in letters."""
    document = FormulaDocument()
    document.ratio = ratio
    document.setBaseUrl(QUrl.fromLocalFile(str(resources.asset("help")) + "/"))
    document.setDocumentMargin(_MARGIN)
    document.hold(page.text, theme, _size(theme), width - 2 * _MARGIN, links=True)
    return document


def _size(theme: Theme) -> int:
    return theme.normal + 1
