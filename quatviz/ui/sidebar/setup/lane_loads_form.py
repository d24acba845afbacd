"""Form of the loads that act on a single lane, shown below the loads of the run."""

from PySide6.QtWidgets import QMenu, QWidget

from quatviz.base.translation import tr
from quatviz.display.document.document import Document
from quatviz.display.document.lane_laws import LANE_LAWS_TEXT, give_lanes_own_laws
from quatviz.display.document.preset_items import ItemFamily, ItemTemplate, lane_load_family, summary_of
from quatviz.display.document.state import State
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.files.preset import Preset
from quatviz.physics.formulations import lane_title
from quatviz.simulation.simulation import lane_names
from quatviz.ui.sidebar.setup.items_form import ItemsForm, add_item
from quatviz.ui.sidebar.setup.pager import Pager
from quatviz.ui.widgets.buttons import QuietButton
from quatviz.ui.widgets.labels import subheading
from quatviz.ui.widgets.layouts import WrappedRow, column, wrap_layout

LANES_PER_PAGE = 6
"""Maximum number of lanes whose loads are shown together. Two hundred would block the window for seconds."""
CARDS_PER_LANE = 4
"""Maximum number of loads of one lane that are shown together."""


class LaneLoadsForm(QWidget):
    """One form for each lane that has loads of its own, on pages if there are many lanes. A button adds a load to one lane."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.forms: dict[tuple[int, str], ItemsForm] = {}
        """Forms on the page that is shown, by number and name of their lane."""
        self._lanes: list[tuple[int, str]] = []
        """Number and name of every lane that has loads of its own."""
        self._state, self._origin = document.state, document.state.preset
        self.pager = Pager(LANES_PER_PAGE)
        self.pager.page_changed.connect(self._update_page)
        self.lane_menus: dict[str, QMenu] = {}
        """For each lane name, the menu of loads that can be added to the lane."""
        self._sections: list[QWidget] = []
        self.add_button = QuietButton(tr("Add a load to one lane"))
        self.add_menu = QMenu(self.add_button)
        self.add_menu.aboutToShow.connect(self.fill_menu)
        self.add_button.setMenu(self.add_menu)
        self.laws_button = QuietButton(tr(LANE_LAWS_TEXT), self.give_own_laws)
        self.laws_button.setToolTip(tr("Compare torque laws: each lane gets its own law"))
        self._layout = column(self.pager, WrappedRow(self.add_button, self.laws_button), gap=2 * GRID_UNIT)
        self.setLayout(self._layout)

    def show_state(self, state: State) -> None:
        """Show the loads of each lane that has loads in addition to those of the run."""
        self._state, names = state, lane_names(state.preset.lanes)
        lanes = [(n, names[n]) for n, lane in enumerate(state.preset.lanes) if lane.loads]
        new = [index for index, lane in enumerate(lanes) if lane not in self._lanes]
        self._lanes = lanes
        added = new[0] if len(new) == 1 else None
        shown = [lanes[index] for index in self.pager.select_page(len(lanes), added)]
        if shown != list(self.forms):
            self._rebuild(shown)
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

    def forget_refusals(self) -> None:
        """Hide messages about refused input, because another preset is shown."""
        for form in self.forms.values():
            form.forget_refusals()

    def give_own_laws(self) -> None:
        """Give each lane a torque law of its own. A torque law of the run becomes a law of every lane."""
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

    def _rebuild(self, lanes: list[tuple[int, str]]) -> None:
        for section in self._sections:
            section.hide()  # deleteLater waits for the event loop
            section.deleteLater()
        self.forms = {
            key: ItemsForm(self._document, lane_load_family(key[0]), page_size=CARDS_PER_LANE)
            for key in lanes
        }
        self._sections = [
            wrap_layout(column(subheading(tr("Only on {lane}", lane=lane_title(name))), form))
            for (_, name), form in self.forms.items()
        ]
        for index, section in enumerate(self._sections):
            self._layout.insertWidget(index, section)
