"""The Lagrange multiplier in theory, from attitude, angular velocity and loads alone.

This module shares no code with the kernels whose multipliers are compared with it.
"""

from collections.abc import Callable, Sequence

import numpy as np

from quatviz.physics.loads import total_potential
from quatviz.physics.loads.base import BoundLoad
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import rotate_back
from quatviz.physics.mechanics.rotor_system import RotorSystem

_SPACING = 1e-2
_WEIGHTS = (4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0)
"""Weights of the central differences over one to four spacings, which together make a rule that is exact up
to degree 8.
"""

Term = Callable[[np.ndarray, np.ndarray, np.ndarray, Body, Sequence[BoundLoad]], np.ndarray]
"""Function that returns a term (n,) [J] of lambda from times (n,) [s], unit p (n, 4), omega (n, 3) [rad/s,
body], the body, and its bound loads."""


def gyroscopic(
    t: np.ndarray, p: np.ndarray, omega: np.ndarray, body: Body, loads: Sequence[BoundLoad]
) -> np.ndarray:
    """Return 4T = 2 omega^T J omega (n,) [J], the contribution of the simplified gyroscopic term, eq. S0(29).
    With rotors J is J*."""
    inertia = RotorSystem(body).effective_inertia if body.rotors else body.inertia
    return 2.0 * np.einsum("ni,ij,nj->n", omega, inertia, omega)


def radial_split_term(
    t: np.ndarray, p: np.ndarray, omega: np.ndarray, body: Body, loads: Sequence[BoundLoad]
) -> np.ndarray:
    """Return p^T Q = 2 u^T A^T f (n,) [J] of the load form `split`, summed over the forces."""
    return sum((2.0 * rotate_back(p, f) @ u for f, u in _applied_forces(loads, t, p)), np.zeros(len(p)))


def gradient_extra_term(
    t: np.ndarray, p: np.ndarray, omega: np.ndarray, body: Body, loads: Sequence[BoundLoad]
) -> np.ndarray:
    """Return 2 u^T f (n,) [J], summed over the forces: the difference between lambda of the load forms `gradient` and
    `split`. f has space components, and u body components."""
    return sum((2.0 * f @ u for f, u in _applied_forces(loads, t, p)), np.zeros(len(p)))


def radial_potential_derivative(
    t: np.ndarray, p: np.ndarray, omega: np.ndarray, body: Body, loads: Sequence[BoundLoad]
) -> np.ndarray:
    """Return -p^T dV/dp (n,) [J].

    For a force at a body point, such as a weight or a spring, the term is 2 f^T A u, since A u is homogeneous of
    degree two. For other potentials it is the derivative along the ray through p by a nine-point rule, which is exact
    for homogeneous V up to degree 8.
    """
    load_forces = [(load, load.force(t, p)) for load in loads if load.has_potential]
    forces = [force for _, force in load_forces if force is not None]
    remaining_loads = [load for load, force in load_forces if force is None]
    total = sum((2.0 * rotate_back(p, f) @ u for f, u in forces), np.zeros(len(p)))
    for k, weight in enumerate(_WEIGHTS, start=1):
        potential_ahead, potential_behind = (
            total_potential(remaining_loads, t, (1.0 + side * k * _SPACING) * p) for side in (1, -1)
        )
        total -= weight * (potential_ahead - potential_behind) / _SPACING
    return total


TERMS: dict[str, Term] = {
    "4T": gyroscopic,
    "−pᵀ∂V/∂p": radial_potential_derivative,
    "2uᵀAᵀf": radial_split_term,
    "2uᵀf": gradient_extra_term,
}
"""Terms of the multiplier by the names that are displayed.

`Formulation.multiplier_terms` lists those that a formulation has.
"""


def _applied_forces(
    loads: Sequence[BoundLoad], t: np.ndarray, p: np.ndarray
) -> list[tuple[np.ndarray, np.ndarray]]:
    applied = (load.force(t, p) for load in loads if load.is_point_force)
    return [force for force in applied if force is not None]
