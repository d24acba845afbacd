"""The widgets in which a person types and chooses."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from quatviz.ui.chevron import draw_chevron
from quatviz.ui.guard import guarded

_UNDO = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)


class Entry(QLineEdit):
    """One line of text. `committed` by Enter or by leaving it, if something was typed; Escape takes that back."""

    committed = Signal()
    taken_back = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._running = ""
        self.setMinimumWidth(48)
        self.editingFinished.connect(self._finish)

    def show_text(self, text: str) -> None:
        """Show what the run has."""
        self._running = text
        if text != self.text() or self.isModified():
            self.setText(text)  # which also forgets what was typed
            self.setCursorPosition(0)

    def take_back(self) -> None:
        """Show again what the run has."""
        self.show_text(self._running)

    def point_at(self, start: int, stop: int) -> None:
        """Select what is wrong in the text, counted without the blanks before it."""
        blanks = len(self.text()) - len(self.text().lstrip())
        self.setSelection(blanks + start, stop - start)

    @property
    def pending(self) -> bool:
        """Whether its text is not what the run has."""
        return self.text() != self._running

    def _finish(self) -> None:
        if self.isModified():
            self.setModified(False)
            self.committed.emit()

    @guarded
    def event(self, event: QEvent) -> bool:
        # With nothing typed, undo means the last edit of the run, which the window's own keys do.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if not self.isModified() and any(event.matches(key) for key in _UNDO):
                event.ignore()
                return False
            if event.key() == Qt.Key.Key_Escape:
                event.accept()
                return True
        return bool(super().event(event))

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.pending:
            self.take_back()
            self.taken_back.emit()
        else:
            self.window().setFocus()  # keys play and pause again


class ChoiceBox(QComboBox):
    """A choice of named things. The wheel scrolls the panel that it stands in, never the choice."""

    chosen = Signal(object)

    def __init__(self, choices: Mapping[object, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values: list[object] = []
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys to the window
        for value, text in choices.items():
            self.add(value, text)
        self.activated.connect(lambda index: self.chosen.emit(self._values[index]))

    def add(self, value: object, text: str) -> None:
        """One more thing to choose."""
        self._values.append(value)
        self.addItem(text)

    def offer(self, choices: Mapping[str, str]) -> None:
        """Offer other things."""
        self.clear()
        self._values.clear()
        for value, text in choices.items():
            self.add(value, text)

    @property
    def value(self) -> object:
        """What is chosen."""
        return self._values[self.currentIndex()]

    def show_value(self, value: object) -> None:
        """Show a choice, which need not be among those that were offered."""
        if value not in self._values:
            self.add(value, str(value))
        self.setCurrentIndex(self._values.index(value))

    @guarded
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        draw_chevron(self, 14.0)
