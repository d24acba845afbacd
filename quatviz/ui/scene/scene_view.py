"""One 3D view: a camera that the mouse moves (left drag turns, middle or Shift-left drag moves, the wheel zooms), the scene, and
one picture per frame."""

import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Protocol

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from quatviz.base.translation import tr
from quatviz.display.data.budget import Pace
from quatviz.display.data.frame import Frame, Source
from quatviz.display.scene.base import SceneItem, Stage, look_alike
from quatviz.display.scene.items import ITEMS
from quatviz.display.scene.view_snapshot import Shot
from quatviz.display.view_state.camera import DIRECTIONS, Camera, Change, Stance
from quatviz.ui.scene.scene_image import Picture, Shared
from quatviz.ui.scene.text_overlay import Line, Words
from quatviz.ui.widgets.controls import Grasp
from quatviz.ui.widgets.style import Themed

_ORBIT = 0.008
"""Radians for each pixel."""


class Grip(Protocol):
    """Takes a drag in a view away from the camera; `press` and `move` say whether they did."""

    def press(self, view: "SceneView", event: QMouseEvent) -> bool: ...

    def move(self, view: "SceneView", event: QMouseEvent) -> bool: ...

    def release(self) -> None:
        """Let go of what is held, if anything is."""

    @property
    def holds(self) -> bool:
        """Whether there is something in the hand."""

    def put_back(self) -> None:
        """Let that be as if nothing had been taken."""

    def drafted(self, frame: Frame) -> Frame:
        """The frame as the hand has it that holds something."""


_CENTRE = np.array([0.0, 0.0, -0.15])
_MARGIN = 0.35
"""Around the body, where all of it is seen [body radii]."""

log = logging.getLogger(__name__)


class SceneView(Themed, Grasp):
    """Draws the items of `kinds` (by default those of the registry), in the same OpenGL context as other views with
    the same `shared`. The mouse moves the camera, a double click fits. A frame begins to be drawn when it is shown,
    and is painted when Qt asks for it."""

    problem = Signal(str)
    touched = Signal()
    """A person has pressed a button of the mouse here."""
    moved = Signal(object)
    """The `Change` that a hand has made to the camera."""
    painted = Signal()
    """A picture has gone to the window, which is flushed to the screen next."""

    def __init__(
        self, parent: QWidget | None = None, kinds: Iterable[type[SceneItem]] | None = None,
        shared: Shared | None = None, sequence: Callable[[], str] = lambda: "321",
        said_before: Callable[[], Collection[Line]] = tuple,
    ) -> None:  # fmt: skip
        """`sequence` is that of the Euler angles that a person has chosen, for items that show it; `said_before` has the
        lines in the legends of other views."""
        super().__init__(parent)
        self.camera = Camera()
        self._dragged: QPointF | None = None
        """Where the mouse was last that drags the camera."""
        self._frame: Frame | None = None
        self._seen: Frame | None = None
        """The last frame that was new to see; None where any is."""
        self.ratio: float | None = None
        """Device pixels of a logical one, where it is painted into a picture and not on the screen."""
        self.grip: Grip | None = None
        """Takes drags away from the camera."""
        self.setMouseTracking(True)
        self.words = Words(lambda: self.theme, said_before)
        """What is written over the picture."""
        self._picture = Picture(self._tell, shared)
        self._pace = Pace()
        self._due = False
        """Whether what is prepared has yet to be brought to the screen."""
        self._laid = False
        """Whether the words are those of the picture that is shown."""
        self.from_body = False
        """Whether the camera turns with the body."""
        self.setAccessibleName(tr("3D view"))
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.stage = Stage(self.theme, ITEMS.values() if kinds is None else kinds, self._tell, sequence)
        """The items and what they draw."""

    # --- the run

    def start(self, source: Source) -> None:
        """A run begins: its body sets the unit of length. The camera stays, unless the body reaches elsewhere."""
        self._seen = self._frame = None
        if self.stage.start(source):
            self.fit()

    def forget(self) -> None:
        """Let go of the run, until another begins."""
        self._seen = self._frame = None
        self.stage.forget()

    def show_frame(self, frame: Frame) -> None:
        """Show this frame with the next repaint; one that shows what the last did costs nothing."""
        self.prepare_frame(frame)
        self.present()

    def present(self) -> None:
        """Bring to the screen what has been prepared, with the next repaint: of what is painted anew most of a picture is as it
        was, and copying all of it to the screen is the dearest thing of a frame."""
        if not self._due:
            return
        self._due = False
        changed = self._picture.take_changed()
        if self._picture.ready:
            self.update(changed.united(self._lay_words()).toAlignedRect().adjusted(-1, -1, 1, 1))
        else:
            self._laid = False
            self.update()

    def prepare_frame(self, frame: Frame) -> None:
        """Begin to draw what this frame shows."""
        if self._seen is None or not look_alike(self._seen, frame):
            self._seen = self._frame = frame
            self.stage.show(frame)
            pose = frame.pose if self.from_body else None
            self.camera.frame = np.eye(3) if pose is None else pose.rotation
            self._picture.stale = True
            self._due = True
        self._choose_fineness(frame)
        ahead, self._picture.ahead = self._picture.ahead, frame.playing
        if self._picture.stale and self.isVisible():
            self._picture.begin(self.shot())
        elif ahead and self._picture.finish():
            self._due = True  # no further frame will bring it to the screen

    def _choose_fineness(self, frame: Frame) -> None:
        if not frame.playing:
            self._pace.rest()
        fineness = self._pace.beat(frame.now) if frame.playing and self._picture.software else 1.0
        if fineness != self._picture.fineness:
            self._picture.fineness = fineness
            self.redraw()

    def renew(self) -> None:
        """Show the last frame anew: something else that the items read has changed."""
        self._seen = None
        if self._frame is not None:
            self.show_frame(self._frame)

    def redraw(self) -> None:
        """Draw the picture anew with the next repaint."""
        self._picture.stale = True
        self._laid = False
        self.update()

    def follow_theme(self) -> None:
        self._say_camera()
        self.stage.repaint(self.theme)
        self.renew()
        self.redraw()

    # --- the camera

    @property
    def aspect(self) -> float:
        """Width by height."""
        return self.width() / max(self.height(), 1)

    @property
    def stance(self) -> Stance:
        """Where the camera stands, whatever the size of the view."""
        return self.camera.stance(self.aspect)

    def move_camera(self, change: Change) -> None:
        """Draw it from where the camera is after `change`."""
        change(self.camera)
        self.redraw()

    def fit(self) -> None:
        """Show everything around the body."""
        self.move_camera(self._fitting())

    def follow(self, other: "SceneView") -> None:
        """Look from where another view does, in this view's own frame, and show as much."""
        self.camera.follow(other.camera)
        self.camera.reshape(other.aspect, self.aspect)
        self.redraw()

    def look(self, name: str) -> None:
        """Look from one of `DIRECTIONS`; along h from its tip, where there is one."""
        back = DIRECTIONS[name].back
        pose = self._frame.pose if self._frame is not None else None
        if back is not None:
            self.camera.look_from(np.array(back))
        elif pose is not None and np.any(pose.vectors["h"]):
            self.camera.look_from(self.camera.frame.T @ pose.vectors["h"])
        self.redraw()

    def set_from_body(self, on: bool) -> None:
        """Let the camera turn with the body, which then stands still while space turns; or let it stand in space."""
        self.from_body = on
        self._say_camera()
        self.renew()

    def _say_camera(self) -> None:
        self.stage.set_corner("camera", tr("seen from the body") if self.from_body else "", self.theme.muted)

    # --- what is drawn

    def set_item_visible(self, name: str, visible: bool) -> None:
        """Show or hide an item from now on; nothing where it has failed."""
        self.stage.set_item_visible(name, visible, self._frame)
        self.redraw()

    def set_magnification(self, power: int) -> None:
        """Draw differences of the lanes 10^power times as large, with the next frame."""
        self.stage.magnification = power
        self._seen = None
        self.redraw()

    def set_highlight(self, quantity: str) -> None:
        """Let the arrow of this quantity stand out; of none where it is empty."""
        if quantity != self.stage.highlight:
            self.stage.highlight = quantity
            self.renew()
            self.redraw()

    def show_items(self, wanted: Mapping[str, bool]) -> None:
        """Show and hide items as a person wants them; the others as at a first start."""
        self.stage.show_items(wanted, self._frame)
        self.redraw()

    def rest(self) -> None:
        """Let go of the graphics until it is painted again."""
        self._picture.release()

    def shutdown(self) -> None:
        """Let go of the items, and delete what lives in the context."""
        self.stage.clear()
        self._picture.release()

    @property
    def legend(self) -> list[Line]:
        """The lines in its corner."""
        return self.words.legend(self.stage.corner, self.as_lines, self.height())

    @property
    def as_lines(self) -> bool:
        """Whether the scene is drawn without OpenGL."""
        return self._picture.as_lines

    @property
    def image(self) -> QImage | None:
        """The picture that was painted last, where OpenGL draws; its memory is written anew by the next one."""
        return self._picture.image

    def project(self, points: np.ndarray) -> np.ndarray:
        """Where points of space (n, 3) stand in the widget (n, 2) [logical pixels]; NaN behind the eye."""
        return self.shot().project(points)

    # --- Qt

    def devicePixelRatioF(self) -> float:
        return float(super().devicePixelRatioF()) if self.ratio is None else self.ratio

    def resizeEvent(self, event: QResizeEvent) -> None:
        before = event.oldSize()
        if before.width() > 0 and before.height() > 0:
            self.camera.reshape(before.width() / before.height(), self.aspect)
        self.redraw()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.grip is not None and self.grip.press(self, event):
            self.grabKeyboard()
        else:
            self._dragged = event.position()
        self.touched.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._dragged = None
        self.releaseKeyboard()
        if self.grip is not None:
            self.grip.release()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        last, here = self._dragged, event.position()
        if (self.grip is not None and self.grip.move(self, event)) or last is None:
            return
        self._dragged = here
        x, y, height = here.x() - last.x(), here.y() - last.y(), self.height()
        if (
            event.buttons() & Qt.MouseButton.MiddleButton
            or event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        ):
            self._by_hand(lambda camera: camera.pan(x / height, -y / height))
        elif event.buttons() & Qt.MouseButton.LeftButton:
            self._by_hand(lambda camera: camera.orbit(_ORBIT * x, _ORBIT * y))

    @property
    def held(self) -> bool:
        return self.grip is not None and self.grip.holds

    def put_back(self) -> None:
        assert self.grip is not None
        self.grip.put_back()
        self.releaseKeyboard()

    def leaveEvent(self, event: QEvent) -> None:
        self.set_highlight("")
        super().leaveEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._by_hand(self._fitting())

    def wheelEvent(self, event: QWheelEvent) -> None:
        factor = 1.0015 ** event.angleDelta().y()
        self._by_hand(lambda camera: camera.zoom(factor))

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self._picture.paint(painter, QRectF(self.rect()), self.shot)
            if not self._laid:
                self._lay_words()
            self.words.paint(painter, QRectF(self.rect()))
        self.painted.emit()

    def _by_hand(self, change: Change) -> None:
        self.move_camera(change)
        self.moved.emit(change)

    def _fitting(self) -> Change:
        reach, aspect = self.stage.reach + _MARGIN, self.aspect
        return lambda camera: camera.fit(_CENTRE, reach, aspect)

    def shot(self) -> Shot:
        """All that its picture depends on now."""
        labels = self.stage.labels
        return Shot(
            self.stage.meshes,
            self.stage.lines,
            self.camera,
            self.width(),
            self.height(),
            self.devicePixelRatioF() * self._picture.fineness,
            self.theme,
            self.stage.floor,
            tuple(labels),
            np.array([label.position for label in labels]).reshape(-1, 3),
        )

    def _lay_words(self) -> QRectF:
        """Lay out what is written over the picture that is shown; where that differs from what was there."""
        shown, self._laid = self._picture.shown, True
        labels, points = (shown.labels, shown.points) if shown is not None else ((), np.empty((0, 2)))
        area, ratio = QRectF(self.rect()), self.devicePixelRatioF()
        return self.words.lay(area, labels, points, self.stage.corner, self._picture.as_lines, ratio)

    def _tell(self, text: str) -> None:
        """Whoever makes the view is not connected yet, and a paint is no time for it."""
        QTimer.singleShot(0, self, lambda: self.problem.emit(text))
