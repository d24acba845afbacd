"""Every integrator converges as fast as it says."""

from __future__ import annotations

import math
from collections.abc import Iterator

from quatviz.core.rotations import relative_angle
from quatviz.integrators import INTEGRATORS
from quatviz.verify.check import Check, compared, vanishing
from quatviz.verify.lanes import run
from quatviz.verify.motions import preset_of, states
from quatviz.verify.parts.base import Part

CASE, TIME = "point_force", 2.0
STEP = 0.01
ROUNDING = 1e-11
"""An error below this no longer tells the order."""


class Orders(Part):
    """How the error falls when the step is halved: log2 of the ratio is the order that the method declares."""

    name = "orders"
    title = "Order of convergence"

    def checks(self, full: bool) -> Iterator[Check]:
        e = states()[CASE]["e"][states()[CASE]["times"].index(TIME)]
        preset = preset_of(CASE)
        for name, method in INTEGRATORS.items():
            lanes = None if full else ["hamilton"]
            for tried in run(
                preset, lanes, dt=STEP, duration=TIME, sample_interval=2 * STEP, integrator=name
            ):
                if not tried.complete or tried.coarse.status != "ok":
                    continue
                fine, coarse = (float(relative_angle(lane.p[-1], e)) for lane in (tried.lane, tried.coarse))
                if not method.fixed_step or fine < ROUNDING:
                    yield vanishing(f"{CASE}: attitude at {TIME:g} s [rad]", fine, 1e-6, tried.described)
                else:
                    order = math.log2(coarse / fine)
                    yield compared(f"order of {name}", order, method.order, 0.3, tried.described)
