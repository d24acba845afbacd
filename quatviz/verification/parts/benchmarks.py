"""Checks of benchmarks of the literature that are not tables of states: DETEST B5, one step of RK4, and
steady precession."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from quatviz.api.calls import simulate
from quatviz.files.preset import Preset
from quatviz.physics.loads.gravity import Gravity
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Initial
from quatviz.physics.observables.quantities import Motion
from quatviz.verification.check import Check, check_close, check_zero
from quatviz.verification.lanes import check_endings, run_lanes
from quatviz.verification.motions import read_reference
from quatviz.verification.parts.base import VerificationPart

QUICK_LANES = ("newton_euler", "hamilton", "lagrange_simplified/torque", "euler_angles/313", "lie_group")


class Benchmarks(VerificationPart):
    """Checks of the benchmarks in `assets/reference/benchmarks.json`, with a few lanes or, in the full verification,
    with all lanes.

    The tops in this file are checked as reference states.
    """

    name = "benchmarks"
    title = "Benchmarks of the literature"

    def checks(self, full: bool) -> Iterator[Check]:
        cases = read_reference("benchmarks")
        lanes = None if full else QUICK_LANES
        yield from _check_detest(cases["detest_b5"], lanes)
        yield from _check_one_step(cases["unit_step"])
        yield from _check_steady_precession(cases["steady_precession"], lanes)


def _check_detest(case: dict[str, Any], lanes: Sequence[str] | None) -> Iterator[Check]:
    """Check the problem DETEST B5, y' = (y2 y3, -y1 y3, -0.51 y1 y2). With a suitable unit for each component
    of omega, it is Euler's equation of a free body with J2 > J1 > J3."""
    J = np.array([2.0, 3.0, 1.5])
    a, b, c = (J[1] - J[2]) / J[0], (J[0] - J[2]) / J[1], (J[1] - J[0]) / J[2]
    unit = np.sqrt([0.51 / (b * c), 0.51 / (a * c), 1.0 / (a * b)])
    preset = Preset(
        name="detest_b5",
        body=Body(inertia=J.tolist()),
        initial=Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=unit * [0.0, 1.0, 1.0]),
    )

    def error(motion: Motion) -> np.ndarray:
        return motion.omega[-1] / unit - case["y"]

    pairs = run_lanes(preset, lanes, dt=1e-3, duration=case["t"], sample_interval=0.1)
    yield from check_endings(pairs)
    for pair in pairs:
        if pair.is_complete:
            yield pair.check_zero("detest_b5: y(20) as printed", error, 1e-9)


def _check_one_step(case: dict[str, Any]) -> Iterator[Check]:
    """Check omega after one RK4 step against exact numbers. Only the formulation that integrates omega itself
    reproduces these numbers."""
    preset = Preset(
        name="unit_step",
        body=Body(inertia=case["J"]),
        initial=Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=case["omega0"]),
    )
    lane = simulate(preset, lanes=["newton_euler"], dt=1e-3, duration=1e-3, sample_interval=1e-3).lanes[0]
    error = lane.omega[-1] - case["omega1"]
    yield check_zero("unit_step: omega after one step", error, 1e-14, "newton_euler, rk4, dt = 0.001 s")


def _check_steady_precession(case: dict[str, Any], lanes: Sequence[str] | None) -> Iterator[Check]:
    """Check the steady precession of a cone on its apex: the spin at which weight and gyroscopic moment
    balance, and the constancy of tilt and precession rate."""
    mass, height, radius, gravity = case["mass"], 0.1, 0.05, 9.81
    tilt, precession, arm = np.radians(60.0), 10.0, 0.75 * height
    axial_inertia = 0.3 * mass * radius**2
    transverse_inertia = 0.15 * mass * radius**2 + 0.6 * mass * height**2
    # Steady precession: W l = (J3 omega3 - J1 precession cos tilt) precession.
    spin = (
        mass * gravity * arm / precession + transverse_inertia * precession * np.cos(tilt)
    ) / axial_inertia
    relative = spin - precession * np.cos(tilt)
    yield check_close("steady_precession: spin [rad/s]", relative, case["spin"], 0.05, "closed form")
    preset = Preset(
        name="steady_precession",
        body=Body(inertia=[transverse_inertia, transverse_inertia, axial_inertia], about="pivot"),
        initial=Initial(
            euler_parameters=[np.cos(0.5 * tilt), np.sin(0.5 * tilt), 0.0, 0.0],
            angular_velocity=[0.0, precession * np.sin(tilt), spin],
        ),
        loads=[Gravity(weight=mass * gravity, centre=[0.0, 0.0, arm])],
    )

    def azimuth(motion: Motion) -> np.ndarray:
        return 2.0 * np.sin(0.5 * (motion.angles("313")[:, 0] - precession * motion.t))

    pairs = run_lanes(preset, lanes, dt=1e-4, duration=5.0, sample_interval=0.01)
    yield from check_endings(pairs)
    for pair in pairs:
        if pair.is_complete:
            # After eight turns the azimuth is 50 rad.
            yield pair.check_zero(
                "steady_precession: tilt [rad]", lambda m: m.angles("313")[:, 1] - tilt, 1e-8
            )
            yield pair.check_zero("steady_precession: azimuth [rad]", azimuth, 1e-7)
