"""A page of the help as a document of Qt, dressed in a theme."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtCore import QUrl
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrame,
    QTextFrameFormat,
    QTextImageFormat,
    QTextLength,
    QTextTable,
    QTextTableFormat,
)

from quatviz import resources
from quatviz.help import Page
from quatviz.ui.fonts import fixed_pitch, tabular
from quatviz.ui.formulae import FormulaDocument, put, set_aside
from quatviz.ui.plotting.style import mixed
from quatviz.ui.theme import UNIT, Theme

MEASURE = 52
"""Width of a column of text [type sizes]: some 95 letters."""
_SIZES = {1: 1.7, 2: 1.28, 3: 1.08}
"""Type sizes of headings over that of text."""


def column_width(theme: Theme) -> int:
    """Of the text [pixels]."""
    return MEASURE * _size(theme)


def document_of(page: Page, theme: Theme, width: int, ratio: float = 1.0) -> FormulaDocument:
    """The page in a column of `width` pixels, for a screen with `ratio` pixels to each of Qt's. Its headings stand in the
    order of `page.sections`. A formula that is not typeset yet stands there in letters."""
    document = FormulaDocument()
    document.ratio = ratio
    document.setDefaultFont(tabular(theme, _size(theme)))
    document.setBaseUrl(QUrl.fromLocalFile(str(resources.asset("help")) + "/"))
    document.setDocumentMargin(3 * UNIT)
    document.setIndentWidth(3 * UNIT)
    text, formulae = set_aside(fenced(page.text))
    document.hold(text)
    for table in tables(document):
        _dress_table(table, theme)
    for block in blocks(document):
        _dress(block, theme, width)
    put(document, formulae, theme, _size(theme), width - 6 * UNIT, 3 * UNIT)
    return document


def blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    """Every paragraph, heading and line of code."""
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def headings(document: QTextDocument) -> list[QTextBlock]:
    """In the order of the page's sections."""
    return [block for block in blocks(document) if block.blockFormat().headingLevel()]


def tables(document: QTextDocument) -> list[QTextTable]:
    """All tables."""
    found: list[QTextTable] = []

    def walk(frame: QTextFrame) -> None:
        for child in frame.childFrames():
            if isinstance(child, QTextTable):
                found.append(child)
            walk(child)

    walk(document.rootFrame())
    return found


def _size(theme: Theme) -> int:
    return theme.normal + 1


def fenced(text: str) -> str:
    """Markdown without comments, its indented code between fences: Qt keeps the type of code only there."""
    lines: list[str] = []
    code = False
    before = ""
    for line in re.sub(r"<!--.*?-->\n?", "", text, flags=re.DOTALL).splitlines():
        inside = line.startswith("    ") and (code or not before.strip())
        if inside != code and (line.strip() or not code):
            lines = lines if inside else _without_blanks(lines)
            lines.append("```")
            code = inside
        lines.append(line.removeprefix("    ") if code else line)
        before = line
    if code:
        lines = [*_without_blanks(lines), "```"]
    return "\n".join(lines)


def _without_blanks(lines: list[str]) -> list[str]:
    """Without the empty ones at the end."""
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def _dress(block: QTextBlock, theme: Theme, width: int) -> None:
    cursor = QTextCursor(block)
    shape, level = block.blockFormat(), block.blockFormat().headingLevel()
    code = shape.nonBreakableLines()
    shape.setLineHeight(100.0 if code else 135.0, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    if level:
        shape.setTopMargin(0 if level == 1 else (4 if level == 2 else 3) * UNIT)
        shape.setBottomMargin(UNIT)
    elif code:
        shape.setBackground(QBrush(QColor(theme.raised)))
        shape.setLeftMargin(2 * UNIT)
        shape.setTopMargin(0 if _is_code(block.previous()) else UNIT)
        shape.setBottomMargin(0 if _is_code(block.next()) else 1.5 * UNIT)
    elif not cursor.currentTable():
        shape.setTopMargin(0)
        shape.setBottomMargin(UNIT if not block.textList() else UNIT / 2)
    cursor.setBlockFormat(shape)
    for at, length, character in list(_fragments(block)):
        cursor.setPosition(at)
        cursor.setPosition(at + length, QTextCursor.MoveMode.KeepAnchor)
        cursor.setCharFormat(_character(character, theme, level, code, width))


def _is_code(block: QTextBlock) -> bool:
    return block.isValid() and block.blockFormat().nonBreakableLines()


def _fragments(block: QTextBlock) -> Iterator[tuple[int, int, QTextCharFormat]]:
    walk = block.begin()
    while not walk.atEnd():
        fragment = walk.fragment()
        yield fragment.position(), fragment.length(), fragment.charFormat()
        walk += 1


def _character(given: QTextCharFormat, theme: Theme, level: int, code: bool, width: int) -> QTextCharFormat:
    if given.isImageFormat():
        return _picture(given.toImageFormat(), width)
    size = _size(theme)
    made = QTextCharFormat()
    if level:
        made.setFont(tabular(theme, round(size * _SIZES.get(level, 1.0)), QFont.Weight.DemiBold))
    elif code or given.fontFixedPitch():
        made.setFont(fixed_pitch(size - 1))
        if not code:
            made.setBackground(QBrush(QColor(theme.raised)))
    else:
        bold = given.fontWeight() > QFont.Weight.Medium
        font = tabular(theme, size, QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        font.setItalic(given.fontItalic())
        made.setFont(font)
    made.setForeground(QBrush(QColor(theme.text)))
    if given.isAnchor():
        made.setAnchor(True)
        made.setAnchorHref(given.anchorHref())
        made.setForeground(QBrush(QColor(theme.accent)))
        made.setProperty(QTextFormat.Property.TextUnderlineStyle, 1)
    return made


def _picture(image: QTextImageFormat, width: int) -> QTextImageFormat:
    image.setMaximumWidth(QTextLength(QTextLength.Type.FixedLength, width - 10 * UNIT))
    return image


def _dress_table(table: QTextTable, theme: Theme) -> None:
    if not any(_words(table, 0, column) for column in range(table.columns())):
        table.removeRows(0, 1)  # Markdown has no table without a head; an empty one says nothing
        headed = False
    else:
        headed = True
    shape = QTextTableFormat(table.format())
    shape.setBorder(0)
    shape.setCellSpacing(0)
    shape.setCellPadding(UNIT / 2)
    shape.setBorderCollapse(True)
    shape.setTopMargin(UNIT / 2)
    shape.setBottomMargin(2 * UNIT)
    table.setFormat(shape)
    line = QBrush(QColor(theme.line))
    for row in range(table.rows()):
        for column in range(table.columns()):
            cell = table.cellAt(row, column)
            own = cell.format().toTableCellFormat()
            own.setBottomBorder(1)
            own.setBottomBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
            own.setBottomBorderBrush(line)
            own.setRightPadding(2 * UNIT)
            if headed and row == 0:
                own.setBackground(QBrush(mixed(theme.muted, theme.surface, 0.14)))
            cell.setFormat(own)


def _words(table: QTextTable, row: int, column: int) -> str:
    cell = table.cellAt(row, column)
    cursor = cell.firstCursorPosition()
    cursor.setPosition(cell.lastCursorPosition().position(), QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText().strip()
