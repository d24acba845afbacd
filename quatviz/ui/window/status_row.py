"""The status row over the 3D view, and announcements for screen readers."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from quatviz.base.translation import tr
from quatviz.display.data.frame import ColumnSource, Frame
from quatviz.display.scene.description import EndAnnouncer, describe_frame
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.ui.scene.view_grid import SceneViewGrid
from quatviz.ui.widgets.buttons import Button, QuietButton
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.labels import SELECTABLE_TEXT, label, make_learn_more_button, open_help_topic
from quatviz.ui.widgets.layouts import column, row
from quatviz.ui.widgets.style import theme_of
from quatviz.ui.widgets.windows import Dialog, set_initial_size

_TEXT_INTERACTION = SELECTABLE_TEXT | Qt.TextInteractionFlag.TextSelectableByKeyboard
_DIALOG_WIDTH = 560
_MAX_WIDTH, _MIN_WIDTH_BESIDE_LEGEND = 420, 240
"""Largest width of a message before it wraps, and least free width beside the legend [pixels]. With less, the row is above it."""
_MESSAGE_MS, _LINKED_MESSAGE_MS = 10_000, 30_000
"""Display time [ms] of a message without and with a button. A user needs time to reach the button."""


class StatusRow(Guarded, QFrame):
    """A row that shows messages and notices over the last 3D view.

    It is at the lower right of the view, beside the legend or above it. A message may have a link to its help topic and an Undo
    button, which Tab reaches.
    """

    def __init__(self, window: QWidget, views: SceneViewGrid) -> None:
        super().__init__(window)
        self._window, self._views = window, views
        self.setObjectName("popup")
        self.topic = ""
        self.learn_more_button = make_learn_more_button(lambda: open_help_topic(self.topic))
        self._undo: Callable[[], object] | None = None
        self.undo_button = QuietButton(tr("Undo"), self._run_undo)
        self._has_words = False
        self._message_label, self._notice_label = label(), label("muted")
        self._expiry_timer = QTimer(self, singleShot=True)
        self._expiry_timer.timeout.connect(self.clear)
        for button in (self.undo_button, self.learn_more_button):
            button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._layout = column(
            self._message_label,
            self.undo_button,
            self.learn_more_button,
            self._notice_label,
            gap=0,
            margins=(2 * GRID_UNIT, GRID_UNIT) * 2,
        )
        self.setLayout(self._layout)
        self.clear()

    @property
    def message(self) -> str:
        """The current message."""
        return self._message_label.text()

    def show_message(self, message: str, topic: str = "", undo: Callable[[], object] | None = None) -> None:
        """Show a message for a limited time, with a link if it has a help topic, and with a button if it can be undone."""
        self.topic, self._undo = topic, undo
        self.undo_button.setAccessibleName(tr("Undo: {message}", message=message))
        self.learn_more_button.setAccessibleName(tr("Learn more: {message}", message=message))
        self._message_label.setText(message)
        self._expiry_timer.start(_LINKED_MESSAGE_MS if topic or undo else _MESSAGE_MS)
        self._update_geometry()

    def clear_message(self, message: str) -> None:
        """Clear this message if it is still shown."""
        if message == self.message:
            self.clear()

    def _run_undo(self) -> None:
        undo = self._undo
        self.clear()
        if undo is not None:
            undo()

    def clear(self) -> None:
        """Clear the message."""
        self.show_message("")
        self._expiry_timer.stop()

    def start(self, source: ColumnSource) -> None:
        """Start a run."""

    def show_frame(self, frame: Frame) -> None:
        """Show the notice of this frame on the state of the run, such as a notice that lanes are being compiled."""
        self.show_notice(frame.notice)

    def show_notice(self, notice: str) -> None:
        """Show a notice on the state of the run below the message. It is called with every frame."""
        self._notice_label.setText(notice)
        self._update_geometry()

    def _update_geometry(self) -> None:
        notice, measure = self._notice_label.text(), self.fontMetrics().horizontalAdvance
        for part, words in (
            (self._message_label, self.message),
            (self.undo_button, self._undo),
            (self.learn_more_button, self.topic),
            (self._notice_label, notice),
        ):
            part.setVisible(bool(words))
        has_words, had_words = bool(self.message or notice), self._has_words
        self._has_words = has_words
        if not had_words:
            self.raise_()
        self.setVisible(has_words)
        if not has_words:
            return
        window, view, pixels = self._window, self._views.shown_views[-1], theme_of(self).scaled_pixels
        view_rect, legend = QRect(view.mapTo(window, QPoint()), view.size()), view.text_overlay.legend_size
        row_width = min(max(measure(self.message), measure(notice)) + 5 * GRID_UNIT, pixels(_MAX_WIDTH))
        foot, available_width = (
            view_rect.bottom() - GRID_UNIT,
            view_rect.width() - legend.width() - 2 * GRID_UNIT,
        )
        if available_width < min(row_width, pixels(_MIN_WIDTH_BESIDE_LEGEND)):
            foot, available_width = foot - legend.height(), view_rect.width() - 2 * GRID_UNIT
        row_width = min(row_width, available_width if view.isVisible() else row_width)
        row_height = self._layout.totalHeightForWidth(row_width)
        corner = QPoint(GRID_UNIT, window.height() - GRID_UNIT - row_height)
        top_left = QPoint(view_rect.right() - GRID_UNIT - row_width, foot - row_height)
        self.setGeometry(QRect(top_left if view.isVisible() else corner, QSize(row_width, row_height)))


class Narrator(QObject):
    """Announcements for screen readers: lanes that have ended, and doubtful results."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._source: ColumnSource | None = None
        self._lane_ends = EndAnnouncer()
        self.frame: Frame | None = None

    def start(self, source: ColumnSource) -> None:
        """Start a run."""
        self._source, self._lane_ends = source, EndAnnouncer()

    def show_frame(self, frame: Frame) -> None:
        """Announce each lane that has ended since the last frame."""
        self.frame = frame
        for message in self._lane_ends.new_messages(frame):
            self.announce(message)

    def announce(self, message: str) -> None:
        """Announce a message to screen readers."""
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._window, message))

    def describe(self, sequence: str, rings_visible: bool) -> None:
        """Show a text description of the current picture in a dialog.

        Parameters
        ----------
        sequence
            Visible sequence of Euler angles, or an empty string.
        rings_visible
            True if the gimbals are visible.
        """
        if self.frame is None or self._source is None:
            return
        description = describe_frame(self.frame, self._source.info, sequence, rings_visible)
        dialog = Dialog(tr("Text description"), self._window)
        text, close = label("", description), Button(tr("Close"), dialog.accept)
        text.setTextInteractionFlags(_TEXT_INTERACTION)
        dialog.setLayout(column(text, row(None, close), gap=2 * GRID_UNIT, margins=2 * GRID_UNIT))
        set_initial_size(dialog, _DIALOG_WIDTH, 0)
        dialog.open()
