"""The 3D views of a run painted off the screen: as a picture of any size, and for films, one time after the other."""

import math
import time
from typing import Protocol

import numpy as np
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QWidget

from quatviz.base.formatting import fixed
from quatviz.display.data.frame import Frame, Source, drawn
from quatviz.display.data.frame_builder import Framer
from quatviz.display.document.state import state_of
from quatviz.display.view_state.line_styles import lane_line
from quatviz.display.view_state.session import Session
from quatviz.display.view_state.theme import LIGHT, THEMES, Theme
from quatviz.display.view_state.view_state import Look
from quatviz.export.film.plan import FilmPlan
from quatviz.simulation.simulation import Simulation
from quatviz.ui.scene.view_grid import PaintedViews

LARGEST = 8192
"""Pixels to a side that OpenGL can be trusted with."""
PATIENCE = 60.0
"""Seconds for the curves of a run to be reduced, which takes one for a million samples."""
_DESIGNED_FOR = 720
"""Pixels of the shorter side at which words have their own size; in larger pictures they grow."""
_LEAST = 0.75
"""Of their size, below which nobody reads words."""
_WHOLE = 0.86
"""What fits into a wide view is as high as it is; the words at its ends need room too."""


class Take(Protocol):
    """Where the pictures of a film come from. To be used, and closed, in the window's thread."""

    def picture(self, time: float) -> QImage:
        """What there is to see at `time` [s], in the size of the film."""

    def close(self) -> None:
        """Leave everything as it was."""


def own_size(window: QWidget) -> tuple[int, int]:
    """Of a window on the screen [device pixels]."""
    size = window.size() * window.devicePixelRatioF()
    return size.width(), size.height()


def in_own_size(window: QWidget, plan: FilmPlan) -> bool:
    """Whether a film has the window's own size, but for a pixel that makes it even: then it is filmed as it stands."""
    width, height = own_size(window)
    return abs(plan.width - width) <= 1 and abs(plan.height - height) <= 1


class FilmedViews(PaintedViews):
    """With the names of the lanes, and the time to so many `digits`, in their places."""

    def __init__(self, theme: Theme, ratio: float, digits: int) -> None:
        self._digits = digits
        super().__init__(theme, ratio)

    def begin(self, source: Source, frame: Frame, look: Look) -> None:
        super().begin(source, frame, look)
        if not look.cameras:
            for view in self.shown:
                view.move_camera(lambda camera: camera.zoom(_WHOLE))

    def _tell_views(self, frame: Frame) -> None:
        super()._tell_views(frame)
        lines = {lane.name: lane_line(self.theme, lane.name, lane.colour) for lane in frame.lanes}
        for view in self.shown:
            view.words.stamp = ""
            if not view.words.heading:
                view.words.heading = tuple(lines[name] for name in drawn(frame))
        corner = max(self.shown, key=lambda view: (-view.y(), view.x()))
        corner.words.stamp = f"t = {fixed(frame.time, self._digits)} s"


class ViewTake:
    """The 3D views of a run, painted off the screen as `look` has them."""

    def __init__(self, framer: Framer, plan: FilmPlan, look: Look, designed_for: int = _DESIGNED_FOR) -> None:
        self._framer = framer
        self._size = plan.width, plan.height
        ratio = max(min(self._size) / designed_for, _LEAST)
        self.views = FilmedViews(THEMES[look.theme], ratio, plan.digits)
        try:
            self.views.resize(math.ceil(plan.width / ratio), math.ceil(plan.height / ratio))
            self.views.begin(framer.columns, framer.frame_at(plan.low), look)
        except BaseException:
            self.close()
            raise

    def picture(self, time: float) -> QImage:
        self.views.show_frame(self._framer.frame_at(time))
        return self.views.picture(*self._size)

    def close(self) -> None:
        self.views.close_all()


def take_of_run(run: Simulation, plan: FilmPlan, look: Look, designed_for: int = _DESIGNED_FOR) -> ViewTake:
    """The 3D views of a computed run that no window shows; `designed_for` pixels of the shorter side words have their own size."""
    framer = Framer(run, state_of(Session(run.preset, look)).display)
    give_up = time.monotonic() + PATIENCE
    framer.columns.refresh()
    while framer.columns.behind and time.monotonic() < give_up:
        time.sleep(0.005)
        framer.columns.refresh()
    framer.columns.close()
    return ViewTake(framer, plan, look, designed_for)


def view_image(source: Source, frame: Frame, look: Look, size: QSize, pixels: int) -> QImage:
    """What 3D views of this size that have this look show of a frame, in the light theme, `pixels` wide and in their
    proportions."""
    wide = min(pixels, LARGEST)
    views = PaintedViews(LIGHT, wide / size.width())
    try:
        views.resize(size)
        views.begin(source, frame, look)
        return views.picture(wide, round(size.height() * wide / size.width()))
    finally:
        views.close_all()


def fitted(image: QImage, width: int, height: int, ground: str) -> QImage:
    """A picture whole in the middle of another of this size, as large as can be. One pixel too many is cut off."""
    image.setDevicePixelRatio(1.0)
    if (image.width() - width, image.height() - height) in ((0, 0), (0, 1), (1, 0), (1, 1)):
        return image.copy(QRect(0, 0, width, height)).convertToFormat(QImage.Format.Format_RGB32)
    how = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    scaled = image.scaled(width, height, *how)
    made = QImage(width, height, QImage.Format.Format_RGB32)
    made.fill(QColor(ground))
    with QPainter(made) as painter:
        painter.drawImage((width - scaled.width()) // 2, (height - scaled.height()) // 2, scaled)
    return made


def bytes_of(image: QImage) -> np.ndarray:
    """Bytes (height, width, 4): blue, green, red, 255."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 4 * image.width()].reshape(image.height(), image.width(), 4).copy()
