"""Text entries, and the base of widgets that are dragged."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from PySide6.QtCore import (
    QEvent,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPalette,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QStyle,
    QStyleOptionFrame,
    QWidget,
)

from quatviz.base.errors import InputError
from quatviz.base.formatting import DecimalStepper, shorten_number
from quatviz.ui.widgets.buttons import QuietButton
from quatviz.ui.widgets.focus import TypedText, release_focus
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.inline_message import InlineMessage
from quatviz.ui.widgets.layouts import column
from quatviz.ui.widgets.style import theme_of

_TEXT_MARGIN = 2
"""Margin of QLineEdit on both sides of its text [pixels]."""
_MIN_WIDTH = 48
"""Minimum width of an entry [pixels]. Short numbers fit."""


_UNDO_KEYS = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)


class LineEntry(TypedText, Guarded, QLineEdit):
    """A single-line text entry.

    `committed` is emitted on Enter, and when the entry loses the focus after an edit. Escape restores the value of the
    run. After Enter and Escape, the focus returns to the window, so that its shortcuts work. If the text is refused, or
    the entry is in a dialog, it keeps the focus. Arrow keys and, with the focus, the mouse wheel change a number by a
    step. Shift and the page keys make the step ten times as large, Ctrl a tenth as large.
    """

    committed = Signal()
    reverted = Signal()

    def __init__(self, name: str = "", placeholder: str = "") -> None:
        """Create the entry with an accessible `name`, and a `placeholder` shown while it is empty."""
        super().__init__(placeholderText=placeholder)
        self.setAccessibleName(name)
        self._run_text = ""
        self._stepping: DecimalStepper | None = None
        """Stepper for the number in the entry. It is used only while its text equals the text of the entry."""
        self.continues_step = False
        """True if the last commit was another increment (wheel or key) of the number incremented before. Successive
        increments are combined into one undo step."""
        self.editingFinished.connect(self.commit_text)

    def show_text(self, text: str) -> None:
        """Show the text of the value that the run has now, in place of typed text."""
        self._run_text = text
        if text != self.text() or self.isModified():
            self.setText(text)  # also clears the modified flag
            self.setCursorPosition(0)

    def minimumSizeHint(self) -> QSize:
        """Return a size in which a short number and the whole placeholder fit."""
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        content = QSize(self.fontMetrics().horizontalAdvance(self.placeholderText()) + 2 * _TEXT_MARGIN, 0)
        framed = self.style().sizeFromContents(QStyle.ContentsType.CT_LineEdit, option, content, self)
        width = max(framed.width(), theme_of(self).scaled_pixels(_MIN_WIDTH))
        return QSize(width, super().minimumSizeHint().height())

    def revert(self) -> None:
        """Discard typed text and show the value of the run again."""
        self.show_text(self._run_text)

    @property
    def displayed_text(self) -> str:
        """The text as it is displayed. While the entry does not have the focus, a number that is too long is rounded
        instead of cut."""
        available, advance = self._text_rect().width(), self.fontMetrics().horizontalAdvance
        return (
            self.text()
            if self.hasFocus()
            else shorten_number(self.text(), lambda text: advance(text) <= available)
        )

    def _text_rect(self) -> QRect:
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        part = QStyle.SubElement.SE_LineEditContents
        return self.style().subElementRect(part, option, self).adjusted(_TEXT_MARGIN, 0, -_TEXT_MARGIN, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        displayed = self.displayed_text
        if displayed == self.text():
            super().paintEvent(event)
            return
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        with QPainter(self) as painter:
            self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
            painter.setPen(self.palette().color(QPalette.ColorRole.Text))
            painter.drawText(self._text_rect(), self.alignment() | Qt.AlignmentFlag.AlignVCenter, displayed)

    def select_range(self, start: int, stop: int) -> None:
        """Select the invalid part of the text, from `start` to `stop`. Positions count from the first non-blank character."""
        blanks = len(self.text()) - len(self.text().lstrip())
        self.setSelection(blanks + start, stop - start)

    @property
    def is_refused(self) -> bool:
        """True if the entry has the frame of a refused text."""
        return bool(self.property("refused"))

    def set_refused(self, refused: bool) -> None:
        """Show or remove the frame that marks a refused text."""
        if refused == self.is_refused:
            return
        self.setProperty("refused", refused)
        self.style().unpolish(self)  # a style sheet reads properties only on polish
        self.style().polish(self)

    @property
    def is_pending(self) -> bool:
        """True if the displayed text differs from that of the value of the run."""
        return self.text() != self._run_text

    def commit_text(self) -> None:
        """Commit the text if the user has changed it."""
        if self.isModified():
            self.setModified(False)
            self.continues_step = False
            self.committed.emit()

    def event(self, event: QEvent) -> bool:
        # In an unmodified entry, undo is left to the window's shortcut, which undoes the last edit of the run.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if not self.isModified() and any(event.matches(key) for key in _UNDO_KEYS):
                event.ignore()
                return False
            if event.key() == Qt.Key.Key_Escape:
                event.accept()
                return True
        return bool(super().event(event))

    def wheelEvent(self, event: QWheelEvent) -> None:
        delta = event.angleDelta().y() + event.angleDelta().x()
        if not (self.hasFocus() and delta and self._step_number(1 if delta > 0 else -1, event.modifiers())):
            event.ignore()  # the enclosing panel scrolls

    def _step_number(self, steps: int, modifiers: Qt.KeyboardModifier) -> bool:
        """Change the number by one step and commit it. Return False if the text is not a number or the entry is read-only."""
        stepping, text = self._stepping, self.text()
        if stepping is None or stepping.text != text:
            stepping = DecimalStepper.from_text(text)
        self.continues_step = stepping is self._stepping and not self.is_pending
        if stepping is None or self.isReadOnly():
            return False
        coarse, fine = (
            Qt.KeyboardModifier.ShiftModifier in modifiers,
            Qt.KeyboardModifier.ControlModifier in modifiers,
        )
        self._stepping = stepping.stepped(steps, int(fine) - int(coarse))
        self.setText(self._stepping.text)
        self.setCursorPosition(0)  # keep the leading digits visible
        self.committed.emit()
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1, Qt.Key.Key_PageUp: 10, Qt.Key.Key_PageDown: -10}
        count = steps[Qt.Key(event.key())] if event.key() in steps else 0
        if count and (self._step_number(count, event.modifiers()) or abs(count) > 1):
            return  # page keys would scroll the field out of sight
        if event.key() == Qt.Key.Key_Escape:
            was_pending = self.is_pending
            if was_pending:
                self.revert()
            if not (was_pending and isinstance(self.window(), QDialog)):
                release_focus(self)
            self.reverted.emit()
            return
        super().keyPressEvent(event)
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and not self.is_refused and not isinstance(self.window(), QDialog):
            release_focus(self)


class ParsedEntry(LineEntry):
    """An entry that parses its text. If the text is refused when the entry loses the focus, the entry gets a frame, and
    `message` below it gives the reason."""

    def __init__(self, parse: Callable[[str], Any], name: str = "", placeholder: str = "") -> None:
        super().__init__(name, placeholder)
        self._parse, self.message = parse, InlineMessage(self)
        self.committed.connect(self._validate)

    def read_value(self) -> Any:
        """Return the parsed value. If the text is refused, show the reason and raise it as an `InputError`."""
        self.show_refusal(None)
        try:
            return self._parse(self.text())
        except InputError as refusal:
            self.show_refusal(refusal)
            raise

    def show_refusal(self, refusal: InputError | None) -> None:
        """Show why the text is refused, or clear the refusal with None."""
        self.set_refused(refusal is not None)
        self.message.show_refusal(refusal)

    def show_text(self, text: str) -> None:
        super().show_text(text)
        self.show_refusal(None)

    def _validate(self) -> None:
        with suppress(InputError):
            self.read_value()


class Draggable(Guarded, QWidget):
    """A widget with parts that can be dragged. During a drag it receives all keys, and Escape cancels the drag."""

    @property
    def is_dragging(self) -> bool:
        """True during a drag."""
        raise NotImplementedError

    def cancel_drag(self) -> None:
        """Restore the value from before the drag and end the drag."""
        raise NotImplementedError

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.is_dragging:
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_Escape:
            self.cancel_drag()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and self.is_dragging:
            event.accept()  # no shortcut of the window may act during a drag
            return True
        return bool(super().event(event))


class CollapsibleEntry(QWidget):
    """A text entry that is rarely used. A quiet button opens it, and it collapses again when it is left empty."""

    def __init__(self, button_text: str, example: str) -> None:
        super().__init__()
        self.button, self.entry = (
            QuietButton(button_text, self._expand),
            LineEntry(button_text.rstrip("…"), example),
        )
        self.entry.hide()
        self.entry.editingFinished.connect(self._collapse)
        self.setLayout(column(self.button, self.entry, gap=0))

    @property
    def text(self) -> str:
        """The stripped text, empty if nothing is typed."""
        return self.entry.text().strip()

    def _expand(self) -> None:
        self.button.hide()
        self.entry.show()
        self.entry.setFocus()

    def _collapse(self) -> None:
        self.entry.setVisible(bool(self.text))
        self.button.setVisible(not self.text)
