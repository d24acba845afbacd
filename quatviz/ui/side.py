"""The side column: the preset, its lanes, its set-up, and the numbers at the cursor, one above the other."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from quatviz.ui.editing import Editor, State
from quatviz.ui.icon_button import IconButton
from quatviz.ui.lane_list import LaneList
from quatviz.ui.preset_card import PresetCard
from quatviz.ui.preset_picker import PresetPicker
from quatviz.ui.readouts import ReadOuts
from quatviz.ui.setup.panel import SetupPanel
from quatviz.ui.setup.section import Section
from quatviz.ui.theme import UNIT, Theme
from quatviz.ui.tr import tr

WIDTH = 344
OPEN_AT_FIRST = ("Lanes", "At_the_cursor")
"""Sections that are unfolded at a first start."""


class SideColumn(QScrollArea):
    """Scrolls where it is longer than the window is high."""

    def __init__(self, theme: Theme, editor: Editor) -> None:
        super().__init__()
        self.undo = IconButton(theme, "undo", tr("Undo"), "Ctrl+Z")
        self.redo = IconButton(theme, "redo", tr("Redo"), "Ctrl+Shift+Z")
        self.look = IconButton(theme, "theme", tr("Next theme: dark, light, projector"), "Ctrl+T")
        self.help = IconButton(theme, "help", tr("Help"), "F1")
        self.picker = PresetPicker(theme, editor, (self.undo, self.redo, self.look, self.help))
        self.card = PresetCard(theme)
        self.lane_list = LaneList(theme, editor)
        self.setup = SetupPanel(theme, editor)
        self.lane_list.seen = self.setup.seen
        self.readouts = ReadOuts(theme)
        lanes = Section(theme, tr("Lanes"), self.lane_list)
        cursor = Section(theme, tr("At the cursor"), self.readouts)
        self.sections = {"Lanes": lanes, **self.setup.sections, "At the cursor": cursor}
        column = self._column()
        for part in (self.picker, self.card, lanes, self.setup, cursor):
            column.addWidget(part)
            column.addSpacing(2 * UNIT if part in (self.picker, self.card) else 0)
        column.addStretch(1)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumWidth(304)
        editor.changed.connect(self._count)
        self._count(editor.state)

    def open_names(self) -> list[str]:
        """The sections that are unfolded."""
        return [name.replace(" ", "_") for name, section in self.sections.items() if section.opened]

    def open_sections(self, names: Iterable[str]) -> None:
        """Unfold these sections and fold the others."""
        known = set(names)
        for name, section in self.sections.items():
            section.set_open(name.replace(" ", "_") in known)

    def take_mesh(self, path: Path) -> None:
        """Give the body the shape of a mesh file, or say in its section why not."""
        self.sections["Body"].set_open(True)
        self.setup.shape.take(path)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of another theme."""
        for part in (
            self.undo,
            self.redo,
            self.look,
            self.help,
            self.picker,
            self.card,
            self.lane_list,
            self.readouts,
        ):
            part.restyle(theme)
        for section in self.sections.values():
            section.restyle(theme)
        self.setup.restyle(theme)

    def _column(self) -> QVBoxLayout:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(2 * UNIT, 2 * UNIT, 2 * UNIT, 2 * UNIT)
        column.setSpacing(0)
        self.setWidget(inside)
        return column

    def _count(self, state: State) -> None:
        count = len(state.preset.lanes)
        self.sections["Lanes"].say(tr("1 lane") if count == 1 else tr("{count} lanes", count=count))
