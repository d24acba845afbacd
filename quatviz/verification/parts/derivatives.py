"""What every kernel gives at random states, against Newton and Euler in NumPy: no integrator, no other form."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from quatviz.files.preset import Preset
from quatviz.physics.formulations import FORMULATIONS, make_formulation
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.kernels import blocks
from quatviz.physics.loads import bind
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import matrix_L
from quatviz.physics.mechanics.state import Kind, places_of
from quatviz.physics.observables.multiplier_theory import TERMS
from quatviz.verification.arrays import along
from quatviz.verification.check import Check, vanishing
from quatviz.verification.lanes import NEAR, lane_ids
from quatviz.verification.load_torque import total_moment
from quatviz.verification.motions import random_preset
from quatviz.verification.parts.agreement import LOADS
from quatviz.verification.parts.base import Part

TOLERANCE = 1e-8
THEORY_TOLERANCE = 1e-7
"""The theory takes the slope of a spring's potential by a rule of five points."""
STATES = 8
TIME = 0.7
"""At which loads that depend on time are taken [s]."""
STRIDE = 0.1
"""How far [s] a state is moved where it can be."""
LAMBDA = "lambda"
SPACING = 1e-4
"""Time [s] over which the observed p and omega are differentiated along the kernel's derivative."""


class Derivatives(Part):
    """`start`, the kernel and `observe` of a form, together: p' = 1/2 L^T omega and J omega' = n - omega x J omega, with n
    from the definition of each load; rates that stay tangent; and lambda by its theory. The
    quickest check of a formulation there is."""

    name = "derivatives"
    title = "Derivatives at random states, relative to Newton and Euler"

    def checks(self, full: bool) -> Iterator[Check]:
        for lane in lane_ids():
            yield from of_lane(lane, 10 * STATES if full else STATES)


def of_formulation(name: str) -> Iterator[Check]:
    """The checks of one family, all its variants."""
    for variant in FORMULATIONS[name].variants or ("",):
        yield from of_lane(f"{name}/{variant}" if variant else name)


def of_lane(lane: str, count: int = STATES) -> Iterator[Check]:
    """Of each kind of loads the largest error over `count` states that are far from the lane's singularity."""
    for kind in LOADS:
        form = make_formulation(lane)
        errors = [found for seed in range(count) if (found := _errors(form, _given(kind, seed)))]
        run = f"{lane}, {len(errors)} random states"
        names = ("p'", "omega'", "p.p' = 0 or p.g = 0 is kept", LAMBDA)
        tolerances = (TOLERANCE, TOLERANCE, TOLERANCE, THEORY_TOLERANCE)
        worst = np.max(errors, axis=0) if errors else np.full(len(names), np.nan)
        for name, error, tolerance in zip(names, worst, tolerances, strict=True):
            if name != LAMBDA or (form.has_multiplier and form.multiplier_terms is not None):
                yield vanishing(f"{kind}: {name}", float(error), tolerance, run)


@cache
def _given(kind: str, seed: int) -> Preset:
    """Every second body has its principal axes as axes: kernels take another way there."""
    preset = random_preset(seed, LOADS[kind])
    moments, _ = preset.body.principal()
    return replace(preset, body=replace(preset.body, inertia=moments)) if seed % 2 else preset


def _errors(form: Formulation, preset: Preset) -> tuple[float, ...] | None:
    """Relative errors of p', omega', the constraint on rates, and lambda; None near the form's singularity."""
    body, loads = preset.body, preset.loads
    parameters = form.parameters(body, loads)
    y = form.start(preset.initial.p(), preset.initial.omega(body), parameters)
    if form.singularity_title and not abs(_singularity(parameters, y)) > NEAR:
        return None
    y = _moved(form, parameters, y)
    rate, lam = blocks.derivative(parameters, TIME, tuple(y.tolist()))
    p, omega = (values[0] for values in form.observe(y[None, :], parameters))

    def observed(index: int) -> Callable[[float], np.ndarray]:
        return lambda s: form.observe((y + s * np.array(rate))[None, :], parameters)[index][0]

    p_rate, omega_rate = (along(observed(index), SPACING) for index in (0, 1))
    expected = _euler(body, loads, p, omega)
    terms = form.multiplier_terms or ()
    times, bound = np.array([TIME]), bind(loads, body)
    theory = sum(float(TERMS[term](times, p[None, :], omega[None, :], body, bound)[0]) for term in terms)
    return (
        _relative(p_rate, 0.5 * matrix_L(p).T @ omega),
        _relative(omega_rate, expected),
        _leaving(form, y, np.array(rate)),
        abs(lam - theory) / max(1.0, abs(theory)),
    )


def _moved(form: Formulation, parameters: Any, y: np.ndarray) -> np.ndarray:
    """`y` a little further on, where coordinates that start from zero are none any more; `y` itself where such a step
    leaves the sphere or comes near a singularity."""
    rate, _ = blocks.derivative(parameters, 0.0, tuple(y.tolist()))
    moved = y + STRIDE * np.array(rate)
    p, _ = form.observe(moved[None, :], parameters)
    on_sphere = abs(float(p[0] @ p[0]) - 1.0) < 1e-12
    return moved if on_sphere and abs(_singularity(parameters, moved)) > NEAR else y


def _leaving(form: Formulation, y: np.ndarray, rate: np.ndarray) -> float:
    """How fast p.p' or p.g leaves zero, relative to its terms: no attitude shows it. 0 where the state has neither."""
    first, second = (y[:4], y[4:]), (rate[:4], rate[4:])
    if not places_of(form.blocks, Kind.EULER_MOMENTA, Kind.EULER_RATES):
        return 0.0
    terms = first[0] @ second[1], second[0] @ first[1]
    return float(abs(sum(terms)) / (abs(terms[0]) + np.linalg.norm(second[0]) * np.linalg.norm(first[1])))


def _euler(body: Body, loads: Sequence[Load], p: np.ndarray, omega: np.ndarray) -> np.ndarray:
    J = body.inertia
    return np.linalg.solve(J, total_moment(loads, TIME, p, omega, J) - np.cross(omega, J @ omega))


def _relative(found: np.ndarray, expected: np.ndarray) -> float:
    return float(np.abs(found - expected).max() / np.abs(expected).max())


def _singularity(parameters: Any, y: np.ndarray) -> float:
    out = np.empty((1, 2))
    rows = y[None, :].copy()
    rows.flags.writeable = False
    blocks.measure_rows(parameters, 0, 1.0, tuple(y.tolist()), rows, out)
    return float(out[0, 1])
