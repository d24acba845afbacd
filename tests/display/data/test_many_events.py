"""The states around many events are read together: the number of calls does not grow with the number of events."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import quatviz as qv
from quatviz.display.data.frame_builder import FrameBuilder
from quatviz.display.data.series import Series, bucket_range
from quatviz.display.view_state.lane_styles import LaneStyles
from quatviz.physics.events.base import Event
from quatviz.physics.loads.base import BoundLoad
from quatviz.physics.observables.quantities import QUANTITIES, DriftReference
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation
from quatviz.simulation.trajectory import TrajectoryReader

INTERVAL = 0.01
KICKED_SAMPLES = range(3, 123, 3)


def kicks() -> tuple[Event, ...]:
    return tuple(
        qv.Kick(at=sample * INTERVAL, impulse=(3.0, 0.5, (-1.0) ** sample)) for sample in KICKED_SAMPLES
    )


def run_with(events: tuple[Event, ...], lane: str = "newton_euler") -> Simulation:
    preset = qv.load_preset("torque_free").with_run(lanes=[lane], duration=1.5, sample_interval=INTERVAL)
    run = Simulation(replace(preset, events=events))
    run.complete(jobs=1)
    return run


def loaded_series(run: Simulation, quantity: str) -> Series:
    columns = FrameBuilder(run, LaneStyles.default_for(len(run.lanes))).columns
    series = Series(len(QUANTITIES[quantity].symbols))
    series.set_data(*columns.values(run.lanes[0].name, quantity))
    return series


def count_motions(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list to which each motion that is made from states appends its number of rows."""
    counts: list[int] = []
    make_motion = TrajectoryReader.motion_of_rows

    def counted(self, rows, *arguments, **options):
        counts.append(len(rows))
        return make_motion(self, rows, *arguments, **options)

    monkeypatch.setattr(TrajectoryReader, "motion_of_rows", counted)
    return counts


def test_values_before_all_kicks_are_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_with(kicks())
    counts = count_motions(monkeypatch)
    series = loaded_series(run, "omega")
    assert counts.count(len(KICKED_SAMPLES)) == 1
    assert len(counts) <= 3, "rows and values before events each need one motion"
    lane = run.lanes[0]
    single = [lane.state_before_event(sample).omega[0] for sample in KICKED_SAMPLES]
    points = series.curve(bucket_range(series.times, 0.0, 1.5, 1000), 0)
    gaps = np.flatnonzero(np.isnan(points[1]))
    assert points[1][gaps - 1] == pytest.approx([omega[0] for omega in single], abs=1e-12)
    assert points[0][gaps] == pytest.approx(np.array(KICKED_SAMPLES) * INTERVAL)


def test_motion_over_kicks_is_one_motion(monkeypatch: pytest.MonkeyPatch) -> None:
    lane = run_with(kicks()).lanes[0]
    counts = count_motions(monkeypatch)
    motion = lane.motion()
    assert counts == [lane.samples]
    assert np.abs(motion.energy_drift).max() < 1e-12, "each kick resets the references of drifts"
    assert np.abs(motion.momentum_drift).max() < 1e-12
    assert np.abs(motion.h_space_drift).max() < 1e-12
    picked = np.array([70, 2, 3, 120])
    assert lane.motion_at(picked).energy_drift == pytest.approx(motion.energy_drift[picked], abs=1e-15)


def lanes_apart(lane: LaneRun, name: str) -> np.ndarray:
    """Return a quantity of each sample, read alone."""
    return np.concatenate([getattr(lane.motion(n, n + 1), name) for n in range(lane.samples)])


@pytest.mark.parametrize("lane_text", ["newton_euler", "hamilton"])
def test_rows_of_changed_bodies_keep_their_own_body(lane_text: str) -> None:
    changes = tuple(
        qv.ChangeModel(at=at, body=qv.Body(inertia=[410.0 + 10.0 * n, 300.0, 200.0]))
        for n, at in enumerate((0.4, 0.8))
    )
    lane = run_with((*kicks(), *changes), lane_text).lanes[0]
    for name in ("kinetic", "h_space", "energy_drift", "momentum_drift"):
        assert getattr(lane.motion(), name) == pytest.approx(lanes_apart(lane, name), rel=1e-12, abs=1e-12)
    samples = [39, 40, 42, 80, 81]
    together = lane.states_before_events([n for n in samples if n in lane.event_samples])
    alone = [lane.state_before_event(n) for n in samples if n in lane.event_samples]
    assert together.kinetic == pytest.approx([motion.kinetic[0] for motion in alone], rel=1e-14)
    assert together.energy_drift == pytest.approx([m.energy_drift[0] for m in alone], abs=1e-14)


def test_segments_of_kicks_share_parameters() -> None:
    lane = run_with(kicks()).lanes[0]
    assert len({id(segment.parameters) for segment in lane.problem.segments}) == 1
    assert all(isinstance(reference, DriftReference) for reference in lane.recorder.references.values())


def test_coarse_curve_is_split_at_each_event(monkeypatch: pytest.MonkeyPatch) -> None:
    series = loaded_series(run_with(kicks()), "omega")
    view = bucket_range(series.times, 0.0, 1.5, 40)
    assert view.size > 1
    times, values = series.curve(view, 0)
    gaps = np.flatnonzero(np.isnan(values))
    buckets = {sample // view.size for sample in KICKED_SAMPLES}
    assert len(gaps) == len(buckets), "one gap per bucket with events"
    assert (np.diff(times) >= 0.0).all()
    assert np.nanmin(values) == pytest.approx(series.minimum[0])
    assert np.nanmax(values) == pytest.approx(series.maximum[0])


def test_loads_are_bound_once_for_all_motions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Binding divides expressions of time, and was repeated for each block of rows that the window read."""
    preset = qv.load_preset("torque_free").with_run(lanes=["newton_euler"], duration=0.1)
    loads = [qv.Torque(torque=["0.1*sin(t)", 0.0, 0.0]) for _ in range(5)]
    run = Simulation(replace(preset, loads=loads))
    run.complete(jobs=1)
    lane, bound = run.lanes[0], []
    bind_load = BoundLoad.__init__

    def recorded(self: BoundLoad, *arguments: Any) -> None:
        bound.append(arguments)
        bind_load(self, *arguments)

    monkeypatch.setattr(BoundLoad, "__init__", recorded)
    torques = [lane.motion(start, start + 2).torque for start in range(5)]
    assert np.concatenate(torques)[1::2, 0] == pytest.approx(0.5 * np.sin(INTERVAL * np.arange(1, 6)))
    assert bound == []
