"""Benchmarks of the literature that are no table of states: DETEST B5, one step of RK4, steady precession."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from quatviz.api.calls import simulate
from quatviz.files.preset import Preset
from quatviz.physics.loads.gravity import Gravity
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Initial
from quatviz.physics.observables.quantities import Motion
from quatviz.verification.check import Check, compared, vanishing
from quatviz.verification.lanes import endings, run
from quatviz.verification.motions import reference
from quatviz.verification.parts.base import Part

FEW = ("newton_euler", "hamilton", "lagrange_simplified/torque", "euler_angles/313", "lie_group")


class Benchmarks(Part):
    """`assets/reference/benchmarks.json`, whose tops are among the reference states. A few kinds of lanes; all with `--all`."""

    name = "benchmarks"
    title = "Benchmarks of the literature"

    def checks(self, full: bool) -> Iterator[Check]:
        given = reference("benchmarks")
        lanes = None if full else FEW
        yield from _detest(given["detest_b5"], lanes)
        yield from _one_step(given["unit_step"])
        yield from _steady(given["steady_precession"], lanes)


def _detest(case: dict[str, Any], lanes: Sequence[str] | None) -> Iterator[Check]:
    """y' = (y2 y3, -y1 y3, -0.51 y1 y2) is Euler's equation of a body with J2 > J1 > J3, each omega in a unit of its own."""
    J = np.array([2.0, 3.0, 1.5])
    a, b, c = (J[1] - J[2]) / J[0], (J[0] - J[2]) / J[1], (J[1] - J[0]) / J[2]
    unit = np.sqrt([0.51 / (b * c), 0.51 / (a * c), 1.0 / (a * b)])
    preset = Preset(
        name="detest_b5",
        body=Body(inertia=J.tolist()),
        initial=Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=unit * [0.0, 1.0, 1.0]),
    )

    def off(motion: Motion) -> np.ndarray:
        return motion.omega[-1] / unit - case["y"]

    tries = run(preset, lanes, dt=1e-3, duration=case["t"], sample_interval=0.1)
    yield from endings(tries)
    for tried in tries:
        if tried.complete:
            yield tried.vanishing("detest_b5: y(20) as printed", off, 1e-9)


def _one_step(case: dict[str, Any]) -> Iterator[Check]:
    """The very numbers of one RK4 step, which only the form that integrates omega can give."""
    preset = Preset(
        name="unit_step",
        body=Body(inertia=case["J"]),
        initial=Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=case["omega0"]),
    )
    lane = simulate(preset, lanes=["newton_euler"], dt=1e-3, duration=1e-3, sample_interval=1e-3).lanes[0]
    error = lane.omega[-1] - case["omega1"]
    yield vanishing("unit_step: omega after one step", error, 1e-14, "newton_euler, rk4, dt = 0.001 s")


def _steady(case: dict[str, Any], lanes: Sequence[str] | None) -> Iterator[Check]:
    """A cone on its apex: the spin that balances weight and gyroscopic moment, and the tilt and precession that it keeps."""
    mass, height, radius, gravity = case["mass"], 0.1, 0.05, 9.81
    tilt, precession, arm = np.radians(60.0), 10.0, 0.75 * height
    axial = 0.3 * mass * radius**2
    across = 0.15 * mass * radius**2 + 0.6 * mass * height**2
    # steady where W l = (J3 omega3 - J1 precession cos tilt) precession
    spin = (mass * gravity * arm / precession + across * precession * np.cos(tilt)) / axial
    relative = spin - precession * np.cos(tilt)
    yield compared("steady_precession: spin [rad/s]", relative, case["spin"], 0.05, "closed form")
    preset = Preset(
        name="steady_precession",
        body=Body(inertia=[across, across, axial], about="pivot"),
        initial=Initial(
            euler_parameters=[np.cos(0.5 * tilt), np.sin(0.5 * tilt), 0.0, 0.0],
            angular_velocity=[0.0, precession * np.sin(tilt), spin],
        ),
        loads=[Gravity(weight=mass * gravity, centre=[0.0, 0.0, arm])],
    )

    def azimuth(motion: Motion) -> np.ndarray:
        return 2.0 * np.sin(0.5 * (motion.angles("313")[:, 0] - precession * motion.t))

    tries = run(preset, lanes, dt=1e-4, duration=5.0, sample_interval=0.01)
    yield from endings(tries)
    for tried in tries:
        if tried.complete:
            # after eight turns the azimuth is 50 rad
            yield tried.vanishing(
                "steady_precession: tilt [rad]", lambda m: m.angles("313")[:, 1] - tilt, 1e-8
            )
            yield tried.vanishing("steady_precession: azimuth [rad]", azimuth, 1e-7)
