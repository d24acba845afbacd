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
