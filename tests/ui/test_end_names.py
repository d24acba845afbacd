"""Names at the ends of curves: beside the plot, connected to their curve, complete, without overlaps."""

from dataclasses import replace

import numpy as np
import pytest
from board_maker import Maker, make, process_events  # noqa: F401 (a fixture)
from fake_run import FakeRun
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPixmap
from PySide6.QtWidgets import QApplication
from test_board_window import strips

from quatviz.display.data.scales import SCALE_CLASSES
from quatviz.display.data.series import BucketRange, Series
from quatviz.display.panels.base.canvas import Rect
from quatviz.display.panels.base.end_labels import DrawnCurves, end_names, place_cross_labels
from quatviz.display.panels.base.time_axis import TimeAxis
from quatviz.display.panels.h import AngularMomentum
from quatviz.display.panels.omega import Omega
from quatviz.display.view_state.theme import DARK
from quatviz.ui.plots.board import PlotBoard
from quatviz.ui.plots.overlays import AxisGrid
from quatviz.ui.plots.strip_plot import StripPlot
from quatviz.ui.widgets.painting import to_box
from quatviz.ui.widgets.style import plot_style


def drawn_board(make: Maker, run: FakeRun, *kinds: type) -> PlotBoard:
    """Return a board after two frames, because the first may change the space that the second needs."""
    board = make(run, list(kinds) or [Omega])
    board.show_frame(run.frame(1.0))
    process_events()
    return board


def constant_run(**heights: float) -> FakeRun:
    run = FakeRun(tuple(heights))
    for lane, height in heights.items():
        run.data[lane]["omega"][:] = height
    return run


def colors_at(plot: StripPlot, left: float, right: float) -> set[str]:
    """Return the lanes whose colors appear between two horizontal positions."""
    image, names = plot.grab().toImage(), {QColor(trace.color).name(): trace.lane for trace in plot.traces}
    colors = {
        image.pixelColor(x, y).name()
        for x in range(round(left), round(right))
        for y in range(int(plot.area.top()), plot.height())
    }
    return {names[color] for color in colors & set(names)}


def test_every_lane_is_named_beside_its_plot(make: Maker) -> None:
    plot = strips(drawn_board(make, constant_run(one=1.0, two=2.0, three=2.001)))[0]
    assert plot.side_width > 0
    assert colors_at(plot, plot.area.right() + 16, plot.width()) == {"one", "two", "three"}


def test_names_of_agreeing_lanes_take_no_space(make: Maker) -> None:
    plot = strips(drawn_board(make, constant_run(one=1.0, two=1.0)))[0]
    assert plot.side_width == 0
    assert plot.area.right() == plot.width() - plot.plot_style.margin


def test_low_plots_reserve_no_space_for_names(make: Maker) -> None:
    """A quarter of each strip was empty in large type on 1280x720."""
    run = constant_run(one=1.0, two=2.0)
    board = drawn_board(make, run)
    wide = strips(board)[0].side_width
    for height, aside in ((160, 0.0), (600, wide)):
        board.resize(board.width(), height)
        for time in (2.0, 3.0, 4.0):
            process_events()
            board.show_frame(run.frame(time))
        assert {plot.side_width for plot in strips(board)} == {aside}
    assert wide > 0.0


def test_only_the_panel_with_names_reserves_space_for_them(make: Maker) -> None:
    """The names of one panel narrowed all others of its column."""
    run = constant_run(one=1.0, two=1.0)
    run.data["two"]["omega"][:, 2] = 3.0
    board = drawn_board(make, run, Omega, AngularMomentum)
    board.resize(500, 1400)  # too narrow for two columns
    for time in (2.0, 3.0, 4.0):
        process_events()
        board.show_frame(run.frame(time))
    named, others = ({plot.side_width for plot in part} for part in (strips(board)[:3], strips(board)[3:]))
    assert len(named) == 1, "the times of a panel line up"
    assert named != {0.0}
    assert others == {0.0}
    plots = strips(board)
    plots[0].grab()
    assert plots[0].area.right() == plots[2].area.right()


def test_space_for_names_is_kept_until_the_next_run(make: Maker) -> None:
    run = constant_run(one=1.0, two=1.0)
    run.data["two"]["omega"][2000:] = 3.0
    board = drawn_board(make, run)
    (plot, *_), wide = strips(board), strips(board)[0].side_width
    board.axis.show_span((0.0, 5.0))
    board.show_frame(run.frame(1.5))
    process_events()
    assert plot.side_width == wide > 0
    other = constant_run(one=1.0, two=1.0)
    other.info = replace(other.info, title="another")
    board.start(other)
    board.show_frame(other.frame(1.0))
    board.show_frame(other.frame(2.0))
    assert strips(board)[0].side_width == 0


def test_ended_lane_is_named_at_its_cross(make: Maker) -> None:
    run = constant_run(one=1.0, two=1.0)
    run.rows["two"], run.status["two"] = 2001, "singular"
    plot = strips(drawn_board(make, run))[0]
    assert plot.side_width == 0, "only one other lane is left"
    x = plot.x_of(20.0)
    assert colors_at(plot, x + 8, x + 40) >= {"two"}


def test_names_at_crosses_avoid_curves_crosses_and_names(make: Maker) -> None:
    run = FakeRun(("one", "two", "three"))
    for lane, rows in (("two", 1500), ("three", 1520)):
        run.rows[lane], run.status[lane] = rows, "singular"
    letters = plot_style(DARK).small_type
    named = 0
    for plot in strips(drawn_board(make, run)):
        curves = DrawnCurves(plot.traces, plot.y_scale, plot.axis, to_box(plot.curve_area))
        _, died = curves.curve_ends()
        placed = list(place_cross_labels(died, end_names(plot.traces), letters, curves))
        named += len(placed)
        for end, _, box in placed:
            assert curves.area.contains(box)
            assert not any(box.contains(Rect(item.x, item.y, 0.0, 0.0)) for item in died)
            assert not any(box.intersects(other) for item, _, other in placed if item is not end)
            for trace in plot.traces:
                y = curves.heights(trace, box.x, box.right)
                assert not np.any((y > box.y) & (y < box.bottom))
    assert named >= 3


def test_names_reuse_the_rows_of_curves(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Private: `_reduce`, because no public function counts how often a series reads rows."""
    run = constant_run(one=1.0, two=2.0)
    board = drawn_board(make, run)
    read, reduced = [], Series._reduce

    def counted(series: Series, view: BucketRange) -> np.ndarray:
        read.append(series)
        return reduced(series, view)

    monkeypatch.setattr(Series, "_reduce", counted)
    board.axis.show_span((0.0, 30.0))
    board.show_frame(run.frame(2.0))
    process_events()
    assert strips(board)[0].side_width > 0
    assert len(read) == 2, "all components of a lane at once"


def test_axis_numbers_of_a_low_plot_do_not_touch(qapp: QApplication) -> None:
    style, scale = plot_style(DARK), SCALE_CLASSES["degrees"]()
    scale.extend_to(-180.0, 180.0, 1.0, 0.0)
    high = style.small_metrics.height()

    def rows(apart: float) -> int:
        """Return how many pixel rows contain a number, for an axis whose ends are `apart` pixels apart."""
        picture = QPixmap(200, 200)
        picture.fill(style.background)
        area = QRectF(100.0, 80.0, 50.0, apart)
        with QPainter(picture) as painter:
            AxisGrid(style).draw(painter, 1.0, TimeAxis(), scale, area, area)
        image = picture.toImage().copy(0, 0, 90, 200)
        pixels = np.frombuffer(image.constBits(), np.uint32).reshape(200, 90)
        return int(np.any(pixels != pixels[0, 0], axis=1).sum())

    assert rows(0.9 * high) * 2 == rows(1.1 * high)
