"""Taking hold of the body and of arrows in the 3D views while the cursor rests."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent

from quatviz.base.tr import told, tr
from quatviz.document.branching import in_force
from quatviz.document.document import Document
from quatviz.document.edits import dragged, placed
from quatviz.feed.frame import Frame, Pose, Source
from quatviz.mechanics.rotations import from_rotation_vector, multiply, rotation_matrix
from quatviz.scene.base import ARROW
from quatviz.ui.scene.view import SceneView, moved_tip, over_body, tip_at, turned_by
from quatviz.ui.scene.views import Views

ARROWS = {"omega": ("ω", "rad/s"), "h": ("h", "kg m²/s")}
"""What can be dragged by its tip: symbol and unit."""


@dataclass
class Held:
    """What a hand holds (`body`, `kick` or one of `ARROWS`), where it took it, and how it stands now."""

    what: str
    at: QPointF
    pose: Pose
    started: bool = False


class ByHand(QObject):
    """A drag of an arrow's tip changes omega or h, one with Ctrl on the body its orientation; what is seen meanwhile is a
    draft, which becomes an edit when the hand lets go."""

    said = Signal(str, str)
    kick_dragged = Signal(object)
    """The angular impulse (3,) [N m s, space] of the kick that is being chosen."""

    def __init__(self, document: Document, views: Views) -> None:
        super().__init__(views)
        self._document, self._views = document, views
        self._frame: Frame | None = None
        self._held: Held | None = None
        self._draft: Pose | None = None
        self._lit: SceneView | None = None
        """Where a tip is lit up."""
        self._kick: np.ndarray | None = None
        self._per_impulse = 0.0
        """Body radii for each N m s of the kick."""
        views.set_grip(self)

    # --- the run

    def start(self, source: Source) -> None:
        """A run begins: what was held belongs to another."""
        self._held = self._draft = None

    def show_frame(self, frame: Frame) -> None:
        """Take in what is there to be held."""
        self._frame = frame
        if not frame.rests:
            self._held = self._draft = None
            if self._lit is not None:
                self._lit.set_highlight("")
                self._lit = None

    def drafted(self, frame: Frame) -> Frame:
        """The frame as the hand has it: only the body, its axes and its arrows follow a hand."""
        if self._draft is None:
            return frame
        pose = self._draft
        lanes = tuple(replace(lane, pose=pose) if lane.solid else lane for lane in frame.lanes)
        return replace(frame, lanes=lanes)

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
        self._draw_kick()

    def starting(self, offer: str) -> dict[str, Any]:
        """What a card begins with where that depends on the run: a kick of a quarter of |h| at the cursor, upwards."""
        pose = self._pose
        size = float(np.linalg.norm(pose.vectors["h"])) if pose is not None else 0.0
        return {"impulse": (0.0, 0.0, float(f"{0.25 * size:.2g}"))} if offer == "kick" and size > 0 else {}

    # --- the hand

    def press(self, view: SceneView, event: QMouseEvent) -> bool:
        pose = self._pose
        if event.button() == Qt.MouseButton.LeftButton and pose is not None:
            what = self._under(view, event)
            self._held = Held(what, event.position(), pose) if what else None
        return self._held is not None

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
        held.started = True
        return True

    def release(self, view: SceneView) -> bool:
        held, self._held = self._held, None
        if held is None:
            return False
        if held.started and held.what != "kick":
            self._settle(held)
        return True

    def _under(self, view: SceneView, event: QMouseEvent) -> str:
        """What the pointer could take."""
        frame, pose = self._frame, self._pose
        if frame is None or not frame.rests or pose is None:
            return ""
        at = np.array([event.position().x(), event.position().y()])
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return "body" if over_body(view, at) and not view.from_body else ""
        return tip_at(view, self._tips(view, frame, pose), at)

    def _tips(self, view: SceneView, frame: Frame, pose: Pose) -> dict[str, np.ndarray]:
        tips = {
            name: ARROW / frame.scales[name] * pose.vectors[name]
            for name in ARROWS
            if frame.scales.get(name, 0.0) > 0 and name in view.stage.items and view.stage.shows(name)
        }
        return tips if self._kick is None else {"kick": self._per_impulse * self._kick}

    def _drag(self, view: SceneView, held: Held, pixels: np.ndarray) -> None:
        assert self._frame is not None
        scales, pose = self._frame.scales, held.pose
        if held.what == "kick":
            assert self._kick is not None
            per = self._per_impulse
            self._kick = moved_tip(view, per * self._kick, pixels) / per
            self._draw_kick()
            self.kick_dragged.emit(self._kick)
            return
        if held.what == "body":
            turn = turned_by(view, pixels)
            p = multiply(from_rotation_vector(turn), pose.p)
            rotation = rotation_matrix(p[None])[0]
            back = rotation @ pose.rotation.T
            vectors = {name: back @ vector for name, vector in pose.vectors.items()}
            held.pose = Pose(p, rotation, vectors)
        else:
            per = ARROW / scales[held.what]
            tip = moved_tip(view, per * pose.vectors[held.what], pixels)
            J = in_force(self._document.state, self._sample).preset.body.inertia
            held.pose = replace(pose, vectors=dragged(J, pose.rotation, pose.vectors, held.what, tip / per))
            symbol, unit = ARROWS[held.what]
            body = pose.rotation.T @ held.pose.vectors[held.what]
            said = ", ".join(f"{value:.4g}" for value in body)
            self.said.emit(
                tr("{symbol} = {said} {unit} in the body", symbol=symbol, said=said, unit=unit), ""
            )
        self._draft = held.pose
        self._views.show_draft()

    def _draw_kick(self) -> None:
        self._views.propose("kick", None if self._kick is None else self._per_impulse * self._kick)

    def _settle(self, held: Held) -> None:
        """Make an edit of it."""
        sample, pose = self._sample, held.pose
        interval = self._document.state.preset.run.sample_interval
        at = tr(" at {time:g} s", time=sample * interval) if sample else ""
        if held.what == "body":
            refusal = self._document.propose(
                tr("turn the body{at}", at=at), lambda state: placed(state, sample, p=pose.p)
            )
        else:
            omega = pose.rotation.T @ pose.vectors["omega"]
            refusal = self._document.propose(
                tr("drag {arrow}{at}", arrow=ARROWS[held.what][0], at=at),
                lambda state: placed(state, sample, omega=omega),
            )
        if refusal is not None:
            self.said.emit(f"{told(refusal.found)}; {told(refusal.remedy)}", refusal.topic)
        self._draft = None
        self._views.show_draft()

    @property
    def _pose(self) -> Pose | None:
        """Of the body."""
        return self._frame.pose if self._frame is not None else None

    @property
    def _sample(self) -> int:
        time = self._frame.time if self._frame is not None else 0.0
        return round(time / self._document.state.preset.run.sample_interval)
