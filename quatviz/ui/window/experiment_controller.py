"""Events that the user applies to the motion: by a card, by dragging in the 3D view, or as edits at the cursor."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QMenu, QWidget

from quatviz.base.errors import InputError
from quatviz.base.formatting import lowercase_first
from quatviz.base.parameters import from_table, parameters_of
from quatviz.base.translation import tr, translated_error
from quatviz.display.data.frame import ColumnSource, Frame, RunInfo
from quatviz.display.document.document import Document
from quatviz.display.document.edits import round_to_largest
from quatviz.display.document.preset_items import event_family, remove_item
from quatviz.display.document.state import State
from quatviz.display.document.timeline_markers import EventMarker
from quatviz.display.view_state.board_choices import Choices, PreviousRunSource
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.files.preset import sample_time
from quatviz.physics.events import event_templates
from quatviz.physics.events.base import Event, EventTemplate
from quatviz.simulation.commands import Pause, Play, RunnerCommand, Seek
from quatviz.ui.scene.manipulator import Manipulator
from quatviz.ui.scene.view_grid import SceneViewGrid
from quatviz.ui.transport.scrubber import Scrubber
from quatviz.ui.widgets.actions import ActionRegistry, show_menu
from quatviz.ui.widgets.buttons import Button
from quatviz.ui.widgets.form import ParameterForm
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.labels import label, open_help_topic
from quatviz.ui.widgets.layouts import column, row
from quatviz.ui.widgets.style import theme_of

_CARD_WIDTH = 336
_HELP_TOPIC = "reading#marks-on-the-timeline"


class EventCard(Guarded, QFrame):
    """A card with the fields of an event. Enter applies the event and Escape cancels. A refused value is explained at its
    field."""

    closed = Signal()
    edited = Signal(object)
    """Emitted with the current values as a table, or None when the card closes."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setObjectName("popup")
        self.setAccessibleName(tr("Event"))
        self._title_label, self._time_label = label("heading", word_wrap=False), label("muted")
        self.form: ParameterForm | None = None
        self._anchor = QPoint()
        self._apply: Callable[[dict[str, Any]], InputError | None] = lambda table: None
        self.apply_button, self.cancel_button = (
            Button(tr("Apply"), self._submit),
            Button(tr("Cancel"), self.dismiss),
        )
        self._form_layout = column(margins=(0, GRID_UNIT, 0, GRID_UNIT))
        parts = (
            self._title_label,
            self._time_label,
            self._form_layout,
            row(None, self.cancel_button, self.apply_button),
        )
        self.setLayout(column(*parts, margins=2 * GRID_UNIT))
        self.hide()
        window.installEventFilter(self)

    def ask(
        self,
        event_type: type[Event],
        offer: EventTemplate,
        at: str,
        anchor: QPoint,
        apply: Callable[[dict[str, Any]], InputError | None],
    ) -> None:
        """Show the card for an event.

        Parameters
        ----------
        event_type
            Class of the event.
        offer
            Template with title and initial values.
        at
            Time of the event, as text [s].
        anchor
            Point in the window above which the card is centered.
        apply
            Applies a table of values and returns an error or None.
        """
        self._apply = apply
        self._title_label.setText(tr(offer.label))
        self._time_label.setText(
            tr("Applies at t = {time} s to every lane. Undo removes the event.", time=at)
        )
        parameters = {name: parameters_of(event_type)[name] for name in offer.values}
        if self.form is not None:
            self._form_layout.removeWidget(self.form)
            self.form.hide()
            self.form.deleteLater()
        self.form = ParameterForm(parameters, "events", self._show_values)
        self.form.show_table(offer.values)
        self._form_layout.addWidget(self.form)
        for block in self.form.rows.values():
            for entry in block.field.entries:
                entry.returnPressed.connect(self._submit)
                entry.installEventFilter(self)
        self._anchor = anchor
        self.show()
        self.edited.emit(dict(offer.values))
        self._update_geometry()
        self.raise_()
        first = next(iter(self.form.rows.values())).field.entries
        for entry in first[:1]:
            entry.setFocus()
            entry.selectAll()

    def dismiss(self) -> None:
        """Close the card without a change."""
        if self.isVisible():
            self.hide()
            self.window().setFocus()  # keyboard shortcuts play and pause again
            self.closed.emit()
            self.edited.emit(None)

    def update_values(self, **values: Any) -> None:
        """Show other values in the fields of the card, such as those of a dragged arrow."""
        if self.form is not None:
            self._show_values({**(self.form.read_values() or {}), **values})

    def _show_values(self, table: dict[str, Any], edited: str = "", coalesce: bool = False) -> None:
        """Show values in the fields and emit them with `edited`. The run changes only on Enter or the button.

        Qt reports an edit even after Enter has closed the card. A closed card ignores it.
        """
        if self.form is not None and self.isVisible():
            self.form.show_table(table)
            self.edited.emit(table)

    def _submit(self) -> None:
        assert self.form is not None
        table = self.form.read_values()
        if table is None:
            return
        refusal = self._apply(table)
        if refusal is None:
            self.dismiss()
        else:
            self.form.show_refusal(refusal)

    def _update_geometry(self) -> None:
        """Place the card above its anchor and within the window. It is as high as its text requires."""
        card_width, layout = theme_of(self).scaled_pixels(_CARD_WIDTH), self.layout()
        self.setFixedWidth(card_width)
        self.adjustSize()
        if layout is not None:  # wrapped text needs more than the size hint
            self.resize(card_width, max(self.height(), layout.totalHeightForWidth(card_width)))
        x = self._anchor.x() - self.width() // 2
        max_x = self._window.width() - self.width() - GRID_UNIT
        self.move(min(max(x, GRID_UNIT), max_x), max(self._anchor.y() - self.height() - GRID_UNIT, GRID_UNIT))

    def event(self, event: QEvent) -> bool:
        done = bool(super().event(event))
        if event.type() == QEvent.Type.LayoutRequest:  # the text changed
            self._update_geometry()
        return done

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        escaped = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if escaped and event.type() == QEvent.Type.KeyPress and watched is not self._window:
            self.dismiss()
            return True
        if watched is self._window and event.type() == QEvent.Type.Resize:
            self.dismiss()
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)


class PreviousRunButton(Button):
    """A button that hides the previous run, visible while that run is drawn."""

    def __init__(self, choices: Choices, actions: ActionRegistry[Any]) -> None:
        tooltip = tr("Faint curves show the run without the last change at the cursor")
        super().__init__(
            actions.menu_text("dismiss"), actions["dismiss"].trigger, actions.tooltip("dismiss", tooltip)
        )
        self._choices = choices
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.hide()

    def set_run(self, previous_run: PreviousRunSource | None) -> None:
        """Set the previous run, which is drawn faintly behind the current one, or None."""
        self._choices.previous_run = previous_run
        self.setVisible(previous_run is not None)

    def dismiss(self) -> None:
        """Hide the previous run."""
        self.hide()
        self._choices.show_previous_run(None)


class ExperimentController(QObject):
    """Controller that applies events to the run, at the cursor or at another time. `quatviz.physics.events.event_templates`
    lists the events.

    An event with parameters opens a card over the timeline. Playback pauses while the card is open.
    """

    def __init__(
        self,
        document: Document,
        window: QWidget,
        views: SceneViewGrid,
        choices: Choices,
        scrubber: Scrubber,
        send: Callable[[RunnerCommand], object],
        actions: ActionRegistry[Any],
        extend_menu: Callable[[QMenu], object],
    ) -> None:
        """Create the controller. `extend_menu` adds entries other than events to the context menu of the timeline."""
        super().__init__(window)
        self._document, self._window, self._scrubber, self._views = document, window, scrubber, views
        self._send, self._extend_menu = send, extend_menu
        self._family = event_family()
        self.branching = document.branching
        self._is_playing = self._resume_on_close = False
        self._info: RunInfo | None = None
        self._saved_cursor: tuple[float, bool] | None = None
        """Time of the cursor [s] and playback state from before a drag of the initial orientation, or None."""
        self.manipulator = Manipulator(document, views)
        self.event_card = EventCard(window)
        self.previous_run = PreviousRunButton(choices, actions)
        self.event_card.closed.connect(self._resume)
        self.event_card.edited.connect(self.manipulator.show_kick)
        document.changed.connect(lambda _: self.event_card.dismiss())  # the card belongs to the earlier run
        self.manipulator.kick_dragged.connect(self._show_dragged_kick)
        self.manipulator.status_message.connect(document.message_emitted.emit)
        scrubber.menu_requested.connect(self.open_menu)

    def start(self, source: ColumnSource) -> None:
        """Start a run."""
        self._info = source.info
        self.manipulator.start(source)

    def show_frame(self, frame: Frame) -> None:
        """Store whether the run plays, and pass the frame to the manipulator of the 3D views."""
        self._is_playing = frame.playing
        self.manipulator.show_frame(frame)

    def perform(self, name: str, time: float | None = None) -> None:
        """Apply an event at the sample nearest to `time` [s], or to the cursor.

        An event with parameters moves the cursor to that time and opens its card.
        """
        event_type, offer = event_templates()[name]
        preset = self._document.state.preset
        at = sample_time(self._document.clock() if time is None else time, preset)
        if at >= preset.run.duration:
            self._document.message_emitted.emit(
                tr("No event can be added at the end of the run: go to an earlier time"), ""
            )
            return
        if offer.values:
            self._resume_on_close = self._is_playing or (
                self._resume_on_close and self.event_card.isVisible()
            )
            self._send(Pause())
        if not offer.values:
            refusal = self._add_event(name, at, {})
            if refusal is not None:
                refusal = translated_error(refusal)
                self._document.message_emitted.emit(
                    f"{tr(offer.label)}: {refusal.found}; {refusal.remedy}", refusal.topic
                )
            return
        self._send(Seek(at))
        offer = replace(offer, values={**offer.values, **self.manipulator.initial_values(name)})
        anchor = self._scrubber.mapTo(self._window, QPoint(round(self._scrubber.x_of(at)), 0))
        time_text = f"{at:g}" if self._info is None else self._info.time_text(at)
        self.event_card.ask(event_type, offer, time_text, anchor, partial(self._add_event, name, at))

    def hold_at_start(self, sequence: str | None) -> None:
        """Show the start of the run, with the gimbals of the Euler sequence `sequence`, while the initial orientation is
        dragged.

        None ends the drag and restores the cursor.
        """
        if sequence is not None and self._saved_cursor is None:
            self._saved_cursor = self._document.clock(), self._is_playing
            self._send(Pause())
            self._send(Seek(0.0))
            self._views.show_gimbals(sequence)
        elif sequence is None and self._saved_cursor is not None:
            (time, was_playing), self._saved_cursor = self._saved_cursor, None
            self._send(Seek(time))
            if was_playing:
                self._send(Play())
            self._views.show_gimbals("")

    def open_menu(self, point: QPoint, time: float, flag: EventMarker | None) -> QMenu:
        """Show the context menu for a time [s] and for the event marker `flag` there, if any, at the screen position `point`."""
        menu = QMenu(self._scrubber)
        if flag is not None:
            go = partial(self._send, Seek(flag.time))
            menu.addAction(tr("Go to t = {time:g} s", time=flag.time), go)
            for number in flag.event_indices:
                words = tr(self._document.state.preset.events[number].summary)
                remove = partial(remove_item, self._document, self._family, number)
                menu.addAction(tr("Remove: {words}", words=words), remove)
            menu.addSeparator()
        at = sample_time(time, self._document.state.preset)
        for name, (_, offer) in event_templates().items():
            dots = "…" if offer.values else ""
            words = tr("{event} at t = {at:g} s{ellipsis}", event=tr(offer.label), at=at, ellipsis=dots)
            menu.addAction(words, partial(self.perform, name, at))
        menu.addSeparator()
        self._extend_menu(menu)
        menu.addAction(tr("What the markers mean…"), partial(open_help_topic, _HELP_TOPIC))
        show_menu(menu, point)
        return menu

    @property
    def is_branching(self) -> bool:
        """True if edits apply from the cursor on."""
        return self.branching.is_enabled

    def dismiss_previous_run(self) -> None:
        """Hide the previous run."""
        self.previous_run.dismiss()

    def toggle_branching(self) -> None:
        """Toggle whether edits apply from the cursor or from the start."""
        self.branching.set_enabled(not self.branching.is_enabled)
        origin = tr("cursor") if self.branching.is_enabled else tr("start")
        self._document.message_emitted.emit(
            tr("Edits of body, loads, dt and lane settings apply from the {origin} on", origin=origin),
            "",
        )

    def _add_event(self, name: str, at: float, table: Mapping[str, Any]) -> InputError | None:
        event_type, offer = event_templates()[name]

        def make(state: State) -> State:
            event = from_table(event_type, {"at": at, **table}, "events")
            return self._family.append(state, event)

        return self._document.propose(
            tr("{event} at {at:g} s", event=lowercase_first(offer.label), at=at), make
        )

    def _show_dragged_kick(self, impulse: np.ndarray) -> None:
        """Show the angular impulse (3,) of a dragged kick [N m s, space frame] in the fields of the card."""
        self.event_card.update_values(impulse=round_to_largest(impulse), frame="space")

    def _resume(self) -> None:
        """Resume playback after the card has closed, if the run was playing before."""
        if self._resume_on_close:
            self._send(Play())
