"""The side column: the preset, its lanes, its set-up, and the numbers at the cursor, one above the other."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, QTimer
from PySide6.QtWidgets import QMenu

from quatviz.base.translation import tr
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.display.view_state.theme import UNIT
from quatviz.files.preset_edits import difference, origin_of
from quatviz.ui.sidebar.lane_list import LaneList
from quatviz.ui.sidebar.presets import PresetCard, PresetPicker
from quatviz.ui.sidebar.readouts import ReadOuts
from quatviz.ui.sidebar.setup.panel import SetupPanel
from quatviz.ui.sidebar.setup.section import INSET, Section
from quatviz.ui.widgets.actions import Acts, add_toggle
from quatviz.ui.widgets.controls import IconButton, Scrolled, column, scrolling
from quatviz.ui.widgets.style import theme_of

_LEAST = 304
"""Width of the column [pixels]."""


class SideColumn(Scrolled):
    """Scrolls where it is longer than the window is high."""

    def __init__(self, document: Document, acts: Acts[Any], reference: Callable[[], str]) -> None:
        """`reference` is the lane that errors are against."""
        super().__init__()
        self.undo, self.redo, self.look, self.help = self.buttons = tuple(
            _button_of(acts, name) for name in ("undo", "redo", "theme", "help")
        )
        self._acts, self._title = acts, ""
        acts.renewed.connect(self._follow_acts)
        self.picker = PresetPicker(document, self.buttons, acts)
        self.card = PresetCard(document, acts)
        self.lane_list = LaneList(document, acts, reference)
        self.setup = SetupPanel(document, acts.keys("branch"))
        self.readouts = ReadOuts()
        lanes = Section(tr("Lanes"), self.lane_list)
        cursor = Section(tr("At the cursor"), self.readouts)
        self.sections = {"Lanes": lanes, **self.setup.sections, "At the cursor": cursor}
        top = column(self.picker, self.card, gap=2 * UNIT, margins=(INSET, 0, INSET, 2 * UNIT))
        margins = 2 * UNIT - INSET, 2 * UNIT
        self.parts = column(top, lanes, self.setup, cursor, None, gap=0, margins=margins * 2)
        scrolling(self.parts, self)
        document.changed.connect(self._count)
        self._count(document.state)

    def minimumSizeHint(self) -> QSize:
        return QSize(max(theme_of(self).pixels(_LEAST), super().minimumSizeHint().width()), 0)

    def open_names(self) -> list[str]:
        """The sections that are unfolded."""
        return [name.replace(" ", "_") for name, section in self.sections.items() if section.opened]

    def open_sections(self, names: Iterable[str]) -> None:
        """Unfold these sections and fold the others."""
        known = set(names)
        for name, section in self.sections.items():
            section.set_open(name.replace(" ", "_") in known)

    def take_mesh(self, path: Path) -> None:
        """Give the body the shape of a mesh file, or say beside where it is chosen why not."""
        self.sections["Body"].set_open(True)
        self.setup.shape.take(path)
        QTimer.singleShot(0, self, lambda: self.ensureWidgetVisible(self.setup.shape))  # when it is laid out

    def fill_sections(self, menu: QMenu) -> None:
        """The toggles of all sections."""
        for name, section in self.sections.items():
            add_toggle(menu, tr(name), section.opened, section.set_open)

    def reveal(self, section: Section) -> None:
        """Unfold a section and scroll to it."""
        section.set_open(True)
        self.ensureWidgetVisible(section.content)

    def rename_lane(self, name: str = "") -> None:
        """Let a person type the name of a lane: this one, or the one that has the focus, or was pressed last."""
        self.sections["Lanes"].set_open(True)
        row = self.lane_list.rename(name)
        QTimer.singleShot(0, self, lambda: self.ensureWidgetVisible(row))  # when it is laid out

    def _follow_acts(self) -> None:
        """What undo and redo would do stands in their tool tips."""
        for name, button in (("undo", self.undo), ("redo", self.redo)):
            button.setEnabled(self._acts[name].isEnabled())
            button.setToolTip(self._acts.tip(name, self._acts.words(name)))

    def _count(self, state: State) -> None:
        if state.preset.title != self._title:  # one reads another preset from its title on
            self._title = state.preset.title
            self.verticalScrollBar().setValue(0)
        count = len(state.preset.lanes)
        self.sections["Lanes"].heading.say(tr("1 lane") if count == 1 else tr("{count} lanes", count=count))
        edited = difference(state.preset, origin_of(state.preset) or state.preset)
        for name, section in self.sections.items():
            section.heading.mark(name in edited)


def _button_of(acts: Acts[Any], name: str) -> IconButton:
    return IconButton(name, acts.words(name).removesuffix("…"), acts[name].trigger, acts.keys(name))
