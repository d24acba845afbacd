"""Theoretical boundaries on maps: their location, and changes of the computed values there."""

import numpy as np
import pytest

import quatviz as qv
from quatviz.analysis.sweeps.boundaries import boundary_lines, known_boundary
from quatviz.analysis.sweeps.boundaries.gravity_gradient import DeBraDelp
from quatviz.analysis.sweeps.boundaries.separatrix import Separatrix
from quatviz.analysis.sweeps.boundaries.sleeping_top import SleepingTop
from quatviz.analysis.sweeps.chunk import run_chunk
from quatviz.analysis.sweeps.plan import SweepPlan

FREE, TOP, ORBIT = (qv.load_preset(name) for name in ("flip_map", "sleeping_top_map", "gravity_gradient_map"))


def test_maps_have_their_theoretical_boundary() -> None:
    kinds = {preset.title: known_boundary(SweepPlan.from_preset_map(preset)) for preset in (FREE, TOP, ORBIT)}
    assert list(kinds.values()) == [Separatrix, SleepingTop, DeBraDelp]
    assert known_boundary(SweepPlan.from_preset_map(qv.load_preset("lost_digits_map"))) is None


def test_separatrix_of_planar_moments_is_two_lines() -> None:
    lines = boundary_lines(SweepPlan.from_preset_map(FREE), Separatrix)
    across, up = np.concatenate(lines).T
    # J1 (J2 - J1) omega1^2 = J3 (J3 - J2) omega3^2
    np.testing.assert_allclose(np.abs(up), np.abs(across) / np.sqrt(3.0), atol=0.004)


def test_sleeping_top_boundary_is_a_parabola() -> None:
    h3, weight = np.concatenate(boundary_lines(SweepPlan.from_preset_map(TOP), SleepingTop)).T
    np.testing.assert_allclose(weight, h3**2 / 20.0, atol=0.002)


def test_boundary_with_corners_is_accurate() -> None:
    plan = SweepPlan.from_preset_map(ORBIT)
    lines = boundary_lines(plan, DeBraDelp)
    values = [DeBraDelp.value(plan.preset_at(point)) for line in lines for point in line]
    assert np.quantile(np.abs(values), 0.9) < 0.01
    ends = np.array([end for line in lines for end in (line[0], line[-1])])
    J1, J3 = ends.T
    to_edge = np.minimum.reduce([J1 + J3 - 100.0, 195.0 - J1, J3 - 5.0])
    assert to_edge.max() < 5.0


@pytest.mark.parametrize(
    ("moments", "stays"),
    [
        ((90, 100, 20), True),
        ((20, 100, 90), False),
        ((100, 90, 20), False),
        ((90, 20, 100), False),
        ((47, 50, 4), True),
    ],
)
def test_stable_satellites_have_ordered_moments(moments: tuple[float, ...], stays: bool) -> None:
    preset = qv.load_preset("gravity_gradient")
    body = qv.Body(inertia=list(moments))
    made = qv.Preset(
        body=body, initial=preset.initial, loads=preset.loads, run=preset.run, lanes=[qv.Lane("newton_euler")]
    )
    assert (DeBraDelp.value(made) > 0) == stays


def test_computed_values_change_at_the_boundary() -> None:
    """Close to the edge of the sleeping top, a top on one side falls and one on the other does not."""
    plan = SweepPlan.create(
        TOP.with_run(lanes=["newton_euler"]), {"initial.angular_momentum[2]": [19.0, 21.0], "loads[0].weight": [20.0, 20.5]},
        measure="nutation",
    )  # fmt: skip
    row_values = run_chunk(plan, 0, plan.point_count)["nutation"][0]
    values = plan.values_at(plan.grid_indices(0, plan.point_count))
    slow = values[:, 0] == 19.0
    assert row_values[slow].min() > 20.0
    assert row_values[~slow].max() < 6.0
    assert [SleepingTop.value(plan.preset_at(point)) > 0 for point in values] == (~slow).tolist()
