"""What the tests of the panels of phase space share."""

from dataclasses import replace

import numpy as np
from board_maker import Maker, place, settle
from fake_run import FakeRun
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF
from PySide6.QtGui import QColor, QImage, QPaintEvent
from PySide6.QtWidgets import QWidget

from quatviz.display.panels.base.globe import GlobePanel
from quatviz.physics.geometry.polhodes import directions, levels
from quatviz.ui.plots.board import PlotBoard
from quatviz.ui.plots.globe_view import GlobeItem, GlobeView

GLOBES = ("momentum_sphere", "omega_ellipsoid", "orientation_ball")
INERTIA = np.array([[2.0, 0.3, -0.1], [0.3, 2.5, 0.2], [-0.1, 0.2, 1.4]])
SIZE = 3.0


def about_e1(turns: float, rows: int = 801, lanes: tuple[str, ...] = ("one",)) -> FakeRun:
    """A body that turns evenly about its first axis, with `turns` in the run."""
    run = FakeRun(lanes, rows)
    half = np.pi * turns * run.t / run.t[-1]
    for lane in lanes:
        run.data[lane]["p"] = np.stack((np.cos(half), np.sin(half), 0 * half, 0 * half), axis=1)
    return run


def free(lanes: tuple[str, ...] = ("one", "two")) -> FakeRun:
    """A body whose h runs once along a curve of constant energy in 8 s, in every lane."""
    run = FakeRun(lanes, 801)
    run.info = replace(run.info, body=replace(run.info.body, inertia=INERTIA))
    h = SIZE * directions(INERTIA, levels(INERTIA, 1)[0], 800)[0]
    for lane in lanes:
        run.data[lane]["h"] = h
        run.data[lane]["omega"] = h @ np.linalg.inv(INERTIA)
    return run


def shown(make: Maker, run: FakeRun, kind: type[GlobePanel]) -> tuple[PlotBoard, GlobeView]:
    board = make(run, [kind])
    board.show_panel(kind.name, True)
    settle()
    (panel,) = board.panels
    assert isinstance(panel, GlobeView)
    return board, panel


def image_of(panel: GlobeView) -> np.ndarray:
    """The picture of the globe without the cursor."""
    return pixels_of(panel.globe.kept(panel.globe.devicePixelRatioF()).toImage())


def pixels_of(image: QImage) -> np.ndarray:
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4)
    return pixels[:, :, 2::-1].astype(int)


def count(pixels: np.ndarray, colour: str) -> int:
    own = np.array([QColor(colour).red(), QColor(colour).green(), QColor(colour).blue()])
    return int(np.sum(np.abs(pixels - own).max(axis=2) < 40))


class Painted(QObject):
    """Counts the pixels of a widget that are painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.pixels = 0.0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.pixels += sum(rect.width() * rect.height() for rect in list(event.region()))  # type: ignore[call-overload]
        return False


def in_view(board: PlotBoard, globe: GlobeItem, point: np.ndarray, number: int = 0) -> QPoint:
    return place(board, globe, QPointF(*globe.places[number].project(point)))
