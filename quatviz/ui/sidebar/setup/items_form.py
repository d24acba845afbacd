"""Forms for the items of one family, such as loads or events, with a menu to add an item."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QWidget

from quatviz.base.errors import InputError
from quatviz.base.formatting import humanize
from quatviz.base.parameters import from_table, parameters_of, to_table
from quatviz.base.translation import tr
from quatviz.display.document.document import Document
from quatviz.display.document.lane_laws import compare_law, repeated_lanes
from quatviz.display.document.preset_items import (
    NUMBER_PREFIX,
    ItemFamily,
    ItemTemplate,
    branch_descriptions,
    examples_of,
    form_parameters,
    form_table,
    hidden_parameters,
    initial_value,
    motion_scale,
    parameter_notes,
    rebuild_from_form,
    remove_item,
    start_values,
    summary_of,
    title_in_sentence,
    title_of,
    undeclared_values,
)
from quatviz.display.document.state import State
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.physics.formulations import lane_title
from quatviz.physics.loads.torque_law import TorqueLaw
from quatviz.physics.mechanics.rotor import LAW_TITLES
from quatviz.physics.mechanics.stabilisation import STABILISATIONS
from quatviz.simulation.simulation import lane_names
from quatviz.ui.sidebar.setup.pager import Pager
from quatviz.ui.widgets.buttons import IconButton, QuietButton
from quatviz.ui.widgets.form import ParameterForm
from quatviz.ui.widgets.labels import label, subheading
from quatviz.ui.widgets.layouts import WrappedRow, column, row
from quatviz.ui.widgets.scrolling import scroll_when_laid_out
from quatviz.ui.widgets.text_block import TextBlockField, TextReport

CARDS_PER_PAGE = 12
"""Maximum number of cards that are shown together. A hundred would take more than a second to build and lay out."""


class ItemsForm(QWidget):
    """One card for each item of a family, on pages if there are many.

    Cards are rebuilt only if items are added or removed, so that a field keeps its text while the user types. `defaults`
    returns the values of a new item that depend on the current state, such as the time of the cursor. `lane_added` is
    emitted when the user has added a lane with another law.
    """

    lane_added = Signal()

    def __init__(
        self,
        document: Document,
        family: ItemFamily,
        defaults: Callable[[], Mapping[str, Any]] = dict,
        page_size: int = CARDS_PER_PAGE,
    ) -> None:
        super().__init__()
        self._document = document
        self._family = family
        self._defaults = defaults
        self.cards: list[ItemCard] = []
        """Cards of the items on the page that is shown."""
        self._first_shown, self._item_count = 0, 0
        self._state = document.state
        self._origin: Sequence[Any] = ()
        self.pager = Pager(page_size)
        self.pager.page_changed.connect(self._update_page)
        self.add_button = QuietButton(tr("Add {word}", word=family.noun))
        self.add_menu = QMenu(self.add_button)
        self.add_menu.setToolTipsVisible(True)
        for addition in family.templates:
            action = self.add_menu.addAction(
                addition.text, lambda addition=addition: self._add_item(addition)
            )
            action.setToolTip(summary_of(addition.item_class))
        self.add_button.setMenu(self.add_menu)
        buttons: list[Any] = [self.add_button]
        self.write_button: QuietButton | None = None
        """Button that adds an item with equations typed by the user. It is None for families without such items."""
        if (own := family.own_template) is not None:
            self.write_button = QuietButton(own.text, self.write_own)
            self.write_button.setToolTip(summary_of(own.item_class))
            buttons.append(self.write_button)
        self._cards_layout = column(self.pager, row(*buttons, None, gap=2 * GRID_UNIT), gap=2 * GRID_UNIT)
        self.setLayout(self._cards_layout)

    def show_state(self, state: State) -> None:
        """Show the items of the preset. If an item was added at the end, show the page that contains it."""
        self._state, items = state, self._family.items(state)
        added = self._item_count if len(items) == self._item_count + 1 else None
        self._item_count = len(items)
        shown = self.pager.select_page(len(items), added)
        shown_items = [items[index] for index in shown]
        self._first_shown = shown.start
        if [(card.index, card.item_type, list(card.form.rows)) for card in self.cards] != [
            (index, type(items[index]), list(form_parameters(items[index]))) for index in shown
        ]:
            self._rebuild(shown_items)
        for card, item in zip(self.cards, shown_items, strict=True):
            # An edit at the cursor leaves the initial state unchanged, so that no remark applies.
            notes = {} if self._document.branching.is_enabled else parameter_notes(item, state)
            card.show_item(item, notes)

    def _update_page(self) -> None:
        """Show the cards of the page that the user has chosen."""
        self.show_state(self._state)
        self.compare(self._origin)

    def compare(self, origin: Sequence[Any]) -> None:
        """Mark values that differ from those of the same item in the original preset."""
        self._origin = origin
        originals = origin[self._first_shown : self._first_shown + len(self.cards)]
        for card, original in zip_longest(self.cards, originals):
            card.form.compare(form_table(original) if type(original) is card.item_type else {})

    def forget_refusals(self) -> None:
        """Hide messages about refused input, because another preset is shown."""
        for card in self.cards:
            card.form.forget_refusals()

    def _rebuild(self, items: Sequence[Any]) -> None:
        for card in self.cards:
            card.hide()  # deleteLater waits for the event loop
            card.deleteLater()
        self.cards = [
            ItemCard(self._document, self._family, item, index)
            for index, item in enumerate(items, self._first_shown)
        ]
        for number, card in enumerate(self.cards):
            card.lane_added.connect(self.lane_added)
            self._cards_layout.insertWidget(number, card)

    def write_own(self) -> None:
        """Add an item whose equations the user types, and start to edit them."""
        if self._family.own_template is not None:
            self._add_item(self._family.own_template)

    def _add_item(self, addition: ItemTemplate) -> None:
        count = len(self._family.items(self._document.state))
        add_item(self._document, self._family, addition, self._defaults())
        if self.cards and len(self._family.items(self._document.state)) > count:
            scroll_when_laid_out(self.cards[-1])
            if addition is self._family.own_template:
                self.cards[-1].edit_text()


def add_item(
    document: Document, family: ItemFamily, addition: ItemTemplate, defaults: Mapping[str, Any]
) -> None:
    """Add an item to the document.

    Parameters
    ----------
    document
        Document to be edited.
    family
        Family of the item, such as loads.
    addition
        Template with the class of the item and its preset values.
    defaults
        Values that depend on the current state. They override start values but not those of the template.
    """
    item_type = addition.item_class
    table = {name: initial_value(parameter) for name, parameter in parameters_of(item_type).items()}
    table.update(start_values(item_type, document.state))
    table.update(defaults)
    table.update(addition.values)
    values = {name: value for name, value in table.items() if value is not None}
    document.propose(
        tr("add {item}", item=title_in_sentence(item_type)),
        lambda state: family.append(state, from_table(item_type, values, family.field)),
    )


class ItemCard(QWidget):
    """Form of one item: its title, its parameters and a button that removes it. `lane_added` is emitted when the user has
    added a lane with another law."""

    lane_added = Signal()

    def __init__(self, document: Document, family: ItemFamily, item: Any, index: int) -> None:
        super().__init__()
        self.item_type = item_type = type(item)
        self._document = document
        self._family = family
        self.index = index
        title = subheading(title_of(item_type))
        title.setToolTip(summary_of(item_type))
        tooltip = tr("Remove {item}", item=title_in_sentence(item_type))
        self.remove_button = IconButton("remove", tooltip, lambda: remove_item(document, family, index))
        law_choices = {law: tr(text) for law, text in LAW_TITLES.items()}
        stabilisation_choices: dict[Any, str] = {None: tr("Unchanged")}
        stabilisation_choices.update({name: tr(title) for name, title in STABILISATIONS.items()})
        self._parameters = form_parameters(item)
        self.form = ParameterForm(
            self._parameters,
            f"{family.field}[{index}]",
            self._propose,
            {"stabilisation": stabilisation_choices, "law": law_choices},
            {
                name: TextBlockField(parameter, partial(self._check_text, name))
                for name, parameter in self._parameters.items()
                if parameter.multiline
            },
        )
        for name, parameter_row in self.form.rows.items():
            if isinstance(parameter_row.field, TextBlockField):
                parameter_row.field.numbers_wanted.connect(partial(self._add_numbers, name))
                parameter_row.field.numbers_unwanted.connect(partial(self._remove_numbers, name))
                parameter_row.field.corrected.connect(parameter_row.clear_refusal)
        self.examples_button = QuietButton(tr("Examples"))
        """Button with a menu of examples, hidden for items that have none."""
        self.examples_menu = QMenu(self.examples_button)
        self.examples_menu.aboutToShow.connect(self.fill_examples)
        self.examples_button.setMenu(self.examples_menu)
        has_examples = bool(examples_of(item, document.state))
        is_comparable = issubclass(item_type, TorqueLaw)
        self.examples_button.setVisible(has_examples)
        self.compare_button = QuietButton(tr("Compare with"))
        """Button with a menu of other torque laws. Choosing a law adds a lane with this law. The button is
        hidden for items other than torque laws."""
        self.compare_button.setToolTip(tr("Add a lane on which another law acts"))
        self.compare_menu = QMenu(self.compare_button)
        self.compare_menu.aboutToShow.connect(self.fill_compared_laws)
        self.compare_button.setMenu(self.compare_menu)
        self.compare_button.setVisible(is_comparable)
        self._menu_row = WrappedRow(self.compare_button, self.examples_button)
        self._menu_row.setVisible(has_examples or is_comparable)
        self.extra_label = label("muted")
        self.extra_label.setContentsMargins(0, GRID_UNIT // 2, 0, 0)
        self.setLayout(
            column(
                row((title, 1), self.remove_button),
                self._menu_row,
                self.form,
                self.extra_label,
                gap=GRID_UNIT // 2,
            )
        )

    def show_item(self, item: Any, notes: Mapping[str, str]) -> None:
        """Show the values of the item in the fields, and `notes`, by parameter name, below the fields. Values that have
        no field are described in words."""
        self.form.show_table(form_table(item))
        hidden = hidden_parameters(item)
        for name, form_row in self.form.rows.items():
            form_row.setVisible(name not in hidden)
            form_row.show_note(notes.get(name, ""))
        words = "\n".join(branch_descriptions(undeclared_values(item)))
        self.extra_label.setText(words)
        self.extra_label.setVisible(bool(words))

    def edit_text(self) -> None:
        """Move the focus to the text of the item, if it has one."""
        for form_row in self.form.rows.values():
            if isinstance(form_row.field, TextBlockField):
                form_row.field.area.setFocus()

    def fill_examples(self) -> None:
        """Fill the menu with examples that suit the present body and motion."""
        self.examples_menu.clear()
        if self._exists():
            item = self._family.items(self._document.state)[self.index]
            for title, values in examples_of(item, self._document.state):
                self.examples_menu.addAction(tr(title), partial(self._apply_example, values))

    def _apply_example(self, values: Mapping[str, Any]) -> None:
        """Replace values of the item by those of an example."""

        def make(state: State) -> State:
            table = {**to_table(self._family.items(state)[self.index]), **values}
            return self._family.replace_item(
                state, self.index, from_table(self.item_type, table, self.form.path)
            )

        step_text = tr("{item}: example", item=title_in_sentence(self.item_type))
        self._document.propose(step_text, make)

    def _apply_texts(self) -> bool:
        """Apply the texts that the user has typed; return False if one of them is refused."""
        fields = [row.field for row in self.form.rows.values() if isinstance(row.field, TextBlockField)]
        for field in fields:
            field.area.commit_text()
        return not any(field.is_pending for field in fields)

    def fill_compared_laws(self) -> None:
        """Fill the menu with the laws that a new lane can have."""
        self.compare_menu.clear()
        if not self._exists() or all(lane.recording for lane in self._document.state.preset.lanes):
            return
        if not self._apply_texts():
            self.compare_menu.addAction(tr("Correct the law first")).setEnabled(False)
            return
        law = self._family.items(self._document.state)[self.index]
        for title, values in examples_of(law, self._document.state):
            if title != law.example_title:
                other = from_table(self.item_type, {**to_table(law), **values}, self.form.path)
                self.compare_menu.addAction(tr(title), partial(self._add_lane, other))
        self.compare_menu.addSeparator()
        self.compare_menu.addAction(tr("A copy of this law"), partial(self._add_lane, law))
        self.compare_menu.addAction(tr("No torque law"), partial(self._add_lane, None))

    def _add_lane(self, law: TorqueLaw | None) -> None:
        """Add a lane on which `law` replaces the law of this card. Report the names of lanes that were removed."""
        state = self._document.state
        names = lane_names(state.preset.lanes)
        removed = [lane_title(names[index]) for index in repeated_lanes(state, self._family)]
        refusal = self._document.propose(
            tr("compare laws"), lambda state: compare_law(state, self._family, self.index, law)
        )
        if refusal is not None:
            self._document.message_emitted.emit(tr("The lane was not added: {reason}", reason=refusal), "")
            return
        if removed:
            message = tr(
                "Removed {lanes}, which would have the same law as the first lane. Undo restores them",
                lanes=", ".join(removed),
            )
            self._document.message_emitted.emit(message, "")
        self.lane_added.emit()

    def _check_text(self, name: str, text: str) -> TextReport:
        """Check a text of the item, such as a torque law. Return errors and unused numbers, for the field in which the
        text is typed."""
        if not self._exists():
            return TextReport()
        item = self._family.items(self._document.state)[self.index]
        fault = item.text_fault(name, text)
        if fault is None:
            return TextReport(unused=item.unused_numbers(name, text))
        sentence = tr(
            "{place}: found {found}, expected {expected}; {remedy}",
            place=tr(fault.place),
            found=tr(fault.found),
            expected=tr(fault.expected),
            remedy=tr(fault.remedy),
        )
        return TextReport(sentence, missing=item.missing_numbers(name, text))

    def _exists(self) -> bool:
        """Return True if the document still has the item of this card."""
        items = self._family.items(self._document.state)
        return self.index < len(items) and type(items[self.index]) is self.item_type

    def _add_numbers(self, name: str, numbers: Sequence[str]) -> None:
        """Apply the edited text of the field `name`, and add the `numbers` that it uses and the item lacks. Their
        values suit the body and its motion."""
        state = self._document.state
        item, text = self._family.items(state)[self.index], self.form.rows[name].field.value()
        values = item.start_numbers(text, numbers, motion_scale(state))
        table = {**form_table(item), name: text}
        table.update({f"{NUMBER_PREFIX}{number}": value for number, value in values.items()})
        self._propose_numbers(table, name)

    def _remove_numbers(self, name: str, numbers: Sequence[str]) -> None:
        """Apply the edited text of the field `name`, and remove the `numbers` of the item that it does not use."""
        item = self._family.items(self._document.state)[self.index]
        table = {**form_table(item), name: self.form.rows[name].field.value()}
        for number in numbers:
            table.pop(f"{NUMBER_PREFIX}{number}", None)
        self._propose_numbers(table, name)

    def _propose_numbers(self, table: dict[str, Any], name: str) -> None:
        """Propose the edited text of the field `name` together with changed numbers. A refusal is shown below the
        field."""
        refusal = self._propose(table, name, False)
        if refusal is not None:
            self.form.rows[name].show_refusal(refusal, self.form.path)

    def _propose(self, table: dict[str, Any], edited: str, coalesce: bool) -> InputError | None:
        if not self._exists():
            return None  # a pending text is committed when the focus leaves a card that is being removed

        def make(state: State) -> State:
            completed = self._family.complete(state, table)
            item = rebuild_from_form(self._family.items(state)[self.index], completed, self.form.path)
            return self._family.replace_item(state, self.index, item)

        step_text = f"{title_in_sentence(self.item_type)}: {humanize(self._parameters[edited].title)}"
        return self._document.propose(step_text, make, coalesce)
