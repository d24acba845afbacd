"""Lanes that change their step, stabilization or J0 on their way."""

from dataclasses import replace

import numpy as np
import pytest

import quatviz as qv
from quatviz.base.errors import InputError
from quatviz.files.preset import Preset
from quatviz.files.preset_reading import format_preset, parse_preset

DRIFTING = "lagrange_simplified/torque"
FREE = "udwadia_schutte_fundamental/torque"


def run_of(*events: qv.LaneChange | qv.ChangeModel | qv.Perturb, lanes: tuple[str | qv.Lane, ...]) -> qv.Run:
    preset: Preset = replace(qv.load_preset("torque_free"), events=events)
    text = format_preset(preset.with_run(lanes=list(lanes), duration=1.0, dt=1e-2, sample_interval=0.01))
    return qv.simulate(parse_preset(text))


def test_changed_step_of_one_lane_does_not_affect_others() -> None:
    lanes = (DRIFTING, qv.Lane("hamilton", integrator="dop853"), "newton_euler")
    plain = run_of(lanes=lanes)
    changed = run_of(qv.LaneChange(at=0.4, lane=DRIFTING, dt=1e-3), lanes=lanes)
    everyone = run_of(qv.ChangeModel(at=0.4, dt=1e-3), lanes=(DRIFTING,))
    assert [lane.digest for lane in changed.lanes][1:] == [lane.digest for lane in plain.lanes][1:]
    lane = changed[DRIFTING]
    assert lane.digest == everyone[DRIFTING].digest
    assert np.array_equal(lane.engine.history.rows[:41], plain[DRIFTING].engine.history.rows[:41])
    assert not np.array_equal(lane.engine.history.rows[41], plain[DRIFTING].engine.history.rows[41])
    assert lane.energy_drift[0] == plain[DRIFTING].energy_drift[0]
    assert np.array_equal(lane.energy_drift[:41], plain[DRIFTING].energy_drift[:41])
    assert lane.energy_drift[41] != 0.0
    assert abs(lane.energy_drift[41] - lane.energy_drift[40]) < abs(lane.energy_drift[40]), (
        "it goes on from where it was"
    )


def test_stabilization_starts_and_ends_at_its_events() -> None:
    off = qv.Perturb(at=0.1, length=1.01)
    lane = run_of(
        off,
        qv.LaneChange(at=0.3, lane=DRIFTING, stabilisation="baumgarte", alpha=40.0, beta=40.0),
        qv.LaneChange(at=0.9, lane=DRIFTING, stabilisation="none"),
        lanes=(DRIFTING,),
    )[DRIFTING]
    error = np.abs(lane.constraint)
    assert error[30] > 0.02
    assert error[60] < 1e-3
    assert error[90] < 1e-6 < error[31]
    assert lane.status == "ok"
    assert np.abs(run_of(off, qv.LaneChange(at=0.3, lane=DRIFTING, stabilisation="project"), lanes=(DRIFTING,))
                  [DRIFTING].constraint[31:]).max() < 1e-14  # fmt: skip


def test_changed_J0_does_not_change_the_motion() -> None:
    run = run_of(qv.LaneChange(at=0.5, lane=FREE, J0=5.0), lanes=(FREE, "newton_euler"))
    lane = run[FREE]
    assert lane.condition[51] > 5.0 * lane.condition[49]
    assert run.orientation_error(FREE, "newton_euler").max() < 1e-8


def test_lane_change_labels_and_unknown_lanes() -> None:
    event = qv.LaneChange(at=0.4, lane="coarse", dt=1e-3, stabilisation="project")
    assert event.summary == "coarse: dt = 0.001 s, project"
    (remark,) = run_of(event, lanes=("newton_euler",))["newton_euler"].warnings
    assert "(coarse:" in remark
    assert "the run has no lane of this name" in remark


@pytest.mark.parametrize(
    ("event", "key"),
    [
        (qv.LaneChange(at=0.4, lane="newton_euler", dt=3e-3), "events[0].dt"),
        (qv.LaneChange(at=0.4, lane="newton_euler", J0=3.0), "events[0].J0"),
        (qv.LaneChange(at=0.4, lane="newton_euler", alpha=3.0), "events[0].alpha"),
        (qv.LaneChange(at=0.4, lane="newton_euler", stabilisation="glue"), "events[0].stabilisation"),
        (qv.LaneChange(at=0.4, lane="exact", dt=1e-3), "events[0].dt"),
    ],
)
def test_invalid_lane_changes_are_refused_before_the_run(event: qv.LaneChange, key: str) -> None:
    with pytest.raises(InputError) as refused:
        run_of(event, lanes=("newton_euler", "exact"))
    assert refused.value.key == key
