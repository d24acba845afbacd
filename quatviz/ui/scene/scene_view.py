"""One 3D view, with a camera that the mouse moves, the scene, and one picture per frame.

A left drag rotates, a middle or Shift-left drag moves, and the wheel zooms.
"""

import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Protocol

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QHideEvent,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
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
"""Angle by which the camera is rotated per pixel of mouse movement [rad]."""


class DragHandler(Protocol):
    """Object that receives drags with the mouse in place of the camera. `press` and `move` return True if they have
    handled the event."""

    def press(self, view: "SceneView", event: QMouseEvent) -> bool: ...

    def move(self, view: "SceneView", event: QMouseEvent) -> bool: ...

    def release(self) -> None:
        """End the drag, if any."""

    @property
    def is_dragging(self) -> bool:
        """True during a drag."""

    def cancel_drag(self) -> None:
        """Cancel the drag and restore the state from before it."""

    def preview_frame(self, frame: Frame) -> Frame:
        """Return the frame with the dragged objects at their current positions."""


_CENTER = np.array([0.0, 0.0, -0.15])
_FIT_MARGIN = 0.35
"""Space around the body in a view that is fitted to the whole scene [body radii]."""

log = logging.getLogger(__name__)


REST_DELAY_MS = 150
"""Delay between the last change of a paused view and its antialiased drawing [ms].

In software rendering, antialiasing is too slow while the user moves the camera or edits.
"""
_CLICK_TOLERANCE = 4
"""Largest movement of the mouse between press and release that still counts as a click [pixels]."""


class SceneView(Themed, Draggable):
    """A 3D view that draws scene items. The mouse moves the camera, and a double click makes the whole scene visible.

    `show_frame` starts to draw a picture, and the picture is painted when Qt requests it. Views with the same
    `shared_graphics` use one OpenGL context.
    """

    problem_reported = Signal(str)
    mouse_pressed = Signal()
    """Emitted when a mouse button is pressed in the view."""
    menu_requested = Signal(QPoint)
    """Emitted on a right click, with the screen position."""
    camera_moved = Signal(object)
    """Emitted when the user moves the camera, with the `CameraChange`."""
    pose_changed = Signal()
    """Emitted after any change of the camera."""
    painted = Signal()
    """Emitted after a picture was painted."""

    def __init__(
        self, parent: QWidget | None = None, item_classes: Iterable[type[SceneItem]] | None = None,
        shared_graphics: SharedGraphics | None = None, sequence: Callable[[], str] = lambda: "321",
        previous_lines: Callable[[], Collection[ColoredText]] = tuple, redraws: Redraws | None = None,
    ) -> None:  # fmt: skip
        """Create the view.

        Parameters
        ----------
        parent
            Parent widget.
        item_classes
            Classes of the items; those of the registry if None.
        shared_graphics
            OpenGL context shared with other views.
        sequence
            Function that returns the chosen sequence of Euler angles, for items that show these angles.
        previous_lines
            Function that returns the legend lines of other views, which need not be repeated.
        redraws
            Register of the parts of the window that must be redrawn.
        """
        super().__init__(parent)
        self._redraws = redraws or Redraws()
        self.camera = Camera()
        self._camera_aspect: float | None = None
        """Aspect ratio of the view to which the distance of the camera is adapted, or None before the first use."""
        self._press_position = QPointF()
        self._drag_position: QPointF | None = None
        """Last mouse position of a camera drag, or None."""
        self._frame: Frame | None = None
        self._last_new_frame: Frame | None = None
        """The last frame whose picture differed from the previous one."""
        self.pixel_ratio: float | None = None
        """Device pixel ratio of the image that the view is painted into, or None to use that of the screen."""
        self.drag_handler: DragHandler | None = None
        """Object that receives drags with the mouse in place of the camera, or None."""
        self.setMouseTracking(True)
        self.text_overlay = TextOverlay(lambda: self.theme, previous_lines)
        """Legend, heading and labels that are painted over the picture."""
        self._scene_image = SceneImage(self._report_problem, shared_graphics, self._redraws)
        self._adaptive_resolution = AdaptiveResolution()
        self.always_antialiased = False
        """True if every picture is antialiased, even if this takes long. It is set for exported pictures."""
        self._is_at_rest = False
        self._rest_timer = QTimer(self, singleShot=True, interval=REST_DELAY_MS)
        self._rest_timer.timeout.connect(self._draw_at_rest)
        self._redraws.mark(self, "frame", "text")
        self.from_body = False
        """True if the camera rotates with the body."""
        self.setAccessibleName(tr("3D view"))
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.stage = Stage(
            self.theme,
            ITEMS.values() if item_classes is None else item_classes,
            self._report_problem,
            sequence,
        )
        """Stage of the view: the scene items and the graphics primitives that they draw."""

    # --- run

    def start(self, source: ColumnSource) -> None:
        """Start to show a run. The size of its body is the unit of length; if that changes, the camera is fitted again."""
        self._frame = None
        self._redraws.mark(self, "frame")
        if self.stage.start(source):
            self.fit()

    def release(self) -> None:
        """Release the run."""
        self._last_new_frame = self._frame = None
        self._redraws.mark(self, "frame")
        self.stage.release()

    def show_frame(self, frame: Frame) -> None:
        """Show a frame at the next repaint. If its picture is the same as that of the last frame, nothing is done."""
        self.prepare_frame(frame)
        self.present()

    def present(self) -> None:
        """Schedule the repaint of a picture that `prepare_frame` has changed. Only the changed area is repainted,
        because copying pixels is the most expensive part."""
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
        """Update the scene for a frame and start to draw it. `present` shows the result."""
        last = None if self._redraws.is_due(self, "frame") else self._last_new_frame
        if last is None or not is_same_picture(last, frame):
            self._redraws.clear(self, "frame")
            self._last_new_frame = self._frame = frame
            self.stage.draw_frame(frame)
            pose = frame.pose if self.from_body else None
            self.camera.frame = np.eye(3) if pose is None else pose.rotation
            self._invalidate_image()
            self._redraws.mark(self, "screen")
        self._update_resolution(frame)
        drew_ahead, self._scene_image.draws_ahead = self._scene_image.draws_ahead, frame.playing
        if drew_ahead and not frame.playing:
            self._await_rest()
        if self._scene_image.is_stale and self.isVisible():
            self._scene_image.start(self.snapshot())
        elif drew_ahead and self._scene_image.finish():
            self._redraws.mark(self, "screen")  # no further frame will bring it to the screen

    def _invalidate_image(self) -> None:
        """Mark the picture as outdated by a movement, and schedule an antialiased picture for the end of the movement."""
        self._scene_image.invalidate()
        self._is_at_rest = False
        self._await_rest()

    def _await_rest(self) -> None:
        """Start or restart the timer whose end triggers an antialiased picture. In a hidden view, it starts when the
        view is shown."""
        if self.isVisible():
            self._rest_timer.start()

    def _draw_at_rest(self) -> None:
        """Draw the picture antialiased, unless the run plays."""
        if not self._scene_image.draws_ahead:
            self._is_at_rest = True
            if self._scene_image.is_software and self.isVisible():
                self._scene_image.invalidate()
                self.update()

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
        """Draw the last frame again, after a change of lanes, options or colors."""
        self._redraws.mark(self, "frame")
        if self._frame is not None:
            self.show_frame(self._frame)

    def redraw(self) -> None:
        """Mark the picture as outdated, so that the next repaint draws it again."""
        self._invalidate_image()
        self._redraws.mark(self, "text")
        self.update()

    def follow_theme(self) -> None:
        self._update_camera_line()
        self.stage.set_theme(self.theme)
        self.refresh()
        self.redraw()

    # --- camera

    @property
    def aspect(self) -> float:
        """Width of the view divided by its height."""
        return self.width() / max(self.height(), 1)

    @property
    def camera_pose(self) -> CameraPose:
        """Position and direction of the camera, in a form that does not depend on the size of the view."""
        self._adapt_camera()
        return self.camera.pose(self.aspect)

    def set_camera_pose(self, pose: CameraPose) -> None:
        """Move the camera to this position and direction."""
        self.move_camera(lambda camera: camera.set_pose(pose, self.aspect))

    def move_camera(self, change: CameraChange) -> None:
        """Apply a movement of the camera, such as a rotation by the mouse, and redraw."""
        self._adapt_camera()
        change(self.camera)
        self._show_camera()

    def _adapt_camera(self) -> None:
        """Adapt the distance of the camera if the aspect ratio of the view has changed.

        The ratio is compared here rather than in a resize event, because a hidden view, for example behind the start page,
        gets its size without such an event.
        """
        if self.width() > 0 and self._camera_aspect != self.aspect:
            if self._camera_aspect is not None:
                self.camera.adapt_to_aspect(self._camera_aspect, self.aspect)
            self._camera_aspect = self.aspect

    def _show_camera(self) -> None:
        """Redraw the view after its camera has changed, and emit `pose_changed`."""
        self.redraw()
        self.pose_changed.emit()

    def fit(self) -> None:
        """Move the camera so that the whole scene around the body is visible."""
        self.move_camera(self._fit_change())

    def copy_camera_pose(self, other: "SceneView") -> None:
        """Copy the viewing direction and extent of another view. The direction is taken relative to the frame in which
        the camera of each view is fixed."""
        self.camera.copy_pose(other.camera)
        self._camera_aspect = other._camera_aspect
        self._adapt_camera()
        self._show_camera()

    def look_from(self, name: str) -> None:
        """Look from the direction with this name in `VIEW_DIRECTIONS`.

        The direction "along h" looks from the tip of h. It changes nothing if h is zero.
        """
        direction = VIEW_DIRECTIONS[name].back
        pose = self._frame.pose if self._frame is not None else None
        if direction is not None:
            self.camera.look_from(np.array(direction))
        elif pose is not None and np.any(pose.vectors["h"]):
            self.camera.look_from(self.camera.frame.T @ pose.vectors["h"])
        self._show_camera()

    def set_from_body(self, on: bool) -> None:
        """Let the camera rotate with the body, so that the body appears at rest, or fix it in space."""
        self.from_body = on
        self._update_camera_line()
        self.refresh()

    def _update_camera_line(self) -> None:
        self.stage.set_legend_line(
            "camera", tr("seen from the body") if self.from_body else "", self.theme.muted
        )

    # --- content

    def set_item_visible(self, name: str, visible: bool) -> None:
        """Show or hide the scene item with this name. Nothing happens for an item that has failed."""
        self.stage.set_item_visible(name, visible, self._frame)
        self.redraw()

    @property
    def magnification(self) -> int:
        """Exponent n of the factor 10^n by which differences between lanes are magnified."""
        return self.stage.magnification

    def set_magnification(self, power: int) -> None:
        """Magnify lane differences by 10^power."""
        self.stage.magnification = power
        self._redraws.mark(self, "frame")
        self.redraw()

    def set_highlight(self, quantity: str) -> None:
        """Highlight the arrow of this quantity; "" removes the highlight."""
        if quantity != self.stage.highlight:
            self.stage.highlight = quantity
            self.refresh()
            self.redraw()

    def apply_visibility(self, visibility: Mapping[str, bool]) -> None:
        """Show or hide items as the user has chosen. Items that are not listed get their default visibility."""
        self.stage.apply_visibility(visibility, self._frame)
        self.redraw()

    def release_graphics(self) -> None:
        """Release the OpenGL resources. The next paint creates them again."""
        self._scene_image.release()

    def shutdown(self) -> None:
        """Release items and OpenGL resources."""
        self._rest_timer.stop()
        self.stage.clear()
        self._scene_image.release()

    @property
    def is_at_rest(self) -> bool:
        """True if the view is paused and nothing has moved for `REST_DELAY_MS`, so that its picture is antialiased."""
        return self._is_at_rest

    @property
    def legend(self) -> list[ColoredText]:
        """The legend lines in the corner of the view."""
        return self.text_overlay.visible_legend(
            self.stage.legend_lines, self.is_wireframe, self.height(), self.width()
        )

    @property
    def is_wireframe(self) -> bool:
        """True if the scene is drawn without OpenGL."""
        return self._scene_image.is_wireframe

    @property
    def image(self) -> QImage | None:
        """The last OpenGL image, or None. The next picture overwrites its memory."""
        return self._scene_image.image

    def project(self, points: np.ndarray) -> np.ndarray:
        """Return the positions (n, 2) [logical pixels] of points (n, 3) [space frame] in the view. Points behind the eye
        give NaN."""
        return self.snapshot().project(points)

    # --- Qt events

    def devicePixelRatioF(self) -> float:
        return float(super().devicePixelRatioF()) if self.pixel_ratio is None else self.pixel_ratio

    def showEvent(self, event: QShowEvent) -> None:
        self._await_rest()
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._rest_timer.stop()
        super().hideEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._adapt_camera()
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
        """Return the camera, primitives and settings from which the current picture is drawn."""
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
            self._is_at_rest or self.always_antialiased,
            self.text_overlay.foot_height(QRectF(self.rect()), self.stage.legend_lines, self.is_wireframe),
        )

    def _update_text_layout(self) -> QRectF:
        """Lay out the text over the current picture and return the changed area."""
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
        """Report a problem in the next iteration of the event loop. During construction no receiver is connected yet,
        and in a paint event a report would interrupt the painting."""
        QTimer.singleShot(0, self, lambda: self.problem_reported.emit(text))
