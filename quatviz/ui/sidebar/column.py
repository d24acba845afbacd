"""Side column with the preset, its lanes, its description, its set-up and the numbers at the cursor."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMargins, QSize, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu

from quatviz.base.translation import tr
from quatviz.display.data.redraws import Redraws
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.display.view_state.view_state import ViewState
from quatviz.files.preset_edits import describe_edits, find_origin
from quatviz.ui.sidebar.anchor_bar import AnchorBar
from quatviz.ui.sidebar.lane_list import LaneList
from quatviz.ui.sidebar.presets import PresetCard, PresetPicker
from quatviz.ui.sidebar.readouts import Readouts
from quatviz.ui.sidebar.setup.panel import SetupPanel
from quatviz.ui.sidebar.setup.section import INSET, FoldableSection
from quatviz.ui.widgets.actions import ActionRegistry, add_toggle
from quatviz.ui.widgets.buttons import IconButton
from quatviz.ui.widgets.layouts import column
from quatviz.ui.widgets.scrolling import VerticalScrollArea, make_scroll_area
from quatviz.ui.widgets.style import theme_of

_MIN_WIDTH = 304
"""Minimum width of the column [pixels], before interface scaling."""


class SideColumn(VerticalScrollArea):
    """Scroll area of the side column: the preset's title at the top, and below it foldable sections for lanes,
    description, set-up and numbers at the cursor."""

    def __init__(
        self,
        document: Document,
        actions: ActionRegistry[Any],
        reference: Callable[[], str],
        redraws: Redraws | None = None,
    ) -> None:
        """Build the column.

        Parameters
        ----------
        document
            The document that is shown and edited.
        actions
            Actions of the window, for undo, redo, theme and help.
        reference
            Function that returns the name of the lane that errors are measured against.
        redraws
            Register of the parts of the window that must be redrawn.
        """
        super().__init__()
        self.undo_button, self.redo_button, self.theme_button, self.help_button = self.buttons = tuple(
            _make_button(actions, name) for name in ("undo", "redo", "theme", "help")
        )
        self._actions, self._title = actions, ""
        actions.refreshed.connect(self._update_buttons)
        self.picker = PresetPicker(document, self.buttons, actions)
        self.preset_card = PresetCard(document, actions)
        self.lane_list = LaneList(document, actions, reference)
        self.setup = SetupPanel(document, actions.shortcut_text("branch"))
        self.readouts = Readouts(redraws, document.view)
        lanes = FoldableSection(tr("Lanes"), self.lane_list)
        lanes.heading.setToolTip(tr("A lane computes the motion with one formulation and integrator"))
        cursor = FoldableSection(tr("At the cursor"), self.readouts)
        description = FoldableSection(tr("Description"), self.preset_card.description)
        # Lanes come first: below a long description they would be out of sight on a small screen.
        self.sections = {
            "Lanes": lanes,
            "Description": description,
            **self.setup.sections,
            "At the cursor": cursor,
        }
        top = column(
            self.picker, self.preset_card, gap=2 * GRID_UNIT, margins=(INSET, 0, INSET, 2 * GRID_UNIT)
        )
        margins = 2 * GRID_UNIT - INSET, 2 * GRID_UNIT
        self.parts_layout = column(
            top, lanes, description, self.setup, cursor, None, gap=0, margins=margins * 2
        )
        make_scroll_area(self.parts_layout, self)
        anchors = {tr("Lanes"): lanes, tr("Settings"): self.setup, tr("At the cursor"): cursor}
        self.anchor_bar = AnchorBar(self, anchors, self._unfold_part)
        self.anchor_bar.height_changed.connect(self._place_anchor_bar)
        self._place_anchor_bar()
        for section in self.sections.values():
            section.toggled.connect(lambda _: self.open_sections(self.open_section_names()))
        self._store = document.view
        self._store.changed.connect(self._apply_view_change)
        self._show_open_sections()
        document.changed.connect(self._update_headings)
        self._update_headings(document.state)

    def minimumSizeHint(self) -> QSize:
        return QSize(max(theme_of(self).scaled_pixels(_MIN_WIDTH), super().minimumSizeHint().width()), 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_anchor_bar()

    def _place_anchor_bar(self) -> None:
        """Add the bar with a button for each part above the scrolled content."""
        margin, height = 2 * GRID_UNIT - INSET, self.anchor_bar.sizeHint().height()
        margins = QMargins(0, height, 0, 0)
        if margins != self.viewportMargins():  # Qt would lay out the whole column at once
            self.setViewportMargins(margins)
        self.anchor_bar.setGeometry(margin, 0, max(self.width() - margin, 0), height)

    def _unfold_part(self, title: str) -> None:
        """Unfold the section of a part. For the set-up, unfold its first section if all its sections are folded."""
        sections = [self.sections[title]] if title in self.sections else [*self.setup.sections.values()]
        if not any(section.is_open for section in sections):
            sections[0].set_open(True)

    def open_section_names(self) -> list[str]:
        """Names of the unfolded sections, as the view state stores them."""
        return [name.replace(" ", "_") for name, section in self.sections.items() if section.is_open]

    def open_sections(self, names: Iterable[str]) -> None:
        """Unfold the sections with these names and fold all others."""
        self._store.update(sections=tuple(names))

    def _apply_view_change(self, old: ViewState, new: ViewState) -> None:
        if new.sections != old.sections:
            self._show_open_sections()

    def _show_open_sections(self) -> None:
        for name, section in self.sections.items():
            section.show_open(name.replace(" ", "_") in self._store.state.sections)

    def load_mesh(self, path: Path) -> None:
        """Give the body the shape of a mesh file. If the file is refused, the reason is shown beside the mesh button."""
        self.sections["Body"].set_open(True)
        self.setup.shape.load_mesh(path)
        QTimer.singleShot(
            0, self, lambda: self.ensureWidgetVisible(self.setup.shape)
        )  # after the layout has run

    def fill_sections(self, menu: QMenu) -> None:
        """Add to the menu a toggle for each section, which unfolds or folds it."""
        for name, section in self.sections.items():
            add_toggle(menu, tr(name), section.is_open, section.set_open)

    def show_gallery(self) -> None:
        """Open the gallery of presets."""
        self.picker.show_gallery()

    def fill_lane_menus(self, menu: QMenu) -> None:
        """Add to the menu a submenu for each lane."""
        self.lane_list.fill_lane_menus(menu)

    def reveal(self, section: FoldableSection) -> None:
        """Unfold the section with this name and scroll to it."""
        section.set_open(True)
        self.ensureWidgetVisible(section.content)

    def give_lanes_own_laws(self) -> None:
        """Give each lane a torque law of its own, and show these laws. If the run has a torque law, it becomes a law of
        every lane."""
        self.setup.lane_loads.give_own_laws()
        loads = self.sections["Loads"]
        loads.set_open(True)
        QTimer.singleShot(0, self, lambda: self.reveal(loads))  # after the layout has run

    def write_law(self) -> None:
        """Add a torque law to the run, show it and start to edit it."""
        loads = self.sections["Loads"]
        loads.set_open(True)
        self.setup.loads.write_own()

    def rename_lane(self, name: str = "") -> None:
        """Start to edit the name of the lane `name`. Without a name, take the lane with the focus or else the
        lane that was pressed last."""
        self.sections["Lanes"].set_open(True)
        row = self.lane_list.rename_lane(name)
        QTimer.singleShot(0, self, lambda: self.ensureWidgetVisible(row))  # after the layout has run

    def _update_buttons(self) -> None:
        """Update the state of the undo and redo buttons, and name the next step in their tooltips."""
        for name, button in (("undo", self.undo_button), ("redo", self.redo_button)):
            button.setEnabled(self._actions[name].isEnabled())
            button.setToolTip(self._actions.tooltip(name, self._actions.menu_text(name)))

    def _update_headings(self, state: State) -> None:
        if state.preset.title != self._title:  # a new preset is read from its title on
            self._title = state.preset.title
            self.verticalScrollBar().setValue(0)
        count = len(state.preset.lanes)
        self.sections["Lanes"].heading.set_synopsis(
            tr("1 lane") if count == 1 else tr("{count} lanes", count=count)
        )
        edited = describe_edits(state.preset, find_origin(state.preset) or state.preset)
        for name, section in self.sections.items():
            section.heading.set_edited(name in edited)


def _make_button(actions: ActionRegistry[Any], name: str) -> IconButton:
    return IconButton(
        name, actions.menu_text(name).removesuffix("…"), actions[name].trigger, actions.shortcut_text(name)
    )
