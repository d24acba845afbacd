"""Editing by dragging the body and arrows in the 3D views while playback is paused."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent

from quatviz.base.formatting import format_short
from quatviz.base.translation import tr
from quatviz.display.data.frame import ColumnSource, Frame, Pose
from quatviz.display.document.branching import state_at_sample
from quatviz.display.document.document import Document, UndoStep
from quatviz.display.document.edits import drag_vector, round_to_largest, set_motion_state
from quatviz.display.scene.arrows import ScaleEasing
from quatviz.display.scene.base import MAX_ARROW_LENGTH
from quatviz.physics.mechanics.rotations import from_rotation_vector, multiply, rotation_matrix
from quatviz.ui.scene.picking import drag_rotation, drag_tip, is_over_body, pick_tip
from quatviz.ui.scene.scene_view import SceneView
from quatviz.ui.scene.view_grid import SceneViewGrid

DRAGGABLE_ARROWS = {"omega": ("ω", "rad/s"), "h": ("h", "kg m²/s")}
"""Symbol and unit of each arrow whose tip can be dragged."""


@dataclass
class DragState:
    """State of a drag: its target (`body`, `kick` or an arrow of `DRAGGABLE_ARROWS`), start and current pose.

    The scales of the arrows stay fixed during a drag, so that the tip follows the mouse. Otherwise a larger vector
    anywhere in the new run would change the scale.
    """

    target: str
    position: QPointF
    pose: Pose
    sample: int
    scales: dict[str, float]
    kick: np.ndarray | None
    """Angular impulse (3,) of the proposed kick at the start of the drag [N m s, space frame], or None."""
    text: str
    """Name of the edit for the undo menu."""
    last_step: UndoStep | None
    """The last undo step at the start of the drag."""
    started: bool = False
    is_refused: bool = False
    """True if no run is possible for the current pose."""


class Manipulator(QObject):
    """The editor of the motion by dragging. Dragging an arrow tip changes omega or h; Ctrl-drag on the body changes its
    orientation.

    A whole drag is one undo step. The run is recomputed as the mouse moves. Body and arrows follow the mouse without
    waiting for the run.
    """

    status_message = Signal(str, str)
    kick_dragged = Signal(object)
    """Emitted with the angular impulse (3,) [N m s, space frame] of the proposed kick while the user drags its arrow."""

    def __init__(self, document: Document, views: SceneViewGrid) -> None:
        super().__init__(views)
        self._document, self._views = document, views
        self._frame: Frame | None = None
        self._drag_state: DragState | None = None
        self._easing: ScaleEasing | None = None
        self._edit_timer = QTimer(self, singleShot=True)
        """Timer that delays the edit until the window has drawn the run of the previous edit."""
        self._edit_timer.timeout.connect(self._apply_edit)
        self._highlighted_view: SceneView | None = None
        """The view in which an arrow tip is highlighted, or None."""
        self._kick: np.ndarray | None = None
        self._radii_per_impulse = 0.0
        """Length of the proposed kick's arrow per unit of impulse [body radii/(N m s)]."""
        views.set_drag_handler(self)

    # --- run

    def start(self, source: ColumnSource) -> None:
        """End a drag when another run starts, unless the drag itself caused it."""
        if not self._is_own_run:
            self._drag_state = None

    def show_frame(self, frame: Frame) -> None:
        """Store the frame. While the run plays, also end a drag and remove the highlight of an arrow."""
        self._frame = frame
        if not frame.is_at_rest and not self._is_own_run:
            self._drag_state = None
            if self._highlighted_view is not None:
                self._highlighted_view.set_highlight("")
                self._highlighted_view = None

    @property
    def _is_own_run(self) -> bool:
        """True if the current run was computed because of the present drag."""
        drag, last_step = self._drag_state, self._last_step
        return (
            drag is not None
            and last_step is not None
            and last_step is not drag.last_step
            and last_step.text == drag.text
        )

    @property
    def _last_step(self) -> UndoStep | None:
        return self._document.steps[-1] if self._document.steps else None

    def preview_frame(self, frame: Frame) -> Frame:
        """Return the frame with body, axes and arrows at their dragged positions."""
        drag = self._drag_state
        if drag is not None and drag.started and drag.target != "kick":
            lanes = tuple(replace(lane, pose=drag.pose) if lane.solid else lane for lane in frame.lanes)
            return replace(frame, lanes=lanes, scales=drag.scales)
        if self._easing is None or self._easing.is_finished(frame.now):
            self._easing = None
            return frame
        return replace(frame, scales=self._easing.update(frame.scales, frame.now))

    def show_kick(self, table: Mapping[str, Any] | None) -> None:
        """Draw the arrow of the proposed kick, or remove it for None. `table` has the values in the form of the kick."""
        pose = self._pose
        if table is None or "impulse" not in table or pose is None:
            self._kick = None
        else:
            impulse = np.array(table["impulse"], float)
            if self._kick is None:
                self._radii_per_impulse = MAX_ARROW_LENGTH / (float(np.linalg.norm(impulse)) or 1.0)
            self._kick = pose.rotation @ impulse if table.get("frame") == "body" else impulse
        self._views.show_proposed_vector(
            "kick", None if self._kick is None else self._radii_per_impulse * self._kick
        )

    def initial_values(self, card: str) -> dict[str, Any]:
        """Return initial values for the event card `card` that depend on the run.

        A kick starts with a quarter of |h| at the cursor, along the upward axis of the space frame.
        """
        pose = self._pose
        size = float(np.linalg.norm(pose.vectors["h"])) if pose is not None else 0.0
        return {"impulse": (0.0, 0.0, float(f"{0.25 * size:.2g}"))} if card == "kick" and size > 0 else {}

    # --- dragging

    @property
    def is_dragging(self) -> bool:
        return self._drag_state is not None

    def press(self, view: SceneView, event: QMouseEvent) -> bool:
        pose, frame = self._pose, self._frame
        if event.button() == Qt.MouseButton.LeftButton and pose is not None and frame is not None:
            target = self._target_at(view, event)
            if target:
                scales, text = self.preview_frame(frame).scales, self._edit_name(target)
                self._drag_state = DragState(
                    target, event.position(), pose, self._sample, scales, self._kick, text, self._last_step
                )
        return self.is_dragging

    def move(self, view: SceneView, event: QMouseEvent) -> bool:
        drag = self._drag_state
        if drag is None:
            if event.buttons() == Qt.MouseButton.NoButton:
                target = self._target_at(view, event)
                view.setCursor(Qt.CursorShape.OpenHandCursor if target else Qt.CursorShape.ArrowCursor)
                view.set_highlight(target)
                self._highlighted_view = view if target else None
            return False
        delta = event.position() - drag.position
        drag.position = event.position()
        self._move_target(view, drag, np.array([delta.x(), delta.y()]))
        return True

    def release(self) -> None:
        drag = self._drag_state
        if drag is not None and (self._edit_timer.isActive() or drag.is_refused):
            self._apply_edit(is_final=True)
        self._end_drag()

    def cancel_drag(self) -> None:
        drag = self._drag_state
        if drag is not None and drag.kick is not None:
            self.kick_dragged.emit(drag.kick)
        if drag is not None and self._is_own_run:
            self._document.propose(drag.text, lambda state: state, coalesce=True)
        self._end_drag()

    def _end_drag(self) -> None:
        drag, self._drag_state = self._drag_state, None
        self._edit_timer.stop()
        if drag is not None and drag.started and self._frame is not None:
            self._easing = ScaleEasing(drag.scales, self._frame.now)
            self._views.show_preview()

    def _target_at(self, view: SceneView, event: QMouseEvent) -> str:
        """Return what the mouse can drag at this point: `body`, `kick` or the name of an arrow, or "" for nothing."""
        frame, pose = self._frame, self._pose
        if frame is None or not frame.is_at_rest or pose is None:
            return ""
        pointer = np.array([event.position().x(), event.position().y()])
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            shape = None if view.from_body else view.stage.shape
            return "body" if shape is not None and is_over_body(view.snapshot(), shape.reach, pointer) else ""
        return pick_tip(
            view.snapshot(), self._arrow_tips(view, self.preview_frame(frame).scales, pose), pointer
        )

    def _arrow_tips(self, view: SceneView, scales: Mapping[str, float], pose: Pose) -> dict[str, np.ndarray]:
        if self._kick is not None:
            return {"kick": self._radii_per_impulse * self._kick}
        return {
            name: MAX_ARROW_LENGTH / scales[name] * pose.vectors[name]
            for name in DRAGGABLE_ARROWS
            if scales.get(name, 0.0) > 0 and name in view.stage.items and view.stage.is_visible(name)
        }

    def _move_target(self, view: SceneView, drag: DragState, pixels: np.ndarray) -> None:
        pose = drag.pose
        if drag.target == "kick":
            assert self._kick is not None
            radii_per_unit = self._radii_per_impulse
            self.kick_dragged.emit(
                drag_tip(view.snapshot(), radii_per_unit * self._kick, pixels) / radii_per_unit
            )
            return
        if drag.target == "body":
            rotation_vector = drag_rotation(view.snapshot(), pixels)
            p = multiply(from_rotation_vector(rotation_vector), pose.p)
            rotation = rotation_matrix(p[None])[0]
            relative_rotation = rotation @ pose.rotation.T
            drag.pose = Pose(
                p, rotation, {name: relative_rotation @ vector for name, vector in pose.vectors.items()}
            )
        else:
            radii_per_unit = MAX_ARROW_LENGTH / drag.scales[drag.target]
            tip = drag_tip(view.snapshot(), radii_per_unit * pose.vectors[drag.target], pixels)
            J = state_at_sample(self._document.state, drag.sample).preset.body.inertia
            drag.pose = replace(
                pose, vectors=drag_vector(J, pose.rotation, pose.vectors, drag.target, tip / radii_per_unit)
            )
        drag.started = True
        self._views.show_preview()
        if not self._edit_timer.isActive():
            self._edit_timer.start(0)

    def _apply_edit(self, is_final: bool = False) -> None:
        """Apply the dragged pose as an edit that replaces the previous edit of this drag.

        A refusal is shown only if `is_final` is True, because the pose may become valid before the drag ends.
        """
        drag = self._drag_state
        if drag is None:
            return
        pose, sample = drag.pose, drag.sample
        omega = pose.rotation.T @ pose.vectors["omega"]
        change = {"p": pose.p} if drag.target == "body" else {"omega": omega}
        refusal = self._document.propose(
            drag.text, lambda state: set_motion_state(state, sample, **change), self._is_own_run
        )
        drag.is_refused = refusal is not None
        if refusal is None:
            self.status_message.emit(self._status_text(drag), "")
        elif is_final:
            self.status_message.emit(f"{tr(refusal.found)}; {tr(refusal.remedy)}", refusal.topic)

    def _edit_name(self, target: str) -> str:
        """Return the text that describes this drag in the undo menu."""
        time_text = tr(" at {time:g} s", time=self._time_of(self._sample)) if self._sample else ""
        if target == "body":
            return tr("turn the body{at}", at=time_text)
        return (
            tr("drag {arrow}{at}", arrow=DRAGGABLE_ARROWS[target][0], at=time_text)
            if target in DRAGGABLE_ARROWS
            else ""
        )

    def _status_text(self, drag: DragState) -> str:
        """Return the status message about an edit. It states the new value and the time from which the edit applies."""
        time = self._time_of(drag.sample)
        since_text = (
            tr("from the cursor on, t = {time:g} s", time=time) if drag.sample else tr("at the start")
        )
        if drag.target == "body":
            return tr("Orientation changed {since}", since=since_text)
        symbol, unit = DRAGGABLE_ARROWS[drag.target]
        body_vector = round_to_largest(drag.pose.rotation.T @ drag.pose.vectors[drag.target])
        components = ", ".join(map(format_short, body_vector))
        return tr(
            "{symbol} = {value} {unit} in the body frame {since}",
            symbol=symbol,
            value=components,
            unit=unit,
            since=since_text,
        )

    @property
    def _pose(self) -> Pose | None:
        """Pose of the body in the last frame, or None."""
        return self._frame.pose if self._frame is not None else None

    @property
    def _sample(self) -> int:
        time = self._frame.time if self._frame is not None else 0.0
        return round(time / self._document.state.preset.run.sample_interval)

    def _time_of(self, sample: int) -> float:
        return sample * self._document.state.preset.run.sample_interval
