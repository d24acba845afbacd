"""Loads of a single lane: each lane equals that of a separate run."""

from dataclasses import replace

import numpy as np
import pytest

import quatviz as qv
from quatviz.files.preset_reading import parse_preset
from quatviz.files.preset_writing import format_preset
from quatviz.simulation.schedule import run_conserved_quantities

DRAG = qv.Damping(coefficient=0.3)
CONTROL = qv.AttitudeControl(stiffness=2.0, damping=0.4)
PRESET = replace(
    qv.load_preset("torque_free").with_run(duration=0.2, dt=1e-3, sample_interval=0.01),
    loads=[qv.Torque(torque=[20.0, 0.0, 0.0])],
    lanes=[
        qv.Lane("newton_euler"),
        qv.Lane("hamilton", name="damped", loads=[DRAG]),
        qv.Lane("newton_euler", name="controlled", loads=[CONTROL, DRAG]),
    ],
)


def test_lane_loads_add_to_the_loads_of_the_run() -> None:
    run = qv.simulate(PRESET)
    for lane in PRESET.lanes:
        name = lane.name or lane.formulation
        (own, alone) = (run[name], qv.simulate(PRESET.with_lane_loads(lane))[name])
        assert np.array_equal(own.p, alone.p)
        assert np.array_equal(own.torque, alone.torque)
        assert np.array_equal(own.energy, alone.energy)
    assert run.orientation_error("damped", "newton_euler").max() > 1e-5


def test_lane_loads_round_trip_through_text() -> None:
    text = format_preset(PRESET)
    assert text.count("[[lanes.loads]]") == 3
    assert parse_preset(text) == PRESET
    assert qv.Lane("hamilton", loads=[DRAG]) != qv.Lane("hamilton")
    with pytest.raises(qv.InputError, match=r"lanes\[1\].loads\[0\].coefficient"):
        parse_preset(text.replace("coefficient = 0.3", "coefficient = -1", 1))
    with pytest.raises(qv.InputError, match=r"\[\[lanes.loads\]\] with two brackets"):
        parse_preset(text.replace("[[lanes.loads]]", "[lanes.loads]", 1))


def test_lane_drifts_depend_on_its_loads() -> None:
    free = replace(PRESET, loads=())
    assert "energy_drift" in run_conserved_quantities(free, free.lanes[0])
    assert "energy_drift" not in run_conserved_quantities(free, free.lanes[1])
    assert "energy_drift" not in run_conserved_quantities(free)


def test_sweeps_checks_and_studies_use_lane_loads() -> None:
    swept = qv.sweep(
        PRESET, over={"initial.angular_momentum[0]": [300.0, 340.0]}, measure="end", lanes=[PRESET.lanes[1]]
    )
    single = qv.sweep(
        PRESET.with_lane_loads(PRESET.lanes[1]),
        over={"initial.angular_momentum[0]": [300.0, 340.0]},
        measure="end",
    )
    assert swept.data_vars.keys() == single.data_vars.keys()
    for name in swept.data_vars:
        assert np.array_equal(
            swept[name].values, single[name].values, equal_nan=swept[name].dtype.kind == "f"
        )
    with pytest.raises(qv.InputError, match="lanes with equal loads"):
        qv.study(PRESET, steps=[2e-3, 1e-3])
    run = qv.simulate(PRESET)
    assert qv.judge(run["damped"], duration=0.1).is_correct


def test_recording_has_no_loads() -> None:
    with pytest.raises(qv.InputError, match="no loads, since loads do not act on a recording"):
        qv.Lane("recording", recording="motion.csv", loads=[DRAG])
