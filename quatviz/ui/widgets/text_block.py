"""A field for multi-line text, such as a torque law, that is checked while the user types."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import QEvent, QMimeData, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QPlainTextEdit

from quatviz.base.formatting import format_shortcut, humanize_title
from quatviz.base.parameters import Parameter
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.ui.widgets.buttons import QuietButton
from quatviz.ui.widgets.focus import TypedText
from quatviz.ui.widgets.form import ParameterField
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.labels import label
from quatviz.ui.widgets.layouts import column
from quatviz.ui.widgets.style import Themed, fixed_pitch_font

CHECK_DELAY = 150
"""Delay between the last key press and the check of the text [ms]."""
MAX_PASTED_LENGTH = 50_000
"""Largest number of characters of a pasted text; the rest is left out. It exceeds the largest length of a law, so that
a law that was shortened is still refused."""
_LINES = 5
_MAX_LINES = 14


class TextReport(NamedTuple):
    """Result of the check of a text."""

    message: str = ""
    """Message about an error in the text, or "" if the text is valid."""
    missing: Sequence[str] = ()
    """Names of numbers that the text uses but does not define."""
    unused: Sequence[str] = ()
    """Names of numbers that are defined but that the text does not use."""


TextCheck = Callable[[str], TextReport]


_CONTINUATION_BAR_WIDTH = 2
"""Width of the bar at the left of continued lines [pixels]."""


class PlainTextArea(Guarded, QPlainTextEdit):
    """A multi-line text field. Pasted text is cut after `MAX_PASTED_LENGTH` characters, because Qt takes seconds for
    longer texts."""

    def insertFromMimeData(self, source: QMimeData) -> None:
        self.textCursor().insertText(source.text()[:MAX_PASTED_LENGTH])


class TextArea(TypedText, Themed, PlainTextArea):
    """A multi-line code editor.

    A line that is too long is continued below, where a bar at the left marks it.

    `finished` is emitted when the focus leaves or on Ctrl+Enter, and `font_changed` when a theme changes the type size.
    """

    finished = Signal()
    reverted = Signal()
    font_changed = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self.follow_theme()

    def follow_theme(self) -> None:
        self.setFont(fixed_pitch_font(self.theme.normal))
        super().follow_theme()

    def sizeHint(self) -> QSize:
        """Return the smallest size. A layout gives the area more where there is room."""
        size = super().sizeHint()
        return QSize(size.width(), max(self.minimumHeight(), self.minimumSizeHint().height()))

    def height_of_lines(self, count: int) -> int:
        """Return the height of the area that shows this number of lines [pixels]."""
        margin = 2 * round(self.document().documentMargin() + self.frameWidth())
        return count * self.fontMetrics().lineSpacing() + margin

    @property
    def line_count(self) -> int:
        """Number of displayed lines, which include continued ones."""
        return round(self.document().size().height())  # Qt gives the height of a plain-text document in lines

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        left = (self.document().documentMargin() - _CONTINUATION_BAR_WIDTH) / 2
        with QPainter(self.viewport()) as painter:
            block, top = self.firstVisibleBlock(), self.contentOffset()
            while (
                block.isValid()
                and self.blockBoundingGeometry(block).translated(top).top() <= event.rect().bottom()
            ):
                layout, block_top = block.layout(), self.blockBoundingGeometry(block).translated(top).top()
                for line in map(layout.lineAt, range(1, layout.lineCount())):
                    bar = QRectF(left, block_top + line.y(), _CONTINUATION_BAR_WIDTH, line.height())
                    painter.fillRect(bar, QColor(self.theme.accent))
                block = block.next()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        # Qt resets the font if it replaces one style sheet by another, after the change of the palette.
        if event.type() == QEvent.Type.StyleChange and self.font().pixelSize() != self.theme.normal:
            self.follow_theme()
        elif event.type() == QEvent.Type.FontChange:
            self.font_changed.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.finished.emit()

    def commit_text(self) -> None:
        """Emit `finished`. The receiver compares the text with the text in the run."""
        self.finished.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.finished.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.reverted.emit()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Keep typed keys from triggering shortcuts of the window. Function keys, and Ctrl combinations that the editor
        does not use, still trigger them."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_typed(event):
            event.accept()
            return True
        return bool(super().event(event))  # accepts the shortcuts of the editor itself, such as Ctrl+C


def _is_typed(event: QKeyEvent) -> bool:
    """Return True for keys that type text or move the cursor, and for Ctrl+Enter."""
    if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        return True
    if Qt.Key.Key_F1 <= event.key() <= Qt.Key.Key_F35:
        return False
    modifiers = event.modifiers()
    if modifiers & Qt.KeyboardModifier.ControlModifier and modifiers & Qt.KeyboardModifier.AltModifier:
        return event.text().isprintable() and bool(event.text())  # AltGr on Windows
    shortcut_modifiers = (
        Qt.KeyboardModifier.ControlModifier
        | Qt.KeyboardModifier.AltModifier
        | Qt.KeyboardModifier.MetaModifier
    )
    return not modifiers & shortcut_modifiers


class TextBlockField(ParameterField):
    """A field for source text, checked while the user types.

    `numbers_wanted` is emitted when the user asks to add the numbers that the text uses but does not define, and
    `numbers_unwanted` when the user asks to remove those that it does not use. `corrected` is emitted when a check
    finds that the text is valid.
    """

    numbers_wanted = Signal(list)
    numbers_unwanted = Signal(list)
    corrected = Signal()
    needs_own_row = True

    def __init__(self, parameter: Parameter, check: TextCheck) -> None:
        super().__init__()
        self._check = check
        self._run_text = ""
        self.area = TextArea(humanize_title(parameter.title))
        self.area.finished.connect(self._commit)
        self.area.reverted.connect(self.revert)
        self.area.textChanged.connect(self._schedule_check)
        self.area.font_changed.connect(self._fit_height)
        self.area.document().documentLayout().documentSizeChanged.connect(lambda _: self._fit_height())
        self.hint = label("muted", tr("{key} applies the text", key=format_shortcut("Ctrl+Enter")))
        self.note = label("muted")
        self.note.hide()
        self.add_button = QuietButton("", self._ask_for_numbers)
        self.add_button.hide()
        self.remove_button = QuietButton("", self._ask_to_remove_numbers)
        self.remove_button.hide()
        self._missing: list[str] = []
        self._unused: list[str] = []
        self._timer = QTimer(self, singleShot=True, interval=CHECK_DELAY)
        self._timer.timeout.connect(self.check_now)
        self.setLayout(
            column(
                *(self.area, self.hint, self.note, self.add_button, self.remove_button),
                gap=GRID_UNIT // 2,
            )
        )
        self._fit_height()

    def show_value(self, value: Any) -> None:
        self._run_text = value or ""
        if self.area.toPlainText() != self._run_text:
            self.area.setPlainText(self._run_text)
        self.check_now()

    def value(self) -> str:
        return self.area.toPlainText().strip()

    @property
    def is_pending(self) -> bool:
        return self.value() != self._run_text.strip()

    def revert(self) -> None:
        self.show_value(self._run_text)

    def check_now(self) -> None:
        """Check the text and show the result."""
        self._timer.stop()
        report = self._check(self.value())
        self._missing, self._unused = list(report.missing), list(report.unused)
        unused = ", ".join(self._unused)
        note = report.message or (tr("The text does not use {names}.", names=unused) if unused else "")
        self.note.setObjectName("refusal" if report.message else "muted")
        self.note.style().unpolish(self.note)  # a style sheet reads names only on polish
        self.note.style().polish(self.note)
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self.remove_button.setText(tr("Remove {names}", names=unused))
        self.remove_button.setVisible(bool(unused))
        if not report.message:
            self.corrected.emit()
        names = ", ".join(self._missing)
        text = (
            tr("Add the gains {names}", names=names)
            if len(self._missing) > 1
            else tr("Add the gain {name}", name=names)
        )
        self.add_button.setText(text)
        self.add_button.setVisible(bool(self._missing))

    def _schedule_check(self) -> None:
        self._timer.start()

    def _ask_for_numbers(self) -> None:
        self.numbers_wanted.emit(self._missing)

    def _ask_to_remove_numbers(self) -> None:
        self.numbers_unwanted.emit(self._unused)

    def _commit(self) -> None:
        self.check_now()
        if self.is_pending and not self._missing:
            self.committed.emit()

    def _fit_height(self) -> None:
        lines = min(max(self.area.line_count + 1, _LINES), _MAX_LINES)
        self.area.setFixedHeight(self.area.height_of_lines(lines))
