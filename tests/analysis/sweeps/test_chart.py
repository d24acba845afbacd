"""The chart of a sweep: axes, colors, placeholders for points that are not computed yet, descriptions of points."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.text import Text

import quatviz as qv
from quatviz.analysis.sweeps.axes import Axis
from quatviz.analysis.sweeps.chart import Chart, ColorScale
from quatviz.analysis.sweeps.chunk import SweepResults, run_chunk
from quatviz.analysis.sweeps.figure import draw_chart
from quatviz.analysis.sweeps.page import render_page
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.analysis.sweeps.runs import STATUSES

PRESET = qv.load_preset("intermediate_axis").with_run(lanes=["newton_euler"], duration=16.0, dt=1e-2)
PLAN = SweepPlan.create(
    PRESET,
    {
        "initial.angular_velocity[0]": Axis.linear(-1.0, 1.0, 9),
        "body.inertia[2]": Axis.logarithmic(1.5, 2.5, 7),
    },
    measure=["first_flip", "flips"],
)


def made(values: np.ndarray, upto: int | None = None, measure: str = "first_flip") -> Chart:
    """A chart of these values, of which the first `upto` in the order are computed."""
    results = SweepResults.empty(PLAN, *PLAN.shape)
    indices = tuple(PLAN.grid_indices(0, PLAN.point_count if upto is None else upto).T)
    results.status[(0, *indices)] = STATUSES.index("ok")
    for name in PLAN.measures:
        results.measured[name][(0, *indices)] = values[indices]
    return Chart(PLAN, results, measure)


def test_axes_are_linear_or_logarithmic() -> None:
    across, up = made(np.zeros(PLAN.shape)).spans
    assert (across.title, up.title) == ("ω₁ [rad/s]", "J₃ [kg m²]")
    assert across.edges == (-1.125, 1.125)
    assert up.log
    np.testing.assert_allclose([up.value(coordinate) for coordinate in up.coordinates], PLAN.axes[1].values)
    for span in (across, up):
        assert [span.nearest_index(tick) for tick in span.coordinates] == list(range(span.count))
        assert (span.nearest_index(span.edges[0] - 9.0), span.nearest_index(span.edges[1] + 9.0)) == (
            0,
            span.count - 1,
        )
    part = across.subrange(0.5, 0.25)
    assert (part.count, part.values[0], part.values[-1]) == (9, 0.25, 0.5)


def test_points_not_computed_yet_show_the_nearest_coarser_point() -> None:
    values = np.add.outer(10.0 * np.arange(9), np.arange(7.0))
    coarse = made(values, 6)  # 0 and 8, then 4 across; 0 and 4 up
    assert coarse.computed.sum() == 6
    assert np.unique(coarse.filled_values[coarse.computed]).tolist() == [0.0, 4.0, 40.0, 44.0, 80.0, 84.0]
    assert np.isfinite(coarse.filled_values).all()
    assert coarse.filled_values[1, 1] == 0.0, "the nearest, not the one before"
    assert coarse.filled_values[3, 3] == 44.0
    np.testing.assert_array_equal(made(values).filled_values, values)
    assert not np.isfinite(made(values, 0).filled_values).any()


@pytest.mark.parametrize(
    ("values", "whole", "expected"),
    [
        ([1.0, np.nan, 3.0], False, ColorScale(1.0, 3.0)),
        ([1.0, 5000.0], False, ColorScale(0.0, np.log10(5000.0), log=True)),
        ([-1.0, 5000.0], False, ColorScale(-1.0, 5000.0)),
        ([0.0, 4.0], True, ColorScale(-0.5, 4.5, is_integer=True)),
        ([2.0, 2.0], False, ColorScale(1.5, 2.5)),
        ([np.nan, np.inf], False, ColorScale(0.0, 1.0)),
    ],
)
def test_color_range_covers_computed_values(values: list[float], whole: bool, expected: ColorScale) -> None:
    scale = ColorScale.from_values(np.array(values), whole)
    assert scale == expected
    shares = scale.normalize(np.array(values))
    inside = np.isfinite(values)
    assert (shares[inside] >= 0).all()
    assert (shares[inside] <= 1).all()
    assert np.isnan(shares[np.isnan(values)]).all()


def test_contours_of_a_plane_are_straight() -> None:
    heights = np.add.outer(PLAN.axes[0].values, np.log10(PLAN.axes[1].values))
    lines = made(heights).contours()
    assert len(lines) > 3
    for line in lines:
        assert np.ptp(line.sum(axis=1)) < 1e-12
    assert made(heights, 20).contours() == [], "of half a map they would jump"
    assert made(heights, measure="flips").contours() == [], "steps of whole numbers are seen"


def test_point_description_has_coordinates_and_value() -> None:
    values = np.full(PLAN.shape, 2.5)
    values[0, 0] = np.nan
    chart = made(values)
    assert chart.describe_cell((8, 6)) == [
        "ω₁ = 1 rad/s",
        "J₃ = 2.5 kg m²",
        "Time of the first flip: 2.500 s",
    ]
    assert chart.describe_cell((0, 0))[-1] == "Time of the first flip: no value for this run"
    assert made(values, 1).describe_cell((8, 6))[-1] == "not computed yet"
    chart.results.status[0, 1, 1] = STATUSES.index("singular")
    chart.results.reason[0, 1, 1] = "det S is too small"
    hole = replace(chart)
    assert hole.describe_cell((1, 1))[-1] == "det S is too small"
    assert np.argwhere(hole.holes).tolist() == [[1, 1]]


def test_map_figure_has_colors_and_legend(tmp_path: Path) -> None:
    values = np.add.outer(np.arange(9.0), np.arange(7.0))
    figure = draw_chart(made(values))
    axes, key = figure.axes
    np.testing.assert_allclose(np.asarray(axes.images[0].get_array()), values.T / values.max())
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("ω₁ [rad/s]", "J₃ [kg m²]")
    assert key.get_ylabel() == "Time of the first flip [s]"
    assert axes.images[0].get_extent()[:2] == [-1.125, 1.125]
    for suffix in ("svg", "pdf", "png"):
        figure.save(tmp_path / f"map.{suffix}")
    again = draw_chart(made(values))
    again.save(tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_bytes() == (tmp_path / "map.svg").read_bytes()


def test_printed_map_explains_lines_and_uses_minus_signs() -> None:
    values = 10.0 ** -np.add.outer(np.arange(9.0), np.arange(7.0))
    printed = draw_chart(made(values))
    assert any(
        "white lines: contours at the ticks" in text.get_text() for text in printed.figure.findobj(Text)
    )
    assert printed.axes[1].yaxis.get_major_formatter()(-5.0) == "1×10⁻⁵"
    counts = made(values, measure="flips")
    assert not any("white lines" in text.get_text() for text in draw_chart(counts).figure.findobj(Text))


def test_end_statuses_are_a_categorical_map() -> None:
    """Each type of end has a color and a name; points without a run stay holes."""
    preset = qv.load_preset("gimbal_lock").with_run(lanes=["euler_angles/321"], dt=1e-2)
    axis = Axis.linear(-3.0, 3.0, 6)
    inertia = Axis.linear(0.1, float(preset.body.inertia[2, 2]), 3)
    over = {"initial.angular_velocity[0]": axis, "body.inertia[2]": inertia}
    plan = SweepPlan.create(preset, over, measure=["end", "lasting"])
    results = SweepResults.empty(plan, *plan.shape)
    results.store(plan.grid_indices(0, plan.point_count), run_chunk(plan, 0, plan.point_count))
    chart = Chart(plan, results, "end")
    status = results.status[0]
    refused = status == STATUSES.index("refused")
    assert set(status[~refused].tolist()) == {0, 1}
    assert refused.any()
    np.testing.assert_array_equal(chart.holes, refused)
    assert chart.scale.categories == ((0, "complete"), (1, "singular"))
    assert chart.scale.tick_labels == [(0.0, "complete"), (1.0, "singular")]
    np.testing.assert_array_equal(
        chart.scale.normalize(chart.values)[~refused], 0.25 + 0.5 * status[~refused]
    )
    assert chart.scale.category_colors == ["#56b4e9", "#e69f00"]
    ended = tuple(np.argwhere(status == 1)[0].tolist())
    assert "How the run ended: singular" in chart.describe_cell(ended)
    assert "singularity" in chart.describe_cell(ended)[-1]
    lasting = Chart(plan, results, "lasting")
    np.testing.assert_array_equal(lasting.holes, refused)
    assert lasting.values[ended] == results.ended[0][ended] < preset.run.duration


def test_uneven_values_are_drawn_by_index() -> None:
    values = [0.1, 0.2, 0.5, 3.0]
    over = {"initial.angular_velocity[0]": values, "initial.angular_velocity[2]": np.geomspace(1e-3, 1.0, 4)}
    across, up = Chart(SweepPlan.create(PRESET, over), SweepResults.empty(PLAN, 4, 4), "flips").spans
    assert across.tick_labels == [(float(index), f"{value:g}") for index, value in enumerate(values)]
    assert [across.value(index) for index in across.coordinates] == values
    assert across.subrange(0.6, 2.4).values.tolist() == [0.2, 0.5]
    assert (up.log, up.tick_labels) == (True, None)
    np.testing.assert_allclose([up.value(index) for index in up.coordinates], np.geomspace(1e-3, 1.0, 4))


@pytest.mark.parametrize("ends", [(0.5, -0.5), (0.2, 0.2)])
def test_decreasing_and_constant_axes_are_drawn(ends: tuple[float, float]) -> None:
    over = {"initial.angular_velocity[0]": Axis.linear(*ends, 30)}
    plan = SweepPlan.create(PRESET.with_run(duration=0.5), over)
    results = SweepResults.empty(plan, *plan.shape)
    results.store(plan.grid_indices(0, plan.point_count), run_chunk(plan, 0, plan.point_count))
    chart = Chart(plan, results, "flips")
    (span,) = chart.spans
    assert (span.value(0.0), span.value(29.0)) == ends
    assert span.tick_labels is not None
    assert span.tick_labels[0] == (0.0, f"{ends[0]:g}")
    assert '"kind": "diagram"' in render_page(chart)
    draw_chart(chart)


@pytest.mark.parametrize("alone", [True, False])
def test_random_points_are_drawn_at_their_coordinates(alone: bool, tmp_path: Path) -> None:
    over = {"initial.angular_velocity[0]": Axis.random(0.01, 1.0, 32, scale="log")}
    if not alone:
        over["body.inertia[2]"] = Axis.random(1.5, 2.5, 32)
    plan = SweepPlan.create(PRESET, over, measure="first_flip")
    results = SweepResults.empty(plan, *plan.shape)
    results.store(plan.grid_indices(0, plan.point_count), run_chunk(plan, 0, plan.point_count))
    chart = Chart(plan, results, "first_flip")
    assert chart.is_points
    assert not chart.is_map
    values = plan.values_at(chart.point_cells)
    flips = chart.values[chart.point_cells[:, 0]]
    assert len(chart.point_coordinates) == np.isfinite(chart.values).sum() > 8
    np.testing.assert_allclose(10 ** chart.point_coordinates[:, 0], values[:, 0])
    np.testing.assert_allclose(chart.point_coordinates[:, 1], flips if alone else values[:, 1])
    np.testing.assert_allclose(chart.point_shades, chart.scale.normalize(flips))
    assert chart.describe_cell((3,))[0] == f"ω₁ = {plan.values_at(np.array([[3]]))[0, 0]:.6g} rad/s"
    draw_chart(chart).save(tmp_path / "points.png")
    assert '"scattered": true' in render_page(chart)
    if not alone:
        results.status[0, 7], results.reason[0, 7] = STATUSES.index("refused"), "no such body"
        results.measured["first_flip"][0, 7] = np.nan
        chart = Chart(plan, results, "first_flip")
        (hole,) = np.flatnonzero(np.isnan(chart.point_shades))
        assert chart.point_cells[hole].tolist() == [7]
        assert chart.describe_cell((7,))[-1] == "no such body"
        assert "no such body" in render_page(chart)


def test_missing_points_of_one_column_are_hatched() -> None:
    over = {"body.inertia[2]": [2.5], "initial.angular_velocity[0]": Axis.linear(-1.0, 1.0, 5)}
    plan = SweepPlan.create(PRESET.with_run(duration=0.5), over)
    results = SweepResults.empty(plan, *plan.shape)
    results.store(plan.grid_indices(0, plan.point_count), run_chunk(plan, 0, plan.point_count))
    results.status[0, 0, 2] = STATUSES.index("refused")
    chart = Chart(plan, results, "flips")
    assert chart.holes.sum() == 1
    axes = draw_chart(chart).figure.axes[0]
    (hatched,) = (path for group in axes.collections for path in group.get_paths())
    extent = hatched.get_extents()
    assert (extent.y0, extent.y1) == pytest.approx((-0.25, 0.25))
