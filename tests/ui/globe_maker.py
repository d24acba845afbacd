"""Fixtures and helpers for the tests of the phase space panels."""

from dataclasses import replace

import numpy as np
from board_maker import Maker, point_on_board, process_events
from fake_run import FakeRun
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF
from PySide6.QtGui import QColor, QImage, QPaintEvent
from PySide6.QtWidgets import QWidget

from quatviz.display.panels.base.globe import GlobePanel
from quatviz.physics.geometry.polhodes import evenly_spaced_levels, polhode_curves
from quatviz.ui.plots.board import PlotBoard
from quatviz.ui.plots.globe_view import GlobeView, GlobeWidget

GLOBES = ("momentum_sphere", "omega_ellipsoid", "orientation_ball")
INERTIA = np.array([[2.0, 0.3, -0.1], [0.3, 2.5, 0.2], [-0.1, 0.2, 1.4]])
MOMENTUM = 3.0


def spinning_run(turns: float, rows: int = 801, lanes: tuple[str, ...] = ("one",)) -> FakeRun:
    """Return a run of a body that turns evenly about its first axis, with `turns` turns."""
    run = FakeRun(lanes, rows)
    half = np.pi * turns * run.t / run.t[-1]
    for lane in lanes:
        run.data[lane]["p"] = np.stack((np.cos(half), np.sin(half), 0 * half, 0 * half), axis=1)
    return run


def free_run(lanes: tuple[str, ...] = ("one", "two")) -> FakeRun:
    """Return a run whose h follows a curve of constant energy once in 8 s, in every lane."""
    run = FakeRun(lanes, 801)
    run.info = replace(run.info, body=replace(run.info.body, inertia=INERTIA))
    h = MOMENTUM * polhode_curves(INERTIA, evenly_spaced_levels(INERTIA, 1)[0], 800)[0]
    for lane in lanes:
        run.data[lane]["h"] = h
        run.data[lane]["omega"] = h @ np.linalg.inv(INERTIA)
    return run


def show_globe(make: Maker, run: FakeRun, panel_type: type[GlobePanel]) -> tuple[PlotBoard, GlobeView]:
    board = make(run, [panel_type])
    board.show_panel(panel_type.name, True)
    process_events()
    (panel,) = board.panels
    assert isinstance(panel, GlobeView)
    return board, panel


def image_of(panel: GlobeView) -> np.ndarray:
    """Return the picture of the globe without the cursor."""
    return pixels_of(panel.globe.cached_pixmap(panel.globe.devicePixelRatioF()).toImage())


def pixels_of(image: QImage) -> np.ndarray:
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4)
    return pixels[:, :, 2::-1].astype(int)


def count_pixels(pixels: np.ndarray, color: str) -> int:
    target = np.array([QColor(color).red(), QColor(color).green(), QColor(color).blue()])
    return int(np.sum(np.abs(pixels - target).max(axis=2) < 40))


class PaintedPixelCounter(QObject):
    """Event filter that counts the painted pixels of a widget."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.pixels = 0.0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.pixels += sum(rect.width() * rect.height() for rect in list(event.region()))  # type: ignore[call-overload]
        return False


def point_in_globe(board: PlotBoard, globe: GlobeWidget, point: np.ndarray, number: int = 0) -> QPoint:
    return point_on_board(board, globe, QPointF(*globe.projections[number].project(point)))
