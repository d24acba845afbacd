"""Functions that read all fields of a form at once and detect their changes."""

from collections.abc import Callable, Iterator

from PySide6.QtWidgets import QCheckBox, QWidget

from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.widgets.entries import LineEntry
from quatviz.ui.widgets.focus import iter_descendants


def field_values(form: QWidget, *ignored: QWidget) -> tuple[object, ...]:
    """Return the values of all fields of a form, in their order. The fields in `ignored` are left out."""
    return tuple(_value(field) for field in _fields(form) if field not in ignored)


def connect_fields(form: QWidget, on_change: Callable[[], object]) -> None:
    """Call `on_change` whenever a field of the form changes. A text counts as changed when it is committed.

    Fields added to the form later are not connected.
    """
    for field in _fields(form):
        if isinstance(field, LineEntry):
            field.committed.connect(on_change)
        elif isinstance(field, ChoiceBox):
            field.chosen.connect(lambda _: on_change())
        else:
            field.toggled.connect(lambda _: on_change())


def _fields(form: QWidget) -> Iterator[LineEntry | ChoiceBox | QCheckBox]:
    return (
        widget for widget in iter_descendants(form) if isinstance(widget, LineEntry | ChoiceBox | QCheckBox)
    )


def _value(field: LineEntry | ChoiceBox | QCheckBox) -> object:
    if isinstance(field, LineEntry):
        return field.text().strip()
    return field.value if isinstance(field, ChoiceBox) else field.isChecked()
