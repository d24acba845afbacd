"""RK4 of a torque-free rigid body as people write it in NumPy: arrays, `np.cross`, one Python loop."""

from collections.abc import Callable

import numpy as np

Derivative = Callable[[np.ndarray], np.ndarray]


def L(p: np.ndarray) -> np.ndarray:
    """The matrix L (3, 4) of S0(9)."""
    e0, e1, e2, e3 = p
    return np.array([[-e1, e0, e3, -e2], [-e2, -e3, e0, e1], [-e3, e2, -e1, e0]])


def newton_euler(J: np.ndarray) -> Derivative:
    """Derivative of (omega, p)."""
    Ji = np.linalg.inv(J)

    def derivative(y: np.ndarray) -> np.ndarray:
        omega, p = y[:3], y[3:]
        return np.concatenate((Ji @ -np.cross(omega, J @ omega), 0.5 * L(p).T @ omega))

    return derivative


def hamilton(J: np.ndarray) -> Derivative:
    """Derivative of (h, p)."""
    Ji = np.linalg.inv(J)

    def derivative(y: np.ndarray) -> np.ndarray:
        h, p = y[:3], y[3:]
        omega = Ji @ h
        return np.concatenate((-np.cross(omega, h), 0.5 * L(p).T @ omega))

    return derivative


def lagrange_full(J: np.ndarray) -> Derivative:
    """Derivative of (p, p') by the 5x5 system S0(34)."""
    return _augmented(J, lambda l, rate_matrix, h: 8.0 * l.T @ l @ rate_matrix.T @ h)


def lagrange_simplified(J: np.ndarray) -> Derivative:
    """Derivative of (p, p') by the 5x5 system S0(39)."""
    return _augmented(J, lambda l, rate_matrix, h: 8.0 * rate_matrix.T @ h)


def _augmented(
    J: np.ndarray, gyroscopic: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
) -> Derivative:
    def derivative(y: np.ndarray) -> np.ndarray:
        p, p_rate = y[:4], y[4:]
        l = L(p)
        matrix = np.zeros((5, 5))
        matrix[:4, :4] = 4.0 * l.T @ J @ l
        matrix[:4, 4] = matrix[4, :4] = p
        right = np.append(-gyroscopic(l, L(p_rate), J @ l @ p_rate), -p_rate @ p_rate)
        return np.concatenate((p_rate, np.linalg.solve(matrix, right)[:4]))

    return derivative


def rk4(f: Derivative, y: np.ndarray, dt: float, steps: int) -> np.ndarray:
    """The state after `steps` steps."""
    for _ in range(steps):
        k1 = f(y)
        k2 = f(y + 0.5 * dt * k1)
        k3 = f(y + 0.5 * dt * k2)
        k4 = f(y + dt * k3)
        y = y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y
