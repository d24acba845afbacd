"""One 3D view: a camera that the mouse moves (left drag turns, middle or Shift-left drag moves, the wheel zooms), the scene, and
one picture per frame."""

import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Protocol

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from quatviz.base.translation import tr
from quatviz.display.data.budget import AdaptiveResolution
from quatviz.display.data.frame import ColumnSource, Frame
from quatviz.display.data.redraws import Redraws
from quatviz.display.scene.base import SceneItem, Stage, is_same_picture
from quatviz.display.scene.items import ITEMS
from quatviz.display.scene.view_snapshot import ViewSnapshot
from quatviz.display.view_state.camera import VIEW_DIRECTIONS, Camera, CameraChange, CameraPose
from quatviz.ui.scene.scene_image import SceneImage, SharedGraphics
from quatviz.ui.scene.text_overlay import ColoredText, TextOverlay
from quatviz.ui.widgets.entries import Draggable
from quatviz.ui.widgets.style import Themed

_ORBIT_RATE = 0.008
"""Radians for each pixel."""


class DragHandler(Protocol):
    """Takes a drag in a view away from the camera; `press` and `move` say whether they did."""

    def press(self, view: "SceneView", event: QMouseEvent) -> bool: ...

    def move(self, view: "SceneView", event: QMouseEvent) -> bool: ...

    def release(self) -> None:
        """Let go of what is held, if anything is."""

    @property
    def is_dragging(self) -> bool:
        """Whether there is something in the hand."""

    def cancel_drag(self) -> None:
        """Let that be as if nothing had been taken."""

    def preview_frame(self, frame: Frame) -> Frame:
        """The frame as the hand has it that holds something."""


_CENTER = np.array([0.0, 0.0, -0.15])
_FIT_MARGIN = 0.35
"""Around the body, where all of it is seen [body radii]."""

log = logging.getLogger(__name__)


_CLICK_TOLERANCE = 4
"""Pixels that a click may move without being a drag."""


class SceneView(Themed, Draggable):
    """Draws the items of `kinds` (by default those of the registry), in the same OpenGL context as other views with
    the same `shared`. The mouse moves the camera, a double click fits. A frame begins to be drawn when it is shown,
    and is painted when Qt asks for it."""

    problem_reported = Signal(str)
    mouse_pressed = Signal()
    menu_requested = Signal(QPoint)
    """A right click, at a point of the screen."""
    """A person has pressed a button of the mouse here."""
    camera_moved = Signal(object)
    """The `Change` that a hand has made to the camera."""
    pose_changed = Signal()
    """The camera stands elsewhere."""
    painted = Signal()
    """A picture has gone to the window, which is flushed to the screen next."""

    def __init__(
        self, parent: QWidget | None = None, item_classes: Iterable[type[SceneItem]] | None = None,
        shared_graphics: SharedGraphics | None = None, sequence: Callable[[], str] = lambda: "321",
        previous_lines: Callable[[], Collection[ColoredText]] = tuple, redraws: Redraws | None = None,
    ) -> None:  # fmt: skip
        """`sequence` is that of the Euler angles that a person has chosen, for items that show it; `previous_lines` has the
        lines in the legends of other views; `redraws` what of the window is due."""
        super().__init__(parent)
        self._redraws = redraws or Redraws()
        self.camera = Camera()
        self._press_position = QPointF()
        self._drag_position: QPointF | None = None
        """Where the mouse was last that drags the camera."""
        self._frame: Frame | None = None
        self._last_new_frame: Frame | None = None
        """The last frame that was new to see."""
        self.pixel_ratio: float | None = None
        """Device pixels of a logical one, where it is painted into a picture and not on the screen."""
        self.drag_handler: DragHandler | None = None
        """Takes drags away from the camera."""
        self.setMouseTracking(True)
        self.text_overlay = TextOverlay(lambda: self.theme, previous_lines)
        """What is written over the picture."""
        self._scene_image = SceneImage(self._report_problem, shared_graphics, self._redraws)
        self._adaptive_resolution = AdaptiveResolution()
        self._redraws.mark(self, "frame", "text")
        self.from_body = False
        """Whether the camera turns with the body."""
        self.setAccessibleName(tr("3D view"))
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.stage = Stage(
            self.theme,
            ITEMS.values() if item_classes is None else item_classes,
            self._report_problem,
            sequence,
        )
        """The items and what they draw."""

    # --- the run

    def start(self, source: ColumnSource) -> None:
        """A run begins: its body sets the unit of length. The camera stays, unless the body reaches elsewhere."""
        self._frame = None
        self._redraws.mark(self, "frame")
        if self.stage.start(source):
            self.fit()

    def release(self) -> None:
        """Let go of the run, until another begins."""
        self._last_new_frame = self._frame = None
        self._redraws.mark(self, "frame")
        self.stage.release()

    def show_frame(self, frame: Frame) -> None:
        """Show this frame with the next repaint; one that shows what the last did costs nothing."""
        self.prepare_frame(frame)
        self.present()

    def present(self) -> None:
        """Bring to the screen what has been prepared, with the next repaint: of what is painted anew most of a picture is as it
        was, and copying all of it to the screen is the dearest thing of a frame."""
        if not self._redraws.is_due(self, "screen"):
            return
        self._redraws.clear(self, "screen")
        changed = self._scene_image.take_changed_rect()
        if self._scene_image.is_ready:
            self.update(changed.united(self._update_text_layout()).toAlignedRect().adjusted(-1, -1, 1, 1))
        else:
            self._redraws.mark(self, "text")
            self.update()

    def prepare_frame(self, frame: Frame) -> None:
        """Begin to draw what this frame shows."""
        last = None if self._redraws.is_due(self, "frame") else self._last_new_frame
        if last is None or not is_same_picture(last, frame):
            self._redraws.clear(self, "frame")
            self._last_new_frame = self._frame = frame
            self.stage.draw_frame(frame)
            pose = frame.pose if self.from_body else None
            self.camera.frame = np.eye(3) if pose is None else pose.rotation
            self._scene_image.invalidate()
            self._redraws.mark(self, "screen")
        self._update_resolution(frame)
        drew_ahead, self._scene_image.draws_ahead = self._scene_image.draws_ahead, frame.playing
        if self._scene_image.is_stale and self.isVisible():
            self._scene_image.start(self.snapshot())
        elif drew_ahead and self._scene_image.finish():
            self._redraws.mark(self, "screen")  # no further frame will bring it to the screen

    def _update_resolution(self, frame: Frame) -> None:
        if not frame.playing:
            self._adaptive_resolution.pause()
        resolution = (
            self._adaptive_resolution.begin_frame(frame.now)
            if frame.playing and self._scene_image.is_software
            else 1.0
        )
        if resolution != self._scene_image.resolution:
            self._scene_image.resolution = resolution
            self.redraw()

    def refresh(self) -> None:
        """Show the last frame anew: something else that the items read has changed."""
        self._redraws.mark(self, "frame")
        if self._frame is not None:
            self.show_frame(self._frame)

    def redraw(self) -> None:
        """Draw the picture anew with the next repaint."""
        self._scene_image.invalidate()
        self._redraws.mark(self, "text")
        self.update()

    def follow_theme(self) -> None:
        self._update_camera_line()
        self.stage.set_theme(self.theme)
        self.refresh()
        self.redraw()

    # --- the camera

    @property
    def aspect(self) -> float:
        """Width by height."""
        return self.width() / max(self.height(), 1)

    @property
    def camera_pose(self) -> CameraPose:
        """Where the camera stands, whatever the size of the view."""
        return self.camera.pose(self.aspect)

    def set_camera_pose(self, pose: CameraPose) -> None:
        """Let the camera stand there."""
        self.move_camera(lambda camera: camera.set_pose(pose, self.aspect))

    def move_camera(self, change: CameraChange) -> None:
        """Draw it from where the camera is after `change`."""
        change(self.camera)
        self._show_camera()

    def _show_camera(self) -> None:
        """Draw what the camera sees from where it is now."""
        self.redraw()
        self.pose_changed.emit()

    def fit(self) -> None:
        """Show everything around the body."""
        self.move_camera(self._fit_change())

    def copy_camera_pose(self, other: "SceneView") -> None:
        """Look from where another view does, in this view's own frame, and show as much."""
        self.camera.copy_pose(other.camera)
        self.camera.adapt_to_aspect(other.aspect, self.aspect)
        self._show_camera()

    def look_from(self, name: str) -> None:
        """Look from one of `VIEW_DIRECTIONS`; along h from its tip, where there is one."""
        direction = VIEW_DIRECTIONS[name].back
        pose = self._frame.pose if self._frame is not None else None
        if direction is not None:
            self.camera.look_from(np.array(direction))
        elif pose is not None and np.any(pose.vectors["h"]):
            self.camera.look_from(self.camera.frame.T @ pose.vectors["h"])
        self._show_camera()

    def set_from_body(self, on: bool) -> None:
        """Let the camera turn with the body, which then stands still while space turns; or let it stand in space."""
        self.from_body = on
        self._update_camera_line()
        self.refresh()

    def _update_camera_line(self) -> None:
        self.stage.set_legend_line(
            "camera", tr("seen from the body") if self.from_body else "", self.theme.muted
        )

    # --- what is drawn

    def set_item_visible(self, name: str, visible: bool) -> None:
        """Show or hide an item from now on; nothing where it has failed."""
        self.stage.set_item_visible(name, visible, self._frame)
        self.redraw()

    @property
    def magnification(self) -> int:
        """The power of ten by which differences of the lanes are enlarged."""
        return self.stage.magnification

    def set_magnification(self, power: int) -> None:
        """Draw differences of the lanes 10^power times as large, with the next frame."""
        self.stage.magnification = power
        self._redraws.mark(self, "frame")
        self.redraw()

    def set_highlight(self, quantity: str) -> None:
        """Let the arrow of this quantity stand out; of none where it is empty."""
        if quantity != self.stage.highlight:
            self.stage.highlight = quantity
            self.refresh()
            self.redraw()

    def apply_visibility(self, visibility: Mapping[str, bool]) -> None:
        """Show and hide items as a person wants them; the others as at a first start."""
        self.stage.apply_visibility(visibility, self._frame)
        self.redraw()

    def release_graphics(self) -> None:
        """Let go of the graphics until it is painted again."""
        self._scene_image.release()

    def shutdown(self) -> None:
        """Let go of the items, and delete what lives in the context."""
        self.stage.clear()
        self._scene_image.release()

    @property
    def legend(self) -> list[ColoredText]:
        """The lines in its corner."""
        return self.text_overlay.visible_legend(self.stage.legend_lines, self.is_wireframe, self.height())

    @property
    def is_wireframe(self) -> bool:
        """Whether the scene is drawn without OpenGL."""
        return self._scene_image.is_wireframe

    @property
    def image(self) -> QImage | None:
        """The picture that was painted last, where OpenGL draws; its memory is written anew by the next one."""
        return self._scene_image.image

    def project(self, points: np.ndarray) -> np.ndarray:
        """Where points of space (n, 3) stand in the widget (n, 2) [logical pixels]; NaN behind the eye."""
        return self.snapshot().project(points)

    # --- Qt

    def devicePixelRatioF(self) -> float:
        return float(super().devicePixelRatioF()) if self.pixel_ratio is None else self.pixel_ratio

    def resizeEvent(self, event: QResizeEvent) -> None:
        old_size = event.oldSize()
        if old_size.width() > 0 and old_size.height() > 0:
            self.camera.adapt_to_aspect(old_size.width() / old_size.height(), self.aspect)
        self._show_camera()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._press_position = event.position()
        if self.drag_handler is not None and self.drag_handler.press(self, event):
            self.grabKeyboard()
        else:
            self._drag_position = event.position()
        self.mouse_pressed.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag_position = None
        is_click = (event.position() - self._press_position).manhattanLength() <= _CLICK_TOLERANCE
        if event.button() == Qt.MouseButton.RightButton and is_click:
            self.menu_requested.emit(event.globalPosition().toPoint())
        self.releaseKeyboard()
        if self.drag_handler is not None:
            self.drag_handler.release()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        last, position = self._drag_position, event.position()
        if (self.drag_handler is not None and self.drag_handler.move(self, event)) or last is None:
            return
        self._drag_position = position
        x, y, height = position.x() - last.x(), position.y() - last.y(), self.height()
        if (
            event.buttons() & Qt.MouseButton.MiddleButton
            or event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        ):
            self._change_camera(lambda camera: camera.pan(x / height, -y / height))
        elif event.buttons() & Qt.MouseButton.LeftButton:
            self._change_camera(lambda camera: camera.orbit(_ORBIT_RATE * x, _ORBIT_RATE * y))

    @property
    def is_dragging(self) -> bool:
        return self.drag_handler is not None and self.drag_handler.is_dragging

    def cancel_drag(self) -> None:
        assert self.drag_handler is not None
        self.drag_handler.cancel_drag()
        self.releaseKeyboard()

    def leaveEvent(self, event: QEvent) -> None:
        self.set_highlight("")
        super().leaveEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._change_camera(self._fit_change())

    def wheelEvent(self, event: QWheelEvent) -> None:
        factor = 1.0015 ** event.angleDelta().y()
        self._change_camera(lambda camera: camera.zoom(factor))

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self._scene_image.paint(painter, QRectF(self.rect()), self.snapshot)
            if self._redraws.is_due(self, "text"):
                self._update_text_layout()
            self.text_overlay.paint(painter, QRectF(self.rect()))
        self.painted.emit()

    def _change_camera(self, change: CameraChange) -> None:
        self.move_camera(change)
        self.camera_moved.emit(change)

    def _fit_change(self) -> CameraChange:
        reach, aspect = self.stage.visible_radius + _FIT_MARGIN, self.aspect
        return lambda camera: camera.fit(_CENTER, reach, aspect)

    def snapshot(self) -> ViewSnapshot:
        """All that its picture depends on now."""
        labels = self.stage.labels
        return ViewSnapshot(
            self.stage.meshes,
            self.stage.lines,
            self.camera,
            self.width(),
            self.height(),
            self.devicePixelRatioF() * self._scene_image.resolution,
            self.theme,
            self.stage.floor,
            tuple(labels),
            np.array([label.position for label in labels]).reshape(-1, 3),
        )

    def _update_text_layout(self) -> QRectF:
        """Lay out what is written over the picture that is shown; where that differs from what was there."""
        snapshot = self._scene_image.shown_snapshot
        self._redraws.clear(self, "text")
        labels, points = (
            (snapshot.labels, snapshot.label_points) if snapshot is not None else ((), np.empty((0, 2)))
        )
        area, ratio = QRectF(self.rect()), self.devicePixelRatioF()
        return self.text_overlay.update_layout(
            area, labels, points, self.stage.legend_lines, self._scene_image.is_wireframe, ratio
        )

    def _report_problem(self, text: str) -> None:
        """Whoever makes the view is not connected yet, and a paint is no time for it."""
        QTimer.singleShot(0, self, lambda: self.problem_reported.emit(text))
