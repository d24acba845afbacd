"""A run of plain arrays, so that panels can be compared with known data."""

import numpy as np

from quatviz.display.data.frame import Frame, LaneFrame, RunInfo
from quatviz.physics.mechanics.body import Body
from quatviz.physics.observables.quantities import QUANTITIES


class FakeRun:
    """Column source with sine waves, or the values that a test writes into `data`. `rows` rows are computed."""

    def __init__(
        self,
        lanes: tuple[str, ...] = ("one", "two"),
        rows: int = 4001,
        dt: float = 0.01,
        formulations: tuple[str, ...] = (),
    ) -> None:
        self.t = np.arange(rows) * dt
        self.data = {lane: {name: self._waves(name) for name in QUANTITIES} for lane in lanes}
        self.status = dict.fromkeys(lanes, "ok")
        self.rows = dict.fromkeys(lanes, rows)
        self.dt = dt
        self.reads = 0
        self.info = RunInfo(
            title="waves",
            shown_title="waves",
            body=Body(inertia=[1.0, 2.0, 2.5]),
            duration=float(self.t[-1]),
            sample_interval=dt,
            lanes=lanes,
            colors=tuple(range(len(lanes))),
            formulations=formulations,
            thresholds=(5e-3,) * len(formulations),
            multipliers=tuple(
                lane for lane, form in zip(lanes, formulations, strict=False) if form.startswith("lagrange")
            ),
        )

    def _waves(self, name: str) -> np.ndarray:
        count = len(QUANTITIES[name].symbols)
        return np.stack([np.sin((number + 1) * 0.7 * self.t + number) for number in range(count)], axis=1)

    def values(self, lane: str, quantity: str) -> tuple[np.ndarray, np.ndarray]:
        self.reads += 1
        rows = self.rows[lane]
        return self.t[:rows], self.data[lane][quantity][:rows]

    def frame(self, time: float, visible: tuple[str, ...] | None = None, generation: int = 1) -> Frame:
        lanes = tuple(
            LaneFrame(
                name=lane,
                color=number,
                solid=number == 0,
                pose=None,
                status=self.status[lane],
                message="",
                computed_to=(self.rows[lane] - 1) * self.dt,
                visible=visible is None or lane in visible,
            )
            for number, lane in enumerate(self.info.lanes)
        )
        return Frame(time, self.info.duration, False, 1.0, lanes, generation, target_time=time)
