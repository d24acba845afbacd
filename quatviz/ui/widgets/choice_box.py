"""A combo box whose values are Python objects."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import (
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QCursor,
    QPaintEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QComboBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QWidget,
)

from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.ui.widgets.buttons import CHEVRON_INSET, draw_chevron
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.labels import tooltip_text

_ITEM_FLAGS_ROLE = Qt.ItemDataRole.UserRole - 1
"""Item role under which the model of a combo box stores whether an item is enabled and selectable."""


class ChoiceBox(Guarded, QComboBox):
    """A combo box of named values. The mouse wheel scrolls the panel around it and never changes the choice."""

    chosen = Signal(object)

    def __init__(
        self,
        choices: Mapping[Any, str],
        name: str = "",
        min_characters: int = 6,
        parent: QWidget | None = None,
    ) -> None:
        """Create the box with an accessible `name` and a width for at least `min_characters` characters."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(min_characters)
        # The default delegate draws no background under the selected row.
        self.setItemDelegate(QStyledItemDelegate(self))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard focus where it is
        self.set_choices(choices)
        self.activated.connect(lambda index: self.chosen.emit(self.itemData(index)))

    def set_choices(self, choices: Mapping[Any, str], disabled: Mapping[Any, str] | None = None) -> None:
        """Replace the choices, and keep the current value if it is among them.

        The values in `disabled` are listed but cannot be chosen. `disabled` maps each of them to the reason, which is
        its tooltip.
        """
        previous = self.value
        self.clear()
        for value, text in choices.items():
            self.addItem(text, value)
        for value, reason in (disabled or {}).items():
            self.setItemData(self.findData(value), Qt.ItemFlag.NoItemFlags.value, _ITEM_FLAGS_ROLE)
            self.setItemData(self.findData(value), tooltip_text(reason), Qt.ItemDataRole.ToolTipRole)
        if previous in choices:
            self.show_value(previous)

    @property
    def value(self) -> object:
        """The chosen value."""
        return self.currentData()

    def show_value(self, value: object) -> None:
        """Show a value, and add it if it is not among the choices."""
        if self.findData(value) < 0:
            self.addItem(str(value), value)
        self.setCurrentIndex(self.findData(value))

    def showPopup(self) -> None:
        """Make the list as wide as its texts, even if the box is narrower."""
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + 2 * GRID_UNIT)
        super().showPopup()

    def hidePopup(self) -> None:
        """Update the hover state of the box. While the list is open, Qt sends no event when the mouse leaves the box."""
        super().hidePopup()
        is_under_mouse = self.rect().contains(self.mapFromGlobal(QCursor.pos()))
        self.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, is_under_mouse)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        """Elide the text if it does not fit. By default, a box with a style sheet would cut the text within a letter."""
        super().initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        available = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self).width()
        text = option.currentText
        option.currentText = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, available)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        draw_chevron(self, CHEVRON_INSET)
