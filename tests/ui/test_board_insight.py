"""Panels that tell the forms apart: parts of lambda, conditioning, cost, and the distances between lanes."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from board_maker import Maker, make, settle  # noqa: F401 (a fixture)
from fake_run import FakeRun
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from test_board_window import near, picture, point, shown, strips

from quatviz.core.multiplier_theory import TERMS
from quatviz.core.ring import Ring
from quatviz.core.rotations import from_rotation_vector, rotation_matrix
from quatviz.core.typography import power_of_ten
from quatviz.ui.board import PlotBoard
from quatviz.ui.frame import Frame, Pose
from quatviz.ui.panels.condition import Condition
from quatviz.ui.panels.cost import Cost
from quatviz.ui.panels.drift import Drift
from quatviz.ui.panels.energy import Energy
from quatviz.ui.panels.multiplier import Multiplier
from quatviz.ui.panels.omega import Omega
from quatviz.ui.panels.orientation_errors import OrientationErrors, colour_of, decades, error_text
from quatviz.ui.panels.ring import RingMotion
from quatviz.ui.plotting import painted_panel
from quatviz.ui.plotting.painted_panel import PaintedPanel
from quatviz.ui.plotting.stack_series import StackSeries
from quatviz.ui.plotting.style import PlotStyle
from quatviz.ui.theme import DARK, PROJECTOR, Theme

FORMS = ("newton_euler", "lagrange_full/split", "lagrange_simplified/gradient")
LEVELS = {"4T": 30.0, "2uᵀAᵀf": -12.0, "2uᵀf": 5.0}


def three() -> FakeRun:
    """The third lane has three parts of lambda at constant levels."""
    run = FakeRun(("one", "two", "three"), formulations=FORMS)
    for number, term in enumerate(TERMS):
        run.data["three"]["lam_terms"][:, number] = LEVELS.get(term, 0.0)
    run.data["three"]["lam"][:] = run.data["three"]["lam_theory"][:] = sum(LEVELS.values())
    return run


def panel_of(board: PlotBoard) -> PaintedPanel:
    (panel,) = (panel for panel in board.panels if isinstance(panel, PaintedPanel))
    return panel


# parts of lambda


def test_the_parts_of_lambda_stand_on_each_other_and_lambda_on_top(make: Maker) -> None:
    run = three()
    board = make(run, [Multiplier])
    panel = shown(board)[0]
    assert panel.choice is not None
    assert panel.choice.texts == ("all lanes", "parts of two", "parts of three")
    board.choices.choose(panel.choice, "three")
    settle()
    (plot,) = strips(board)
    assert [trace.label for trace in plot.traces] == ["λ", "4T", "2uᵀAᵀf", "2uᵀf"]
    board.show_frame(run.frame(20.0))
    values = {reading.component: reading.value for reading in panel.readings()}
    assert values == pytest.approx({"λ": 23.0, **LEVELS})
    assert plot.y_scale.low <= 0.0
    image, inner = picture(board), plot.curve_area

    def colour_at(value: float) -> str:
        place = QPointF(0, inner.bottom() - plot.y_scale.place(value) * inner.height())
        y = board.view.mapFromScene(plot.mapToScene(place)).y()
        return image.pixelColor(point(board, plot, 10.3).x(), y).name()

    # From 0 to 30 the first part, which from 18 on lies below what the second takes away and the third adds.
    assert colour_at(8.0) == colour_at(12.0)
    assert len({colour_at(8.0), colour_at(21.5), colour_at(27.0), colour_at(33.0)}) == 4
    top = board.view.mapFromScene(
        plot.mapToScene(QPointF(0, inner.bottom() - plot.y_scale.place(23.0) * inner.height()))
    ).y()
    white = near(image, plot, board, plot.traces[0].colour, 0.6)
    assert np.mean(np.abs(white[:, 1] - top) <= 4) > 0.4  # the rest is the cursor


def test_parts_are_summed_as_rows_come_and_read_one_by_one() -> None:
    series = StackSeries(3)
    times, parts = np.arange(9.0), np.tile([5.0, -2.0, 4.0], (9, 1))
    assert series.take(times[:4], parts[:4])
    assert series.take(times, parts)
    assert not series.take(times, parts)
    assert np.asarray(series.values).tolist() == [[5.0, 3.0, 7.0]] * 9
    assert series.at(6.5) == [5.0, -2.0, 4.0]
    assert series.greatest.tolist() == [5.0, 3.0, 7.0]


def test_a_run_without_the_chosen_lane_shows_all_lanes(make: Maker) -> None:
    board = make(three(), [Multiplier])
    panel = shown(board)[0]
    assert panel.choice is not None
    board.choices.choose(panel.choice, "three")
    other = FakeRun(("five",), formulations=("lagrange_full/torque",))
    board.start(other)
    board.show_frame(other.frame(1.0, generation=2))
    settle()
    assert panel.choice.options == ("",)  # its theory is that lambda is zero: no parts
    assert [trace.theory for trace in panel.plots[0].traces] == [False, True]
    board.start(three())
    board.set_difference(True)
    settle()
    assert [trace.label for trace in panel.plots[0].traces] == ["three"]


# what is shown unless somebody asks


def test_conditioning_and_cost_are_shown_where_they_say_something(make: Maker) -> None:
    kinds = [Condition, Cost, Energy, OrientationErrors, RingMotion, Omega]
    run = three()
    board = make(run, kinds)
    assert [panel.name for panel in board.panels] == ["omega"]
    free = FakeRun(("one", "two"), formulations=("udwadia_schutte", "udwadia_schutte_fundamental"))
    board.start(free)
    assert [panel.name for panel in board.panels] == ["omega", "condition"]
    damped = three()
    ring = Ring(mass=1.0, mean_radius=1.0, arc_angle=1.0, spin=1.0)
    body = replace(damped.info.body, ring=ring)
    damped.info = replace(damped.info, body=body, constants=("constraint", "constraint_rate"))
    board.start(damped)
    assert [panel.name for panel in board.panels] == ["omega", "energy", "ring"]
    lost = FakeRun(("one", "two"), formulations=("newton_euler", "ring_damper_as_printed"))
    board.start(lost)
    assert [panel.name for panel in board.panels] == ["omega", "orientation_errors"]


def test_the_ring_that_a_body_does_not_carry_is_told(make: Maker) -> None:
    board = make(three(), [RingMotion, Omega])
    board.show_panel("ring", True)
    settle()
    (ring,) = [panel for panel in board.panels if isinstance(panel, RingMotion)]
    assert ring._empty.sentence == "This body carries no ring."


def test_hidden_panels_ask_for_nothing(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    quantities: list[str] = []
    run = three()
    values = run.values

    def content(panel: Cost, frame: Frame) -> tuple[tuple[str, float], ...]:
        asked.append("cost")
        return ()

    def counted(lane: str, quantity: str) -> tuple[np.ndarray, np.ndarray]:
        quantities.append(quantity)
        return values(lane, quantity)

    monkeypatch.setattr(Cost, "content", content)
    monkeypatch.setattr(run, "values", counted)
    board = make(run, [Omega, Condition, Cost, OrientationErrors])
    for time in (1.0, 2.0):
        board.show_frame(run.frame(time))
    assert set(quantities) == {"omega"}
    assert asked == []
    board.show_panel("condition", True)
    settle()
    assert "condition" in quantities


# cost


def costly(run: FakeRun, time: float, costs: tuple[float, ...], playing: bool = False) -> Frame:
    frame = run.frame(time)
    lanes = tuple(replace(lane, cost=cost) for lane, cost in zip(frame.lanes, costs, strict=True))
    return replace(frame, lanes=lanes, playing=playing)


def test_bars_are_as_long_as_costs_are_high(make: Maker) -> None:
    run = three()
    board = make(run, [Cost, Drift])
    board.show_panel("cost", True)
    board.start(run)
    board.show_frame(costly(run, 1.0, (2e-7, 4e-7, math.nan)))
    settle()
    panel = panel_of(board)
    assert panel.said[:2] == (("one", 200.0), ("two", 400.0))
    image = picture(board)
    seen = []
    for colour in DARK.lanes[:2]:
        row = [
            (x, y)
            for y in range(30, image.height())
            for x in range(image.width() // 2, image.width())
            if image.pixelColor(x, y) == QColor(colour)
        ]
        counts = np.bincount([y for _, y in row])
        seen.append(int(np.sort(counts)[-3]))  # a bar is six rows high
    assert seen[0] > 20
    assert seen[1] == pytest.approx(2 * seen[0], abs=3)
    assert next((one.lane, one.unit) for one in panel.readings()) == ("one", "s per step")


def test_costs_change_at_most_twice_a_second_but_at_once_when_a_lane_is_done(
    make: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(painted_panel, "monotonic", lambda: now[0])
    run = three()
    run.status["one"] = "running"
    board = make(run, [Cost])
    board.show_panel("cost", True)
    told = set()
    for number in range(60):
        now[0] += 1 / 60
        board.show_frame(costly(run, number / 60, ((100.0 + number) * 1e-9, 2e-7, 3e-7), playing=True))
        told.add(panel_of(board).said)
    assert 2 <= len(told) <= 4
    run.status["one"] = "ok"
    board.show_frame(costly(run, 1.5, (7.77e-7, 2e-7, 3e-7), playing=True))
    assert panel_of(board).said[0] == ("one", 777.0)


# orientation errors


def test_the_matrix_holds_the_angles_between_lanes_and_marks_what_does_not_follow(make: Maker) -> None:
    forms = ("newton_euler", "hamilton", "udwadia_schutte_unconstrained", "euler_angles/313")
    run = FakeRun(("one", "two", "three", "four"), formulations=forms)
    board = make(run, [OrientationErrors])
    turns = (0.0, 3e-12, 0.5, 1.0)
    lanes = []
    for lane, turn in zip(run.frame(0.0).lanes, turns, strict=True):
        p = from_rotation_vector(np.array([0.0, turn, 0.0]))
        lanes.append(replace(lane, pose=Pose(p, rotation_matrix(p), {}), frozen=lane.name == "four"))
    board.show_frame(replace(run.frame(2.0), lanes=tuple(lanes)))
    settle()
    panel = panel_of(board)
    table = {(one.lane, one.quantity.split()[-1]): one.value for one in panel.readings()}
    assert len(table) == 12
    assert table["one", "two"] == table["two", "one"] == pytest.approx(3e-12, rel=1e-3)
    assert table["three", "one"] == pytest.approx(0.5)
    assert math.isnan(table["four", "one"])
    image = picture(board)
    style = PlotStyle(DARK)
    seen = {image.pixelColor(x, y).name() for x in range(0, 400, 2) for y in range(40, image.height(), 2)}
    assert {colour_of(3e-12, style).name(), colour_of(0.5, style).name()} <= seen
    assert [error_text(error) for error in (3e-12, 0.0, 0.31, 1.2, math.nan)] == [
        "3e−12",
        "0",
        "0.3",
        "1.2",
        "–",
    ]
    assert isinstance(panel, OrientationErrors)
    narrow = QImage(300, 200, QImage.Format.Format_RGB32)
    painter = QPainter(narrow)
    letters = panel._choose(style, QRectF(0.0, 0.0, 300.0, 200.0), 20.0)
    assert letters.font == style.small
    for error in (0.0, math.nan):  # neither has a decade, which stands where there is no room
        panel._draw_cell(painter, letters, QRectF(0.0, 0.0, 2.0, 20.0), error)
    painter.end()
    room = QRectF(0.0, 0.0, 700.0, 900.0)  # nothing else is seen, as in a lesson
    small = QRectF(0.0, 0.0, 230.0, 300.0)  # where decades have room beside the names
    cell = (small.right() - style.margin - panel._width_of_names(letters, small)) / 4
    assert letters.metrics.horizontalAdvance(power_of_ten(-10)) < cell
    letters = panel._choose(style, room, 100.0)
    assert letters.font == style.large
    name = max(letters.metrics.horizontalAdvance(lane) for lane in run.info.lanes)
    assert name < panel._width_of_names(letters, room) < 0.5 * room.width()


@pytest.mark.parametrize("theme", [DARK, PROJECTOR])
def test_decades_under_the_colours_never_touch(theme: Theme) -> None:
    style, counts = PlotStyle(theme), []
    for width in (90.0, 200.0, 300.0, 600.0):
        placed = decades(style, 10.0, 10.0 + width)
        texts = [power_of_ten(decade) if decade else "1" for decade, _ in placed]
        ends = [
            x + style.small_metrics.horizontalAdvance(text)
            for (_, x), text in zip(placed, texts, strict=True)
        ]
        assert all(start > end for (_, start), end in zip(placed[1:], ends, strict=False))
        assert ends[-1] <= 10.0 + width
        counts.append(len(placed))
    assert counts == sorted(counts)
    assert counts[-1] == 5


def test_larger_errors_have_stronger_colours() -> None:
    style = PlotStyle(DARK)
    accent = QColor(DARK.accent)
    distances = [
        abs(colour_of(error, style).blueF() - accent.blueF()) for error in (0.0, 1e-14, 1e-9, 1e-4, 3.0)
    ]
    assert distances == sorted(distances, reverse=True)


def test_times_are_numbered_below_the_lowest_panel_over_time_of_each_column(make: Maker) -> None:
    run = three()
    board = make(run, [Omega, Drift, OrientationErrors, Cost])
    board.wish(dict.fromkeys(board.titles, True))
    settle()
    omega, drift = shown(board)
    assert len(board.panels) == 4
    assert omega._times.parentLayoutItem() is not None
    assert drift._times.parentLayoutItem() is not None
