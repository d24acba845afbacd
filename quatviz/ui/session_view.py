"""Between a session's `View` and the window: taking it down, and showing it again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from quatviz.core.preset import FASTEST
from quatviz.core.session import Session, View
from quatviz.simulation.commands import ClearRange, Command, Pause, Seek, SetLoop, SetRange, SetSpeed
from quatviz.simulation.runner import Snapshot
from quatviz.ui.display import Display, LaneLook
from quatviz.ui.editing import State
from quatviz.ui.scene.cameras import cameras_of, stand
from quatviz.ui.scene.plan import Plan

if TYPE_CHECKING:
    from quatviz.ui.main_window import MainWindow


def view_of(window: MainWindow, snapshot: Snapshot, display: Display) -> View:
    """How the window shows its run now."""
    board = window.board
    return View(
        cursor=float(f"{snapshot.heading:.9g}"),
        speed=snapshot.speed,
        loop=snapshot.loop,
        selected=tuple(float(f"{time:.9g}") for time in snapshot.selected or ()),
        body=display.body,
        colours=tuple(look.colour for look in display.looks),
        modes=tuple(look.mode for look in display.looks),
        panels=dict(board.wishes),
        items=dict(window.views.wishes),
        views={**window.views.plan.to_texts(), **cameras_of(window.views)},
        sections=tuple(window.side.open_names()),
        arrangement=board.arranger.text(),
        reference=board.choices.reference,
        difference=board.difference,
    )


def state_of(session: Session) -> State:
    """What a session shows; lanes that its view says nothing of look as at first."""
    view, count = session.view, len(session.preset.lanes)
    if len(view.colours) != count or len(view.modes) != count or view.body >= max(count, 1):
        return State.of(session.preset)
    looks = tuple(LaneLook(colour, mode) for colour, mode in zip(view.colours, view.modes, strict=True))
    return State(session.preset, Display(looks, view.body))


def snapshot_of(view: View) -> Snapshot:
    """Where the run begins that a view shows: it rests at the cursor."""
    low_high = (view.selected[0], view.selected[1]) if len(view.selected) == 2 else None
    return Snapshot(
        time=max(view.cursor, 0.0), playing=False, speed=_speed(view), loop=view.loop, selected=low_high
    )


def go_there(view: View, send: Callable[[Command], None]) -> None:
    """Take the cursor of a run that goes on to where the view has it."""
    send(Pause())
    send(SetSpeed(_speed(view)))
    send(SetLoop(view.loop))
    send(SetRange(*view.selected) if len(view.selected) == 2 else ClearRange())
    send(Seek(view.cursor))


def dress(window: MainWindow, view: View) -> None:
    """Show panels, items, views and sections as the view has them."""
    board = window.board
    board.wish(view.panels)
    if view.arrangement:
        board.arranger.recall(view.arrangement)
    window.views.wish(view.items)
    if view.views:
        window.views.arrange(Plan.from_texts(view.views))
        stand(window.views, view.views)
    if view.sections:
        window.side.open_sections(view.sections)
    if view.reference in board.lanes:
        board.set_reference(view.reference)
    board.set_difference(view.difference)


def _speed(view: View) -> float:
    return min(max(view.speed, -FASTEST), FASTEST) or 1.0
