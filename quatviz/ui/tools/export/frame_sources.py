"""The 3D views of a run painted off the screen: as a picture of any size, and for films, one time after the other."""

import math
import time
from typing import Protocol

import numpy as np
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QWidget

from quatviz.base.formatting import format_fixed
from quatviz.display.data.frame import ColumnSource, Frame, drawn_lane_names
from quatviz.display.data.frame_builder import FrameBuilder
from quatviz.display.document.state import state_of
from quatviz.display.view_state.line_styles import title_and_color
from quatviz.display.view_state.session import Session
from quatviz.display.view_state.theme import LIGHT, THEMES, Theme
from quatviz.display.view_state.view_state import ViewState
from quatviz.export.film.plan import FilmPlan
from quatviz.simulation.simulation import Simulation
from quatviz.ui.scene.view_grid import OffscreenSceneViews

MAX_GL_SIZE = 8192
"""Pixels to a side that OpenGL can be trusted with."""
REDUCTION_TIMEOUT = 60.0
"""Seconds for the curves of a run to be reduced, which takes one for a million samples."""
_REFERENCE_SIZE = 720
"""Pixels of the shorter side at which words have their own size; in larger pictures they grow."""
_MIN_TEXT_SCALE = 0.75
"""Of their size, below which nobody reads words."""
_FIT_ZOOM = 0.86
"""What fits into a wide view is as high as it is; the words at its ends need room too."""


class FrameSource(Protocol):
    """Where the pictures of a film come from. To be used, and closed, in the window's thread."""

    def render(self, time: float) -> QImage:
        """What there is to see at `time` [s], in the size of the film."""

    def close(self) -> None:
        """Leave everything as it was."""


def window_pixel_size(window: QWidget) -> tuple[int, int]:
    """Of a window on the screen [device pixels]."""
    size = window.size() * window.devicePixelRatioF()
    return size.width(), size.height()


def has_window_size(window: QWidget, plan: FilmPlan) -> bool:
    """Whether a film has the window's own size, but for a pixel that makes it even: then it is filmed as it stands."""
    width, height = window_pixel_size(window)
    return abs(plan.width - width) <= 1 and abs(plan.height - height) <= 1


class FilmedViews(OffscreenSceneViews):
    """With the names of the lanes, and the time to so many `digits`, in their places."""

    def __init__(self, theme: Theme, ratio: float, digits: int) -> None:
        self._digits = digits
        super().__init__(theme, ratio)

    def show_run(self, source: ColumnSource, frame: Frame, look: ViewState) -> None:
        super().show_run(source, frame, look)
        if not look.cameras:
            for view in self.shown_views:
                view.move_camera(lambda camera: camera.zoom(_FIT_ZOOM))

    def _update_headings(self, frame: Frame) -> None:
        super()._update_headings(frame)
        lines = {lane.name: title_and_color(self.theme, lane.name, lane.colour) for lane in frame.lanes}
        for view in self.shown_views:
            view.text_overlay.stamp = ""
            if not view.text_overlay.title_lines:
                view.text_overlay.title_lines = tuple(lines[name] for name in drawn_lane_names(frame))
        corner = max(self.shown_views, key=lambda view: (-view.y(), view.x()))
        corner.text_overlay.stamp = f"t = {format_fixed(frame.time, self._digits)} s"


class ViewFrameSource:
    """The 3D views of a run, painted off the screen as `look` has them."""

    def __init__(
        self,
        builder: FrameBuilder,
        plan: FilmPlan,
        view_state: ViewState,
        reference_size: int = _REFERENCE_SIZE,
    ) -> None:
        self._builder = builder
        self._size = plan.width, plan.height
        ratio = max(min(self._size) / reference_size, _MIN_TEXT_SCALE)
        self.views = FilmedViews(THEMES[view_state.theme], ratio, plan.time_decimals)
        try:
            self.views.resize(math.ceil(plan.width / ratio), math.ceil(plan.height / ratio))
            self.views.show_run(builder.columns, builder.frame_at_rest(plan.low), view_state)
        except BaseException:
            self.close()
            raise

    def render(self, time: float) -> QImage:
        self.views.show_frame(self._builder.frame_at_rest(time))
        return self.views.render_image(*self._size)

    def close(self) -> None:
        self.views.close_all()


def run_frame_source(
    run: Simulation, plan: FilmPlan, view_state: ViewState, reference_size: int = _REFERENCE_SIZE
) -> ViewFrameSource:
    """The 3D views of a computed run that no window shows; `reference_size` pixels of the shorter side words have their own
    size."""
    builder = FrameBuilder(run, state_of(Session(run.preset, view_state)).lane_styles)
    deadline = time.monotonic() + REDUCTION_TIMEOUT
    builder.columns.refresh()
    while builder.columns.is_behind and time.monotonic() < deadline:
        time.sleep(0.005)
        builder.columns.refresh()
    builder.columns.close()
    return ViewFrameSource(builder, plan, view_state, reference_size)


def render_views(
    source: ColumnSource, frame: Frame, view_state: ViewState, size: QSize, pixels: int
) -> QImage:
    """What 3D views of this size that have this look show of a frame, in the light theme, `pixels` wide and in their
    proportions."""
    wide = min(pixels, MAX_GL_SIZE)
    views = OffscreenSceneViews(LIGHT, wide / size.width())
    try:
        views.resize(size)
        views.show_run(source, frame, view_state)
        return views.render_image(wide, round(size.height() * wide / size.width()))
    finally:
        views.close_all()


def letterbox(image: QImage, width: int, height: int, background: str) -> QImage:
    """A picture whole in the middle of another of this size, as large as can be. One pixel too many is cut off."""
    image.setDevicePixelRatio(1.0)
    if (image.width() - width, image.height() - height) in ((0, 0), (0, 1), (1, 0), (1, 1)):
        return image.copy(QRect(0, 0, width, height)).convertToFormat(QImage.Format.Format_RGB32)
    scale_modes = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    scaled = image.scaled(width, height, *scale_modes)
    canvas = QImage(width, height, QImage.Format.Format_RGB32)
    canvas.fill(QColor(background))
    with QPainter(canvas) as painter:
        painter.drawImage((width - scaled.width()) // 2, (height - scaled.height()) // 2, scaled)
    return canvas


def image_bytes(image: QImage) -> np.ndarray:
    """Bytes (height, width, 4): blue, green, red, 255."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 4 * image.width()].reshape(image.height(), image.width(), 4).copy()
