"""Forms built from declared parameters, and their fields. A refused value stays in its field, and the reason is shown below
the field."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QWidget

from quatviz.base.errors import InputError
from quatviz.base.expression import (
    ExpressionError,
    NumberTooLargeError,
    expression_error,
    insert_product_signs,
    parse_constant,
)
from quatviz.base.formatting import format_error, format_number, format_unit, humanize_title, parse_number
from quatviz.base.help_topics import DEFAULT_TOPIC
from quatviz.base.parameters import Parameter, format_list, format_value, join_key
from quatviz.base.translation import tr
from quatviz.base.units import convert_to_unit, number_error_text, split_numbers
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.ui.widgets.buttons import QuietButton
from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.widgets.entries import LineEntry
from quatviz.ui.widgets.inline_message import InlineMessage
from quatviz.ui.widgets.labels import label, tooltip_text
from quatviz.ui.widgets.layouts import column, row, wrap_layout
from quatviz.ui.widgets.scrub_slider import ScrubSlider
from quatviz.ui.widgets.style import theme_of


class ParameterField(QWidget):
    """Base of the fields that show and edit one parameter.

    `committed` is emitted after typing or choosing, `moved` while a number is dragged, and `released` at the end of a drag.
    """

    committed = Signal()
    reverted = Signal()
    moved = Signal()
    released = Signal()
    needs_own_row = False
    """True if the field is so wide that it is placed in a row of its own below the label."""
    paste_counts: tuple[int, ...] = ()
    """Accepted numbers of pasted values. If the user pastes one of these numbers of values into an entry, they are
    distributed over all entries."""

    def __init__(self, unit: str = "", timed: bool = False) -> None:
        super().__init__()
        self.unit, self._timed = unit, timed
        self.entries: list[LineEntry] = []
        self.sliders: list[ScrubSlider] = []

    def show_value(self, value: Any) -> None:
        """Show the value that the run has now. None means that the run has no value."""
        raise NotImplementedError

    def value(self) -> Any:
        """Return the typed or chosen value, or None if empty."""
        raise NotImplementedError

    @property
    def invalid_entries(self) -> list[LineEntry]:
        """The entries whose text is neither a number nor, where allowed, an expression."""
        return []

    @property
    def expression_error(self) -> ExpressionError | None:
        """Error of the first invalid expression, or None. In a field that accepts only numbers, only a number that is
        too large is reported."""
        texts = (convert_to_unit(entry.text(), self.unit) for entry in self.invalid_entries)
        error = next(
            (expression_error(insert_product_signs(text)) for text in texts if text is not None), None
        )
        return error if self._timed or isinstance(error, NumberTooLargeError) else None

    @property
    def is_pending(self) -> bool:
        """True if the displayed value differs from the value of the run."""
        return any(entry.is_pending for entry in self.entries)

    def show_numbers(self, values: Iterable[float]) -> None:
        """Show numbers that differ from the value of the run, such as those of a slider that is dragged."""
        for entry, value in zip(self.entries, values, strict=True):
            entry.setText(format_number(value))

    def revert(self) -> None:
        """Discard the input and show the value of the run again."""
        for entry in self.entries:
            entry.revert()

    def reset(self) -> None:
        """Restore the value of the run and the initial layout. This is called when another preset was loaded."""
        self.revert()

    def _find_invalid_entries(self, optional: bool) -> list[LineEntry]:
        if optional and not any(entry.text().strip() for entry in self.entries):
            return []
        return [entry for entry in self.entries if self._parse(entry.text().strip()) is None]

    def _parse(self, text: str) -> float | str | None:
        """Return the number in `text` in the field's unit. Return an expression in file syntax if the field accepts
        expressions.

        Return None if the text is neither.
        """
        text = convert_to_unit(text, self.unit) or ""
        value = parse_number(text) if self._timed else parse_constant(text)
        is_expression = value is None and self._timed and expression_error(insert_product_signs(text)) is None
        return insert_product_signs(text) if is_expression else value

    def _make_entry(self, name: str, optional: bool = False) -> LineEntry:
        entry = LineEntry(name, "–" if optional else "")
        entry.committed.connect(lambda: self._paste_into_entries(split_numbers(entry.text())))
        entry.committed.connect(self.committed)
        entry.reverted.connect(self.revert)  # the entry may be refused as a part of this field
        entry.reverted.connect(self.reverted)
        self.entries.append(entry)
        return entry

    def _paste_into_entries(self, texts: Sequence[str]) -> None:
        """Put one pasted number into each entry, if their count is in `paste_counts`."""
        if len(texts) in self.paste_counts:
            for entry, text in zip(self.entries, texts, strict=True):
                entry.setText(text)

    def _make_slider(self, entry: LineEntry, parameter: Parameter, name: str = "") -> ScrubSlider:
        slider = ScrubSlider(entry, parameter, self.entries, name)
        slider.moved.connect(self.moved)
        slider.released.connect(self.released)
        self.sliders.append(slider)
        return slider


class EntryField(ParameterField):
    """A field for a number, an expression or a text, or for several numbers or expressions side by side."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter.unit, parameter.timed)
        self._is_scalar, self.paste_counts = not parameter.shape, parameter.shape
        self.needs_own_row = parameter.timed or not self._is_scalar
        self._is_text = parameter.value_type is str
        self._is_optional = parameter.optional
        name = humanize_title(parameter.title)
        names = [name] if self._is_scalar else [f"{name} {symbol}" for symbol in parameter.element_names]
        entries = [self._make_entry(name, parameter.optional) for name in names]
        if self._is_text:
            self.setLayout(row(*((entry, 1) for entry in entries), gap=GRID_UNIT // 2))
        elif self._is_scalar:
            self._make_slider(entries[0], parameter)
            self.setLayout(row(entries[0]))
        else:
            labelled_entries = zip(entries, parameter.element_names, strict=True)
            columns = [
                (column(self._make_slider(entry, parameter, name), entry, gap=0), 1)
                for entry, name in labelled_entries
            ]
            self.setLayout(row(*columns, gap=GRID_UNIT // 2))

    def show_value(self, value: Any) -> None:
        for index, entry in enumerate(self.entries):
            entry.show_text(format_value(value if self._is_scalar or value is None else value[index]))

    def value(self) -> Any:
        texts = [entry.text().strip() for entry in self.entries]
        if self._is_optional and not any(texts):
            return None
        values = texts if self._is_text else [self._parse(text) for text in texts]
        return values[0] if self._is_scalar else values

    @property
    def invalid_entries(self) -> list[LineEntry]:
        return [] if self._is_text else self._find_invalid_entries(self._is_optional)


class SymmetricMatrixField(ParameterField):
    """A field for a symmetric matrix. It shows the diagonal or all elements; an edit of an element also changes the mirrored
    one."""

    needs_own_row = True

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter.unit)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(GRID_UNIT // 2)
        self._size, self._is_diagonal = parameter.shape[0], True
        self._is_optional = parameter.optional
        self.paste_counts = (self._size, self._size**2)
        is_inertia = parameter.unit == "kg m^2"
        self._full_checkbox = QCheckBox(
            tr("Include products of inertia") if is_inertia else tr("Include off-diagonal elements")
        )
        self._full_checkbox.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._full_checkbox.setToolTip(
            tr("Off: the body axes are principal axes, and three moments are enough")
            if is_inertia
            else tr("Off: the matrix is diagonal, and three numbers are enough")
        )
        self._cells: dict[tuple[int, int], LineEntry] = {}
        self._cell_widgets: dict[tuple[int, int], QWidget] = {}
        names = iter(parameter.element_names)
        for i in range(self._size):
            for j in range(self._size):
                entry = self._make_entry(
                    f"{humanize_title(parameter.title)} {i + 1}{j + 1}", parameter.optional
                )
                slider = self._make_slider(
                    entry, parameter if i != j else replace(parameter, above=0.0), next(names)
                )
                mirror = partial(self._mirror_entry, entry, (j, i))
                entry.textEdited.connect(mirror)
                slider.moved.connect(mirror)
                self._cells[i, j] = entry
                self._cell_widgets[i, j] = wrap_layout(column(slider, entry, gap=0))
        self._full_checkbox.clicked.connect(self._toggle_full_matrix)
        self._arrange_cells()

    def show_value(self, value: Any) -> None:
        if value is None:
            self._is_diagonal = True
            for entry in self.entries:
                entry.show_text("")
            return
        matrix = np.asarray(value)
        self._is_diagonal = np.array_equal(matrix, np.diag(np.diag(matrix)))
        if not self._is_diagonal:
            self._show_full(True)
        for index, entry in self._cells.items():
            entry.show_text(format_number(matrix[index]))

    def reset(self) -> None:
        super().reset()
        self._show_full(not self._is_diagonal)

    def value(self) -> Any:
        visible_cells = self._visible_cells
        if self._is_optional and not any(cell.text().strip() for cell in visible_cells):
            return None
        numbers = [
            self._parse(cell.text().strip()) if cell in visible_cells else 0.0 for cell in self.entries
        ]
        return [numbers[start : start + self._size] for start in range(0, len(numbers), self._size)]

    @property
    def _visible_cells(self) -> list[LineEntry]:
        return [cell for (i, j), cell in self._cells.items() if i == j or self._full_checkbox.isChecked()]

    @property
    def invalid_entries(self) -> list[LineEntry]:
        visible_cells = self._visible_cells
        is_empty = self._is_optional and not any(cell.text().strip() for cell in visible_cells)
        return (
            []
            if is_empty
            else [entry for entry in self._find_invalid_entries(optional=False) if entry in visible_cells]
        )

    def _paste_into_entries(self, texts: Sequence[str]) -> None:
        if len(texts) == self._size:
            texts = [texts[i] if i == j else "0" for i, j in self._cells]
        elif len(texts) == len(self._cells):
            self._show_full(True)
        super()._paste_into_entries(texts)

    def _mirror_entry(self, entry: LineEntry, cell: tuple[int, int], text: str = "") -> None:
        if cell[0] != cell[1]:
            self._cells[cell].setText(entry.text())

    def _show_full(self, on: bool) -> None:
        if on != self._full_checkbox.isChecked():
            self._full_checkbox.setChecked(on)
            self._arrange_cells()  # arranging at every call would lay out and paint the whole column again

    def _toggle_full_matrix(self) -> None:
        self._arrange_cells()
        if not self._full_checkbox.isChecked():
            self.committed.emit()

    def _arrange_cells(self) -> None:
        """Arrange the entries of the diagonal in one row, or all entries as a matrix. The tab order follows this layout."""
        show_all = self._full_checkbox.isChecked()
        for (i, j), widget in self._cell_widgets.items():
            widget.setVisible(show_all or i == j)
            self._grid.addWidget(widget, i if show_all else 0, j)
        self._grid.addWidget(
            self._full_checkbox, self._size, 0, 1, self._size
        )  # added last, because the tab order follows the layout


class ChoiceField(ParameterField):
    """A field with a choice among several names."""

    def __init__(self, parameter: Parameter, choices: Mapping[Any, str]) -> None:
        super().__init__()
        self._choices = choices
        self.box = ChoiceBox(choices, humanize_title(parameter.title))
        self.box.chosen.connect(lambda _: self.committed.emit())
        self._run_value = self.box.value
        self.needs_own_row = any(len(text) > 16 for text in choices.values())
        self.setLayout(row(self.box))

    def show_value(self, value: Any) -> None:
        self._run_value = value
        if self.box.count() > len(
            self._choices
        ):  # drop a value shown earlier that is no choice, such as the mesh of another body
            self.box.set_choices(self._choices)
        self.box.show_value(value)

    def value(self) -> Any:
        return self.box.value

    @property
    def is_pending(self) -> bool:
        return self.box.value != self._run_value

    def revert(self) -> None:
        self.box.show_value(self._run_value)


class BooleanField(ParameterField):
    """A check box for a boolean parameter."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__()
        self._checkbox = QCheckBox()
        self._checkbox.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._checkbox.setAccessibleName(humanize_title(parameter.title))
        self._checkbox.clicked.connect(lambda _: self.committed.emit())
        self.setLayout(row(self._checkbox))

    def show_value(self, value: Any) -> None:
        self._checkbox.setChecked(bool(value))

    def value(self) -> Any:
        return self._checkbox.isChecked()


def create_field(parameter: Parameter, choices: Mapping[Any, str] | None = None) -> ParameterField:
    """Return the field for a parameter. `choices` maps values to displayed texts and overrides the choices of the
    declaration."""
    if choices is None and parameter.choices is not None:
        choices = {choice: humanize_title(choice) for choice in parameter.choices}
    if choices is not None:
        return ChoiceField(parameter, choices)
    if len(parameter.shape) == 2:
        return SymmetricMatrixField(parameter)  # inertias are the only declared matrices
    return BooleanField(parameter) if parameter.value_type is bool else EntryField(parameter)


FIELD_WIDTH = 160
_EDITED_SUFFIX = " \u2022"
"""Mark appended to the name of an edited parameter."""

ProposeTable = Callable[[dict[str, Any], str, bool], InputError | None]
"""A function that proposes a table of values to the document, and returns an error or None.

Its arguments are the table (without values that are None), the name of the edited parameter for the undo menu, and a
flag. The flag is True if the edit is merged with the last undo step, as during a drag.
"""


class ParameterForm(QWidget):
    """A form with one row per parameter. `path` is the position of the table in a preset, such as `body` or `loads[0]`."""

    def __init__(
        self,
        parameters: Mapping[str, Parameter],
        path: str,
        propose: ProposeTable,
        choices: Mapping[str, Mapping[Any, str]] | None = None,
        fields: Mapping[str, ParameterField] | None = None,
    ) -> None:
        """Build the form. `fields` contains fields that replace the default fields of some parameters."""
        super().__init__()
        self.path = path
        self._propose = propose
        self._run_values: dict[str, Any] = {}
        self._dragged_name, self._coalesce = "", False
        self._commit_timer = QTimer(self, singleShot=True)
        """Timer that delays the commit of a dragged value until the window has drawn the previous one."""
        self._commit_timer.timeout.connect(self._commit_dragged)
        self.rows: dict[str, ParameterRow] = {}
        for name, parameter in parameters.items():
            given_field = (fields or {}).get(name)
            parameter_row = ParameterRow(
                parameter, given_field or create_field(parameter, (choices or {}).get(name))
            )
            parameter_row.field.committed.connect(lambda name=name: self._commit(name))
            parameter_row.field.reverted.connect(lambda name=name: self._mark_accepted(name))
            parameter_row.field.moved.connect(lambda name=name: self._schedule_commit(name))
            parameter_row.field.released.connect(self._finish_drag)
            self.rows[name] = parameter_row
        self.setLayout(column(*self.rows.values()))

    def show_table(self, table: Mapping[str, Any]) -> None:
        """Show the values of the run. A field with refused text keeps it until the value of the run changes."""
        for name, parameter_row in self.rows.items():
            value = table.get(name)
            if not (
                parameter_row.is_refused and name in self._run_values and self._run_values[name] == value
            ):
                parameter_row.field.show_value(value)
                parameter_row.clear_refusal()
            self._run_values[name] = value

    def compare(self, origin: Mapping[str, Any]) -> None:
        """Mark parameters that differ from those of a preset. The tooltip of a marked parameter gives the preset's value."""
        for name, parameter_row in self.rows.items():
            is_unchanged = self._run_values.get(name) == origin.get(name)
            parameter_row.mark_edited(None if is_unchanged else format_list(origin.get(name)))

    def forget_refusals(self) -> None:
        """Reset all fields and clear refusals after another preset was loaded."""
        for parameter_row in self.rows.values():
            parameter_row.field.reset()
            parameter_row.clear_refusal()

    def read_values(self) -> dict[str, Any] | None:
        """Return the values of all fields, including refused ones. If a text is invalid, show the reason and return
        None."""
        for parameter_row in self.rows.values():
            if parameter_row.field.invalid_entries:
                parameter_row.show_invalid_text()
                return None
        return {name: parameter_row.field.value() for name, parameter_row in self.rows.items()}

    def show_refusal(self, refusal: InputError) -> None:
        """Show why a value was refused, at the field that the refusal names. If the form does not have this field, the
        first field is used."""
        self._row_for(refusal, next(iter(self.rows))).show_refusal(refusal, self.path)

    def _schedule_commit(self, name: str) -> None:
        """Propose the value of a dragged field to the document after the pending repaint."""
        self._dragged_name = name
        if not self._commit_timer.isActive():
            self._commit_timer.start(0)

    def _commit_dragged(self) -> None:
        self._coalesce = self._commit(self._dragged_name, self._coalesce) or self._coalesce

    def _finish_drag(self) -> None:
        if self._commit_timer.isActive():
            self._commit_timer.stop()
            self._commit_dragged()
        self._coalesce = False

    def _commit(self, name: str, coalesce: bool = False) -> bool:
        """Propose the edited value to the document. Return True if it is accepted.

        Values that were refused earlier are proposed together with the edited value, because some values are valid only
        in combination. If the document refuses this combination, the edited value is proposed alone. A refusal is also
        shown during a drag; otherwise the curves would stop without a visible reason.
        """
        parameter_row = self.rows[name]
        coalesce |= any(entry.continues_step and entry.hasFocus() for entry in parameter_row.field.entries)
        if parameter_row.field.invalid_entries:
            parameter_row.show_invalid_text()
            return False
        pending_names = [
            other
            for other, parameter_row in self.rows.items()
            if other != name and parameter_row.field.is_pending
        ]
        can_combine = pending_names and not any(
            self.rows[other].field.invalid_entries for other in pending_names
        )
        for names in ([*pending_names, name], [name]) if can_combine else ([name],):
            table = {**self._run_values, **{other: self.rows[other].field.value() for other in names}}
            proposal = {key: value for key, value in table.items() if value is not None}
            refusal = self._propose(proposal, name, coalesce)
            if refusal is None:
                for accepted_name in names:  # show accepted values in the notation of the run
                    self.rows[accepted_name].field.revert()
                self._mark_accepted(*names)
                return True
        assert refusal is not None
        self._row_for(refusal, name).show_refusal(refusal, self.path)
        return False

    def _mark_accepted(self, *names: str) -> None:
        """Hide the messages of the accepted fields `names`, or all messages if no field is pending any more."""
        pending = any(parameter_row.field.is_pending for parameter_row in self.rows.values())
        for name in names if pending else self.rows:
            self.rows[name].clear_refusal()

    def _row_for(self, refusal: InputError, name: str) -> "ParameterRow":
        """Return the row of the parameter that the refusal names, or the edited row if the form does not have that
        parameter."""
        for other, parameter_row in self.rows.items():
            if refusal.key == join_key(self.path, other):
                return parameter_row
        return self.rows[name]


class ParameterRow(QWidget):
    """Label, field and unit of one parameter, with the refusal message below them."""

    def __init__(self, parameter: Parameter, field: ParameterField) -> None:
        super().__init__()
        self.name = parameter.name
        self.field = field
        self.is_refused = False
        self.fix_button: QuietButton | None = None
        self._suggested_value: Any = None
        self._title, self._hint = (
            QLabel(humanize_title(parameter.title)),
            humanize_title(parameter.explanation),
        )
        title, unit = self._title, label("muted", format_unit(parameter.unit), word_wrap=False)
        self.mark_edited(None)
        if field.needs_own_row:
            parts = column(row(title, (unit, 1)), field, gap=GRID_UNIT // 2)
            self._layout = column(parts, gap=0)
        else:
            field.setFixedWidth(theme_of(field).scaled_pixels(FIELD_WIDTH))
            self._layout = column(row(title, (unit, 1), field), gap=0)
        self.setLayout(self._layout)
        if len(field.sliders) == 1:
            field.sliders[0].attach_label(title)

    @cached_property
    def message(self) -> InlineMessage:
        """Message that says why a value was refused. It is created on first access, because most fields never refuse a
        value."""
        message = InlineMessage(self)
        self._layout.addWidget(message.space)
        return message

    @cached_property
    def note(self) -> QLabel:
        """Remark below the field. It is created on first access, because most fields have none."""
        note = label("muted")
        self._layout.insertWidget(1, note)
        return note

    def show_note(self, text: str) -> None:
        """Show a remark below the field; an empty text hides it."""
        if text or "note" in vars(self):
            self.note.setText(text)
            self.note.setVisible(bool(text))

    def mark_edited(self, origin: str | None) -> None:
        """Mark the parameter as edited and show the preset's value in the tooltip; None clears the mark."""
        description = tr(
            "{hint}\nEdited: the value in the preset is {origin}",
            hint=self._hint,
            origin=origin or tr("not set"),
        )
        description = self._hint if origin is None else description.strip()
        if description != self._title.toolTip():
            self._title.setText(
                self._title.text().removesuffix(_EDITED_SUFFIX) + ("" if origin is None else _EDITED_SUFFIX)
            )
            for widget in (self._title, self.field, *self.field.entries):
                widget.setToolTip(tooltip_text(description))
                widget.setAccessibleDescription(description)

    def show_refusal(self, refusal: InputError, path: str) -> None:
        """Mark the text as refused, without changing it, and show the reason below."""
        self._show_refusal_text(
            format_error(refusal, join_key(path, self.name)), refusal.topic, self.field.entries
        )

    def offer_fix(self, text: str, value: Any) -> None:
        """Offer a replacement value with a button that has this text. If the value is None, hide the button."""
        if self.fix_button is None:
            self.fix_button = QuietButton("", self._apply_fix)
            self.message.add_widget(self.fix_button)
        self._suggested_value = value
        self.fix_button.setText(text)
        self.fix_button.setVisible(value is not None)

    def _apply_fix(self) -> None:
        self.field.show_value(self._suggested_value)
        self.field.committed.emit()

    def show_invalid_text(self) -> None:
        """Mark the entries whose texts are not numbers, and show the reason below."""
        self.clear_refusal()  # an earlier suggestion does not fit this error
        invalid, error = self.field.invalid_entries, self.field.expression_error
        if error is not None:
            self._show_refusal_text(format_error(error, error.key), error.topic, invalid)
            invalid[0].select_range(error.start, error.stop)
            return
        self._show_refusal_text(
            number_error_text(map(LineEntry.text, invalid), self.field.unit, self.field.paste_counts),
            DEFAULT_TOPIC,
            invalid,
        )

    def clear_refusal(self) -> None:
        """Clear the refusal."""
        if self.is_refused:
            self.is_refused = False
            self.message.show_message("")
            if self.fix_button is not None:
                self.fix_button.hide()
            self._mark_entries([])

    def _show_refusal_text(self, text: str, topic: str, entries: list[LineEntry]) -> None:
        self.is_refused = True
        self.message.show_message(text, topic)
        self._mark_entries(entries)

    def _mark_entries(self, refused: list[LineEntry]) -> None:
        for entry in self.field.entries:
            entry.set_refused(entry in refused)
