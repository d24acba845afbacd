"""Checks, in every lane, of quantities that are constant in the exact motion."""

from collections.abc import Iterator

from quatviz.verification.check import Check
from quatviz.verification.lanes import Quantity, check_endings, run_lanes
from quatviz.verification.motions import reference_preset
from quatviz.verification.parts.base import VerificationPart
from quatviz.verification.parts.states import DEFAULT_SETTINGS, SETTINGS_BY_CASE

TOLERANCE = 1e-9
"""Largest accepted drift."""
DURATION = 10.0
"""Duration of the runs [s]."""


ALWAYS_CONSTANT: dict[str, Quantity] = {
    "energy, relative": lambda motion: motion.energy_drift,
    "|p|^2 - 1": lambda motion: motion.constraint,
    "p p' [1/s]": lambda motion: motion.constraint_rate,
}
FREE_CONSTANT: dict[str, Quantity] = {"h in space, relative": lambda motion: motion.h_space_drift}
TOP_CONSTANT: dict[str, Quantity] = {
    "vertical component of h, relative": lambda motion: motion.h_space[:, 2] / motion.h_space[0, 2] - 1.0,
    "h about the axis of symmetry, relative": lambda motion: motion.h[:, 2] / motion.h[0, 2] - 1.0,
}
CONSTANTS_BY_CASE: dict[str, dict[str, Quantity]] = {
    "torque_free": {**ALWAYS_CONSTANT, **FREE_CONSTANT},
    "intermediate_axis": {**ALWAYS_CONSTANT, **FREE_CONSTANT},
    "heavy_top": {**ALWAYS_CONSTANT, **TOP_CONSTANT},
    "simo_wong_top": {**ALWAYS_CONSTANT, **TOP_CONSTANT},
    "spring_disk": ALWAYS_CONSTANT,
    "point_force": ALWAYS_CONSTANT,
}


class ConstantsOfMotion(VerificationPart):
    """Checks of conserved quantities: the energy, the components of angular momentum along which no torque
    acts, and the constraint."""

    name = "promises"
    title = "Constants of the motion, largest drift"

    def checks(self, full: bool) -> Iterator[Check]:
        for case, constants in CONSTANTS_BY_CASE.items():
            preset = reference_preset(case)
            duration = 5 * DURATION if full else DURATION
            pairs = run_lanes(
                preset,
                dt=SETTINGS_BY_CASE.get(case, DEFAULT_SETTINGS).dt,
                duration=duration,
                sample_interval=0.01,
                target_error=1e-5,  # Smaller steps would only add rounding errors.
            )
            yield from check_endings(pairs)
            for pair in pairs:
                if pair.regular_samples < 2:
                    continue
                for name, drift in constants.items():
                    yield pair.check_zero(f"{case}: {name}", drift, TOLERANCE)
