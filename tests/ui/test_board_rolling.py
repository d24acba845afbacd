"""While a run plays on a rolling time axis, drawn curves are shifted and stay aligned with the cursor."""

from dataclasses import replace

import numpy as np
from board_maker import Maker, make, point_on_board, process_events  # noqa: F401 (a fixture)
from fake_run import FakeRun
from PySide6.QtGui import QColor, QImage

from quatviz.display.data.budget import READOUT_INTERVAL_LIMITS, FrameBudget
from quatviz.display.data.frame import Frame
from quatviz.display.panels.energy import Energy
from quatviz.display.panels.omega import Omega
from quatviz.ui.plots.board import PlotBoard
from quatviz.ui.plots.strip_plot import StripPlot

SPAN = 10.0


def playing(run: FakeRun, time: float) -> Frame:
    budget = FrameBudget()
    budget.begin_frame(time, playing=True)
    return replace(run.frame(time), playing=True, budget=budget)


def rolled_board(make: Maker, steps: int) -> tuple[PlotBoard, FakeRun, list[StripPlot]]:
    """Return a board that shows ten seconds and has rolled by `steps` hundredths of them since its last
    redraw."""
    run = FakeRun(lanes=("one",))
    board = make(run, [Omega, Energy])
    plots = board.panels[0].plots  # type: ignore[attr-defined]
    board.axis.show_span((0.0, SPAN))
    for step in range(steps + 1):
        board.show_frame(playing(run, 0.8 * SPAN + 0.01 * SPAN * step))
        process_events()
    return board, run, plots


def curve_at(board: PlotBoard, plot: StripPlot, x: float) -> np.ndarray:
    """Return the heights in the column at item coordinate `x` that have the color of the first
    component."""
    image = board.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
    at = point_on_board(board, plot, x, 0.0)
    color = QColor(plot.traces[0].color)
    wanted = np.array([color.blue(), color.green(), color.red()])
    column = pixels[:, at.x(), :3].astype(int)
    return np.flatnonzero(np.abs(column - wanted).max(axis=1) < 60) - at.y()


def test_rolling_axis_shifts_curves_and_rarely_redraws(make: Maker) -> None:
    board, run, plots = rolled_board(make, 3)
    assert board.axis.low > 0.02 * SPAN
    drawings = [plot.picture.draw_count for plot in plots]
    board.show_frame(playing(run, 0.84 * SPAN))
    process_events()
    assert [plot.picture.draw_count for plot in plots] == drawings
    assert plots[0].picture.pixel_shift(plots[0].area.width()) < -5


def test_shifted_curves_match_their_values(make: Maker) -> None:
    board, run, (plot,) = rolled_board(make, 4)
    time = 0.5 * SPAN
    values = run.values("one", "omega")[1]
    value = float(values[round(time / run.dt), 0])
    inner = plot.curve_area
    expected = inner.bottom() - plot.y_scale.project_value(value) * inner.height()
    curve = curve_at(board, plot, round(plot.x_of(time)))
    assert np.abs(curve - expected).min() < 2.5


def test_curves_are_redrawn_when_playback_stops(make: Maker) -> None:
    board, run, plots = rolled_board(make, 4)
    board.show_frame(run.frame(0.84 * SPAN))
    board.repaint_soon()
    process_events()
    assert all(plot.picture.pixel_shift(plot.area.width()) == 0 for plot in plots)


def test_plot_rolls_when_its_numbers_update(make: Maker) -> None:
    board, run, (plot,) = rolled_board(make, 3)
    before, waits = plot.x_of(0.5 * SPAN), playing(run, 0.84 * SPAN)
    waits.budget.begin_frame(
        waits.now + 0.5 * READOUT_INTERVAL_LIMITS[0], playing=True
    )  # its numbers were updated a moment ago
    board.show_frame(replace(waits, budget=waits.budget))
    process_events()
    assert plot.x_of(0.5 * SPAN) == before, "the screen keeps what was painted"
    board.show_frame(playing(run, 0.845 * SPAN))
    process_events()
    assert plot.x_of(0.5 * SPAN) < before
    assert plot.time_at(plot.area.left()) == board.axis.low
