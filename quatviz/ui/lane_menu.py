"""The menu of a lane: where it is shown, its colour, its place among the others, a twin of it."""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QActionGroup, QColor
from PySide6.QtWidgets import QMenu, QWidget

from quatviz.ui.display import COLOURS, MODES, Display
from quatviz.ui.editing import Editor
from quatviz.ui.lane_edits import duplicated, moved, removed
from quatviz.ui.swatch import swatch
from quatviz.ui.theme import Theme

_MARGIN = 2.0
"""Pixels around a colour in the menu."""


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
    colours = menu.addMenu(
        swatch(QColor(theme.lanes[display.looks[lane].colour % len(theme.lanes)]), _MARGIN), "Colour"
    )
    for number, name in enumerate(COLOURS):
        colours.addAction(
            swatch(QColor(theme.lanes[number]), _MARGIN),
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
