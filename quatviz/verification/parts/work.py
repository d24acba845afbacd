"""The books of energy: what loads that depend on time, or have no potential, do to the kinetic energy."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from quatviz.physics.loads import SLOPE_TOLERANCE
from quatviz.physics.loads.attitude_control import AttitudeControl
from quatviz.physics.loads.base import Load
from quatviz.physics.loads.gravity import Gravity
from quatviz.physics.loads.gravity_gradient import GravityGradient
from quatviz.physics.loads.internal_dissipation import InternalDissipation
from quatviz.physics.loads.point_force import PointForce
from quatviz.physics.loads.torque import Torque
from quatviz.physics.observables.quantities import Motion
from quatviz.verification.check import Check, vanishing
from quatviz.verification.lanes import Quantity, run
from quatviz.verification.load_torque import total_moment
from quatviz.verification.motions import load_samples, random_preset, slopes_of
from quatviz.verification.parts.base import Part

TOLERANCE = 1e-7
INTERVAL = 0.01
USUAL = ("newton_euler", "hamilton_canonical", "lagrange_full/split", "euler_angles/321")
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


class Work(Part):
    """T(t) - T(0) is the integral of n . omega, with n from the definition of each load; and what each load keeps."""

    name = "work"
    title = "Work of the loads, relative to the largest kinetic energy, and the slopes of their potentials"

    def checks(self, full: bool) -> Iterator[Check]:
        for load in load_samples(true=False):
            for what, error in slopes_of(load).items():
                yield vanishing(f"{load.name}: {what}", error, SLOPE_TOLERANCE, "two attitudes", what)
        for case, loads in CASES.items():
            preset = random_preset(3, loads)
            kept: dict[str, Quantity] = {"work": partial(_missing, loads=loads, J=preset.body.inertia)}
            if case == "internal dissipation":
                kept["|h|, relative"] = lambda motion: motion.momentum_drift
            if case == "gravity gradient on an orbit":
                kept["Jacobi's integral"] = _jacobi
            lanes = None if full else USUAL
            for tried in run(preset, lanes, dt=1e-3, duration=4.0, sample_interval=INTERVAL):
                for name, quantity in kept.items():
                    if tried.regular > 4:
                        yield tried.vanishing(f"{case}: {name}", quantity, TOLERANCE)


def _missing(motion: Motion, loads: Sequence[Load], J: np.ndarray) -> np.ndarray:
    """T - T(0) - work, by Simpson's rule over pairs of samples, over the largest T."""
    states = zip(motion.t.tolist(), motion.unit_p, motion.omega, strict=True)
    power = np.array([total_moment(loads, *state, J) @ state[2] for state in states])
    pairs = (len(power) - 1) // 2
    work = (
        INTERVAL
        / 3.0
        * np.cumsum(power[: 2 * pairs : 2] + 4.0 * power[1 : 2 * pairs : 2] + power[2 : 2 * pairs + 1 : 2])
    )
    gained = motion.kinetic[2 : 2 * pairs + 1 : 2] - motion.kinetic[0]
    missing: np.ndarray = (gained - work) / motion.kinetic.max()
    return missing


def _jacobi(motion: Motion) -> np.ndarray:
    """T + V minus the orbital rate times h along the normal, less its value at the start, over the largest T."""
    normal = np.asarray(ORBIT.normal) / np.linalg.norm(ORBIT.normal)
    kept = motion.energy - ORBIT.orbital_rate * motion.h_space @ normal
    apart: np.ndarray = (kept - kept[0]) / motion.kinetic.max()
    return apart
