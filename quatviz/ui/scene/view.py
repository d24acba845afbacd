"""The 3D view: a camera, the items, and one picture per frame."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np
from PySide6.QtCore import QEvent, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from quatviz.ui.frame import Frame, Pose, Source
from quatviz.ui.guard import guarded
from quatviz.ui.scene.base import SceneItem
from quatviz.ui.scene.body_shape import BodyShape
from quatviz.ui.scene.camera_widget import CameraWidget
from quatviz.ui.scene.directions import DIRECTIONS
from quatviz.ui.scene.grip import Grip
from quatviz.ui.scene.items import ITEMS
from quatviz.ui.scene.pace import Pace
from quatviz.ui.scene.picture import Picture, Shot
from quatviz.ui.scene.primitives import Label, Line, Mesh
from quatviz.ui.scene.seen import what_is_seen
from quatviz.ui.scene.shared import Shared
from quatviz.ui.scene.words import Words
from quatviz.ui.theme import Theme
from quatviz.ui.tr import tr

log = logging.getLogger(__name__)

ARROW = 1.4
"""Length in body radii of the largest vector of its kind in a run."""


class SceneView(CameraWidget):
    """Draws the items of `kinds` (by default those of the registry), in the same OpenGL context as other views with
    the same `shared`. The mouse moves the camera, a double click fits. A frame begins to be drawn when it is shown,
    and is painted when Qt asks for it."""

    problem = Signal(str)
    painted = Signal()
    """A picture has gone to the window, which is flushed to the screen next."""

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, kinds: Iterable[type[SceneItem]] | None = None,
        shared: Shared | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.shape: BodyShape | None = None
        self._seen: object = None
        """What the last frame showed."""
        self.floor = -1.7
        """Height of the ground in body radii."""
        self.magnification = 0
        """The power of ten by which items draw differences of the lanes larger than they are."""
        self.highlight = ""
        """The quantity whose arrow stands out."""
        self.ratio: float | None = None
        """Device pixels of a logical one, where it is painted into a picture and not on the screen."""
        self.proposed: dict[str, np.ndarray] = {}
        """Vectors (3,) [space, body radii] that are being chosen, by the names of their items."""
        self.grip: Grip | None = None
        """Takes drags away from the camera."""
        self.setMouseTracking(True)
        self._theme = theme
        self._meshes: list[Mesh] = []
        self._lines: list[Line] = []
        self._labels: list[Label] = []
        self._calling = ""
        self._owners: WeakKeyDictionary[Mesh | Line | Label, str] = WeakKeyDictionary()
        self._corner: dict[str, tuple[str, str]] = {}
        self._reaches: dict[str, float] = {}
        self.words = Words(theme)
        """What is written over the picture."""
        self._picture = Picture(self._tell, shared)
        self._pace = Pace()
        self._due = False
        """Whether what is prepared has yet to be brought to the screen."""
        self._items: dict[str, SceneItem] = {}
        self._wishes: dict[str, bool] = {}
        self._frame: Frame | None = None
        self.from_body = False
        """Whether the camera turns with the body."""
        self.sequence: Callable[[], str] = lambda: "321"
        """The sequence of Euler angles that a person has chosen, for items that show it."""
        self.setAccessibleName(tr("3D view"))
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        for kind in sorted(ITEMS.values() if kinds is None else kinds, key=lambda kind: kind.order):
            self._adopt(kind)

    # --- the run

    def start(self, source: Source) -> None:
        """A run begins: its body sets the unit of length. The camera stays, unless the body reaches elsewhere."""
        self._seen = self._frame = None
        before = self.shape
        self.shape = BodyShape(source.info.body)
        self.floor = -(self.shape.reach + 0.7)
        self._each("start", source)
        if before is None or before.reach != self.shape.reach:
            self.fit()

    def show_frame(self, frame: Frame) -> None:
        """Show this frame with the next repaint; one that shows what the last did costs nothing."""
        self.prepare_frame(frame)
        self.present()

    def present(self) -> None:
        """Bring to the screen what has been prepared, with the next repaint."""
        if self._due:
            self._due = False
            self.update()

    def prepare_frame(self, frame: Frame) -> None:
        """Begin to draw what this frame shows."""
        key = what_is_seen(frame)
        if key != self._seen:
            self._seen, self._frame = key, frame
            for name in [name for name in self._items if self.shows(name)]:
                self._call(name, "show", frame)
            self._turn_camera(frame)
            self._picture.outdate()
            self._due = True
        self._choose_fineness(frame.playing)
        ahead, self._picture.ahead = self._picture.ahead, frame.playing
        if self._picture.stale and self.isVisible():
            self._picture.begin(self._shot())
        elif ahead and self._picture.finish():
            self._due = True  # no further frame will bring it to the screen

    def _choose_fineness(self, playing: bool) -> None:
        if not playing:
            self._pace.rest()
        fineness = self._pace.beat() if playing and self._picture.software else 1.0
        if fineness != self._picture.fineness:
            self._picture.fineness = fineness
            self.redraw()

    def renew(self) -> None:
        """Show the last frame anew: something else that the items read has changed."""
        self._seen = None
        if self._frame is not None:
            self.show_frame(self._frame)

    @property
    def reach(self) -> float:
        return max(self.shape.reach if self.shape else 1.0, ARROW, *self._reaches.values())

    def redraw(self) -> None:
        """Draw the picture anew with the next repaint."""
        self._picture.outdate()
        self.update()

    def restyle(self, theme: Theme) -> None:
        """Take another theme."""
        self._seen = None
        self._theme = theme
        self.words.restyle(theme)
        self.set_corner("camera", tr("seen from the body") if self.from_body else "", theme.muted)
        self._each("restyle", theme)
        self.redraw()

    def look(self, name: str) -> None:
        """Look from one of `DIRECTIONS`; along h from its tip, where there is one."""
        back = DIRECTIONS[name].back
        pose = self._pose(self._frame)
        if back is not None:
            self.camera.look_from(np.array(back))
        elif pose is not None and np.any(pose.vectors["h"]):
            self.camera.look_from(self.camera.frame.T @ pose.vectors["h"])
        self.redraw()

    def set_from_body(self, on: bool) -> None:
        """Let the camera turn with the body, which then stands still while space turns; or let it stand in space."""
        self.from_body = on
        self.set_corner("camera", tr("seen from the body") if on else "", self._theme.muted)
        self.renew()

    @property
    def items(self) -> dict[str, SceneItem]:
        """The items that work, by name."""
        return dict(self._items)

    def shows(self, name: str) -> bool:
        """Whether an item is to be seen."""
        return self._wishes.get(name, self._items[name].shown_at_first)

    def set_item_visible(self, name: str, visible: bool) -> None:
        """Show or hide an item from now on; nothing where it has failed."""
        self._wishes[name] = visible
        if name in self._items:
            self._call(name, "set_visible", visible)
        if name in self._items and visible and self._frame is not None:
            self._call(name, "show", self._frame)
        self.redraw()

    def set_magnification(self, power: int) -> None:
        """Draw differences of the lanes 10^power times as large, with the next frame."""
        self.magnification = power
        self._seen = None
        self.redraw()

    def set_highlight(self, quantity: str) -> None:
        """Let the arrow of this quantity stand out; of none where it is empty."""
        if quantity != self.highlight:
            self.highlight = quantity
            self.renew()
            self.redraw()

    @property
    def wishes(self) -> dict[str, bool]:
        """Which items a person wants to see or not, for remembering."""
        return dict(self._wishes)

    def forget_wishes(self) -> None:
        """Show what is shown at a first start."""
        for name, item in list(self._items.items()):
            self.set_item_visible(name, item.shown_at_first)
        self._wishes.clear()

    def wish(self, wishes: Mapping[str, bool]) -> None:
        """What `wishes` said some time ago."""
        for name in wishes.keys() & self._items.keys():
            self.set_item_visible(name, wishes[name])

    def rest(self) -> None:
        """Let go of the graphics until it is painted again."""
        self._picture.release()

    def shutdown(self) -> None:
        """Close the items and delete what lives in the context."""
        self._each("close")
        self._items.clear()
        self._picture.release()

    @property
    def as_lines(self) -> bool:
        """Whether the scene is drawn without OpenGL."""
        return self._picture.as_lines

    @property
    def image(self) -> QImage | None:
        """The picture that was painted last, where OpenGL draws; its memory is written anew by the next one."""
        return self._picture.image

    @property
    def meshes(self) -> tuple[Mesh, ...]:
        """Everything solid that is drawn."""
        return tuple(self._meshes)

    # --- primitives, for items

    def add_mesh(self, mesh: Mesh) -> Mesh:
        """Draw `mesh` from now on."""
        self._meshes.append(mesh)
        self._owners[mesh] = self._calling
        return mesh

    def add_line(self, line: Line) -> Line:
        """Draw `line` from now on."""
        self._lines.append(line)
        self._owners[line] = self._calling
        return line

    def add_label(self, label: Label) -> Label:
        """Draw `label` from now on."""
        self._labels.append(label)
        self._owners[label] = self._calling
        return label

    def remove(self, primitive: Mesh | Line | Label) -> None:
        """Draw it no more."""
        for drawn in (self._meshes, self._lines, self._labels):
            if primitive in drawn:
                drawn.remove(primitive)  # type: ignore[arg-type]

    def set_corner(self, key: str, text: str, colour: str) -> None:
        """A line of the legend in the corner; an empty text removes it."""
        if text:
            self._corner[key] = (text, colour)
        else:
            self._corner.pop(key, None)

    @property
    def corner(self) -> dict[str, tuple[str, str]]:
        """The lines of the legend: text and colour by key."""
        return self._corner

    def set_reach(self, key: str, reach: float) -> None:
        """Something that reaches further from the origin [body radii] than the body, for `fit`; 0 removes it."""
        self._reaches[key] = reach

    def project(self, points: np.ndarray) -> np.ndarray:
        """Where points of space (n, 3) stand in the widget (n, 2) [logical pixels]; NaN behind the eye."""
        return self._shot().project(points)

    # --- Qt

    def devicePixelRatioF(self) -> float:
        return float(super().devicePixelRatioF()) if self.ratio is None else self.ratio

    def _taken(self, event: QMouseEvent) -> bool:
        if self.grip is None:
            return False
        if event.type() == QEvent.Type.MouseButtonPress:
            return self.grip.press(self, event)
        if event.type() == QEvent.Type.MouseButtonRelease:
            return self.grip.release(self)
        return self.grip.move(self, event)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._picture.paint(painter, self._shot())
        self._paint_words(painter)
        painter.end()
        self.painted.emit()

    def _shot(self) -> Shot:
        shot = Shot(
            self._meshes,
            self._lines,
            self.camera,
            self.width(),
            self.height(),
            self.devicePixelRatioF() * self._picture.fineness,
            self._theme,
            self.floor,
        )
        if not self._labels:
            return shot
        points = shot.project(np.array([label.position for label in self._labels]))
        return replace(shot, labels=tuple(self._labels), points=points)

    def _paint_words(self, painter: QPainter) -> None:
        shown = self._picture.shown
        labels, points = (shown.labels, shown.points) if shown is not None else ((), np.empty((0, 2)))
        area = QRectF(self.rect())
        self.words.paint(painter, area, labels, points, self._corner, self._picture.as_lines)

    # --- items

    @staticmethod
    def _pose(frame: Frame | None) -> Pose | None:
        """Of the solid lane."""
        return next((lane.pose for lane in frame.lanes if lane.solid), None) if frame is not None else None

    def _turn_camera(self, frame: Frame) -> None:
        pose = self._pose(frame)
        self.camera.frame = pose.rotation if self.from_body and pose is not None else np.eye(3)

    def _adopt(self, kind: type[SceneItem]) -> None:
        try:
            self._calling = kind.name
            item = kind()
            item.build(self, self._theme)
            item.set_visible(kind.shown_at_first)
        except Exception as fault:
            text = self._leave_out(kind, fault)
            self._tell(text)
        else:
            self._items[kind.name] = item

    def _tell(self, text: str) -> None:
        """Say it soon: whoever makes the view is not connected yet, and a paint is no time for it."""
        QTimer.singleShot(0, self, lambda: self.problem.emit(text))

    def _each(self, method: str, *arguments: object) -> None:
        """Call every item; one that fails is left out, and the others go on."""
        for name in list(self._items):
            self._call(name, method, *arguments)

    def _call(self, name: str, method: str, *arguments: object) -> None:
        item = self._items[name]
        try:
            self._calling = name
            getattr(item, method)(*arguments)
        except Exception as fault:
            del self._items[name]
            self.problem.emit(self._leave_out(type(item), fault))

    def _leave_out(self, kind: type[SceneItem], fault: Exception) -> str:
        """Draw nothing of it any more; what to say about it."""
        log.error("the scene item %s failed", kind.name, exc_info=fault)
        for primitive, owner in list(self._owners.items()):
            if owner == kind.name:
                self.remove(primitive)
        self.set_corner(kind.name, "", "")
        self.set_reach(kind.name, 0.0)
        return tr(
            "{kind} is not drawn: {name}: {fault}",
            kind=tr(kind.title),
            name=type(fault).__name__,
            fault=fault,
        )
