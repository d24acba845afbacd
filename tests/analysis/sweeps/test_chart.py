"""What is drawn of a sweep: axes, colours, what stands for points that are yet to come, words of a point."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import quatviz as qv
from quatviz.analysis.sweeps.axes import Axis
from quatviz.analysis.sweeps.chart import Chart, Scale
from quatviz.analysis.sweeps.chunk import Found, run_chunk
from quatviz.analysis.sweeps.figure import draw
from quatviz.analysis.sweeps.page import page_of
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.analysis.sweeps.runs import STATUSES

PRESET = qv.load_preset("intermediate_axis").with_run(lanes=["newton_euler"], duration=16.0, dt=1e-2)
PLAN = SweepPlan.of(
    PRESET,
    {
        "initial.angular_velocity[0]": Axis.linear(-1.0, 1.0, 9),
        "body.inertia[2]": Axis.logarithmic(1.5, 2.5, 7),
    },
    measure=["first_flip", "flips"],
)


def made(values: np.ndarray, upto: int | None = None, measure: str = "first_flip") -> Chart:
    """A chart of these values, of which the first so many in the order are there."""
    found = Found.nothing(PLAN, *PLAN.shape)
    there = tuple(PLAN.numbers(0, PLAN.points if upto is None else upto).T)
    found.status[(0, *there)] = STATUSES.index("ok")
    for name in PLAN.measures:
        found.measured[name][(0, *there)] = values[there]
    return Chart(PLAN, found, measure)


def test_axes_are_drawn_by_their_values_or_their_decades() -> None:
    across, up = made(np.zeros(PLAN.shape)).spans
    assert (across.title, up.title) == ("ω₁ [rad/s]", "J₃ [kg m²]")
    assert across.edges == (-1.125, 1.125)
    assert up.log
    np.testing.assert_allclose([up.value(one) for one in up.places], PLAN.axes[1].values)
    for span in (across, up):
        assert [span.number(place) for place in span.places] == list(range(span.count))
        assert (span.number(span.edges[0] - 9.0), span.number(span.edges[1] + 9.0)) == (0, span.count - 1)
    part = across.between(0.5, 0.25)
    assert (part.count, part.values[0], part.values[-1]) == (9, 0.25, 0.5)


def test_the_nearest_point_of_a_coarser_grid_stands_for_what_is_yet_to_come() -> None:
    values = np.add.outer(10.0 * np.arange(9), np.arange(7.0))
    coarse = made(values, 6)  # 0 and 8, then 4 across; 0 and 4 up
    assert coarse.known.sum() == 6
    assert np.unique(coarse.filled[coarse.known]).tolist() == [0.0, 4.0, 40.0, 44.0, 80.0, 84.0]
    assert np.isfinite(coarse.filled).all()
    assert coarse.filled[1, 1] == 0.0, "the nearest, not the one before"
    assert coarse.filled[3, 3] == 44.0
    np.testing.assert_array_equal(made(values).filled, values)
    assert not np.isfinite(made(values, 0).filled).any()


@pytest.mark.parametrize(
    ("values", "whole", "expected"),
    [
        ([1.0, np.nan, 3.0], False, Scale(1.0, 3.0)),
        ([1.0, 5000.0], False, Scale(0.0, np.log10(5000.0), log=True)),
        ([-1.0, 5000.0], False, Scale(-1.0, 5000.0)),
        ([0.0, 4.0], True, Scale(-0.5, 4.5, whole=True)),
        ([2.0, 2.0], False, Scale(1.5, 2.5)),
        ([np.nan, np.inf], False, Scale(0.0, 1.0)),
    ],
)
def test_colours_span_what_is_there(values: list[float], whole: bool, expected: Scale) -> None:
    scale = Scale.of(np.array(values), whole)
    assert scale == expected
    shares = scale.shares(np.array(values))
    inside = np.isfinite(values)
    assert (shares[inside] >= 0).all()
    assert (shares[inside] <= 1).all()
    assert np.isnan(shares[np.isnan(values)]).all()


def test_contours_follow_a_plane() -> None:
    heights = np.add.outer(PLAN.axes[0].values, np.log10(PLAN.axes[1].values))
    lines = made(heights).contours()
    assert len(lines) > 3
    for line in lines:
        assert np.ptp(line.sum(axis=1)) < 1e-12
    assert made(heights, 20).contours() == [], "of half a map they would jump"
    assert made(heights, measure="flips").contours() == [], "steps of whole numbers are seen"


def test_a_point_says_where_it_is_and_what_was_found() -> None:
    values = np.full(PLAN.shape, 2.5)
    values[0, 0] = np.nan
    chart = made(values)
    assert chart.words((8, 6)) == ["ω₁ = 1 rad/s", "J₃ = 2.5 kg m²", "Time of the first flip: 2.500 s"]
    assert chart.words((0, 0))[-1] == "Time of the first flip: none in this run"
    assert made(values, 1).words((8, 6))[-1] == "not computed yet"
    chart.found.status[0, 1, 1] = STATUSES.index("singular")
    chart.found.reason[0, 1, 1] = "det S is too small"
    hole = replace(chart)
    assert hole.words((1, 1))[-1] == "det S is too small"
    assert np.argwhere(hole.holes).tolist() == [[1, 1]]


def test_a_figure_has_the_colours_of_the_values_and_says_what_they_mean(tmp_path: Path) -> None:
    values = np.add.outer(np.arange(9.0), np.arange(7.0))
    figure = draw(made(values))
    axes, key = figure.axes
    np.testing.assert_allclose(np.asarray(axes.images[0].get_array()), values.T / values.max())
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("ω₁ [rad/s]", "J₃ [kg m²]")
    assert key.get_ylabel() == "Time of the first flip [s]"
    assert axes.images[0].get_extent()[:2] == [-1.125, 1.125]
    for kind in ("svg", "pdf", "png"):
        figure.save(tmp_path / f"map.{kind}")
    again = draw(made(values))
    again.save(tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_bytes() == (tmp_path / "map.svg").read_bytes()


def test_kinds_of_ends_are_a_map_of_their_own() -> None:
    """Each kind that there is has a colour and a name; what had no run stays a hole."""
    preset = qv.load_preset("gimbal_lock").with_run(lanes=["euler_angles/321"], dt=1e-2)
    axis = Axis.linear(-3.0, 3.0, 6)
    inertia = Axis.linear(0.1, float(preset.body.inertia[2, 2]), 3)
    over = {"initial.angular_velocity[0]": axis, "body.inertia[2]": inertia}
    plan = SweepPlan.of(preset, over, measure=["end", "lasting"])
    found = Found.nothing(plan, *plan.shape)
    found.put(plan.numbers(0, plan.points), run_chunk(plan, 0, plan.points))
    chart = Chart(plan, found, "end")
    status = found.status[0]
    refused = status == STATUSES.index("refused")
    assert set(status[~refused].tolist()) == {0, 1}
    assert refused.any()
    np.testing.assert_array_equal(chart.holes, refused)
    assert chart.scale.kinds == ((0, "complete"), (1, "singular"))
    assert chart.scale.named == [(0.0, "complete"), (1.0, "singular")]
    np.testing.assert_array_equal(chart.scale.shares(chart.values)[~refused], 0.25 + 0.5 * status[~refused])
    assert chart.scale.colours == ["#56b4e9", "#e69f00"]
    ended = tuple(np.argwhere(status == 1)[0].tolist())
    assert "Kind of the end: singular" in chart.words(ended)
    assert "singularity" in chart.words(ended)[-1]
    lasting = Chart(plan, found, "lasting")
    np.testing.assert_array_equal(lasting.holes, refused)
    assert lasting.values[ended] == found.ended[0][ended] < preset.run.duration


def test_a_list_of_uneven_steps_is_drawn_by_its_numbers_and_named_by_its_values() -> None:
    values = [0.1, 0.2, 0.5, 3.0]
    over = {"initial.angular_velocity[0]": values, "initial.angular_velocity[2]": np.geomspace(1e-3, 1.0, 4)}
    across, up = Chart(SweepPlan.of(PRESET, over), Found.nothing(PLAN, 4, 4), "flips").spans
    assert across.named == [(float(place), f"{value:g}") for place, value in enumerate(values)]
    assert [across.value(place) for place in across.places] == values
    assert across.between(0.6, 2.4).values.tolist() == [0.2, 0.5]
    assert (up.log, up.named) == (True, None)
    np.testing.assert_allclose([up.value(place) for place in up.places], np.geomspace(1e-3, 1.0, 4))


@pytest.mark.parametrize("ends", [(0.5, -0.5), (0.2, 0.2)])
def test_what_falls_or_stays_is_drawn_by_its_numbers_too(ends: tuple[float, float]) -> None:
    over = {"initial.angular_velocity[0]": Axis.linear(*ends, 30)}
    plan = SweepPlan.of(PRESET.with_run(duration=0.5), over)
    found = Found.nothing(plan, *plan.shape)
    found.put(plan.numbers(0, plan.points), run_chunk(plan, 0, plan.points))
    chart = Chart(plan, found, "flips")
    (span,) = chart.spans
    assert (span.value(0.0), span.value(29.0)) == ends
    assert span.named is not None
    assert span.named[0] == (0.0, f"{ends[0]:g}")
    assert '"kind": "diagram"' in page_of(chart)
    draw(chart)


@pytest.mark.parametrize("alone", [True, False])
def test_random_points_are_drawn_where_they_are(alone: bool, tmp_path: Path) -> None:
    over = {"initial.angular_velocity[0]": Axis.random(0.01, 1.0, 32, scale="log")}
    if not alone:
        over["body.inertia[2]"] = Axis.random(1.5, 2.5, 32)
    plan = SweepPlan.of(PRESET, over, measure="first_flip")
    found = Found.nothing(plan, *plan.shape)
    found.put(plan.numbers(0, plan.points), run_chunk(plan, 0, plan.points))
    chart = Chart(plan, found, "first_flip")
    assert chart.is_points
    assert not chart.is_map
    values = plan.values(chart.cells)
    flips = chart.values[chart.cells[:, 0]]
    assert len(chart.points) == np.isfinite(chart.values).sum() > 8
    np.testing.assert_allclose(10 ** chart.points[:, 0], values[:, 0])
    np.testing.assert_allclose(chart.points[:, 1], flips if alone else values[:, 1])
    np.testing.assert_allclose(chart.shades, chart.scale.shares(flips))
    assert chart.words((3,))[0] == f"ω₁ = {plan.values(np.array([[3]]))[0, 0]:.6g} rad/s"
    draw(chart).save(tmp_path / "points.png")
    assert '"scattered": true' in page_of(chart)
    if not alone:
        found.status[0, 7], found.reason[0, 7] = STATUSES.index("refused"), "no such body"
        found.measured["first_flip"][0, 7] = np.nan
        chart = Chart(plan, found, "first_flip")
        (hole,) = np.flatnonzero(np.isnan(chart.shades))
        assert chart.cells[hole].tolist() == [7]
        assert chart.words((7,))[-1] == "no such body"
        assert "no such body" in page_of(chart)


def test_holes_of_a_single_column_are_hatched_in_a_figure() -> None:
    over = {"body.inertia[2]": [2.5], "initial.angular_velocity[0]": Axis.linear(-1.0, 1.0, 5)}
    plan = SweepPlan.of(PRESET.with_run(duration=0.5), over)
    found = Found.nothing(plan, *plan.shape)
    found.put(plan.numbers(0, plan.points), run_chunk(plan, 0, plan.points))
    found.status[0, 0, 2] = STATUSES.index("refused")
    chart = Chart(plan, found, "flips")
    assert chart.holes.sum() == 1
    axes = draw(chart).figure.axes[0]
    (hatched,) = (path for group in axes.collections for path in group.get_paths())
    extent = hatched.get_extents()
    assert (extent.y0, extent.y1) == pytest.approx((-0.25, 0.25))
