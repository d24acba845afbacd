"""The transport bar: play either way, step, speed, loop, and the timeline with its read-out."""

from collections.abc import Callable, Collection, Iterable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QMouseEvent
from PySide6.QtWidgets import QWidget

from quatviz.base.errors import InputError
from quatviz.base.formatting import fixed
from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame, RunInfo, Source
from quatviz.display.data.time_input import time_typed
from quatviz.display.view_state.theme import UNIT
from quatviz.physics.observables.jumps import ALL_CAUSES
from quatviz.simulation.commands import Command, Seek, SetPace, Toggle
from quatviz.ui.transport.scrubber import Scrubber
from quatviz.ui.widgets.actions import Acts
from quatviz.ui.widgets.controls import ChoiceBox, Entry, IconButton, row, tip
from quatviz.ui.widgets.style import Themed, tabular

SPEEDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)

_AROUND = 6
"""Pixels that a field needs around its text."""
_LOOPS = {False: "Repeat from the start at the end", True: "Repeat the selected times"}
"""What the loop does, without selected times and with them."""


class TimeField(Entry):
    """Shows the time of the run; while it has the focus another one is typed there."""

    def __init__(self) -> None:
        super().__init__(tr("Time"))
        self.setObjectName("time")
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.taken_back.connect(lambda: self.window().setFocus())
        self.setToolTip(tip(tr("Type a time: Enter goes there, Escape leaves it")))
        self._passing = ""
        """What is painted in the place of its text while a run plays."""

    @property
    def seen(self) -> str:
        return self._passing if self._passing and not self.hasFocus() else super().seen

    def pass_by(self, text: str) -> None:
        """Paint a time that the run passes, of which screen readers are not told."""
        self._passing = self._running = text
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        if self._passing:
            self.setText(self._passing)  # which is typed over, and was but painted
        super().focusInEvent(event)

    def show_text(self, text: str) -> None:
        self._passing = ""
        if self.hasFocus():
            self._running = text  # what is typed stays
        else:
            super().show_text(text)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if not self.isModified() and not self.hasSelectedText():
            self.selectAll()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.take_back()


class TransportBar(Themed, QWidget):
    """Its buttons do acts of the window. It shows what the frames say and keeps no time of its own."""

    refused = Signal(object)
    """An `InputError`: no time of the run was typed; None where one was."""

    def __init__(
        self,
        acts: Acts[Any],
        send: Callable[[Command], object],
        sequence: Callable[[], str] = lambda: "321",
        causes: Callable[[], Collection[int]] = lambda: ALL_CAUSES,
    ) -> None:
        """As for a `Scrubber`."""
        super().__init__()
        self._acts, self._send = acts, send
        self._duration = 0.0
        self._info: RunInfo | None = None
        self.restart = self._button("restart", tr("Restart"))
        self.back = self._button("back", tr("One sample back"))
        self.backward = self._button("backward", tr("Play backward"))
        self.backward.setCheckable(True)
        # The act, for a key, presses a button that has the focus.
        self.play = IconButton("play", tr("Play"), lambda: send(Toggle()), acts.keys("toggle"), "prominent")
        self.forward = self._button("forward", tr("One sample forward"))
        self.end = self._button("end", tr("To the end"))
        self.loop = self._button("loop", tr(_LOOPS[False]))
        self.loop.setCheckable(True)
        self.speed = _SpeedBox()
        self.speed.chosen.connect(lambda speed: send(SetPace(speed)))
        self.readout = TimeField()
        self.readout.returnPressed.connect(self._go)
        self.scrubber = Scrubber(send, sequence, causes)
        for moving in (self.readout, self.scrubber):
            moving.setAutoFillBackground(True)  # or all that lies behind it is painted with every frame
        beside = UNIT, self.speed, self.loop, UNIT, self.readout, UNIT, (self.scrubber, 1)
        self._row = row(*self.buttons[:-1], *beside, gap=UNIT // 2, margins=(2 * UNIT, UNIT) * 2)
        self.setLayout(self._row)
        self.follow_theme()

    @property
    def buttons(self) -> tuple[IconButton, ...]:
        return (self.restart, self.back, self.backward, self.play, self.forward, self.end, self.loop)

    def host(self, control: QWidget) -> None:
        """Let `control` stand behind the timeline while it is seen."""
        self._row.addWidget(control)

    def start(self, source: Source) -> None:
        """A run begins."""
        self._info = source.info
        self._duration = 0.0  # its first frame shows where the cursor stands, whether it reads or not
        self.scrubber.start(source)

    def show_frame(self, frame: Frame) -> None:
        """Show time, extent and state of play; widgets change only where the frame does."""
        if self._info is not None and (frame.reads or frame.duration != self._duration):
            show = self.readout.show_text if frame.tells else self.readout.pass_by
            show(_time_text(self._info, frame.time, frame.playing))
            if frame.duration != self._duration:
                self._duration = frame.duration
                self.follow_theme()
        self.scrubber.show_frame(frame)
        self.play.say(*(("pause", tr("Pause")) if frame.playing else ("play", tr("Play"))))
        self.backward.setChecked(frame.playing and frame.speed < 0)
        self.loop.setChecked(frame.loop)
        self.loop.say("loop", tr(_LOOPS[frame.selected is not None]))
        self.speed.show_speed(abs(frame.speed))

    def follow_theme(self) -> None:
        """Give the read-out room for the widest text that it will show: of what has a fixed size Qt lays out nothing anew."""
        metrics = QFontMetrics(tabular(self.theme, self.theme.title))
        longest, decimals = (
            max(self._duration, 10.0),
            2 if self._info is None else self._info.decimals(between=True),
        )
        widest = metrics.horizontalAdvance(f"t = {fixed(longest, decimals)} s")
        self.readout.setFixedSize(widest + 2 * _AROUND, metrics.height() + _AROUND)

    def ask_time(self) -> None:
        """Let a person type one."""
        self.readout.setFocus()
        self.readout.selectAll()

    def _go(self) -> None:
        try:
            time = time_typed(self.readout.text(), self._duration)
        except InputError as refusal:
            self.refused.emit(refusal)
            self.readout.selectAll()
            return
        self.refused.emit(None)
        self._send(Seek(time))
        self.window().setFocus()

    def _button(self, act: str, what: str) -> IconButton:
        return IconButton(act, what, self._acts[act].trigger, self._acts.keys(act))


def _time_text(info: RunInfo, time: float, playing: bool = False) -> str:
    return f"t = {info.time_text(time, playing)} s"


class _SpeedBox(ChoiceBox):
    """`SPEEDS`, and one that a preset or a session asks for besides."""

    def __init__(self) -> None:
        super().__init__({}, tr("Speed of playback"), 3)
        self._offer(SPEEDS)
        self.show_value(1.0)
        self.setToolTip(tr("Speed of playback: seconds of motion per second"))
        self.setMinimumSize(80, 32)

    def show_speed(self, speed: float) -> None:
        """Show this speed, which is offered from then on if it was not; a list that somebody chooses from stays."""
        if speed == self.value or self.view().isVisible():
            return
        if self.findData(speed) < 0:
            self._offer(sorted((*SPEEDS, speed)))
        self.show_value(speed)  # `chosen` is for people only: this emits nothing

    def _offer(self, speeds: Iterable[float]) -> None:
        self.offer({speed: f"{speed:.4g}×" for speed in speeds})
