"""Checks of the free parameter J0 of Udwadia and Schutte: its effects, and the law by which |u| changes in
motions without the constraint."""

from collections.abc import Iterator

import numpy as np

from quatviz.api.calls import simulate
from quatviz.api.solution import Solution
from quatviz.files.preset import Lane, Preset
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.mechanics.rotations import matrix_L, normalize, relative_angle
from quatviz.verification.check import Check, check_exceeds, check_zero
from quatviz.verification.motions import reference_preset
from quatviz.verification.parts.base import VerificationPart

J0_VALUES = (0.1, 1.0, 10.0)
UNCONSTRAINED_FORMULATION = "udwadia_schutte_unconstrained"
CONSISTENT_FORMULATION = "udwadia_schutte_unconstrained_consistent"


class FreeInertia(VerificationPart):
    """Checks that motion and lambda do not depend on the free parameter J0, and that det M_u and the
    unconstrained motion depend on J0 as derived.
    """

    name = "free_inertia"
    title = "Independence of J0, largest deviation"

    def checks(self, full: bool) -> Iterator[Check]:
        preset = reference_preset("point_force")
        for name, family in FORMULATIONS.items():
            if family.has_free_inertia and family.yields_motion:
                yield from _check_independence(preset, name)
        yield from _check_determinant()
        yield from _check_divergence_law(reference_preset("torque_free"))
        yield from _check_consistent_law(reference_preset("torque_free"))


def _check_independence(preset: Preset, formulation: str) -> Iterator[Check]:
    lanes = [Lane(formulation, J0=J0, name=f"J0 = {J0:g}") for J0 in J0_VALUES]
    run = simulate(preset, lanes=lanes, dt=5e-4, duration=5.0, sample_interval=0.05)
    first = run.lanes[0]
    for lane in run.lanes[1:]:
        description = f"point_force, {formulation}, rk4, dt = 0.0005 s, {first.name} and {lane.name}"
        yield check_zero("J0 changes no attitude [rad]", relative_angle(lane.p, first.p), 1e-8, description)
        yield check_zero("J0 changes no lambda [J]", lane.lam - first.lam, 1e-7, description)


def _check_determinant() -> Iterator[Check]:
    random = np.random.default_rng(4)
    J = np.array([[3.1, 0.1, -0.05], [0.1, 2.1, 0.2], [-0.05, 0.2, 1.3]])
    u = 1.1 * normalize(random.normal(size=(200, 4)))
    L = matrix_L(u)
    mass = 4.0 * np.swapaxes(L, 1, 2) @ J @ L
    for J0 in J0_VALUES:
        full = mass + 4.0 * J0 * u[:, :, None] * u[:, None, :]
        expected = 256.0 * J0 * np.linalg.det(J) * (u * u).sum(1) ** 4
        error = np.linalg.det(full) / expected - 1.0
        yield check_zero(
            f"det M_u = 256 J0 det J |u|^8, J0 = {J0:g}", error, 1e-11, "identity, 200 random states"
        )


_INTERVAL = 1e-3
"""Sample interval of motions without the constraint [s], short enough for second differences."""
_LARGE_J0 = 300.0
"""J0 [kg m²] in motions without the constraint. With this large value |u| grows slowly."""


def _simulate_without_constraint(preset: Preset, formulation: str) -> tuple[Solution, str]:
    """Return a lane of a formulation that omits the constraint, and its description."""
    lanes = [Lane(formulation, J0=_LARGE_J0)]
    run = simulate(preset, lanes=lanes, dt=1e-4, duration=2.0, sample_interval=_INTERVAL)
    return run.lanes[0], f"torque_free, {formulation}, rk4, dt = 0.0001 s, J0 = {_LARGE_J0:g}"


def _check_divergence_law(preset: Preset) -> Iterator[Check]:
    """Check the law (|u|^4)'' = 4 T / J0 of motions without the constraint. T is the kinetic energy for omega
    = 2 L u', which is |u|^2 times the angular velocity of u/|u|."""
    lane, description = _simulate_without_constraint(preset, UNCONSTRAINED_FORMULATION)
    square = lane.constraint + 1.0
    curvature = np.diff(square**2, 2) / _INTERVAL**2
    predicted = 4.0 * (lane.kinetic * square**2)[1:-1] / _LARGE_J0
    yield check_zero("(|u|^4)'' = 4T/J0, relative", curvature / predicted - 1.0, 1e-4, description)
    yield check_exceeds(
        "without the constraint |u|^2 - 1 grows", float(lane.constraint[-1]), 0.1, description
    )


def _check_consistent_law(preset: Preset) -> Iterator[Check]:
    """Check two laws of motions without the constraint, with r = |u|^2: r r'' = 2 T/J0, and the conservation
    of T + 2 J0 (u.u')^2. T is the kinetic energy for omega = 2 L u'."""
    lane, description = _simulate_without_constraint(preset, CONSISTENT_FORMULATION)
    square = lane.constraint + 1.0
    kinetic = lane.kinetic * square**2
    curvature = np.diff(square, 2) / _INTERVAL**2
    relative_error = square[1:-1] * curvature / (2.0 * kinetic[1:-1] / _LARGE_J0) - 1.0
    yield check_zero("|u|^2 (|u|^2)'' = 2T/J0, relative", relative_error, 1e-4, description)
    energy = kinetic + 2.0 * _LARGE_J0 * lane.constraint_rate**2
    yield check_zero("T + 2 J0 (u.u')^2 is conserved, relative", energy / energy[0] - 1.0, 1e-10, description)
