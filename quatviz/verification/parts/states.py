"""Every lane against states computed in 80-bit arithmetic."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.verification.check import Check, vanishing
from quatviz.verification.lanes import MOST, attitude, direction_of_h, endings, run
from quatviz.verification.motions import preset_of, states
from quatviz.verification.parts.base import Part

SAMPLE_INTERVAL = 0.01


class Setting(NamedTuple):
    """Step [s] and tolerance ([rad], and relative for h) of one case."""

    dt: float
    tolerance: float


SETTINGS = {
    "heavy_top": Setting(1e-4, 1e-8),
    "simo_wong_top": Setting(1e-4, 1e-8),
    # It turns three times as fast; at half this step rounding has the larger part in forms that solve a 4x4 system.
    "heavy_top_lie_group": Setting(2.5e-5, 2e-8),
    # From turn to turn errors grow by a factor of 4000, those of rounding too.
    "intermediate_axis": Setting(1e-3, 1e-5),
}
USUAL = Setting(1e-3, 1e-9)


class States(Part):
    """Attitude and angular momentum at the reference times, in every lane: the documents' problems and tops of the literature."""

    name = "states"
    title = "Reference states, largest error over their times"

    def checks(self, full: bool) -> Iterator[Check]:
        for case in states():
            yield from of_case(case, halvings=1 if full else 0)


def of_case(case: str, halvings: int = 0) -> Iterator[Check]:
    """The checks of one case, at its usual step and at as many halves of it as asked for."""
    dt, tolerance = SETTINGS.get(case, USUAL)
    reference = states()[case]
    times, e, h = (np.array(reference[key]) for key in ("times", "e", "h_body"))
    rows = np.rint(times / SAMPLE_INTERVAL).astype(int)
    for step in (dt / 2**halving for halving in range(halvings + 1)):
        tries = run(
            preset_of(case),
            dt=step,
            duration=times[-1],
            sample_interval=SAMPLE_INTERVAL,
            within=MOST * tolerance,  # with shorter steps rounding is soon the larger part
        )
        for tried in tries:
            kept = rows < tried.regular
            at = rows[kept]
            if not at.size:
                continue
            until = f"{case} to t = {times[kept][-1]:g} s: "
            angle = relative_angle(tried.motion.p[at], e[kept])
            moment = np.linalg.norm(tried.motion.h[at] - h[kept], axis=1) / np.linalg.norm(h[kept], axis=1)
            by_step = tried.allowed(tolerance, attitude)
            kind = f"{case}: attitude [rad]"
            yield vanishing(f"{until}attitude [rad]", angle, by_step, tried.described, kind)
            by_step = tried.allowed(tolerance, direction_of_h)
            kind = f"{case}: h, relative"
            yield vanishing(f"{until}h, relative", moment, by_step, tried.described, kind)
        yield from endings(tries)
