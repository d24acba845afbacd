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
"""Where what stands in a box keeps whether it can be chosen."""


class ChoiceBox(Guarded, QComboBox):
    """A choice of named things. The wheel scrolls the panel that it stands in, never the choice."""

    chosen = Signal(object)

    def __init__(
        self,
        choices: Mapping[Any, str],
        name: str = "",
        min_characters: int = 6,
        parent: QWidget | None = None,
    ) -> None:
        """`name` is what screen readers call it; it has room for so many `min_characters` at least."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(min_characters)
        self.setItemDelegate(QStyledItemDelegate(self))  # Qt's own draws no ground under the chosen row
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys to the window
        self.set_choices(choices)
        self.activated.connect(lambda index: self.chosen.emit(self.itemData(index)))

    def set_choices(self, choices: Mapping[Any, str], disabled: Mapping[Any, str] | None = None) -> None:
        """Offer these things, and no others; what is chosen stays where it is among them. Those that are `callout`, each for a
        reason, are seen and cannot be chosen."""
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
        """What is chosen."""
        return self.currentData()

    def show_value(self, value: object) -> None:
        """Show a choice, which need not be among those that were offered."""
        if self.findData(value) < 0:
            self.addItem(str(value), value)
        self.setCurrentIndex(self.findData(value))

    def showPopup(self) -> None:
        """As wide as its words, where the box is not."""
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + 2 * GRID_UNIT)
        super().showPopup()

    def hidePopup(self) -> None:
        """The pointer may be elsewhere now: Qt tells nobody that it left while the list was open."""
        super().hidePopup()
        is_under_mouse = self.rect().contains(self.mapFromGlobal(QCursor.pos()))
        self.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, is_under_mouse)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        """With an ellipsis where the words have no room: styled boxes cut a letter in two."""
        super().initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        available = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self).width()
        text = option.currentText
        option.currentText = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, available)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        draw_chevron(self, CHEVRON_INSET)
