"""Jumps of Euler angles: no line crosses them, and the marker names the cause."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from board_maker import Maker, make, point_on_board, process_events  # noqa: F401 (a fixture)
from fake_run import FakeRun
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter
from test_board_window import near, picture, point, strips

import quatviz
from quatviz.display.data.series import BucketRange, CurveJumps, JumpSeries, Series, angle_series
from quatviz.display.panels.base.curves import Trace
from quatviz.display.panels.base.jump_clusters import JumpCluster, jump_clusters
from quatviz.display.panels.base.time_axis import TimeAxis
from quatviz.display.panels.euler_angles import EulerAnglesPanel
from quatviz.display.view_state.theme import DARK
from quatviz.physics.mechanics.euler_sequences import angles_from_p
from quatviz.physics.mechanics.rotations import from_rotation_vector, multiply
from quatviz.physics.observables.jumps import NONE, SINGULAR, WRAP, find_angle_jumps
from quatviz.ui.plots.overlays import jump_text_height, jump_text_rect, place_jump_texts
from quatviz.ui.widgets.style import PlotStyle

T = np.arange(5000) * 0.01


def spinning_angles(axis: list[float], rate: float, start: list[float], sequence: str) -> np.ndarray:
    """Return the angles [deg] of a body that turns at `rate` about a body axis."""
    turned = from_rotation_vector(T[:, None] * rate * np.asarray(axis))
    return np.degrees(angles_from_p(multiply(from_rotation_vector(np.array(start)), turned), sequence))


def causes_of(angles: np.ndarray, sequence: str) -> np.ndarray:
    """Return the cause of the jump from each row to the next (n - 1, 3)."""
    causes = np.full((len(angles) - 1, 3), NONE)
    rows, all_causes = find_angle_jumps(angles, sequence)
    causes[rows] = all_causes
    return causes


def series(angles: np.ndarray, sequence: str, stops: tuple[int, ...] = (5000,)) -> JumpSeries:
    made = angle_series(sequence)
    for stop in stops:
        made.set_data(T[:stop], angles[:stop])
    return made


def test_rotation_about_last_axis_only_wraps() -> None:
    causes = causes_of(spinning_angles([1, 0, 0], 2.0, [0.1, 0.3, 0.2], "321"), "321")
    assert np.all(causes[:, :2] == NONE)
    assert set(np.unique(causes[:, 2])) == {NONE, WRAP}
    assert np.sum(causes[:, 2] == WRAP) == pytest.approx(T[-1] * 2.0 / (2 * np.pi), abs=1)


@pytest.mark.parametrize(("sequence", "axis"), [("321", [0, 1, 0]), ("313", [1, 0, 0]), ("131", [0, 0, 1])])
@pytest.mark.parametrize("miss", [0.0, 1e-3])
def test_passing_pole_is_singular_in_first_and_third_angle(
    sequence: str, axis: list[float], miss: float
) -> None:
    angles = spinning_angles(axis, 2.0, [miss, miss, miss], sequence)
    assert np.all(causes_of(angles, sequence)[:, 1] == NONE)
    for component in (0, 2):
        jumps = series(angles, sequence).jumps(component)
        assert np.sum(jumps.causes == SINGULAR) == pytest.approx(T[-1] * 2.0 / np.pi, abs=2)


def test_fast_spin_is_no_jump_and_pole_includes_wrap() -> None:
    spinning = np.stack([np.zeros(5), np.zeros(5), [0.0, 100.0, -160.0, -60.0, 40.0]], axis=1)
    assert causes_of(spinning, "321").tolist() == [[0, 0, NONE], [0, 0, WRAP], [0, 0, NONE], [0, 0, NONE]]
    locked = np.array([[179.0, 89.9, 0.0], [-179.0, 89.9, 0.0]])
    assert causes_of(locked, "321").tolist() == [[SINGULAR, NONE, NONE]]
    undetermined = np.array([[20.0, 0.0, 0.0], [50.0, 2.0, -30.0]])
    assert causes_of(undetermined, "313").tolist() == [[SINGULAR, NONE, SINGULAR]]


CASES = {
    "wraps": spinning_angles([0.8, 0.0, 0.6], 9.0, [0.1, 0.3, 0.2], "321"),
    "fast": spinning_angles([1, 0, 0], 90.0, [0.1, 0.3, 0.2], "321"),
    "poles": spinning_angles([0, 1, 0], 2.0, [1e-3, 0.0, 2e-3], "321"),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("size", [1, 2, 16, 32, 64, 512])
def test_no_line_crosses_a_jump_and_no_sample_is_lost(case: str, size: int) -> None:
    angles = CASES[case]
    drawn = series(angles, "321", (1, 2, 31, 500, 501, 5000))
    causes = causes_of(angles, "321")
    assert np.any(causes)
    for component in range(3):
        times, values = drawn.curve(BucketRange(0, -(-len(T) // size), size, T), component)
        joined = np.isfinite(values[1:]) & np.isfinite(values[:-1])
        assert np.all(np.diff(times) >= 0)
        for row in np.flatnonzero(causes[:, component]) + 1:
            over = (times[:-1] < T[row] - 1e-9) & (times[1:] > T[row - 1] + 1e-9) & joined
            assert not over.any()
        for start in range(0, len(T), size):
            rows = angles[start : start + size, component]
            here = (times >= T[start] - 1e-9) & (times <= T[min(start + size, len(T)) - 1] + 1e-9)
            assert np.nanmin(values[here]) == pytest.approx(rows.min(), rel=1e-7)
            assert np.nanmax(values[here]) == pytest.approx(rows.max(), rel=1e-7)


def preset(inertia: list[float], omega: list[float], angles: list[float]) -> quatviz.Preset:
    return quatviz.Preset(
        body=quatviz.Body(inertia=inertia),
        initial=quatviz.Initial(angles={"sequence": "321", "degrees": angles}, angular_velocity=omega),
    )


@pytest.mark.parametrize("interval", [0.001, 0.01, 0.05])
def test_tumbling_body_is_singular_where_it_passes_pole(
    interval: float,
) -> None:
    run = quatviz.simulate(
        preset([1, 2, 3], [0.001, 2, 0], [0, 0, 0]),
        lanes=["newton_euler"],
        dt=1e-3,
        duration=10.0,
        sample_interval=interval,
    )
    angles = run["newton_euler"].angles_321
    causes = causes_of(angles, "321")
    passes = np.flatnonzero(np.abs(np.diff(np.sign(np.diff(angles[:, 1])))) == 2)
    # it passes ever farther from the pole, at |det S| = 0.0004, 0.0019, 0.0117, ...
    jumps = np.flatnonzero((causes == SINGULAR)[:, 0])
    assert len(jumps) == 2
    assert np.abs(jumps - passes[:2]).max() <= 1
    assert np.all(causes[jumps] == [SINGULAR, NONE, SINGULAR])
    assert np.all(causes[np.setdiff1d(np.flatnonzero(causes[:, 2]), jumps), 2] == WRAP)


def test_coarse_samples_near_pole_are_not_singular() -> None:
    """The pitch stays below 88.6 degrees, but both other angles change by more than 45 degrees in a sample
    interval of 0.1 s."""
    run = quatviz.simulate(
        quatviz.load_preset("torque_free"), lanes=["exact"], duration=40.0, sample_interval=0.1
    )
    angles = run["exact"].angles_321
    turned = np.abs((np.diff(angles[:, ::2], axis=0) + 180.0) % 360.0 - 180.0)
    assert (turned > 45.0).all(axis=1).any()
    assert not np.any(causes_of(angles, "321") == SINGULAR)


def test_symmetric_spinner_wraps_once_per_turn() -> None:
    run = quatviz.simulate(
        preset([1, 2, 2], [6, 0.3, 0.2], [0, 10, 0]),
        lanes=["hamilton"],
        dt=1e-3,
        duration=20.0,
        sample_interval=0.01,
    )
    angles = run["hamilton"].angles_321
    causes = causes_of(angles, "321")
    turned = np.abs(np.unwrap(np.radians(angles[:, 2]))[-1]) / (2 * np.pi)
    assert np.sum(causes[:, 2] == WRAP) == pytest.approx(turned, abs=1)
    assert not np.any(causes == SINGULAR)


def test_consecutive_jumps_are_merged_into_one() -> None:
    angles = np.array([[-80.0, 89.4, 10.0], [-15.0, 89.8, 75.0], [50.0, 89.4, 140.0], [62.0, 88.9, 152.0]])
    made = angle_series("321")
    made.set_data(T[:4], angles)
    jumps = made.jumps(0)
    assert jumps.causes.tolist() == [SINGULAR]
    assert jumps.times[0] == pytest.approx(0.01)
    assert len(made.jumps(1).times) == 0


def test_picture_has_gap_and_mark_at_jump(make: Maker) -> None:
    run = FakeRun(lanes=("one", "two"))
    ramp = (run.t * 20.0 + 180.0) % 360.0 - 180.0  # wraps at 9 and 27 s
    for lane in run.data:
        run.data[lane]["angles_321"] = np.stack([ramp, 10 * np.sin(run.t), 0 * ramp], axis=1)
    board = make(run, [EulerAnglesPanel])
    plot = strips(board)[0]
    image = picture(board)
    drawn = np.concatenate([near(image, plot, board, trace.color) for trace in plot.traces])
    top, bottom = point(board, plot, 9.0, 0.2).y(), point(board, plot, 9.0, 0.8).y()
    for wrap in (9.0, 27.0):
        at = point(board, plot, wrap).x()
        assert not np.any((np.abs(drawn[:, 0] - at) <= 3) & (drawn[:, 1] > top) & (drawn[:, 1] < bottom))
    assert [(mark.text, mark.counts) for mark in plot.jump_clusters] == [
        ("wrap", {WRAP: 1}),
        ("wrap", {WRAP: 1}),
    ]
    assert plot.labelled_clusters, "labels are visible without hovering"
    assert plot.curve_area.bottom() <= plot.height() - jump_text_height(plot.plot_style)
    assert [plot.jump_clusters[0].x_start, plot.jump_clusters[1].x_start] == pytest.approx(
        [plot.x_of(9.0), plot.x_of(27.0)], abs=1
    )


def test_jump_labels_stand_at_axis_clear_of_curves(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    """The angles reach both ends of their axis and pass the pole."""
    run = FakeRun(lanes=("one", "two"))
    ramp = (run.t * 20.0 + np.where(run.t < 20.0, 180.0, 360.0)) % 360.0 - 180.0
    pole = 89.95 * np.exp(-(((run.t - 20.0) / 2.0) ** 2))
    leap = np.where(run.t < 20.0, 170.0, -10.0)
    for lane in run.data:
        run.data[lane]["angles_321"] = np.stack([leap, pole, ramp], axis=1)
    written: list[tuple[str, float]] = []
    write = QPainter.drawText

    def drawText(painter: QPainter, *given: Any) -> object:
        if isinstance(given[0], QPointF):
            written.append((given[1], given[0].y()))
        return write(painter, *given)

    monkeypatch.setattr(QPainter, "drawText", drawText)
    board = make(run, [EulerAnglesPanel])
    image = picture(board)
    for number, word in ((0, "singular"), (2, "wrap")):
        plot = strips(board)[number]
        heights = [y for label, y in written if label == word]
        assert heights
        tops = [y - plot.plot_style.small_metrics.capHeight() for y in heights]
        assert all(plot.curve_area.bottom() <= top for top in tops)
        assert max(heights) + plot.plot_style.small_metrics.descent() <= plot.height() + 0.5
        for trace in plot.traces:
            drawn = near(image, plot, board, trace.color)[:, 1]
            assert len(drawn) > 50
            assert drawn.max() <= point_on_board(board, plot, QPointF(0.0, plot.curve_area.bottom())).y() + 1


def test_both_lanes_are_visible_in_dense_jumps(make: Maker) -> None:
    run = FakeRun(lanes=("one", "two"))
    ramp = (run.t * 900.0 + 180.0) % 360.0 - 180.0
    for lane in run.data:
        run.data[lane]["angles_321"] = np.stack([ramp, 0 * ramp, 0 * ramp], axis=1)
    board = make(run, [EulerAnglesPanel])
    plot = strips(board)[0]
    image = picture(board)
    shares = [len(near(image, plot, board, trace.color)) for trace in plot.traces]
    assert min(shares) > 0.3 * max(shares) > 100
    (crowd,) = plot.jump_clusters
    assert crowd.text == f"{crowd.counts[WRAP]} × wrap"
    assert crowd.counts[WRAP] == pytest.approx(40.0 * 900 / 360, abs=1)


class Jumping(Series):
    """A curve that wraps five times and passes a pole once, all within a millisecond."""

    def jumps(self, component: int, low: float = -np.inf, high: float = np.inf) -> CurveJumps:
        return CurveJumps(0.1 + 1e-4 * np.arange(6), np.array([WRAP, WRAP, SINGULAR, WRAP, WRAP, WRAP]))


def test_cluster_counts_each_cause_of_one_lane() -> None:
    axis = TimeAxis()
    axis.start(0.4, 0.001)
    traces = [Trace(Jumping(1), 0, "#ffffff", ""), Trace(Jumping(1), 0, "#ffffff", "")]
    (crowd,) = jump_clusters(traces, axis, 0.0, 100.0)
    assert crowd.counts == {WRAP: 5, SINGULAR: 1}
    assert crowd.text == "5 × wrap, singular"


def test_jump_labels_do_not_overlap() -> None:
    style = PlotStyle(DARK)
    random = np.random.default_rng(2)
    for count in (1, 5, 40):
        lefts = np.sort(random.uniform(60, 660, count))
        clusters = [JumpCluster(left, left, {WRAP: 1}) for left in lefts.tolist()]
        chosen = place_jump_texts(style, clusters, QRectF(58, 20, 610, 60), lambda _: True)
        assert chosen[0][0] is clusters[0]
        spans = [(box.left(), box.right()) for _, box in chosen]
        assert all(right <= left for (_, right), (left, _) in pairwise(spans))
        assert all(left >= 58 and right <= 668 for left, right in spans)


def test_jump_labels_avoid_curves() -> None:
    style, area = PlotStyle(DARK), QRectF(58, 20, 610, 60)
    foot = 80.0 + style.bottom_margin - jump_text_height(style)
    clusters = [JumpCluster(300.0, 300.0, {WRAP: 1})]
    for blocked, left, top in (
        (QRectF(), 304.0, foot),
        (QRectF(301, 50, 300, 30), 304.0, 20.0),
        (QRectF(301, 20, 300, 60), 296.0, foot),
        (QRectF(58, 20, 610, 60), None, None),
    ):

        def is_free(box: QRectF, blocked: QRectF = blocked) -> bool:
            return not box.intersects(blocked)

        chosen = place_jump_texts(style, clusters, area, is_free)
        spots = [(box.left() if left == 304.0 else box.right(), box.top()) for _, box in chosen]
        assert spots == ([(left, pytest.approx(top, abs=0.5))] if left is not None else [])


def test_wrap_is_labelled_in_low_strip(make: Maker) -> None:
    run = FakeRun(("one", "two"))
    ramp = (run.t * 15.0 + 180.0) % 360.0 - 180.0
    for lane in run.data:
        run.data[lane]["angles_321"] = np.stack([ramp, 0 * ramp, 0 * ramp], axis=1)
    board = make(run, [EulerAnglesPanel])
    plot = strips(board)[0]
    plot.setFixedHeight(plot.minimumHeight())
    process_events()
    picture(board)
    assert [mark.text for mark in plot.labelled_clusters]
    assert all(mark.text.endswith("wrap") for mark in plot.labelled_clusters)


@pytest.mark.parametrize(("swing", "sign"), [(80.0, -1.0), (5.0, 1.0)])
def test_singularity_is_labelled_below_curves_in_low_strip(make: Maker, swing: float, sign: float) -> None:
    """Two cases: the curves fill the strip, or leave room beside the mark. There the cursor used to cut the
    label."""
    run = FakeRun(("one", "two"))
    leap = np.where(run.t < 20.0, 90.0, -90.0)
    pole = 89.95 * np.exp(-(((run.t - 20.0) / 2.0) ** 2))
    for lane, first in (("one", leap), ("two", sign * leap)):
        swings = first + swing * np.sin(8.0 * run.t)
        run.data[lane]["angles_321"] = np.stack([swings, pole, 0 * pole], axis=1)
    board = make(run, [EulerAnglesPanel])
    plot = strips(board)[0]
    plot.setFixedHeight(plot.minimumHeight())
    process_events()
    picture(board)
    assert "singular" in [mark.text for mark in plot.labelled_clusters]
    (mark,) = (mark for mark in plot.labelled_clusters if mark.text == "singular")
    word = jump_text_rect(plot.plot_style, mark, mark.x_start, plot.area)
    assert plot.curve_area.bottom() <= word.top()
    assert word.bottom() <= plot.height()
    assert plot.curve_area.height() > 0.5 * plot.area.height(), "the label took more than half of the height"


@pytest.mark.parametrize("size", [4, 32, 128, 1024])
def test_buckets_between_jumps_keep_extremes(size: int) -> None:
    chance = np.random.default_rng(3)
    count = 5000
    times = np.arange(count) * 0.01
    turns = 200.0 * times[:, None] * [1.0, 0.0, -0.37] + chance.normal(size=(count, 3))
    angles = (turns + [0.0, 70.0, 0.0] + 180.0) % 360.0 - 180.0
    angles[:, 1] = 70.0 + chance.normal(size=count)
    made = angle_series("313")
    for stop in (1, 30, 32, 100, 101, 1700, 4096, count):
        made.set_data(times[:stop], angles[:stop])
    drawn_times, drawn = made.curve(BucketRange(0, -(-count // size), size, times), 0)
    jumps = made.jump_index.rows(0)
    assert len(jumps) > 20
    edges = np.union1d(np.arange(0, count, size), jumps)
    truth = [(piece.min(), piece.max()) for piece in np.split(angles[:, 0], edges[1:])]
    kept = ~np.isnan(drawn)
    pairs = drawn[kept].reshape(-1, 2)
    assert np.allclose(np.sort(pairs, axis=1), truth, rtol=1e-7, atol=0.0)
    assert np.array_equal(drawn_times[kept].reshape(-1, 2)[:, 0], times[edges])
    assert np.array_equal(drawn_times[kept].reshape(-1, 2)[:, 1], times[np.append(edges[1:], count) - 1])
    assert np.sum(~kept) == len(jumps)
