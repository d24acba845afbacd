"""Linear fits of a residual by named columns, and the texts of the fitted factors and vectors."""

import math
from collections.abc import Callable, Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np

FIT_TOLERANCE = 1e-5
"""Largest relative residual of a fit that counts as exact. Numerical derivatives of rates have fewer digits than
rates.
"""
MIN_INFERENCE_STATES = 4
"""Smallest number of states from which a limit of the torque, or a constant rotation of vectors, is
inferred."""
_GOLDEN, _SECTIONS = 0.381966, 60
"""Ratio and number of iterations of a golden-section search; the iterations suffice for all digits."""
ZERO = 1e-7
"""Threshold, relative to the largest coefficient, below which a coefficient counts as zero."""


class Fit(NamedTuple):
    """Result of a linear fit: the coefficients (k,) of k columns."""

    coefficients: np.ndarray

    @property
    def largest(self) -> float:
        return float(np.abs(self.coefficients).max())


def fit(columns: Sequence[np.ndarray], residual: np.ndarray) -> Fit | None:
    """Fit an array `residual` by a linear combination of k arrays `columns` of the same shape. Return the
    coefficients, or None if no combination equals the residual."""
    matrix = np.stack([np.ravel(column) for column in columns], axis=1)
    right = np.ravel(residual)
    if len(right) <= len(columns) or not np.isfinite(matrix).all() or not np.isfinite(right).all():
        return None
    lengths = np.linalg.norm(matrix, axis=0)
    used = lengths > 0.0
    if not used.any():
        return None
    scaled, _, rank, _ = np.linalg.lstsq(matrix[:, used] / lengths[used], right, rcond=1e-10)
    if rank < used.sum():
        return None
    coefficients = np.zeros(len(columns))
    coefficients[used] = scaled / lengths[used]
    if np.linalg.norm(right - matrix @ coefficients) > FIT_TOLERANCE * np.linalg.norm(right):
        return None
    return Fit(coefficients)


def number_text(value: float) -> str:
    """Return a factor in readable form: 2, 1/3, 0.7, 1.000001."""
    for denominator in (1, 2, 3, 4, 6, 8):
        numerator = round(value * denominator)
        if abs(value * denominator - numerator) <= 1e-8 * max(abs(value * denominator), 1.0) and (
            denominator == 1 or abs(numerator) <= 9
        ):
            return f"{numerator}" if denominator == 1 else _fraction_text(numerator, denominator)
    return f"{value:.4g}" if abs(value - 1.0) > 1e-3 else f"{value:.7g}"


def _fraction_text(numerator: int, denominator: int) -> str:
    decimal = numerator / denominator
    return f"{decimal:g}" if denominator in (2, 4, 8) else f"{numerator}/{denominator}"


def times_text(factor: float) -> str:
    """Return the effect of a factor on a term: "missing", "times -1"."""
    return "missing" if abs(factor) < 1e-6 else f"times {number_text(factor)}"


def amount_text(value: float) -> str:
    """Return a coefficient with three decimals, or with three digits if it is small or large."""
    return f"{value:.3f}" if 0.00999 < abs(value) < 1e3 else f"{value:.3g}"


def vector_text(vector: Sequence[float] | np.ndarray) -> str:
    size = float(np.abs(vector).max())
    return f"({', '.join(amount_text(float(v)) if abs(v) > 1e-5 * size else '0' for v in vector)})"


def permutation_text(actual: np.ndarray, right: np.ndarray, names: Sequence[str]) -> str:
    """Describe which components of `actual` (n, 3) are exchanged in comparison with `right` (n, 3), possibly
    with other signs; "" if exchanges do not explain the difference."""
    for order in permutations(range(3)):
        if order == (0, 1, 2):
            continue
        signs = []
        for k, source in enumerate(order):
            match = fit([right[:, source]], actual[:, k])
            if match is None or abs(abs(match.coefficients[0]) - 1.0) > 1e-5:
                break
            signs.append(float(match.coefficients[0]))
        if len(signs) == 3:
            moved = [k for k in range(3) if order[k] != k]
            changed = [names[k] for k in range(3) if signs[k] < 0.0]
            what = f"{join([names[k] for k in moved])} are exchanged"
            return what + (f", and {join(changed)} with the opposite sign" if changed else "")
    return ""


def smallest_error(error: Callable[[float], float], largest: float, promising: float) -> float | None:
    """Return the value between 0 and `largest` with the smallest `error`: the best of a grid, refined by
    golden-section search. Return None if the errors of the grid are all larger than `promising`."""
    count = 24
    values = [largest * (k + 1) / count for k in range(count)]
    errors = [error(value) for value in values]
    if min(errors) > promising:
        return None
    best = values[int(np.argmin(errors))]
    low, high = best - largest / count, best + largest / count
    for _ in range(_SECTIONS):
        first, second = low + _GOLDEN * (high - low), high - _GOLDEN * (high - low)
        low, high = (low, second) if error(first) < error(second) else (first, high)
    return 0.5 * (low + high)


def turn_text(vectors: np.ndarray, result: np.ndarray, least_count: int = MIN_INFERENCE_STATES) -> str:
    """Return a text with angle and axis of the constant rotation that takes `vectors` (n, 3) to `result` (n, 3).
    Return "" if there is none, or if there are fewer than `least_count` vectors."""
    if len(vectors) < least_count:
        return ""
    matrix = np.linalg.lstsq(vectors, result, rcond=1e-10)[0].T
    if np.linalg.norm(vectors @ matrix.T - result) > FIT_TOLERANCE * np.linalg.norm(result - vectors):
        return ""
    if np.abs(matrix @ matrix.T - np.eye(3)).max() > FIT_TOLERANCE or np.linalg.det(matrix) < 0.0:
        return ""
    axis = 0.5 * np.array(
        [matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1]]
    )
    sine = float(np.linalg.norm(axis))
    angle = math.degrees(math.atan2(sine, 0.5 * (np.trace(matrix) - 1.0)))
    return f"{angle:.4g}° about {vector_text(axis / sine)}" if sine > 1e-6 else ""


def join(parts: Sequence[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def rotated(A: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Return the products (n, 3) of matrices (n, 3, 3) and vectors (n, 3)."""
    return np.einsum("nij,nj->ni", A, vectors)


def rotated_back(A: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Return the products (n, 3) of transposed matrices (n, 3, 3) and vectors (n, 3)."""
    return np.einsum("nji,nj->ni", A, vectors)


def solved(J: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Return the solutions x (n, 3) of J x = vectors, for matrices J (n, 3, 3)."""
    return np.linalg.solve(J, vectors[..., None])[..., 0]


def explains(residual: np.ndarray, difference: np.ndarray) -> bool:
    """Return True if `difference` equals `residual` up to `FIT_TOLERANCE`."""
    return bool(np.linalg.norm(residual - difference) <= FIT_TOLERANCE * np.linalg.norm(residual))
