"""What the Lagrange multiplier must be, from attitude, angular velocity and loads alone.

Nothing here is shared with the kernels whose multipliers it is compared with.
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
"""Of central differences one to four spacings away."""

Term = Callable[[np.ndarray, np.ndarray, np.ndarray, Body, Sequence[BoundLoad]], np.ndarray]
"""Of times (n,) [s], unit p (n, 4), omega (n, 3) [rad/s, body], the body, and its loads bound to it."""


def gyroscopic(
    t: np.ndarray, p: np.ndarray, omega: np.ndarray, body: Body, loads: Sequence[BoundLoad]
) -> np.ndarray:
    """4T = 2 omega^T J omega (n,) [J]: what the simplified gyroscopic term adds; S0(29). With rotors T is that of J*."""
    inertia = RotorSystem(body).effective_inertia if body.rotors else body.inertia
    return 2.0 * np.einsum("ni,ij,nj->n", omega, inertia, omega)


def radial_split_term(
    t: np.ndarray, p: np.ndarray, omega: np.ndarray, body: Body, loads: Sequence[BoundLoad]
) -> np.ndarray:
    """2 u^T A^T f (n,) [J], summed over forces: p^T Q of the `split` load."""
    return sum((2.0 * rotate_back(p, f) @ u for f, u in _applied_forces(loads, t, p)), np.zeros(len(p)))


def gradient_extra_term(
    t: np.ndarray, p: np.ndarray, omega: np.ndarray, body: Body, loads: Sequence[BoundLoad]
) -> np.ndarray:
    """2 u^T f (n,) [J], summed over forces: what `gradient` adds to `split`; f and u in their own frames."""
    return sum((2.0 * f @ u for f, u in _applied_forces(loads, t, p)), np.zeros(len(p)))


def radial_potential_derivative(
    t: np.ndarray, p: np.ndarray, omega: np.ndarray, body: Body, loads: Sequence[BoundLoad]
) -> np.ndarray:
    """-p^T dV/dp (n,) [J].

    Of a force at a body point, such as a weight or a spring, 2 f^T A u: A u is homogeneous of degree two.
    Of others from V along the ray through p by a nine-point rule, exact for homogeneous V up to k = 8."""
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
"""Terms by the names that people read; a formulation's `multiplier_terms` names those that it has."""


def _applied_forces(
    loads: Sequence[BoundLoad], t: np.ndarray, p: np.ndarray
) -> list[tuple[np.ndarray, np.ndarray]]:
    applied = (load.force(t, p) for load in loads if load.is_point_force)
    return [force for force in applied if force is not None]
