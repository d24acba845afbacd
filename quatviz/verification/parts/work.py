"""Checks of the energy balance: the change of kinetic energy by loads that depend on time or have no
potential."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from quatviz.physics.loads import GRADIENT_TOLERANCE
from quatviz.physics.loads.attitude_control import AttitudeControl
from quatviz.physics.loads.base import Load
from quatviz.physics.loads.gravity import Gravity
from quatviz.physics.loads.gravity_gradient import GravityGradient
from quatviz.physics.loads.internal_dissipation import InternalDissipation
from quatviz.physics.loads.point_force import PointForce
from quatviz.physics.loads.torque import Torque
from quatviz.physics.observables.quantities import Motion
from quatviz.verification.check import Check, check_zero
from quatviz.verification.lanes import Quantity, run_lanes
from quatviz.verification.load_torque import total_torque
from quatviz.verification.motions import potential_errors, random_preset, sample_loads
from quatviz.verification.parts.base import VerificationPart

TOLERANCE = 1e-7
"""Largest accepted error, relative to the largest kinetic energy."""
SAMPLE_INTERVAL = 0.01
QUICK_LANES = ("newton_euler", "hamilton_canonical", "lagrange_full/split", "euler_angles/321")
ORBIT = GravityGradient(
    gravitational_parameter=0.4, distance=1.2, direction=[1, 2, 0], orbit="circular", normal=[2, -1, 3]
)
CASES: dict[str, Sequence[Load]] = {
    "expressions of time": [
        Torque(torque=["0.4*sin(3*t)", 0.1, "0.3*cos(2*t)"], frame="space"),
        PointForce(force=[0.5, "t*exp(-t)", -1.0], point=[0.3, -0.2, 0.7]),
        Gravity(weight="5+2*sin(4*t)", centre=[0.1, 0.2, -0.3]),
    ],
    "attitude control": [AttitudeControl(stiffness=0.9, damping=0.3)],
    "gravity gradient on an orbit": [ORBIT],
    "internal dissipation": [InternalDissipation(coefficient=0.2)],
}


class WorkBalance(VerificationPart):
    """Checks that T(t) - T(0) is the integral of n.omega, with the torque n from the definitions of the
    loads, and that the quantities that loads conserve are constant."""

    name = "work"
    title = "Work of the loads, relative to the largest kinetic energy, and the slopes of their potentials"

    def checks(self, full: bool) -> Iterator[Check]:
        yield from check_potentials()
        for case, loads in CASES.items():
            preset = random_preset(3, loads)
            conserved: dict[str, Quantity] = {
                "work": partial(_work_error, loads=loads, J=preset.body.inertia)
            }
            if case == "internal dissipation":
                conserved["|h|, relative"] = lambda motion: motion.momentum_drift
            if case == "gravity gradient on an orbit":
                conserved["Jacobi's integral"] = _jacobi_error
            lanes = None if full else QUICK_LANES
            for pair in run_lanes(preset, lanes, dt=1e-3, duration=4.0, sample_interval=SAMPLE_INTERVAL):
                for name, quantity in conserved.items():
                    if pair.regular_samples > 4:
                        yield pair.check_zero(f"{case}: {name}", quantity, TOLERANCE)


def check_potentials() -> Iterator[Check]:
    """Check that the kernels of each load with a potential are the gradient of that potential."""
    for load in sample_loads(only_consistent=False):
        for name_of_error, error in potential_errors(load).items():
            yield check_zero(
                f"{load.name}: {name_of_error}", error, GRADIENT_TOLERANCE, "two attitudes", name_of_error
            )


def _work_error(motion: Motion, loads: Sequence[Load], J: np.ndarray) -> np.ndarray:
    """Return the change of T minus the work of the loads, relative to the largest T, at every second sample (m,). The
    work is computed by Simpson's rule over pairs of sample intervals."""
    states = zip(motion.t.tolist(), motion.unit_p, motion.omega, strict=True)
    power = np.array([total_torque(loads, *state, J) @ state[2] for state in states])
    pairs = (len(power) - 1) // 2
    work = (
        SAMPLE_INTERVAL
        / 3.0
        * np.cumsum(power[: 2 * pairs : 2] + 4.0 * power[1 : 2 * pairs : 2] + power[2 : 2 * pairs + 1 : 2])
    )
    kinetic_gain = motion.kinetic[2 : 2 * pairs + 1 : 2] - motion.kinetic[0]
    error: np.ndarray = (kinetic_gain - work) / motion.kinetic.max()
    return error


def _jacobi_error(motion: Motion) -> np.ndarray:
    """Return the error (n,) of the Jacobi integral: the change of T + V minus the orbital rate times the
    component of h along the orbit normal, divided by the largest T."""
    normal = np.asarray(ORBIT.normal) / np.linalg.norm(ORBIT.normal)
    integral = motion.energy - ORBIT.orbital_rate * motion.h_space @ normal
    error: np.ndarray = (integral - integral[0]) / motion.kinetic.max()
    return error
