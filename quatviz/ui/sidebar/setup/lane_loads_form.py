"""Form of the loads that act on a single lane, shown below the loads of the run."""

from PySide6.QtWidgets import QLabel, QMenu, QWidget

from quatviz.base.translation import tr
from quatviz.display.document.document import Document
from quatviz.display.document.lane_laws import LANE_LAWS_TEXT, give_lanes_own_laws
from quatviz.display.document.preset_items import ItemFamily, ItemTemplate, lane_load_family, summary_of
from quatviz.display.document.state import State
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.files.preset import Preset
from quatviz.physics.formulations import lane_title
from quatviz.physics.loads.torque_law import TorqueLaw
from quatviz.simulation.simulation import lane_names
from quatviz.ui.sidebar.setup.items_form import ItemsForm, add_item
from quatviz.ui.sidebar.setup.pager import Pager
from quatviz.ui.widgets.buttons import QuietButton
from quatviz.ui.widgets.labels import label
from quatviz.ui.widgets.layouts import WrappedRow, column, wrap_layout
from quatviz.ui.widgets.scrolling import scroll_when_laid_out

LANES_PER_PAGE = 6
"""Maximum number of lanes whose loads are shown together. Two hundred would block the window for seconds."""
CARDS_PER_LANE = 4
"""Maximum number of loads of one lane that are shown together."""


def _heading_text(lane: str) -> str:
    """Return the heading of the loads of one lane."""
    return tr("Only on {lane}", lane=lane_title(lane))


class LaneLoadsForm(QWidget):
    """One form for each lane that has loads of its own, on pages if there are many lanes. A button adds a load to one lane."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.forms: dict[tuple[int, str], ItemsForm] = {}
        """Forms on the page that is shown, by index and name of their lane."""
        self._lanes: list[tuple[int, str]] = []
        """Index and name of every lane that has loads of its own."""
        self._state, self._origin = document.state, document.state.preset
        self.pager = Pager(LANES_PER_PAGE)
        self.pager.page_changed.connect(self._update_page)
        self.lane_menus: dict[str, QMenu] = {}
        """Menus of the loads that can be added to a lane, by lane name."""
        self._sections: list[QWidget] = []
        self._headings: list[QLabel] = []
        self.add_button = QuietButton(tr("Add a load to one lane"))
        self.add_menu = QMenu(self.add_button)
        self.add_menu.aboutToShow.connect(self.fill_menu)
        self.add_button.setMenu(self.add_menu)
        self.laws_button = QuietButton(tr(LANE_LAWS_TEXT), self.give_own_laws)
        self.laws_button.setToolTip(tr("Compare torque laws: each lane gets its own law"))
        self.note = label("muted", tr("These laws act together, on every lane."))
        """Label with the note that several laws of the run act together, because a user may expect the laws to be
        compared."""
        self._layout = column(
            *(self.pager, self.note, WrappedRow(self.add_button, self.laws_button, gap=2 * GRID_UNIT)),
            gap=2 * GRID_UNIT,
        )
        self.setLayout(self._layout)

    def show_state(self, state: State) -> None:
        """Show the loads of each lane that has loads of its own."""
        self._state, names = state, lane_names(state.preset.lanes)
        lanes = [(n, names[n]) for n, lane in enumerate(state.preset.lanes) if lane.loads]
        known = [number for number, _ in self._lanes]
        new = [index for index, (number, _) in enumerate(lanes) if number not in known]
        self._lanes = lanes
        self.note.setVisible(sum(isinstance(load, TorqueLaw) for load in state.preset.loads) > 1)
        added = new[0] if len(new) == 1 else None
        shown = [lanes[index] for index in self.pager.select_page(len(lanes), added)]
        if [number for number, _ in shown] != [number for number, _ in self.forms]:
            self._rebuild([number for number, _ in shown])
        self.forms = dict(zip(shown, self.forms.values(), strict=True))
        for title_label, (_, name) in zip(self._headings, shown, strict=True):
            title_label.setText(_heading_text(name))
        for form in self.forms.values():
            form.show_state(state)

    def _update_page(self) -> None:
        """Show the forms of the page that the user has chosen."""
        self.show_state(self._state)
        self.compare(self._origin)

    def compare(self, origin: Preset) -> None:
        """Mark values that differ from the original preset."""
        self._origin = origin
        for (number, _), form in self.forms.items():
            form.compare(origin.lanes[number].loads if number < len(origin.lanes) else ())

    def show_last_lane(self) -> None:
        """Scroll to the loads of the last lane."""
        self.pager.select_page(len(self._lanes), len(self._lanes) - 1)
        self._update_page()
        if self._sections:
            scroll_when_laid_out(self._sections[-1])

    def forget_refusals(self) -> None:
        """Hide messages about refused input, because another preset is shown."""
        for form in self.forms.values():
            form.forget_refusals()

    def give_own_laws(self) -> None:
        """Give each lane a torque law of its own. If the run has a torque law, it becomes a law of every lane."""
        self._document.propose(tr("a law for each lane"), give_lanes_own_laws)

    def fill_menu(self) -> None:
        """Fill the menu with a submenu of loads for each lane that computes a motion."""
        self.add_menu.clear()
        self.lane_menus.clear()
        preset = self._document.state.preset
        for number, name in enumerate(lane_names(preset.lanes)):
            if preset.lanes[number].recording is None:
                menu = self.lane_menus[name] = self.add_menu.addMenu(lane_title(name))
                menu.setToolTipsVisible(True)
                family = lane_load_family(number)
                for addition in family.templates:
                    self._offer(menu, family, addition)

    def _offer(self, menu: QMenu, family: ItemFamily, addition: ItemTemplate) -> None:
        action = menu.addAction(addition.text, lambda: add_item(self._document, family, addition, {}))
        action.setToolTip(summary_of(addition.item_class))

    def _rebuild(self, numbers: list[int]) -> None:
        for section in self._sections:
            section.hide()  # deleteLater waits for the event loop
            section.deleteLater()
        self.forms = {
            (number, ""): ItemsForm(self._document, lane_load_family(number), page_size=CARDS_PER_LANE)
            for number in numbers
        }
        self._headings = [label("subheading") for _ in numbers]
        self._sections = [
            wrap_layout(column(title_label, form))
            for title_label, form in zip(self._headings, self.forms.values(), strict=True)
        ]
        for index, (section, form) in enumerate(zip(self._sections, self.forms.values(), strict=True)):
            form.lane_added.connect(self.show_last_lane)
            self._layout.insertWidget(index, section)
