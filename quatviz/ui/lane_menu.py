"""The menu of a lane: where it is shown, its colour and shape, its place among the others, a twin of it."""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from quatviz.ui.display import COLOURS, MODES, Display
from quatviz.ui.editing import Editor
from quatviz.ui.lane_edits import duplicated, moved, removed
from quatviz.ui.lane_look import COUNT, SHAPES, lane_colour, shape_of
from quatviz.ui.swatch import swatch
from quatviz.ui.theme import Theme
from quatviz.ui.tr import tr
from quatviz.ui.words import within

_MARGIN = 2.0
"""Pixels around a colour in the menu."""


def lane_menu(theme: Theme, editor: Editor, lane: int, parent: QWidget) -> QMenu:
    """A menu for one showing."""
    menu = QMenu(parent)
    display = editor.state.display
    modes = QActionGroup(menu)
    for mode, text in MODES.items():
        action = menu.addAction(
            tr(text),
            lambda mode=mode, text=text: _edit(editor, lane, within(text), display.shown_as(lane, mode)),
        )
        action.setCheckable(True)
        action.setChecked(display.mode(lane) == mode)
        modes.addAction(action)
    menu.addSeparator()
    number = display.looks[lane].colour
    own, colour = swatch(lane_colour(theme, number), _MARGIN, shape_of(number)), number % COUNT
    colours = menu.addMenu(own, tr("Colour"))
    for other, name in enumerate(COLOURS):
        colours.addAction(
            swatch(lane_colour(theme, other), _MARGIN, shape_of(number)),
            tr(name),
            lambda other=other: _edit(
                editor, lane, tr("colour"), display.coloured(lane, number - colour + other)
            ),
        )
    shapes = menu.addMenu(own, tr("Shape on the curves"))
    for place, shape in enumerate(SHAPES):
        shapes.addAction(
            swatch(lane_colour(theme, number), _MARGIN, shape),
            tr(shape.capitalize() or "None"),
            lambda place=place: _edit(
                editor, lane, tr("shape"), display.coloured(lane, COUNT * place + colour)
            ),
        )
    menu.addSeparator()
    last = len(display.looks) - 1
    for text, edit, possible in (
        ("Duplicate", partial(duplicated, index=lane), True),
        ("Move up", partial(moved, index=lane, by=-1), lane > 0),
        ("Move down", partial(moved, index=lane, by=1), lane < last),
        ("Remove", partial(removed, index=lane), last > 0),
    ):
        said = tr("lane {lane}: {text}", lane=lane + 1, text=within(text))
        action = menu.addAction(tr(text), lambda said=said, edit=edit: editor.propose(said, edit))
        action.setEnabled(possible)
    return menu


def _edit(editor: Editor, lane: int, what: str, display: Display) -> None:
    editor.propose(
        tr("lane {lane}: {what}", lane=lane + 1, what=what), lambda state: state.with_display(display)
    )
