"""The transport bar: buttons to play in both directions and to step, the speed, the loop button, the time field and the
timeline."""

from collections.abc import Callable, Collection, Iterable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QMouseEvent
from PySide6.QtWidgets import QWidget

from quatviz.base.errors import InputError
from quatviz.base.formatting import format_fixed
from quatviz.base.translation import tr
from quatviz.display.data.frame import ColumnSource, Frame, RunInfo
from quatviz.display.data.redraws import Redraws
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.physics.observables.jumps import ALL_CAUSES
from quatviz.simulation.commands import RunnerCommand, Seek, SetPlaybackRate, Toggle
from quatviz.ui.transport.scrubber import Scrubber
from quatviz.ui.transport.time_input import parse_time
from quatviz.ui.widgets.actions import ActionRegistry
from quatviz.ui.widgets.buttons import IconButton
from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.widgets.entries import LineEntry
from quatviz.ui.widgets.labels import tooltip_text
from quatviz.ui.widgets.layouts import row
from quatviz.ui.widgets.style import Themed, tabular_font

SPEEDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)

_FIELD_PADDING = 6
"""Padding around the text of the time field [pixels]."""
_LOOP_TOOLTIPS = {False: "Repeat the run when it reaches its end", True: "Repeat the selected times"}
"""Tooltips of the loop button. The key is True if a range is selected."""


class TimeField(LineEntry):
    """The time field: it shows the cursor's time and accepts a typed time."""

    def __init__(self) -> None:
        super().__init__(tr("Time"))
        self.setObjectName("time")
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setToolTip(tooltip_text(tr("Type a time: Enter goes there, Escape cancels")))
        self._passing_text = ""
        """Text painted in place of the field's text while the run plays."""

    @property
    def displayed_text(self) -> str:
        return self._passing_text if self._passing_text and not self.hasFocus() else super().displayed_text

    def show_passing_time(self, text: str) -> None:
        """Paint the current time during playback. The text of the field stays the same, so that screen readers are not
        notified."""
        self._passing_text = self._run_text = text
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        if self._passing_text:
            self.setText(self._passing_text)  # make the painted text editable
        super().focusInEvent(event)

    def show_text(self, text: str) -> None:
        self._passing_text = ""
        if self.hasFocus():
            self._run_text = text  # keep what is being typed
        else:
            super().show_text(text)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if not self.isModified() and not self.hasSelectedText():
            self.selectAll()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.set_refused(False)
        self.revert()


class TransportBar(Themed, QWidget):
    """Row of controls below the run. Its buttons trigger actions of the window; it shows frames and keeps no time of its
    own."""

    time_refused = Signal(object)
    """Emitted with the `InputError` of an invalid time, or with None after a valid one.

    The status row shows the error, because a message below the field would take height from the plots and 3D views.
    """
    status_message = Signal(str)
    """Emitted with a message for the status row."""

    def __init__(
        self,
        action_registry: ActionRegistry[Any],
        send: Callable[[RunnerCommand], object],
        sequence: Callable[[], str] = lambda: "321",
        causes: Callable[[], Collection[int]] = lambda: ALL_CAUSES,
        redraws: Redraws | None = None,
    ) -> None:
        """Create the bar. `action_registry` has the actions of the window; the other parameters are those of
        `Scrubber`."""
        super().__init__()
        self._redraws = redraws = redraws or Redraws()
        self._action_registry, self._send = action_registry, send
        self._duration = 0.0
        self._info: RunInfo | None = None
        self.restart_button = self._make_button("restart", tr("Restart"))
        self.step_back_button = self._make_button("back", tr("One sample back"))
        self.play_backward_button = self._make_button("backward", tr("Play backward"))
        self.play_backward_button.setCheckable(True)
        # The `toggle` action itself would press a focused button on Space.
        self.play_button = IconButton(
            "play", tr("Play"), lambda: send(Toggle()), action_registry.shortcut_text("toggle"), "prominent"
        )
        self.step_forward_button = self._make_button("forward", tr("One sample forward"))
        self.end_button = self._make_button("end", tr("To the end"))
        self.loop_button = self._make_button("loop", tr(_LOOP_TOOLTIPS[False]))
        self.loop_button.setCheckable(True)
        self.speed_box = _SpeedBox()
        self.speed_box.chosen.connect(lambda speed: send(SetPlaybackRate(speed)))
        self.time_field = TimeField()
        self.time_field.returnPressed.connect(self._seek_to_typed_time)
        self.scrubber = Scrubber(send, sequence, causes, redraws)
        for widget in (self.time_field, self.scrubber):
            widget.setAutoFillBackground(True)  # otherwise everything behind is repainted with every frame
        controls = (
            GRID_UNIT,
            self.speed_box,
            self.loop_button,
            GRID_UNIT,
            self.time_field,
            GRID_UNIT,
            (self.scrubber, 1),
        )
        self._row_layout = row(
            *self.buttons[:-1], *controls, gap=GRID_UNIT // 2, margins=(2 * GRID_UNIT, GRID_UNIT) * 2
        )
        self.setLayout(self._row_layout)
        self.follow_theme()

    @property
    def buttons(self) -> tuple[IconButton, ...]:
        return (
            self.restart_button,
            self.step_back_button,
            self.play_backward_button,
            self.play_button,
            self.step_forward_button,
            self.end_button,
            self.loop_button,
        )

    def host_control(self, control: QWidget) -> None:
        """Add a widget to the right of the timeline."""
        self._row_layout.addWidget(control)

    def start(self, source: ColumnSource) -> None:
        """Start a run."""
        self._info = source.info
        self._redraws.mark(self, "frame")  # the next frame shows the cursor even without readouts
        self.scrubber.start(source)

    def show_frame(self, frame: Frame) -> None:
        """Show time, range and playback state of a frame. Only widgets whose content has changed are updated."""
        is_new_run = frame.duration != self._duration or self._redraws.is_due(self, "frame")
        if self._info is not None and (frame.updates_readouts or is_new_run):
            self._redraws.clear(self, "frame")
            set_text = self.time_field.show_text if frame.announces else self.time_field.show_passing_time
            set_text(_time_text(self._info, frame.time, frame.playing))
            if is_new_run:
                self._duration = frame.duration
                self.follow_theme()
        self.scrubber.show_frame(frame)
        self.play_button.set_icon(*(("pause", tr("Pause")) if frame.playing else ("play", tr("Play"))))
        self.play_backward_button.setChecked(frame.playing and frame.speed < 0)
        self.loop_button.setChecked(frame.loop)
        self.loop_button.set_icon("loop", tr(_LOOP_TOOLTIPS[frame.selected is not None]))
        self.speed_box.show_speed(abs(frame.speed))

    def follow_theme(self) -> None:
        """Set the width of the time field to that of the widest time of the run, so that the layout stays the same
        while the time changes."""
        metrics = QFontMetrics(tabular_font(self.theme, self.theme.title))
        longest, decimals = (
            max(self._duration, 10.0),
            2 if self._info is None else self._info.decimals(between=True),
        )
        widest = metrics.horizontalAdvance(f"t = {format_fixed(longest, decimals)} s")
        self.time_field.setFixedSize(widest + 2 * _FIELD_PADDING, metrics.height() + _FIELD_PADDING)

    def go_to_marker(self, direction: int) -> None:
        """Move the cursor to the next or previous marker: an event, an edit, the end of a lane, or a coordinate jump."""
        time = self.scrubber.adjacent_marker_time(direction)
        if time is None:
            side = tr("after") if direction > 0 else tr("before")
            self.status_message.emit(tr("There is no marker {side} the cursor", side=side))
        else:
            self._send(Seek(time))

    def edit_time(self) -> None:
        """Move the focus to the time field, so that the user can type a time."""
        self.time_field.setFocus()
        self.time_field.selectAll()

    def _seek_to_typed_time(self) -> None:
        try:
            time = parse_time(self.time_field.text(), self._duration)
        except InputError as refusal:
            self.time_refused.emit(refusal)
            self.time_field.set_refused(True)
            self.time_field.selectAll()
            return
        self.time_refused.emit(None)
        self.time_field.set_refused(False)
        self._send(Seek(time))

    def _make_button(self, name: str, description: str) -> IconButton:
        return IconButton(
            name, description, self._action_registry[name].trigger, self._action_registry.shortcut_text(name)
        )


def _time_text(info: RunInfo, time: float, playing: bool = False) -> str:
    return f"t = {info.time_text(time, playing)} s"


class _SpeedBox(ChoiceBox):
    """Choice box with the speeds in `SPEEDS`, and with other speeds that a preset or session requests."""

    def __init__(self) -> None:
        super().__init__({}, tr("Playback speed"), 3)
        self._set_speeds(SPEEDS)
        self.show_value(1.0)
        self.setToolTip(tr("Playback speed: seconds of motion per second"))
        self.setMinimumSize(80, 32)

    def show_speed(self, speed: float) -> None:
        """Show a speed. It is added to the choices if necessary. Nothing changes while the list is open."""
        if speed == self.value or self.view().isVisible():
            return
        if self.findData(speed) < 0:
            self._set_speeds(sorted((*SPEEDS, speed)))
        self.show_value(speed)  # does not emit `chosen`, which reports user choices only

    def _set_speeds(self, speeds: Iterable[float]) -> None:
        self.set_choices({speed: f"{speed:.4g}×" for speed in speeds})
