"""Checks of eqs. S3(41-44), coupled rotation and translation, at random states of all formulations that
integrate the center of mass."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from quatviz.base.errors import InputError
from quatviz.files.preset import Lane, Preset
from quatviz.physics.kernels import blocks
from quatviz.physics.loads import LOADS, bind, total_potential
from quatviz.physics.mechanics.rotations import matrix_L
from quatviz.physics.observables.multiplier_theory import TERMS
from quatviz.simulation.problem import make_problem
from quatviz.verification.arrays import derivative_at_zero, partial_derivatives
from quatviz.verification.check import Check, check_zero
from quatviz.verification.lanes import lane_ids
from quatviz.verification.motions import random_preset
from quatviz.verification.parts.base import VerificationPart

TOLERANCE = 1e-9
"""Largest accepted relative error of rates that follow from differences of the potential."""
STATE_COUNT = 4
MASS = 3.0
SPACING = 1e-4
"""Time [s] over which observed quantities are differentiated along the kernel's derivative."""


class Translation(VerificationPart):
    """Checks of m c'' = -dV/dc, J omega' = -1/2 L dV/dp - omega x J omega, and the theory of lambda.

    The derivatives of V(c, p) are finite differences of the potentials of a spring to an anchor, a spring on
    a guide, and a weight.
    """

    name = "translation"
    title = "Rotation and translation together, S3(41)-(44), largest relative error"

    def checks(self, full: bool) -> Iterator[Check]:
        presets = [_moving_preset(seed) for seed in range(10 * STATE_COUNT if full else STATE_COUNT)]
        for lane in lane_ids():
            errors = [error for preset in presets if (error := _state_errors(lane, preset)) is not None]
            if not errors:
                continue  # a form that refuses to move the center of mass
            run = f"{lane}, {len(errors)} random states"
            names = ("c' = p/m, S3(43)", "p' = -dV/dc, S3(41)", "omega', S3(42)", "lambda")
            for name, error in zip(names, np.max(errors, axis=0), strict=True):
                yield check_zero(name, float(error), TOLERANCE, run)


def _moving_preset(seed: int) -> Preset:
    """Return a random preset of a body with mass, whose loads all have a potential. Two of the potentials depend on
    the position of the body."""
    loads = [load for name in ("spring", "guided_spring", "gravity") for load in LOADS[name].samples()]
    preset = random_preset(seed, loads)
    random = np.random.default_rng(seed)
    initial = replace(preset.initial, position=random.normal(size=3), velocity=random.normal(size=3))
    return replace(preset, body=replace(preset.body, mass=MASS), initial=initial)


def _state_errors(lane: str, preset: Preset) -> tuple[float, ...] | None:
    """Return relative errors of c', (m c')', omega' and lambda at the start; None for a formulation that refuses
    the run."""
    spec = Lane.from_string(lane)
    try:
        problem = make_problem(lane, spec, replace(preset, lanes=(spec,)), 0, ())
    except InputError:
        return None
    form, body = problem.formulation, preset.body
    parameters, y = problem.segments[0].parameters, problem.initial_state()
    rate, lam = blocks.derivative(parameters, 0.0, tuple(y.tolist()))
    p, omega = (rows[0] for rows in form.observe(y[None], parameters))
    center = form.center_states(y[None], parameters)
    assert center is not None
    c, t = center[0, :3], np.zeros(1)
    bound = bind(preset.loads, body)

    def potential(c: np.ndarray, p: np.ndarray) -> np.ndarray:
        return total_potential([load.at_center(c[None]) for load in bound], t, p[None])[0]

    force = -partial_derivatives(lambda c: potential(c, p), c)
    torque = -0.5 * matrix_L(p) @ partial_derivatives(lambda p: potential(c, p), p)
    omega_rate = derivative_at_zero(
        lambda s: form.observe((y + s * np.array(rate))[None], parameters)[1][0], SPACING
    )
    expected = np.linalg.solve(body.inertia, torque - np.cross(omega, body.inertia @ omega))
    placed = [load.at_center(c[None]) for load in bound]
    terms = form.multiplier_terms if form.has_multiplier else None
    theory = sum(float(TERMS[term](t, p[None], omega[None], body, placed)[0]) for term in terms or ())
    return (
        _relative_error(np.array(rate[-6:-3]), center[0, 3:]),
        _relative_error(np.array(rate[-3:]), force),
        _relative_error(omega_rate, expected),
        0.0 if terms is None else abs(lam - theory) / max(1.0, abs(theory)),
    )


def _relative_error(computed: np.ndarray, expected: np.ndarray) -> float:
    return float(np.abs(computed - expected).max() / np.abs(expected).max())
