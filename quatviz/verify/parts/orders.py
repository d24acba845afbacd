"""Every integrator converges as fast as it says."""

from __future__ import annotations

import math
from collections.abc import Iterator

from quatviz.core.rotations import relative_angle
from quatviz.integrators import INTEGRATORS
from quatviz.verify.check import Check, compared, vanishing
from quatviz.verify.lanes import described, regular_samples, run
from quatviz.verify.motions import preset_of, states
from quatviz.verify.parts.base import Part

CASE, TIME = "point_force", 2.0
STEP = 0.02
ROUNDING = 1e-11
"""An error below this no longer tells the order."""


class Orders(Part):
    """How the error falls when the step is halved: log2 of the ratio is the order that the method declares."""

    name = "orders"
    title = "Order of convergence"

    def checks(self, full: bool) -> Iterator[Check]:
        reference = states()[CASE]["e"][states()[CASE]["times"].index(TIME)]
        preset = preset_of(CASE)
        for name, method in INTEGRATORS.items():
            lanes = None if full else ["hamilton"]
            runs = [
                run(preset, lanes, dt=dt, duration=TIME, sample_interval=STEP, integrator=name)
                for dt in (STEP, STEP / 2)
            ]
            for coarse, fine in zip(*runs, strict=True):
                if regular_samples(coarse) < runs[0].samples:
                    continue
                errors = [float(relative_angle(lane.p[-1], reference)) for lane in (coarse, fine)]
                text = described(preset, fine)
                if not method.fixed_step or errors[1] < ROUNDING:
                    yield vanishing(f"{CASE}: attitude at {TIME:g} s [rad]", errors[1], 1e-6, text)
                else:
                    order = math.log2(errors[0] / errors[1])
                    yield compared(f"order of {name}", order, method.order, 0.3, text)
