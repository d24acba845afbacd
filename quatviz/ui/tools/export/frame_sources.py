"""Off-screen rendering of the 3D views of a run, as a single image or as the frames of a film."""

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
"""Largest side of an image [pixels] that OpenGL renders reliably."""
REDUCTION_TIMEOUT = 60.0
"""Maximum time to prepare the curves of a run for drawing [s]. A run of a million samples takes about one second."""
_REFERENCE_SIZE = 720
"""Shorter side of an image with text of normal size [pixels]. For other images, text is scaled in proportion."""
_MIN_TEXT_SCALE = 0.75
"""Smallest scale of text in small images. Smaller text would not be readable."""
_FIT_ZOOM = 0.86
"""Zoom factor of a view without a stored camera pose. It leaves space for text at the edges of a wide
view."""


class FrameSource(Protocol):
    """Source of the frames of a film, rendered one by one. All methods are called in the window's thread."""

    def render(self, time: float) -> QImage:
        """Return the image of the run at `time` [s], in the size of the film."""

    def close(self) -> None:
        """Release the resources, and restore the state from before the film."""


def window_pixel_size(window: QWidget) -> tuple[int, int]:
    """Return the size of a window on the screen [device pixels]."""
    size = window.size() * window.devicePixelRatioF()
    return size.width(), size.height()


def has_window_size(window: QWidget, plan: FilmPlan) -> bool:
    """Return True if a film is as large as the window, so that the window can be filmed without scaling.

    The film may have one pixel less or more, because its sides must be even.
    """
    width, height = window_pixel_size(window)
    return abs(plan.width - width) <= 1 and abs(plan.height - height) <= 1


class FilmedViews(OffscreenSceneViews):
    """3D views for a film, with lane names and the current time in seconds. The time is written with `digits` decimals."""

    def __init__(self, theme: Theme, ratio: float, digits: int) -> None:
        self._digits = digits
        super().__init__(theme, ratio)

    def show_run(self, source: ColumnSource, frame: Frame, view_state: ViewState) -> None:
        super().show_run(source, frame, view_state)
        if not view_state.cameras:
            for view in self.shown_views:
                view.move_camera(lambda camera: camera.zoom(_FIT_ZOOM))

    def _update_headings(self, frame: Frame) -> None:
        super()._update_headings(frame)
        lines = {lane.name: title_and_color(self.theme, lane.name, lane.color) for lane in frame.lanes}
        for view in self.shown_views:
            view.text_overlay.stamp = ""
            if not view.text_overlay.title_lines:
                view.text_overlay.title_lines = tuple(lines[name] for name in drawn_lane_names(frame))
        corner = max(self.shown_views, key=lambda view: (-view.y(), view.x()))
        corner.text_overlay.stamp = f"t = {format_fixed(frame.time, self._digits)} s"


class ViewFrameSource:
    """Frame source that renders the 3D views of a run off screen, with a given view state."""

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
    """Return a frame source for the 3D views of a computed run without a window.

    Parameters
    ----------
    run
        The computed run.
    plan
        Plan of the film.
    view_state
        View state with cameras, items and theme.
    reference_size
        Shorter side of a frame [pixels] at which text has its normal size.
    """
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
    """Return an image of 3D views in the light theme, `pixels` wide, with the aspect ratio of `size`."""
    wide = min(pixels, MAX_GL_SIZE)
    views = OffscreenSceneViews(LIGHT, wide / size.width())
    try:
        views.resize(size)
        views.show_run(source, frame, view_state)
        return views.render_image(wide, round(size.height() * wide / size.width()))
    finally:
        views.close_all()


def letterbox(image: QImage, width: int, height: int, background: str) -> QImage:
    """Return the image scaled to fit into `width` by `height` [pixels], and centered on a canvas of this size.

    If the image is one pixel larger than the canvas, it is cropped instead of scaled.
    """
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
    """Return the bytes of an image (height, width, 4). The channels are blue, green, red and 255."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 4 * image.width()].reshape(image.height(), image.width(), 4).copy()
