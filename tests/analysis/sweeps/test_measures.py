"""Measures of sweeps, compared with theory and with complete runs."""

from typing import Any

import numpy as np
import pytest

import quatviz as qv
from quatviz.analysis.sweeps.chunk import run_chunk
from quatviz.analysis.sweeps.measures import MEASURES
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.base.errors import InputError

FREE = qv.load_preset("intermediate_axis").with_run(
    lanes=["newton_euler"], duration=8.0, dt=2e-2, sample_interval=2e-2
)
TOP = qv.load_preset("heavy_top").with_run(lanes=["newton_euler"], duration=2.0, dt=1e-3)
STARTS = {"initial.angular_velocity[0]": [0.05, 0.7], "initial.angular_velocity[2]": [0.0, -0.4]}
SPINS = {"initial.angular_momentum[2]": [30.0, 50.0, 80.0]}


def sweep_values(preset: qv.Preset, over: dict[str, Any], measure: str) -> np.ndarray:
    """Return the measured value of every point, in the order of the grid."""
    plan = SweepPlan.create(preset, over, measure=measure)
    values = run_chunk(plan, 0, plan.point_count)[measure][0]
    numbers = np.ravel_multi_index(tuple(plan.grid_indices(0, plan.point_count).T), plan.shape)
    return np.asarray(values[np.argsort(numbers)])


def kept(preset: qv.Preset, over: dict[str, Any]) -> list[qv.Solution]:
    """The same runs with all samples."""
    plan = SweepPlan.create(preset, over)
    grid = np.stack(np.unravel_index(np.arange(plan.point_count), plan.shape), axis=1)
    return [qv.simulate(plan.preset_at(values)).lanes[0] for values in plan.values_at(grid)]


def _length(v: np.ndarray) -> np.ndarray:
    return np.linalg.norm(v, axis=1)


def _tilt(p: np.ndarray) -> np.ndarray:
    """Return the tilt of the third body axis [deg]."""
    e0, e1, e2, e3 = (p / _length(p)[:, None]).T
    return np.degrees(np.arccos(e0**2 - e1**2 - e2**2 + e3**2))


WHOLE = {
    "energy_drift": lambda lane: (
        np.abs(lane.energy - lane.energy[0]).max() / max(abs(lane.energy[0]), lane.kinetic[0])
    ),
    "momentum_drift": lambda lane: _length(lane.h_space - lane.h_space[0]).max() / _length(lane.h_space)[0],
    "momentum_length_drift": lambda lane: (
        np.abs(_length(lane.h) - _length(lane.h)[0]).max() / _length(lane.h)[0]
    ),
    "constraint_drift": lambda lane: np.abs(lane.constraint).max(),
    "nutation": lambda lane: np.ptp(_tilt(lane.p)),
}


@pytest.mark.parametrize(
    ("measure", "preset", "over"),
    [
        ("energy_drift", FREE, STARTS),
        ("energy_drift", TOP, SPINS),
        ("momentum_drift", FREE, STARTS),
        ("momentum_length_drift", FREE, STARTS),
        ("constraint_drift", FREE, STARTS),
        ("nutation", TOP, SPINS),
    ],
)
def test_measure_equals_that_of_a_stored_run(measure: str, preset: qv.Preset, over: dict[str, Any]) -> None:
    expected = [WHOLE[measure](lane) for lane in kept(preset, over)]
    between = 1e-3 if measure == "nutation" else 1e-6  # it turns between two samples
    np.testing.assert_allclose(sweep_values(preset, over, measure), expected, rtol=between, atol=1e-15)
    assert min(expected) > 0


def test_end_time_and_status_equal_those_of_the_lane() -> None:
    preset = qv.load_preset("gimbal_lock").with_run(lanes=["euler_angles/321"])
    over = {"initial.angular_velocity[1]": [-0.1, preset.initial.angular_velocity[1]]}
    lanes = kept(preset, over)
    assert [lane.status for lane in lanes] == ["ok", "singular"]
    assert lanes[1].ended_at is not None
    ends = [preset.run.duration, lanes[1].ended_at]
    np.testing.assert_allclose(sweep_values(preset, over, "lasting"), ends, rtol=1e-12)
    assert lanes[1].t[-1] <= ends[1] < ends[0]
    assert [
        MEASURES["end"].category_titles[int(category)] for category in sweep_values(preset, over, "end")
    ] == [
        "complete",
        "singular",
    ]


def test_nutation_of_a_fast_top_matches_theory() -> None:
    """From rest, cos theta lies between its start and u = b - sqrt(b^2 - 2 b u0 + 1), b = h3^2 / (4 J1 W l); Goldstein 5.7."""
    preset = TOP.with_run(duration=6.0)
    spins = np.array([40.0, 60.0, 90.0])
    (load,) = preset.loads
    pull = load.weight * abs(load.centre[2])  # type: ignore[attr-defined]
    start = preset.initial.p()
    u0 = start[0] ** 2 - start[1] ** 2 - start[2] ** 2 + start[3] ** 2
    across = preset.body.inertia[0, 0]
    over = {"initial.angular_momentum[2]": spins}
    b = spins**2 / (4 * across * pull)
    low = b - np.sqrt(b**2 - 2 * b * u0 + 1)
    expected = np.degrees(np.arccos(low) - np.arccos(u0))
    fast_top = qv.Preset(
        body=preset.body, initial=qv.Initial(euler_parameters=start, angular_momentum=[0, 0, 50]), loads=preset.loads,
        run=preset.run, lanes=preset.lanes,
    )  # fmt: skip
    np.testing.assert_allclose(sweep_values(fast_top, over, "nutation"), expected, rtol=2e-4)


def test_error_measure_is_of_fourth_order() -> None:
    for preset, dt in ((FREE, 2e-2), (TOP, 2e-3)):
        lane = preset.with_run(lanes=["newton_euler"], duration=2.0, sample_interval=0.1)
        coarse, fine = sweep_values(lane, {"lanes[0].dt": [dt, dt / 2]}, "error")
        assert 1e-12 < fine < coarse
        assert 3.7 < np.log2(coarse / fine) < 4.3


@pytest.mark.parametrize(
    ("measure", "preset", "why"),
    [
        ("momentum_drift", "heavy_top", "not conserved"),
        ("energy_drift", "attitude_control", "not conserved"),
        ("error", "attitude_control", "no closed form"),
    ],
)
def test_inapplicable_measures_are_refused_before_work(measure: str, preset: str, why: str) -> None:
    with pytest.raises(InputError) as caught:
        SweepPlan.create(
            qv.load_preset(preset), {"lanes[0].dt": [1e-3]}, measure=measure, lanes="newton_euler"
        )
    assert why in str(caught.value.found)
