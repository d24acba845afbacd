"""Checks of two models of the ring damper. The consistent model is checked against reference states and
conservation laws. The model as printed is checked against its equations, and against the laws that it
violates."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from quatviz.api.calls import simulate
from quatviz.api.solution import Solution
from quatviz.files.preset import Preset
from quatviz.physics.formulations import make_formulation
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.kernels import blocks
from quatviz.physics.mechanics.rotations import matrix_L, rotation_matrix
from quatviz.verification.arrays import derivative_at_zero, partial_derivatives, random_p
from quatviz.verification.check import Check, check_close, check_exceeds, check_zero
from quatviz.verification.motions import read_reference, ring_preset
from quatviz.verification.parts.base import VerificationPart

DT, SAMPLE_INTERVAL = 5e-5, 1e-3
STATE_COUNT = 8


class RingDamperChecks(VerificationPart):
    """Checks of the ring damper with gravity, with and without damping, against reference states; and without
    gravity, of the conservation of energy and momentum."""

    name = "rings"
    title = "Ring damper"

    def checks(self, full: bool) -> Iterator[Check]:
        for case in ("conservative", "damped"):
            yield from _check_reference(case, read_reference("ring_damper")[case])
        yield from _check_conservation()
        yield from check_random_states()


def _run_ring(formulation: str, damping: float, gravity: float, duration: float) -> Solution:
    preset = ring_preset(damping, gravity)
    return simulate(
        preset, lanes=[formulation], dt=DT, duration=duration, sample_interval=SAMPLE_INTERVAL
    ).lanes[0]


def _check_reference(case: str, expected: dict[str, Any]) -> Iterator[Check]:
    lane = _run_ring("ring_damper", expected["C_d"], expected["g"], 2.0)
    rows = np.rint(np.array(expected["times"]) / SAMPLE_INTERVAL).astype(int)
    description = f"ring damper {case}, ring_damper, rk4, dt = {DT:g} s"
    omega = (lane.omega[rows] - expected["omega"]) / 200.0
    yield check_zero("omega at the reference times, relative to the spin", omega, 1e-6, description)
    beta = lane.ring_angle[rows] - np.degrees(expected["beta"])
    yield check_zero("ring angle at the reference times [deg]", beta, 1e-2, description)
    energy = lane.energy[rows] / expected["energy"] - 1.0
    yield check_zero("energy at the reference times, relative", energy, 1e-8, description)


def _check_conservation() -> Iterator[Check]:
    description_format = f"ring damper, no gravity, C_d = 0, {{}}, rk4, dt = {DT:g} s"
    consistent = _run_ring("ring_damper", 0.0, 0.0, 2.0)
    yield check_zero(
        "energy, relative", consistent.energy_drift, 1e-9, description_format.format("ring_damper")
    )
    yield check_zero(
        "h in space, relative", _momentum_drift(consistent), 1e-9, description_format.format("ring_damper")
    )
    printed = _run_ring("ring_damper_as_printed", 0.0, 0.0, 2.0)
    name = description_format.format("ring_damper_as_printed")
    yield check_close("as printed, energy falls by", -printed.energy_drift.min(), 0.0026, 5e-5, name)
    yield check_close("as printed, momentum wanders by", _momentum_drift(printed), 0.021, 5e-4, name)
    damped = _run_ring("ring_damper_as_printed", 0.02, 0.0, 10.0)
    name = name.replace("C_d = 0", "C_d = 0.02")
    yield check_close(
        "as printed and damped, energy has risen by, 2 s",
        damped.energy_drift[: round(2.0 / SAMPLE_INTERVAL) + 1].max(),
        0.0089,
        5e-5,
        name,
    )
    yield check_exceeds(
        "as printed and damped, energy has risen by, 10 s", damped.energy_drift.max(), 0.025, name
    )


def _momentum_drift(lane: Solution) -> float:
    h = lane.h_space
    return float(np.linalg.norm(h - h[0], axis=1).max() / np.linalg.norm(h[0]))


def check_random_states() -> Iterator[Check]:
    """Check the derivatives of both models at random states.

    The four rates of the consistent model follow from two laws: A h changes by the torque of the ring's weight, and
    the energy by -C_d R^2 beta'^2. The other model is compared with S3(63-66) as printed.
    """
    random = np.random.default_rng(63)
    preset = ring_preset(0.02, 9.8)
    worst = np.zeros(4)
    for _ in range(STATE_COUNT):
        y = np.concatenate((20 * random.normal(size=3), random_p(random, 1)[0], random.normal(size=2)))
        y[8] += y[2]
        worst = np.maximum(worst, [*_balance_errors(preset, y), *_printed_errors(preset, y)])
    names = ("A h changes by the weight's torque", "E' = -C_d R^2 beta'^2", "S3(63): h'", "S3(66): omega_m3'")
    for index, (name, error) in enumerate(zip(names, worst, strict=True)):
        lane = "ring_damper" if index < 2 else "ring_damper_as_printed"
        yield check_zero(f"{name}, relative", float(error), 1e-7, f"{lane}, {STATE_COUNT} random states")


def _state_rate(form: Formulation, preset: Preset, y: np.ndarray) -> tuple[Any, np.ndarray]:
    parameters = form.parameters(preset.body, preset.loads)
    return parameters, np.array(blocks.derivative(parameters, 0.0, tuple(y.tolist()))[0])


def _balance_errors(preset: Preset, y: np.ndarray) -> tuple[float, float]:
    form = make_formulation("ring_damper")
    parameters, rate = _state_rate(form, preset, y)
    ring = preset.body.ring
    assert ring is not None

    def totals(s: float) -> np.ndarray:
        state = (y + s * rate)[None, :]
        kinetic, potential, h = form.totals(state, parameters)  # type: ignore[misc]
        return np.append(rotation_matrix(state[0, 3:7]) @ h[0], kinetic + potential)

    changes = derivative_at_zero(totals, 1e-5)
    A, c, s = rotation_matrix(y[3:7]), np.cos(y[7]), np.sin(y[7])
    center = A @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ ring.centre
    torque = np.cross(center, ring.mass * np.asarray(ring.gravity))
    loss = -ring.damping * ring.mean_radius**2 * (y[8] - y[2]) ** 2
    size = np.abs(np.cross(y[:3], preset.body.inertia @ y[:3])).max()
    power = size * np.abs(y[:3]).max()
    return float(np.abs(changes[:3] - torque).max() / size), float(abs(changes[3] - loss) / power)


def _printed_errors(preset: Preset, y: np.ndarray) -> tuple[float, float]:
    """Return the errors of a state's rates in two equations: h' = J omega', eq. S3(63), and the third row of
    eq. S3(66). The equations are evaluated with matrices, and dV by finite differences."""
    _, rate = _state_rate(make_formulation("ring_damper_as_printed"), preset, y)
    ring, J = preset.body.ring, preset.body.inertia
    assert ring is not None
    omega, p, beta = y[:3], y[3:7], y[7]

    def ring_rotation(beta: float) -> np.ndarray:
        c, s = np.cos(beta), np.sin(beta)
        return np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])

    def V(p: np.ndarray, beta: float) -> np.ndarray:
        return (
            -ring.mass * np.asarray(ring.gravity) @ rotation_matrix(p) @ ring_rotation(beta).T @ ring.centre
        )

    slope = partial_derivatives(lambda p: V(p, beta), p)
    omega_m = ring_rotation(beta) @ omega
    omega_m[2] = y[8]
    mu = ring.damping * ring.mean_radius**2 * (y[8] - omega[2]) + derivative_at_zero(lambda s: V(p, beta + s))
    h_rate = -np.cross(omega, J @ omega) - 0.5 * matrix_L(p) @ slope + np.array([0.0, 0.0, mu])
    Jm = ring.inertia
    ring_spin_rate = np.linalg.solve(Jm, np.cross(omega_m, Jm @ omega_m) + np.array([0.0, 0.0, mu]))[2]
    return (
        float(np.abs(J @ rate[:3] - h_rate).max() / np.abs(h_rate).max()),
        float(abs(rate[8] + ring_spin_rate) / max(1.0, abs(ring_spin_rate))),
    )
