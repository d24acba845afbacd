"""Runs against states computed in 80-bit arithmetic, and agreement of formulations."""

import numpy as np
import pytest
from helpers import ERROR_FACTORS, LANES, MOTIONS, STATES, is_regular, random_preset, reference_preset

import quatviz as qv
from quatviz.physics.mechanics.rotations import relative_angle


@pytest.mark.parametrize(
    ("case", "dt", "duration", "limit"),
    [
        ("torque_free", 1e-3, 100.0, 1e-9),
        ("heavy_top", 1e-4, 10.0, 1e-8),
        ("intermediate_axis", 1e-3, 10.0, 1e-9),
        ("spring_disk", 1e-3, 10.0, 1e-9),
        ("point_force", 1e-3, 10.0, 1e-9),
    ],
)
def test_reference_states(case: str, dt: float, duration: float, limit: float) -> None:
    run = qv.simulate(reference_preset(case), lanes=MOTIONS, dt=dt, duration=duration, sample_interval=0.01)
    times = [time for time in STATES[case]["times"] if time <= duration]
    rows = [round(time / 0.01) for time in times]
    e, h = np.array(STATES[case]["e"][: len(rows)]), np.array(STATES[case]["h_body"][: len(rows)])
    for lane in filter(is_regular, run.lanes):
        loss = ERROR_FACTORS.get(lane.formulation.partition("/")[0], 1.0) if case == "heavy_top" else 1.0
        assert relative_angle(lane.p[rows], e).max() < limit * loss, lane.name
        errors = np.linalg.norm(lane.h[rows] - h, axis=1) / np.linalg.norm(h, axis=1)
        assert errors.max() < limit * loss, lane.name
    assert all(is_regular(lane) or lane.engine.formulation.singularity_title for lane in run.lanes)


def test_published_table_3() -> None:
    """S3 Table 3: extremes of h and the periods of its components."""
    lane = qv.simulate(
        reference_preset("torque_free"), lanes=["hamilton"], dt=1e-3, duration=80.0, sample_interval=1e-3
    )["hamilton"]
    h = lane.h
    assert h[:, 0].max() == pytest.approx(346.4102, abs=1e-4)
    assert h[:, 1].max() == pytest.approx(365.447, abs=1e-3)
    assert np.abs(h[:, 2]).max() == pytest.approx(200.0, abs=1e-4)
    assert h[:, 0].min() == pytest.approx(162.630, abs=1e-3)
    rising = np.flatnonzero((h[:-1, 1] < 0) & (h[1:, 1] >= 0))
    crossings = lane.t[rising] - h[rising, 1] * 1e-3 / (h[rising + 1, 1] - h[rising, 1])
    assert np.diff(crossings).mean() == pytest.approx(18.6786, abs=1e-4)


@pytest.mark.parametrize("gravity", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_formulations_agree(seed: int, gravity: bool) -> None:
    run = qv.simulate(random_preset(seed, gravity), lanes=MOTIONS, dt=1e-3, duration=5.0, sample_interval=0.1)
    for lane in filter(is_regular, run.lanes):
        assert run.orientation_error(lane.name, "hamilton").max() < 1e-8
        assert np.abs(lane.energy_drift).max() < 1e-9
        assert np.abs(lane.constraint).max() < 1e-9
        assert lane.h_space[:, 2] == pytest.approx(lane.h_space[0, 2], rel=1e-8)


def test_first_sample_is_the_initial_state() -> None:
    preset = random_preset(1, gravity=False)
    run = qv.simulate(preset, lanes=LANES, duration=0.1, dt=1e-2, sample_interval=0.1)
    for lane in run.lanes:
        assert relative_angle(lane.p[0], preset.initial.p()) < 1e-14
        assert lane.omega[0] == pytest.approx(preset.initial.omega(preset.body), abs=1e-14)
        assert lane.t.tolist() == [0.0, 0.1]
