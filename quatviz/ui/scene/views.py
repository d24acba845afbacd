"""The view area: one, two or four 3D views of the same run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPoint, QSize, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from quatviz.ui.frame import Frame, Source
from quatviz.ui.guard import guarded
from quatviz.ui.lane_look import lane_line
from quatviz.ui.scene.base import SceneItem
from quatviz.ui.scene.camera import Change
from quatviz.ui.scene.grip import Grip
from quatviz.ui.scene.menu import SceneButton
from quatviz.ui.scene.plan import ALL, NUMBERS, Plan, of_lane
from quatviz.ui.scene.shared import Shared
from quatviz.ui.scene.tiles import tiles
from quatviz.ui.scene.view import SceneView
from quatviz.ui.scene.words import Line
from quatviz.ui.theme import UNIT, Theme
from quatviz.ui.tr import tr

_MISSING = "lanes"
"""Key of the legend's line that counts the lanes where no view shows some of them."""


class Views(QWidget):
    """Hands every frame to its views, each with the lanes that it shows. A view is made when it is first wanted; one
    that is not wanted any more keeps its camera but lets go of its graphics.
    Items and the magnification of differences are the same in all views. The first view lasts as long as the area.
    """

    follows_setting = True
    problem = Signal(str)
    changed = Signal()
    """Number, active view, lanes, frames or link of the views."""

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, kinds: Iterable[type[SceneItem]] | None = None
    ) -> None:
        super().__init__(parent)
        self.plan = Plan()
        self.active = self.magnification = 0
        """Place of the view that keys act on, and the power of ten by which differences are enlarged."""
        self._theme = theme
        self._kinds = None if kinds is None else tuple(kinds)
        self._shared = Shared()
        self._views: list[SceneView] = []
        self._buttons: list[SceneButton] = []
        self._control: QWidget | None = None
        self._source: Source | None = None
        self._started: set[SceneView] = set()
        """Those that know of the present run."""
        self._frame: Frame | None = None
        self.out_of_line = False
        """Whether linked cameras have yet to come together."""
        self._told: set[str] = set()
        self._sequence: Callable[[], str] = lambda: "321"
        self._grip: Grip | None = None
        self.draft: Callable[[Frame], Frame] = lambda frame: frame
        """The frame as a hand that holds something has it."""
        self.setMinimumSize(320, 240)
        self._make()

    # --- which views there are

    @property
    def first(self) -> SceneView:
        """The view that is always there."""
        return self._views[0]

    @property
    def current(self) -> SceneView:
        """The view that keys act on."""
        return self._views[self.active]

    @property
    def shown(self) -> tuple[SceneView, ...]:
        """The views that are to be seen."""
        return tuple(self._views[: self.plan.number])

    @property
    def made(self) -> tuple[SceneView, ...]:
        """These, and those that were seen before."""
        return tuple(self._views)

    def set_number(self, number: int) -> None:
        """Show one, two or four views."""
        if number in NUMBERS:
            self.arrange(replace(self.plan, number=number))

    def set_each(self, on: bool) -> None:
        """One lane for each view, or all lanes in every view."""
        self.arrange(replace(self.plan, each=on))

    def set_linked(self, on: bool) -> None:
        """Let the cameras do the same from now on, beginning where the active one is; or each its own."""
        self.arrange(replace(self.plan, linked=on))

    def arrange(self, plan: Plan) -> None:
        """Show this."""
        self.plan = plan
        self.out_of_line = plan.linked
        self._apply()

    def activate(self, view: SceneView) -> None:
        """Let keys act on this view."""
        self.active = self._views.index(view)
        self._apply()

    def activate_next(self) -> None:
        """Let keys act on the next view."""
        self.activate(self.shown[(self.active + 1) % self.plan.number])

    def choose_lane(self, view: SceneView, name: str | None) -> None:
        """Show this lane here, or `ALL`, or None for the next in order; another view that showed it takes what is left."""
        place = self._views.index(view)
        if name:
            self.plan.chosen = [None if other == name else other for other in self.plan.chosen]
        self.plan.chosen[place] = name
        self._apply()

    def lane_of(self, view: SceneView) -> str:
        """The lane that this view shows, or `ALL`."""
        return self.plan.shown(self._frame)[self._views.index(view)] if self._frame is not None else ALL

    @property
    def lanes(self) -> tuple[str, ...]:
        """Names of the lanes of the run."""
        return self._source.info.lanes if self._source is not None else ()

    def set_from_body(self, on: bool) -> None:
        """Let the camera of the active view turn with the body, or stand in space."""
        self.plan.from_body[self.active] = on
        self.current.set_from_body(on)
        self._apply()

    # --- what all of them do

    def start(self, source: Source) -> None:
        """A run begins."""
        self._source, self._frame = source, None
        self._started.clear()
        for view in self.shown:
            self._introduce(view)

    def prepare_frame(self, frame: Frame) -> None:
        """Begin to draw this frame. Views never take turns: lanes that agree would seem to differ by a frame's turn."""
        self._frame, frame = frame, self.draft(frame)
        self._tell_views(frame)
        if self.out_of_line:
            self._line_up(frame)
        for view, name in zip(self.shown, self.plan.shown(frame), strict=True):
            view.prepare_frame(of_lane(frame, name))

    def show_frame(self, frame: Frame) -> None:
        """Show this frame."""
        if frame is not self._frame:
            self.prepare_frame(frame)
        for view in self.shown:
            view.present()

    def set_grip(self, grip: Grip) -> None:
        """Let this take drags away from the cameras."""
        self._grip = grip
        for view in self._views:
            view.grip = grip

    def show_draft(self) -> None:
        """Show the last frame as a hand has it."""
        frame, self._frame = self._frame, None
        if frame is not None:
            self.show_frame(frame)

    def propose(self, name: str, vector: np.ndarray | None) -> None:
        """Let the item `name` draw a vector (3,) [space, body radii] that is being chosen, or no more."""
        for view in self._views:
            view.proposed.pop(name, None)
            if vector is not None:
                view.proposed[name] = vector
            view.renew()

    def renew(self) -> None:
        """Show the last frame anew."""
        for view in self.shown:
            view.renew()

    def restyle(self, theme: Theme) -> None:
        """Take another theme."""
        self._theme = theme
        for view, button in zip(self._views, self._buttons, strict=True):
            view.restyle(theme)
            button.restyle(theme)
        self._apply()

    def fit(self) -> None:
        """Show everything, in all views whose cameras are linked."""
        for view in self._moving:
            view.fit()

    def look(self, name: str) -> None:
        """Look from one of `DIRECTIONS`, each view in its own frame."""
        for view in self._moving:
            view.look(name)

    def set_magnification(self, power: int) -> None:
        """Draw differences of the lanes 10^power times as large, where several are seen."""
        self.magnification = power
        self._apply()

    def host(self, control: QWidget) -> None:
        """Let `control`, a child of this area, stand in the upper left corner of the first view where it has an effect:
        where several lanes are seen."""
        self._control = control
        self._apply()

    @property
    def sequence(self) -> Callable[[], str]:
        """The sequence of Euler angles that a person has chosen."""
        return self._sequence

    @sequence.setter
    def sequence(self, sequence: Callable[[], str]) -> None:
        self._sequence = sequence
        for view in self._views:
            view.sequence = sequence

    @property
    def items(self) -> dict[str, SceneItem]:
        """The items that work, by name."""
        return self.first.items

    def shows(self, name: str) -> bool:
        """Whether an item is to be seen."""
        return self.first.shows(name)

    def set_item_visible(self, name: str, visible: bool) -> None:
        """Show or hide an item in all views."""
        for view in self._views:
            view.set_item_visible(name, visible)

    @property
    def wishes(self) -> dict[str, bool]:
        """Which items a person wants to see or not, for remembering."""
        return self.first.wishes

    def set_highlight(self, quantity: str) -> None:
        """Let the arrow of this quantity stand out in all views."""
        for view in self._views:
            view.set_highlight(quantity)

    def wish(self, wishes: Mapping[str, bool]) -> None:
        """What `wishes` said some time ago."""
        for view in self._views:
            view.wish(wishes)

    def forget_wishes(self) -> None:
        """Show what is shown at a first start."""
        for view in self._views:
            view.forget_wishes()
        self.arrange(Plan())

    def shutdown(self) -> None:
        """Close all views; with the last one the context goes."""
        for view in self._views:
            view.shutdown()

    # --- Qt

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._theme.window))
        painter.end()

    # --- inside

    @property
    def _moving(self) -> tuple[SceneView, ...]:
        return self.shown if self.plan.linked else (self.current,)

    def _make(self) -> SceneView:
        view = SceneView(self._theme, self, self._kinds, self._shared)
        place = len(self._views)
        view.setAccessibleName(tr("3D view {place}", place=place + 1) if place else tr("3D view"))
        view.sequence, view.grip = self._sequence, self._grip
        view.words.said_elsewhere = lambda line: self._said_before(place, line)
        view.problem.connect(self._report)
        view.touched.connect(lambda: self.activate(view))
        view.moved.connect(lambda change: self._move_others(view, change))
        if self._views:
            view.wish(self.first.wishes)
        self._views.append(view)
        self._buttons.append(SceneButton(self._theme, view, self))
        return view

    def _introduce(self, view: SceneView) -> None:
        """Tell it of the present run."""
        if self._source is not None and view not in self._started:
            fresh = view.shape is None
            view.start(self._source)
            self._started.add(view)
            if fresh:
                view.follow(self.current)

    def _apply(self) -> None:
        """Show what the plan says."""
        while len(self._views) < self.plan.number:
            self._make()
        self.active = min(self.active, self.plan.number - 1)
        self._place()
        for place, view in enumerate(self._views):
            wanted = place < self.plan.number
            if not wanted and not view.isHidden():
                view.rest()
            view.setVisible(wanted)
        if self._control is not None:
            self._control.raise_()
        for view in self.shown:
            self._introduce(view)
        if self._frame is not None:
            self.prepare_frame(self._frame)
        for view in self.shown:
            view.redraw()
        self.changed.emit()

    def _place(self) -> None:
        names = self.plan.shown(self._frame) if self._frame is not None else [ALL] * self.plan.number
        places = tiles(self.plan.number, self.width(), self.height(), UNIT)
        for view, place in zip(self.shown, places, strict=True):
            view.setGeometry(place)
        self._place_control(names)

    def _tell_views(self, frame: Frame) -> None:
        """The frame and the heading of each view, before it draws."""
        names, from_body = self.plan.shown(frame), self.plan.seen_from_body(frame)
        lines = {lane.name: lane_line(self._theme, lane.name, lane.colour) for lane in frame.lanes}
        for place, (view, name, on) in enumerate(zip(self.shown, names, from_body, strict=True)):
            if view.from_body != on:
                view.set_from_body(on)
            power = self.magnification if name == ALL else 0
            if view.magnification != power:
                view.set_magnification(power)
            heading = [lines.get(name, (tr("All lanes"), self._theme.text))] if any(names) else []
            if len(set(from_body)) > 1 or (on and heading):
                heading.append((tr("seen from the body") if on else tr("seen from space"), self._theme.muted))
            words = view.words
            words.heading, words.active = tuple(heading), self.plan.number > 1 and place == self.active
        self._place_control(names)
        seen, of = self.plan.counts(frame)
        text = tr("{seen} of {of} lanes, chosen in each view’s menu", seen=seen, of=of) if seen < of else ""
        self.first.set_corner(_MISSING, text, self._theme.muted)

    def _place_control(self, names: list[str]) -> None:
        """In the corner of the first view with several lanes."""
        if self._control is None:
            return
        place = names.index(ALL) if ALL in names else -1
        for other, view in enumerate(self.shown):
            size = self._control.size() + QSize(UNIT, UNIT)
            view.words.inset = size if other == place else QSize(0, 0)
        self._control.setVisible(place >= 0)
        if place >= 0:
            self._control.move(self.shown[place].pos() + QPoint(UNIT, UNIT))

    def _said_before(self, place: int, line: Line) -> bool:
        before = self._views[:place]
        return any(line in view.words.lines(view.corner, view.as_lines) for view in before)

    def _line_up(self, frame: Frame) -> None:
        """Let linked cameras begin where the active one is; of more than two alike the others look from above."""
        self.out_of_line = False
        for view, again in zip(self.shown, self.plan.repeated(frame), strict=True):
            if view is not self.current:
                view.follow(self.current)
                if again:
                    view.look("top")

    def _move_others(self, view: SceneView, change: Change) -> None:
        if self.plan.linked:
            for other in self.shown:
                if other is not view:
                    other.move_camera(change)

    def _report(self, sentence: str) -> None:
        """Once, though every view may have met the same."""
        if sentence not in self._told:
            self._told.add(sentence)
            self.problem.emit(sentence)
