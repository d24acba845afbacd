"""The transport bar: play either way, step, speed, loop, and the timeline with its read-out."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from quatviz.ui.chevron import draw_chevron
from quatviz.ui.fonts import tabular
from quatviz.ui.frame import Frame, Source
from quatviz.ui.guard import guarded
from quatviz.ui.icon_button import IconButton
from quatviz.ui.plotting.numbers import fixed
from quatviz.ui.scrubber import Scrubber
from quatviz.ui.steady_label import SteadyLabel
from quatviz.ui.theme import UNIT, Theme
from quatviz.ui.tr import tr

SPEEDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)

_LOOPS = {
    False: "Repeat from the start at the end",
    True: "Repeat the selected times",
}
"""What the loop does, without selected times and with them."""
_LOOP_KEY = "Ctrl+L"


class TransportBar(QWidget):
    """Emits what a person asks for and shows what the frames say; it keeps no time of its own."""

    restart_requested = Signal()
    step_requested = Signal(int)
    toggle_requested = Signal()
    speed_requested = Signal(float)
    seek_requested = Signal(float)
    backward_requested = Signal()
    loop_requested = Signal(bool)
    range_requested = Signal(object)
    """The times from a to b [s] to select, or None."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._duration = 0.0
        self._playing = self._loop = self._ranged = False
        self.restart = IconButton(theme, "restart", tr("Restart"), "R")
        self.back = IconButton(theme, "back", tr("One sample back"), "Left")
        self.backward = IconButton(theme, "backward", tr("Play backward"), "Shift+Space")
        self.backward.setCheckable(True)
        self.play = IconButton(theme, "play", tr("Play"), "Space", prominent=True)
        self.forward = IconButton(theme, "forward", tr("One sample forward"), "Right")
        self.end = IconButton(theme, "end", tr("To the end"), "End")
        self.loop = IconButton(theme, "loop", tr(_LOOPS[False]), _LOOP_KEY)
        self.loop.setCheckable(True)
        self.speed = _SpeedBox()
        self.readout = SteadyLabel()
        self.readout.setAccessibleName(tr("Time"))
        self.scrubber = Scrubber(theme)
        self._lay_out()
        self._connect()
        self.restyle(theme)

    @property
    def buttons(self) -> tuple[IconButton, ...]:
        return (self.restart, self.back, self.backward, self.play, self.forward, self.end, self.loop)

    def start(self, source: Source) -> None:
        """A run begins."""
        self._set_time(0.0, source.info.duration)
        self.scrubber.start(source)

    def show_frame(self, frame: Frame) -> None:
        """Show time, extent and state of play; widgets change only where the frame does."""
        self._set_time(frame.time, frame.duration)
        self.scrubber.show_frame(frame)
        if frame.playing != self._playing:
            self._playing = frame.playing
            self.play.say(
                *(("pause", tr("Pause"), "Space") if frame.playing else ("play", tr("Play"), "Space"))
            )
        self._show_direction_and_loop(frame)
        self.speed.show_speed(abs(frame.speed))

    def _show_direction_and_loop(self, frame: Frame) -> None:
        backward, ranged = frame.playing and frame.speed < 0, frame.selected is not None
        if backward != self.backward.isChecked():
            self.backward.setChecked(backward)
        if frame.loop != self._loop:
            self._loop = frame.loop
            self.loop.setChecked(frame.loop)
        if ranged != self._ranged:
            self._ranged = ranged
            self.loop.say("loop", tr(_LOOPS[ranged]), _LOOP_KEY)

    def restyle(self, theme: Theme) -> None:
        self._theme = theme
        for button in self.buttons:
            button.restyle(theme)
        self.scrubber.restyle(theme)
        self.readout.dress(tabular(theme, theme.title), theme.text)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys that no child took. The window binds the same keys for everywhere else."""
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        actions = {
            Qt.Key.Key_Space: (self.backward_requested if shift else self.toggle_requested).emit,
            Qt.Key.Key_R: self.restart_requested.emit,
            Qt.Key.Key_Left: lambda: self.step_requested.emit(-1),
            Qt.Key.Key_Right: lambda: self.step_requested.emit(1),
            Qt.Key.Key_Home: lambda: self.seek_requested.emit(0.0),
            Qt.Key.Key_End: lambda: self.seek_requested.emit(self._duration),
        }
        action = actions.get(Qt.Key(event.key()))
        if action is None:
            event.ignore()
        else:
            action()

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * UNIT, UNIT, 2 * UNIT, UNIT)
        row.setSpacing(UNIT // 2)
        for button in self.buttons[:-1]:
            row.addWidget(button)
        row.addSpacing(UNIT)
        row.addWidget(self.speed)
        row.addWidget(self.loop)
        row.addSpacing(UNIT)
        row.addWidget(self.readout)
        row.addSpacing(UNIT)
        row.addWidget(self.scrubber, 1)

    def _connect(self) -> None:
        self.restart.clicked.connect(self.restart_requested)
        self.back.clicked.connect(lambda: self.step_requested.emit(-1))
        self.backward.clicked.connect(lambda: self.backward_requested.emit())
        self.play.clicked.connect(self.toggle_requested)
        self.forward.clicked.connect(lambda: self.step_requested.emit(1))
        self.end.clicked.connect(lambda: self.seek_requested.emit(self._duration))
        self.loop.clicked.connect(self.loop_requested)
        self.speed.activated.connect(lambda index: self.speed_requested.emit(self.speed.speeds[index]))
        self.scrubber.seek_requested.connect(self.seek_requested)
        self.scrubber.step_requested.connect(self.step_requested)
        self.scrubber.range_requested.connect(self.range_requested)

    def _set_time(self, time: float, duration: float) -> None:
        self.readout.set_text(f"t = {fixed(time, 2)} s")
        if duration != self._duration:
            self._duration = duration
            self.readout.set_widest(f"t = {fixed(max(duration, 10.0), 2)} s")


class _SpeedBox(QComboBox):
    """The speeds, with a mark that there are more to choose from."""

    def __init__(self) -> None:
        super().__init__()
        self.speeds: tuple[float, ...] = ()
        """What there is to choose from: `SPEEDS`, and one that a preset or a session asks for besides."""
        self._offer(SPEEDS)
        self.setCurrentIndex(SPEEDS.index(1.0))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip(tr("Speed of playback: seconds of motion per second"))
        self.setAccessibleName(tr("Speed of playback"))
        self.setMinimumSize(80, 32)

    def show_speed(self, speed: float) -> None:
        """Show this speed, which is offered from then on if it was not; a list that somebody chooses from stays."""
        if speed == self.speeds[self.currentIndex()] or self.view().isVisible():
            return
        if speed not in self.speeds:
            self._offer(tuple(sorted((*SPEEDS, speed))))
        self.setCurrentIndex(self.speeds.index(speed))  # `activated` is for people only: this emits nothing

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        draw_chevron(self, 16.0)

    def _offer(self, speeds: tuple[float, ...]) -> None:
        self.speeds = speeds
        self.clear()
        self.addItems([f"{speed:.4g}×" for speed in speeds])
