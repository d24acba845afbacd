"""The menu of a lane: where it is shown, its colour, its place among the others, a twin of it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QActionGroup, QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QMenu, QWidget

from quatviz.ui.display import COLOURS, MODES, Display
from quatviz.ui.editing import Editor
from quatviz.ui.lane_edits import duplicated, moved, removed
from quatviz.ui.theme import Theme


def lane_menu(theme: Theme, editor: Editor, lane: int, parent: QWidget) -> QMenu:
    """A menu for one showing."""
    menu = QMenu(parent)
    display = editor.state.display
    modes = QActionGroup(menu)
    for mode, text in MODES.items():
        action = menu.addAction(
            text, lambda mode=mode, text=text: _edit(editor, lane, text, display.shown_as(lane, mode))
        )
        action.setCheckable(True)
        action.setChecked(display.mode(lane) == mode)
        modes.addAction(action)
    menu.addSeparator()
    colours = menu.addMenu(_swatch(theme.lanes[display.looks[lane].colour % len(theme.lanes)]), "Colour")
    for number, name in enumerate(COLOURS):
        colours.addAction(
            _swatch(theme.lanes[number]),
            name,
            lambda number=number: _edit(editor, lane, "colour", display.coloured(lane, number)),
        )
    menu.addSeparator()
    last = len(display.looks) - 1
    for text, edit, possible in (
        ("Duplicate", partial(duplicated, index=lane), True),
        ("Move up", partial(moved, index=lane, by=-1), lane > 0),
        ("Move down", partial(moved, index=lane, by=1), lane < last),
        ("Remove", partial(removed, index=lane), last > 0),
    ):
        said = f"lane {lane + 1}: {text.lower()}"
        action = menu.addAction(text, lambda said=said, edit=edit: editor.propose(said, edit))
        action.setEnabled(possible)
    return menu


def _edit(editor: Editor, lane: int, what: str, display: Display) -> None:
    editor.propose(f"lane {lane + 1}: {what.lower()}", lambda state: state.with_display(display))


def _swatch(colour: str) -> QIcon:
    picture = QPixmap(32, 32)
    picture.setDevicePixelRatio(2.0)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    painter.drawRoundedRect(2, 2, 12, 12, 3, 3)
    painter.end()
    return QIcon(picture)
