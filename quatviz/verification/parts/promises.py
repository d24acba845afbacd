"""What stays constant in a motion stays constant in every lane."""

from collections.abc import Iterator

from quatviz.verification.check import Check
from quatviz.verification.lanes import Quantity, endings, run
from quatviz.verification.motions import preset_of
from quatviz.verification.parts.base import Part
from quatviz.verification.parts.states import SETTINGS, USUAL

TOLERANCE = 1e-9
DURATION = 10.0


ALWAYS: dict[str, Quantity] = {
    "energy, relative": lambda motion: motion.energy_drift,
    "|p|^2 - 1": lambda motion: motion.constraint,
    "p p' [1/s]": lambda motion: motion.constraint_rate,
}
FREE: dict[str, Quantity] = {"h in space, relative": lambda motion: motion.h_space_drift}
TOP: dict[str, Quantity] = {
    "vertical component of h, relative": lambda motion: motion.h_space[:, 2] / motion.h_space[0, 2] - 1.0,
    "h about the axis of symmetry, relative": lambda motion: motion.h[:, 2] / motion.h[0, 2] - 1.0,
}
CONSTANT: dict[str, dict[str, Quantity]] = {
    "torque_free": {**ALWAYS, **FREE},
    "intermediate_axis": {**ALWAYS, **FREE},
    "heavy_top": {**ALWAYS, **TOP},
    "simo_wong_top": {**ALWAYS, **TOP},
    "spring_disk": ALWAYS,
    "point_force": ALWAYS,
}


class Promises(Part):
    """Energy, angular momentum where no torque changes it, and the constraint."""

    name = "promises"
    title = "Constants of the motion, largest drift"

    def checks(self, full: bool) -> Iterator[Check]:
        for case, constants in CONSTANT.items():
            preset = preset_of(case)
            duration = 5 * DURATION if full else DURATION
            tries = run(
                preset,
                dt=SETTINGS.get(case, USUAL).dt,
                duration=duration,
                sample_interval=0.01,
                within=1e-5,  # drifts of steps that are shorter than that takes are rounding
            )
            yield from endings(tries)
            for tried in tries:
                if tried.regular < 2:
                    continue
                for name, drift in constants.items():
                    yield tried.vanishing(f"{case}: {name}", drift, TOLERANCE)
