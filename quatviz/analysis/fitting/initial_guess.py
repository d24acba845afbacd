"""A first guess, by a linear problem: a free body keeps h = A J omega, which is linear in J.

Within a window, A_k J omega_k less its mean is what J must make least. Noise sigma of omega adds sigma^2 tr(J^2) to its square,
whatever J: so of all J with the same tr(J^2) the least is the one that is sought, noise or not, the eigenvector of a
generalised eigenproblem (total least squares).
"""

from itertools import pairwise

import numpy as np
from scipy.linalg import eigh

from quatviz.physics.mechanics.rotations import orientation_matrix
from quatviz.recordings.kinematics import attitudes_of, stretches

WINDOW = 4.0
"""Turn [rad] in a window of rates without attitudes, which drift."""
_HERE = np.array([1.0, 0.0, 0.0, 0.0])


def windows(t: np.ndarray, omega: np.ndarray, turn: float) -> list[slice]:
    """Rows in which the body turns by about so much [rad], without gaps; at least one."""
    found = []
    for part in stretches(t, omega):
        if part.stop - part.start < 5:
            continue
        speed = np.linalg.norm(omega[part], axis=1)
        angle = np.concatenate([[0.0], np.cumsum(0.5 * (speed[1:] + speed[:-1]) * np.diff(t[part]))])
        count = max(1, int(angle[-1] / turn))
        cuts = np.searchsorted(angle, np.linspace(0.0, angle[-1], count + 1))
        cuts[-1] = len(angle)
        found += [slice(part.start + a, part.start + b) for a, b in pairwise(cuts.tolist()) if b - a >= 5]
    return found


def inertia_of(t: np.ndarray, p: np.ndarray | None, omega: np.ndarray, axes: bool) -> np.ndarray:
    """J (3, 3) of trace 1 that keeps h best; with `axes` a full one, else diagonal. Of a motion that does not tell it, what is
    nearest to a ball."""
    count = 6 if axes else 3
    normal = np.zeros((count, count))
    # Each window may begin at any attitude, and so go on from the one before; a gap is begun behind anew.
    attitudes = _turned(t, omega) if p is None else p
    for rows in windows(t, omega, WINDOW if p is None else np.inf):
        good = np.isfinite(attitudes[rows]).all(axis=1)
        turned = orientation_matrix(attitudes[rows][good]) @ _entries(omega[rows][good], count)
        turned = (turned - turned.mean(axis=0)).reshape(-1, count)
        normal += turned.T @ turned
    # tr(J^2) counts what stands beside the diagonal twice.
    metric = np.diag([1.0, 1.0, 1.0, 2.0, 2.0, 2.0][:count])
    _, vectors = eigh(normal, metric)
    x = vectors[:, 0]
    full = np.array([x[0], x[1], x[2], *(x[3:] if axes else np.zeros(3))])
    J = np.diag(full[:3])
    for (row, column), value in zip(((1, 2), (0, 2), (0, 1)), full[3:], strict=True):
        J[row, column] = J[column, row] = value
    return physical(J)


def _turned(t: np.ndarray, omega: np.ndarray) -> np.ndarray:
    """Attitudes (n, 4) of rates, each stretch from none."""
    found = np.full((len(t), 4), np.nan)
    for part in stretches(t, omega):
        found[part] = attitudes_of(t[part], omega[part], _HERE).p
    return found


def _entries(omega: np.ndarray, count: int) -> np.ndarray:
    """J omega (n, 3, count) as a matrix of the entries J11, J22, J33, J23, J13, J12."""
    w1, w2, w3 = omega.T
    matrix = np.zeros((len(omega), 3, count))
    for axis, w in enumerate((w1, w2, w3)):
        matrix[:, axis, axis] = w
    if count == 6:
        matrix[:, 1, 3], matrix[:, 2, 3] = w3, w2
        matrix[:, 0, 4], matrix[:, 2, 4] = w3, w1
        matrix[:, 0, 5], matrix[:, 1, 5] = w2, w1
    return matrix


def physical(J: np.ndarray, least: float = 0.01) -> np.ndarray:
    """The nearest inertia (3, 3), of trace 1, whose second moments are at least so large a share of their sum."""
    trace = np.trace(J)
    J = J / trace if abs(trace) > 1e-6 * np.linalg.norm(J) else np.eye(3) / 3.0
    values, vectors = np.linalg.eigh(0.5 * np.eye(3) - J)
    second = np.maximum(values, least)
    inertia = (vectors * (second.sum() - second)) @ vectors.T
    return inertia / np.trace(inertia)


def rate_at_start(t: np.ndarray, omega: np.ndarray, turn: float = 1.0) -> np.ndarray:
    """omega (3,) at the first row, by a cubic through the rows within so much turn [rad]."""
    known = np.isfinite(omega).all(axis=1)
    times, rates = t[known], omega[known]
    span = turn / max(float(np.linalg.norm(rates[:20], axis=1).mean()), 1e-12)
    count = int(np.clip(np.searchsorted(times, times[0] + span), 1, len(times)))
    degree = min(3, (count - 1) // 3)
    x = (times[:count] - t[0]) / max(float(times[count - 1] - t[0]), 1e-300)
    found: np.ndarray = np.polynomial.polynomial.polyfit(x, rates[:count], degree)[0]
    return found
