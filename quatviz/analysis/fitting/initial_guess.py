"""First guess of the inertia from a linear problem: a free body conserves h = A J omega in space, which is
linear in J.

Within each window, J minimizes the variance of A_k J omega_k. Noise of standard deviation sigma in omega adds sigma^2
tr(J^2) to this variance for every J. Hence the minimum over all J with the same tr(J^2) is unbiased by noise; it is
an eigenvector of a generalized eigenvalue problem (total least squares).
"""

from itertools import pairwise

import numpy as np
from scipy.linalg import eigh

from quatviz.physics.mechanics.rotations import orientation_matrix
from quatviz.recordings.kinematics import contiguous_slices, integrate_rates

WINDOW_TURN = 4.0
"""Rotation angle [rad] of a window in a recording without attitudes. It is limited, because attitudes integrated from
rates drift."""
_IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


def turn_windows(t: np.ndarray, omega: np.ndarray, turn: float) -> list[slice]:
    """Return consecutive windows of rows in each of which the body turns by about `turn` [rad]. No window
    contains a gap in the data. `t` (n,) are times [s], and `omega` (n, 3) rates [rad/s, body]."""
    slices = []
    for rows in contiguous_slices(t, omega):
        if rows.stop - rows.start < 5:
            continue
        speed = np.linalg.norm(omega[rows], axis=1)
        angle = np.concatenate([[0.0], np.cumsum(0.5 * (speed[1:] + speed[:-1]) * np.diff(t[rows]))])
        count = max(1, int(angle[-1] / turn))
        cuts = np.searchsorted(angle, np.linspace(0.0, angle[-1], count + 1))
        cuts[-1] = len(angle)
        slices += [slice(rows.start + a, rows.start + b) for a, b in pairwise(cuts.tolist()) if b - a >= 5]
    return slices


def estimate_inertia(t: np.ndarray, p: np.ndarray | None, omega: np.ndarray, axes: bool) -> np.ndarray:
    """Return the inertia J (3, 3) of trace 1 that conserves h best.

    Parameters
    ----------
    t
        Times (n,) [s].
    p
        Euler parameters (n, 4), or None.
    omega
        Angular velocity (n, 3) [rad/s, body].
    axes
        True for a full matrix, False for a diagonal one.

    Returns
    -------
    ndarray
        The inertia; close to that of a sphere if the motion does not determine it.
    """
    count = 6 if axes else 3
    normal_matrix = np.zeros((count, count))
    # Integrated attitudes are consistent within each part without gaps; every part starts at an arbitrary
    # attitude.
    attitudes = _integrate_attitudes(t, omega) if p is None else p
    for rows in turn_windows(t, omega, WINDOW_TURN if p is None else np.inf):
        is_known = np.isfinite(attitudes[rows]).all(axis=1)
        momentum_rows = orientation_matrix(attitudes[rows][is_known]) @ _momentum_matrices(
            omega[rows][is_known], count
        )
        momentum_rows = (momentum_rows - momentum_rows.mean(axis=0)).reshape(-1, count)
        normal_matrix += momentum_rows.T @ momentum_rows
    # tr(J^2) counts off-diagonal entries twice.
    metric = np.diag([1.0, 1.0, 1.0, 2.0, 2.0, 2.0][:count])
    _, vectors = eigh(normal_matrix, metric)
    x = vectors[:, 0]
    full = np.array([x[0], x[1], x[2], *(x[3:] if axes else np.zeros(3))])
    J = np.diag(full[:3])
    for (row, column), value in zip(((1, 2), (0, 2), (0, 1)), full[3:], strict=True):
        J[row, column] = J[column, row] = value
    return nearest_physical_inertia(J)


def _integrate_attitudes(t: np.ndarray, omega: np.ndarray) -> np.ndarray:
    """Return attitudes (n, 4) integrated from rates. The integration restarts from the identity after each
    gap in the data."""
    attitudes = np.full((len(t), 4), np.nan)
    for rows in contiguous_slices(t, omega):
        attitudes[rows] = integrate_rates(t[rows], omega[rows], _IDENTITY).p
    return attitudes


def _momentum_matrices(omega: np.ndarray, count: int) -> np.ndarray:
    """Return the matrices (n, 3, count) of the linear map from entries of J to J omega. The entries are the
    first `count` (3 or 6) of J11, J22, J33, J23, J13, J12."""
    w1, w2, w3 = omega.T
    matrix = np.zeros((len(omega), 3, count))
    for axis, w in enumerate((w1, w2, w3)):
        matrix[:, axis, axis] = w
    if count == 6:
        matrix[:, 1, 3], matrix[:, 2, 3] = w3, w2
        matrix[:, 0, 4], matrix[:, 2, 4] = w3, w1
        matrix[:, 0, 5], matrix[:, 1, 5] = w2, w1
    return matrix


def nearest_physical_inertia(J: np.ndarray, min_fraction: float = 0.01) -> np.ndarray:
    """Return the nearest inertia (3, 3) of trace 1 whose second moments are at least `min_fraction` of their sum."""
    trace = np.trace(J)
    J = J / trace if abs(trace) > 1e-6 * np.linalg.norm(J) else np.eye(3) / 3.0
    values, vectors = np.linalg.eigh(0.5 * np.eye(3) - J)
    second = np.maximum(values, min_fraction)
    inertia = (vectors * (second.sum() - second)) @ vectors.T
    return inertia / np.trace(inertia)


def initial_rate(t: np.ndarray, omega: np.ndarray, turn: float = 1.0) -> np.ndarray:
    """Return omega (3,) at the first row, from a cubic fitted to the rows in which the body has rotated by up to `turn`
    [rad]."""
    known = np.isfinite(omega).all(axis=1)
    times, rates = t[known], omega[known]
    span = turn / max(float(np.linalg.norm(rates[:20], axis=1).mean()), 1e-12)
    count = int(np.clip(np.searchsorted(times, times[0] + span), 1, len(times)))
    degree = min(3, (count - 1) // 3)
    x = (times[:count] - t[0]) / max(float(times[count - 1] - t[0]), 1e-300)
    rate: np.ndarray = np.polynomial.polynomial.polyfit(x, rates[:count], degree)[0]
    return rate
