"""Taking hold of the body and of arrows in the 3D views while the cursor rests."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent

from quatviz.base.formatting import short_number
from quatviz.base.translation import told, tr
from quatviz.display.data.frame import Frame, Pose, Source
from quatviz.display.document.branching import in_force
from quatviz.display.document.document import Document, Step
from quatviz.display.document.edits import dragged, placed, rounded
from quatviz.display.scene.arrows import Easing
from quatviz.display.scene.base import ARROW
from quatviz.display.scene.picking import moved_tip, over_body, tip_at, turned_by
from quatviz.physics.mechanics.rotations import from_rotation_vector, multiply, rotation_matrix
from quatviz.ui.scene.scene_view import SceneView
from quatviz.ui.scene.view_grid import Views

ARROWS = {"omega": ("ω", "rad/s"), "h": ("h", "kg m²/s")}
"""What can be dragged by its tip: symbol and unit."""


@dataclass
class Held:
    """What a hand holds (`body`, `kick` or one of `ARROWS`), where it took it, and how it stands now. Arrows keep their `scales`
    as long: the tip stays below the pointer, however large the vector becomes in the runs that follow."""

    what: str
    at: QPointF
    pose: Pose
    sample: int
    scales: dict[str, float]
    kick: np.ndarray | None
    """The one that was being chosen then."""
    text: str
    """What the edit is called."""
    last: Step | None
    """The last step when it was taken."""
    started: bool = False
    refused: bool = False
    """Whether there can be no run of how it stands now."""


class ByHand(QObject):
    """A drag of an arrow's tip changes omega or h, one with Ctrl on the body its orientation: one edit, whose run is made anew as
    long as the hand moves. Body and arrows do not wait for it."""

    said = Signal(str, str)
    kick_dragged = Signal(object)
    """The angular impulse (3,) [N m s, space] of the kick that is being chosen."""

    def __init__(self, document: Document, views: Views) -> None:
        super().__init__(views)
        self._document, self._views = document, views
        self._frame: Frame | None = None
        self._held: Held | None = None
        self._easing: Easing | None = None
        self._next = QTimer(self, singleShot=True)
        """For the edit: the window draws what was tried last before the next is."""
        self._next.timeout.connect(self._follow)
        self._lit: SceneView | None = None
        """Where a tip is lit up."""
        self._kick: np.ndarray | None = None
        self._per_impulse = 0.0
        """Body radii for each N m s of the kick."""
        views.set_grip(self)

    # --- the run

    def start(self, source: Source) -> None:
        """A run begins: what was held belongs to another, unless the hand has made this one."""
        if not self._makes:
            self._held = None

    def show_frame(self, frame: Frame) -> None:
        """Take in what is there to be held."""
        self._frame = frame
        if not frame.rests and not self._makes:
            self._held = None
            if self._lit is not None:
                self._lit.set_highlight("")
                self._lit = None

    @property
    def _makes(self) -> bool:
        """Whether what runs is the edit of what is held."""
        held, last = self._held, self._last_step
        return held is not None and last is not None and last is not held.last and last.text == held.text

    @property
    def _last_step(self) -> Step | None:
        return self._document.steps[-1] if self._document.steps else None

    def drafted(self, frame: Frame) -> Frame:
        """The frame as the hand has it: body, axes and arrows are where it is at once."""
        held = self._held
        if held is not None and held.started and held.what != "kick":
            lanes = tuple(replace(lane, pose=held.pose) if lane.solid else lane for lane in frame.lanes)
            return replace(frame, lanes=lanes, scales=held.scales)
        if self._easing is None or self._easing.over(frame.now):
            self._easing = None
            return frame
        return replace(frame, scales=self._easing.towards(frame.scales, frame.now))

    def show_kick(self, table: Mapping[str, Any] | None) -> None:
        """Draw the kick that a card asks for; None when it no longer does."""
        pose = self._pose
        if table is None or "impulse" not in table or pose is None:
            self._kick = None
        else:
            impulse = np.array(table["impulse"], float)
            if self._kick is None:
                self._per_impulse = ARROW / (float(np.linalg.norm(impulse)) or 1.0)
            self._kick = pose.rotation @ impulse if table.get("frame") == "body" else impulse
        self._views.propose("kick", None if self._kick is None else self._per_impulse * self._kick)

    def starting(self, offer: str) -> dict[str, Any]:
        """What a card begins with where that depends on the run: a kick of a quarter of |h| at the cursor, upwards."""
        pose = self._pose
        size = float(np.linalg.norm(pose.vectors["h"])) if pose is not None else 0.0
        return {"impulse": (0.0, 0.0, float(f"{0.25 * size:.2g}"))} if offer == "kick" and size > 0 else {}

    # --- the hand

    @property
    def holds(self) -> bool:
        return self._held is not None

    def press(self, view: SceneView, event: QMouseEvent) -> bool:
        pose, frame = self._pose, self._frame
        if event.button() == Qt.MouseButton.LeftButton and pose is not None and frame is not None:
            what = self._under(view, event)
            if what:
                scales, text = self.drafted(frame).scales, self._called(what)
                self._held = Held(
                    what, event.position(), pose, self._sample, scales, self._kick, text, self._last_step
                )
        return self.holds

    def move(self, view: SceneView, event: QMouseEvent) -> bool:
        held = self._held
        if held is None:
            if event.buttons() == Qt.MouseButton.NoButton:
                near = self._under(view, event)
                view.setCursor(Qt.CursorShape.OpenHandCursor if near else Qt.CursorShape.ArrowCursor)
                view.set_highlight(near)
                self._lit = view if near else None
            return False
        moved = event.position() - held.at
        held.at = event.position()
        self._drag(view, held, np.array([moved.x(), moved.y()]))
        return True

    def release(self) -> None:
        held = self._held
        if held is not None and (self._next.isActive() or held.refused):
            self._follow(at_last=True)
        self._let_go()

    def put_back(self) -> None:
        held = self._held
        if held is not None and held.kick is not None:
            self.kick_dragged.emit(held.kick)
        if held is not None and self._makes:
            self._document.propose(held.text, lambda state: state, goes_on=True)
        self._let_go()

    def _let_go(self) -> None:
        held, self._held = self._held, None
        self._next.stop()
        if held is not None and held.started and self._frame is not None:
            self._easing = Easing(held.scales, self._frame.now)
            self._views.show_draft()

    def _under(self, view: SceneView, event: QMouseEvent) -> str:
        """What the pointer could take."""
        frame, pose = self._frame, self._pose
        if frame is None or not frame.rests or pose is None:
            return ""
        at = np.array([event.position().x(), event.position().y()])
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            shape = None if view.from_body else view.stage.shape
            return "body" if shape is not None and over_body(view.shot(), shape.reach, at) else ""
        return tip_at(view.shot(), self._tips(view, self.drafted(frame).scales, pose), at)

    def _tips(self, view: SceneView, scales: Mapping[str, float], pose: Pose) -> dict[str, np.ndarray]:
        if self._kick is not None:
            return {"kick": self._per_impulse * self._kick}
        return {
            name: ARROW / scales[name] * pose.vectors[name]
            for name in ARROWS
            if scales.get(name, 0.0) > 0 and name in view.stage.items and view.stage.shows(name)
        }

    def _drag(self, view: SceneView, held: Held, pixels: np.ndarray) -> None:
        pose = held.pose
        if held.what == "kick":
            assert self._kick is not None
            per = self._per_impulse
            self.kick_dragged.emit(moved_tip(view.shot(), per * self._kick, pixels) / per)
            return
        if held.what == "body":
            turn = turned_by(view.shot(), pixels)
            p = multiply(from_rotation_vector(turn), pose.p)
            rotation = rotation_matrix(p[None])[0]
            back = rotation @ pose.rotation.T
            held.pose = Pose(p, rotation, {name: back @ vector for name, vector in pose.vectors.items()})
        else:
            per = ARROW / held.scales[held.what]
            tip = moved_tip(view.shot(), per * pose.vectors[held.what], pixels)
            J = in_force(self._document.state, held.sample).preset.body.inertia
            held.pose = replace(pose, vectors=dragged(J, pose.rotation, pose.vectors, held.what, tip / per))
        held.started = True
        self._views.show_draft()
        if not self._next.isActive():
            self._next.start(0)

    def _follow(self, at_last: bool = False) -> None:
        """Make an edit of it, which takes the place of the one before, and say what holds now. Why it cannot be is said `at_last`:
        a hand may find what can."""
        held = self._held
        if held is None:
            return
        pose, sample = held.pose, held.sample
        omega = pose.rotation.T @ pose.vectors["omega"]
        change = {"p": pose.p} if held.what == "body" else {"omega": omega}
        refusal = self._document.propose(
            held.text, lambda state: placed(state, sample, **change), self._makes
        )
        held.refused = refusal is not None
        if refusal is None:
            self.said.emit(self._told(held), "")
        elif at_last:
            self.said.emit(f"{told(refusal.found)}; {told(refusal.remedy)}", refusal.topic)

    def _called(self, what: str) -> str:
        """What an edit of this is called."""
        at = tr(" at {time:g} s", time=self._time_of(self._sample)) if self._sample else ""
        if what == "body":
            return tr("turn the body{at}", at=at)
        return tr("drag {arrow}{at}", arrow=ARROWS[what][0], at=at) if what in ARROWS else ""

    def _told(self, held: Held) -> str:
        """What an edit has done, and from when on: at the cursor, wherever those in the forms begin."""
        time = self._time_of(held.sample)
        since = tr("from the cursor on, t = {time:g} s", time=time) if held.sample else tr("at the start")
        if held.what == "body":
            return tr("The body is turned {since}", since=since)
        symbol, unit = ARROWS[held.what]
        body = rounded(held.pose.rotation.T @ held.pose.vectors[held.what])
        said = ", ".join(map(short_number, body))
        return tr(
            "{symbol} = {said} {unit} in the body {since}", symbol=symbol, said=said, unit=unit, since=since
        )

    @property
    def _pose(self) -> Pose | None:
        """Of the body."""
        return self._frame.pose if self._frame is not None else None

    @property
    def _sample(self) -> int:
        time = self._frame.time if self._frame is not None else 0.0
        return round(time / self._document.state.preset.run.sample_interval)

    def _time_of(self, sample: int) -> float:
        return sample * self._document.state.preset.run.sample_interval
