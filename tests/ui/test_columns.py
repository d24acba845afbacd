"""The window's columns of a real run: what is asked for grows with it, what nobody looks at does not."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

import quatviz as qv
from quatviz.core.observables import Motion
from quatviz.simulation.runner import Snapshot
from quatviz.simulation.simulation import Simulation
from quatviz.ui import columns as module
from quatviz.ui.bridge import Bridge, run_info
from quatviz.ui.columns import IDLE, Columns
from quatviz.ui.display import Display
from quatviz.ui.frame import Frame, Source


@pytest.fixture
def run() -> Simulation:
    return qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=4.0, dt=0.01)


def test_a_column_that_nobody_asks_for_rests_and_catches_up(
    run: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ROWS_PER_REFRESH", 4)
    computed: list[int] = []
    condition = Motion.condition.func  # type: ignore[attr-defined]

    def counted(motion: Motion) -> np.ndarray:
        computed.append(len(motion.t))
        return condition(motion)

    monkeypatch.setattr(Motion, "condition", property(counted))
    columns, name = Columns(run, run_info(run, Display.of(1))), next(iter(run)).name
    columns.values(name, "condition")
    for _ in range(IDLE + 20):
        columns.refresh()
        columns.values(name, "p")
    assert len(columns.values(name, "p")[0]) > 4 * IDLE + 40
    assert sum(computed) == 4 * IDLE
    times, values = columns.values(name, "condition")
    assert sum(computed) == len(times) == len(values)
    whole = next(iter(run))
    assert values[:, 0] == pytest.approx(condition(whole.motion())[: len(values)])
    columns.refresh()
    assert sum(computed) == len(columns.values(name, "condition")[0])


@dataclass
class _Resting:
    """A worker that has computed everything."""

    snapshot: Snapshot = field(default_factory=lambda: Snapshot(time=1.0, duration=4.0))
    fault: BaseException | None = None


@dataclass
class _Listener:
    frames: list[Frame] = field(default_factory=list)

    def start(self, source: Source) -> None:
        """Nothing to introduce."""

    def show_frame(self, frame: Frame) -> None:
        self.frames.append(frame)


def test_a_frame_says_what_a_step_of_each_lane_costs(run: Simulation, qapp: object) -> None:
    listener = _Listener()
    bridge = Bridge(run, _Resting(), [listener])  # type: ignore[arg-type]
    bridge.tick()
    (lane,) = listener.frames[-1].lanes
    assert lane.cost == next(iter(run)).cost
    assert 0.0 < lane.cost < 1e-2


def test_a_run_with_loads_has_their_torque_and_its_scale_and_one_without_has_neither(
    run: Simulation, qapp: object
) -> None:
    preset = qv.load_preset("torque_free")
    loads = [
        qv.Gravity(weight=300.0, centre=[0.0, 0.1, 0.4]),
        qv.Spring(stiffness=900.0, point=[1, 0, 0], anchor=[0, 2, 0]),
    ]
    loaded = qv.simulate(
        qv.Preset(body=preset.body, initial=preset.initial, loads=loads),
        lanes=["newton_euler"],
        duration=4.0,
        dt=0.01,
    )
    frames = {}
    for simulation in (run, loaded):
        listener = _Listener()
        Bridge(simulation, _Resting(), [listener]).tick()  # type: ignore[arg-type]
        frames[simulation] = listener.frames[-1]
    (lane,), (pose,) = loaded.lanes, [each.pose for each in frames[loaded].lanes]
    assert pose is not None
    assert pose.vectors["torque"] == pytest.approx(lane.torque_space[100])
    expected = sum(np.asarray(load.moment(lane.t, lane.p, lane.omega)) for load in loads)
    assert lane.torque == pytest.approx(expected)
    longest = np.linalg.norm(lane.torque, axis=1).max()
    assert frames[loaded].scales["torque"] == pytest.approx(longest)
    pull = max(np.linalg.norm(load.acting(lane.t, lane.p)[0], axis=1).max() for load in loads)  # type: ignore[index]
    assert frames[loaded].scales["force"] == pytest.approx(pull)
    assert pull > 301.0
    assert set(frames[run].scales) == {"omega", "h"}
    assert [set(each.pose.vectors) for each in frames[run].lanes if each.pose] == [{"omega", "h"}]
