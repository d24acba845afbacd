"""Where there is too little height for all panels the board scrolls, and every strip stays readable."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from board_maker import Maker, make, settle  # noqa: F401 (a fixture)
from fake_run import FakeRun
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtWidgets import QApplication
from test_board_window import picture

from quatviz.ui.board import PlotBoard
from quatviz.ui.panels.base import Panel
from quatviz.ui.panels.drift import Drift
from quatviz.ui.panels.euler_parameters import EulerParameters
from quatviz.ui.panels.h import AngularMomentum
from quatviz.ui.panels.omega import Omega
from quatviz.ui.plotting.time_panel import TimePanel
from quatviz.ui.theme import DARK, PROJECTOR

KINDS: list[type[Panel]] = [EulerParameters, Omega, AngularMomentum, Drift]


def low(make: Maker, height: int = 380) -> PlotBoard:
    board = make(FakeRun(), KINDS)
    board.resize(780, height)
    settle()
    board.show_frame(FakeRun().frame(0.0))
    settle()
    return board


def items(board: PlotBoard) -> list[QRectF]:
    """Where titles, strips and times stand in the view."""
    found = []
    for panel in board.panels:
        assert isinstance(panel, TimePanel)
        rows = [panel._title, *panel.plots, *([panel._times] if panel.times_height else [])]
        found += [board.view.mapFromScene(row.sceneBoundingRect()).boundingRect().toRectF() for row in rows]
    return found


def bar(board: PlotBoard):
    return board._grid.scroller.bar


@pytest.mark.parametrize("theme", [DARK, PROJECTOR], ids=lambda theme: theme.name)
def test_nothing_overlaps_and_every_strip_keeps_its_least_height(make: Maker, theme) -> None:
    board = low(make)
    board.restyle(theme)
    settle()
    for panel in board.panels:
        assert isinstance(panel, TimePanel)
        assert all(plot.size().height() >= plot._style.least - 1 for plot in panel.plots)
        assert panel.times_height > 0.0, "the lowest times may be out of sight"
    for one, other in combinations(items(board), 2):
        assert one.adjusted(2, 2, -2, -2).intersected(other).isEmpty()
    assert bar(board).isVisible()
    bar(board).setValue(bar(board).maximum())
    settle()
    assert max(place.bottom() for place in items(board)) <= board.height(), "the last one can be reached"


def test_where_all_fit_nothing_scrolls(make: Maker) -> None:
    board = low(make, 950)
    assert not bar(board).isVisible()
    assert not board.panels[0]._title.isClipped()  # type: ignore[attr-defined]
    assert sum(panel.times_height > 0.0 for panel in board.panels if isinstance(panel, TimePanel)) == 2
    board.resize(780, 380)
    settle()
    assert bar(board).isVisible()
    board.arranger.maximise("omega")
    settle()
    assert not bar(board).isVisible(), "one panel alone has room"


def test_the_legend_stays_and_what_moves_is_cut_at_its_edge(make: Maker) -> None:
    board = low(make)

    def legend() -> np.ndarray:
        image = picture(board).convertToFormat(QImage.Format.Format_RGB32)
        rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
        top = board._grid.scroller.sceneBoundingRect().top()
        return rows[: round(top * image.devicePixelRatio()) - 1, : 4 * (image.width() - 60)].copy()

    before = legend()
    bar(board).setValue(70)  # the edge now crosses strips with their cursors
    settle()
    assert np.array_equal(legend(), before)


def test_the_wheel_scrolls_over_titles_and_zooms_over_curves(make: Maker) -> None:
    board = low(make)
    panel = board.panels[0]
    assert isinstance(panel, TimePanel)

    def turn(item, x: float) -> None:
        view = board.view.viewport()
        at = QPointF(board.view.mapFromScene(item.mapToScene(QPointF(x, 12.0))))
        wheel = QWheelEvent(
            at, view.mapToGlobal(at), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(view, wheel)
        settle()

    turn(panel._title, 80.0)
    assert bar(board).value() == 60
    turn(panel.plots[1], 5.0)
    scrolled = bar(board).value()
    assert scrolled > 60, "and over the numbers of an axis"
    whole = board.axis.whole
    turn(board.panels[0].plots[3], 200.0)  # type: ignore[attr-defined]
    assert bar(board).value() == scrolled
    assert whole
    board.axis.zoom(0.5, 1.0)
    span = board.axis.span
    turn(board.panels[0].plots[3], 200.0)  # type: ignore[attr-defined]
    assert board.axis.span > span
