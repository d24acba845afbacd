"""Checks of S4: the fundamental equation of constrained motion, with square root and Moore-Penrose inverse as
S4 defines them."""

from collections.abc import Iterator, Mapping

import numpy as np

from quatviz.files.preset import Preset
from quatviz.physics.formulations import make_formulation
from quatviz.physics.formulations.base import FormulationOptions
from quatviz.physics.kernels import blocks
from quatviz.physics.loads.point_force import PointForce
from quatviz.physics.loads.torque import Torque
from quatviz.physics.mechanics.rotations import matrix_L, omega_from_rate, skew
from quatviz.verification.arrays import (
    E4,
    dot,
    outer,
    random_inertia,
    random_p,
    random_rate,
    scale_rows,
    times,
    transpose,
)
from quatviz.verification.check import Check, check_zero
from quatviz.verification.load_torque import load_torque_by_definition
from quatviz.verification.motions import random_preset
from quatviz.verification.parts.base import IdentityVerificationPart
from quatviz.verification.parts.generalised_forces import AppliedForce

FORMULATION, UNCONSTRAINED_FORMULATION = "udwadia_schutte_fundamental", "udwadia_schutte_unconstrained"
STATE_COUNT = 20
KERNEL_TOLERANCE = 1e-10


class Fundamental(IdentityVerificationPart):
    """Checks of eqs. S4(1-45) in NumPy with full inertia matrices, and of the kernels, on and off the sphere
    |u| = 1."""

    name = "fundamental"
    title = "S4, the fundamental equation, largest deviation"
    seed = 45
    tolerance = 1e-10

    def residuals(self, random: np.random.Generator, count: int) -> Mapping[str, np.ndarray]:
        u = random_p(random, count)
        rate, gamma = random_rate(random, u), random.normal(size=(count, 4))
        J, J0 = random_inertia(random, count), random.uniform(0.1, 3.0, count)
        J4 = _augmented_inertia(J, J0)
        return {**_E_residuals(u, rate, J, J4, J0), **_constraint_residuals(u, rate, J4, J0, gamma)}

    def checks(self, full: bool) -> Iterator[Check]:
        yield from super().checks(full)
        for form in ("torque", "split", "gradient"):
            yield from _check_kernel(form)
        yield from check_off_sphere()


def _augmented_inertia(J: np.ndarray, J0: np.ndarray) -> np.ndarray:
    J4 = np.zeros((len(J), 4, 4))
    J4[:, 0, 0], J4[:, 1:, 1:] = J0, J
    return J4


def _pad_with_zero(omega: np.ndarray) -> np.ndarray:
    """Return [0, omega]."""
    return np.concatenate((np.zeros((len(omega), 1)), omega), axis=1)


def moore_penrose(mass: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Return M^(1/2) (A M^(-1/2))^+ (n, 4) for A = u^T: the root by eigenvalues, the inverse by singular values."""
    values, vectors = np.linalg.eigh(mass)
    root = vectors @ (np.sqrt(values)[:, :, None] * transpose(vectors))
    inverse_root = vectors @ ((1.0 / np.sqrt(values))[:, :, None] * transpose(vectors))
    row = u[:, None, :] @ inverse_root
    return (root @ np.linalg.pinv(row))[:, :, 0]


def constrained_acceleration(mass: np.ndarray, Q: np.ndarray, u: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Return the acceleration u'' (n, 4) of the constrained motion by the fundamental equation, eq.
    S4(45)."""
    unconstrained = np.linalg.solve(mass, Q[:, :, None])[:, :, 0]
    reaction = scale_rows(-dot(rate, rate) - dot(u, unconstrained), moore_penrose(mass, u))
    return unconstrained + np.linalg.solve(mass, reaction[:, :, None])[:, :, 0]


def velocity_terms(u: np.ndarray, rate: np.ndarray, J4: np.ndarray, J0: np.ndarray) -> np.ndarray:
    """Return the velocity-dependent terms -8 E'^T J E u' - 4 J0 N(u') u (n, 4) of eq. S4(44), without the
    load."""
    gyroscopic = times(transpose(E4(rate)) @ J4 @ E4(u), rate)
    return -8 * gyroscopic - scale_rows(4 * J0 * dot(rate, rate), u)


def _E_residuals(
    u: np.ndarray, rate: np.ndarray, J: np.ndarray, J4: np.ndarray, J0: np.ndarray
) -> dict[str, np.ndarray]:
    E, E_rate, L = E4(u), E4(rate), matrix_L(u)
    ET = transpose(E)
    omega = omega_from_rate(u, rate)
    T = 0.5 * dot(omega, times(J, omega))
    inverse = ET @ np.linalg.inv(J4) @ E
    along_u = scale_rows(1 / J0, u)
    twisted = np.zeros_like(J4)
    twisted[:, 0, 1:], twisted[:, 1:, 0], twisted[:, 1:, 1:] = -omega, omega, skew(omega)
    gyroscopic = 2 * times(inverse @ transpose(E_rate) @ J4 @ E, rate)
    gyroscopic_acceleration = times(transpose(L) @ np.linalg.inv(J), np.cross(omega, times(J, omega)))
    return {
        "S4(1): [0, omega] = 2 E u' = -2 E' u": np.concatenate(
            (2 * times(E, rate) - _pad_with_zero(omega), 2 * times(E_rate, u) + _pad_with_zero(omega)), axis=1
        ),
        "S4(2): E E^T = I": E @ ET - np.eye(4),
        "S4(4): T = 2 u'^T E^T J E u'": 2 * dot(rate, times(ET @ J4 @ E, rate)) - T,
        "S4(4): T = 2 u^T E'^T J E' u": 2 * dot(u, times(transpose(E_rate) @ J4 @ E_rate, u)) - T,
        "S4(9): 4 E^T J E' u' = 4 J0 N(u') u": 4 * times(ET @ J4 @ E_rate, rate)
        - scale_rows(4 * J0 * dot(rate, rate), u),
        "S4(14): E^T J^-1 E = u u^T / J0 + E1^T J^-1 E1": inverse
        - outer(along_u, u)
        - transpose(L) @ np.linalg.inv(J) @ L,
        "S4(15): E^T J^-1 E u = u / J0": times(inverse, u) - along_u,
        "S4(15): u^T E^T J^-1 E u = 1 / J0": dot(u, times(inverse, u)) - 1 / J0,
        "S4(23): E E'^T = 1/2 [0, -omega^T; omega, omega~]": E @ transpose(E_rate) - 0.5 * twisted,
        "S4(25): 2 E^T J^-1 E E'^T J E u'": gyroscopic
        - 0.5 * (gyroscopic_acceleration - scale_rows(2 * T / J0, u)),
        "S4(26): J0 N(u') E^T J^-1 E u = N(u') u": scale_rows(J0, times(inverse, u)) - u,
    }


def _constraint_residuals(
    u: np.ndarray, rate: np.ndarray, J4: np.ndarray, J0: np.ndarray, gamma: np.ndarray
) -> dict[str, np.ndarray]:
    E, L, J = E4(u), matrix_L(u), J4[:, 1:, 1:]
    ET = transpose(E)
    mass, inverse = 4 * ET @ J4 @ E, ET @ np.linalg.inv(J4) @ E
    omega = omega_from_rate(u, rate)
    T, square = 0.5 * dot(omega, times(J, omega)), dot(rate, rate)
    inertia_force = velocity_terms(u, rate, J4, J0)
    unconstrained = times(inverse, gamma + inertia_force) / 4  # S4(13)
    load = dot(u, gamma)
    tangential = gamma - scale_rows(load, u)
    torque = 0.5 * times(L, gamma)
    solved = constrained_acceleration(mass, inertia_force + gamma, u, rate)
    closed = 0.5 * times(transpose(L) @ np.linalg.inv(J), torque - np.cross(omega, times(J, omega)))
    closed -= scale_rows(square, u)
    return {
        "S4(13): M_u^-1 = 1/4 E^T J^-1 E": mass @ inverse / 4 - np.eye(4),
        "S4(16): A_u a_u": dot(u, unconstrained) - load / (4 * J0) - T / J0 + square,
        "S4(17): b_u - A_u a_u": -square - dot(u, unconstrained) + load / (4 * J0) + T / J0,
        "S4(18): M^(1/2) (A M^(-1/2))^+ = 4 J0 u": moore_penrose(mass, u) - scale_rows(4 * J0, u),
        "S4(20): the constraint force is along u, -(u^T Gamma + 4T)": times(mass, solved)
        - inertia_force
        - tangential
        + scale_rows(4 * T, u),
        "S4(27): E^T J^-1 E (2T) u / 2 = T u / J0": scale_rows(T, times(inverse, u)) - scale_rows(T / J0, u),
        "S4(28): E^T J^-1 E (I - u u^T) Gamma = E1^T J^-1 E1 Gamma": times(inverse, tangential)
        - times(transpose(L) @ np.linalg.inv(J) @ L, gamma),
        "S4(37-39): (I - u u^T) Gamma = 2 E1^T Gamma_B": tangential - 2 * times(transpose(L), torque),
        "S4(41): Gamma_B = 1/2 E1 Gamma = 1/2 E1 (I - u u^T) Gamma": torque - 0.5 * times(L, tangential),
        "S4(22, 29, 42): u'' in closed form": solved - closed,
        "S4(40): with the projected load": times(mass, closed)
        - inertia_force
        - 2 * times(transpose(L), torque)
        + scale_rows(4 * T, u),
    }


def _kernel_derivatives(lane: str, preset: Preset, J0: float, y: np.ndarray) -> tuple[np.ndarray, float]:
    """Return u'' (4,) and lambda [J] of the compiled equations at a state y (8,)."""
    parameters = make_formulation(lane, options=FormulationOptions(J0=J0)).parameters(
        preset.body, preset.loads
    )
    rate, lam = blocks.derivative(parameters, 0.0, tuple(y.tolist()))
    return np.array(rate[4:]), float(lam)


def _check_kernel(form: str) -> Iterator[Check]:
    """Check the kernel, which uses the algebraic value of the Moore-Penrose term, against eq. S4(45) as
    printed."""
    lane = f"{FORMULATION}/{form}"
    worst, largest_reaction_error = 0.0, 0.0
    for seed in range(STATE_COUNT):
        random = np.random.default_rng(100 + seed)
        applied = AppliedForce.random(random, 1)
        preset = random_preset(seed, [PointForce(force=applied.f[0], point=applied.u[0])])
        J0 = random.uniform(0.1, 5.0)
        J4 = _augmented_inertia(preset.body.inertia[None], np.array([J0]))
        Q = {
            "torque": times(transpose(applied.B1), applied.f),
            "split": applied.split,
            "gradient": times(transpose(applied.B2), applied.f),
        }[form]
        mass = 4 * transpose(E4(applied.p)) @ J4 @ E4(applied.p)
        Q = Q + velocity_terms(applied.p, applied.rate, J4, np.array([J0]))
        expected = constrained_acceleration(mass, Q, applied.p, applied.rate)
        computed, lam = _kernel_derivatives(lane, preset, J0, np.concatenate((applied.p[0], applied.rate[0])))
        worst = max(worst, float(np.abs(computed - expected[0]).max()))
        reaction = times(mass, expected) - Q
        largest_reaction_error = max(
            largest_reaction_error, float(np.abs(reaction[0] + lam * applied.p[0]).max())
        )
    run = f"{lane}, {STATE_COUNT} random states"
    yield check_zero("S4(12, 45): u'' of the kernel against eigh and pinv", worst, KERNEL_TOLERANCE, run)
    yield check_zero("S4(45): the reaction is -lambda u", largest_reaction_error, 10 * KERNEL_TOLERANCE, run)


def check_off_sphere() -> Iterator[Check]:
    """Check states off the sphere |u| = 1: eq. S4(45) with b_u = -N(u'), and eq. S4(10) solved without the
    constraint."""
    worst = {FORMULATION: 0.0, UNCONSTRAINED_FORMULATION: 0.0}
    for seed in range(STATE_COUNT):
        random = np.random.default_rng(200 + seed)
        load = Torque(torque=random.normal(size=3))
        preset = random_preset(seed, [load])
        J0 = random.uniform(0.1, 5.0)
        u, rate = random.uniform(0.7, 1.3) * random_p(random, 1), random.normal(size=(1, 4))
        J4 = _augmented_inertia(preset.body.inertia[None], np.array([J0]))
        n = load_torque_by_definition(load, 0.0, u[0], omega_from_rate(u, rate)[0], preset.body.inertia)
        Q = velocity_terms(u, rate, J4, np.array([J0])) + 2 * times(transpose(matrix_L(u)), n)
        mass = 4 * transpose(E4(u)) @ J4 @ E4(u)
        y = np.concatenate((u[0], rate[0]))
        for lane, expected in (
            (FORMULATION, constrained_acceleration(mass, Q, u, rate)[0]),
            (UNCONSTRAINED_FORMULATION, np.linalg.solve(mass[0], Q[0])),
        ):
            computed, _ = _kernel_derivatives(lane, preset, J0, y)
            error = np.abs(computed - expected).max() / np.abs(expected).max()
            worst[lane] = max(worst[lane], float(error))
    for lane, equation in ((FORMULATION, "S4(45)"), (UNCONSTRAINED_FORMULATION, "S4(10)")):
        name = f"{equation}: u'' of the kernel off the sphere, relative"
        yield check_zero(name, worst[lane], KERNEL_TOLERANCE, f"{lane}, {STATE_COUNT} random states")
