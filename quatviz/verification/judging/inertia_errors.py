"""Explanation of a wrong omega' by the inertia: wrong, exchanged or turned moments, or a wrong division."""

from itertools import product

import numpy as np

from quatviz.verification.judging.fits import (
    FIT_TOLERANCE,
    MIN_INFERENCE_STATES,
    explains,
    fit,
    join,
    rotated,
    solved,
    times_text,
    turn_text,
    vector_text,
)
from quatviz.verification.judging.rate_table import RateTable

_PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


def explain_division(table: RateTable) -> str:
    """Explain a wrong omega' by a term that is multiplied by J or by 1 in place of the inverse of J."""
    residual = solved(table.J, table.torque_residual)
    moments = {
        "n": table.torque,
        "(ω × Jω)": -table.gyroscopic,
        "(n - ω × Jω)": table.torque - table.gyroscopic,
    }
    for name, moment in moments.items():
        right = solved(table.J, moment)
        for text, actual in (
            (name, moment), (f"J{name}", rotated(table.J, moment)), (f"J⁻²{name}", solved(table.J, right)),
        ):  # fmt: skip
            if explains(residual, actual - right):
                if text == "J(n - ω × Jω)":
                    return "ω' is multiplied by J in place of J⁻¹"
                return f"{text} in place of J⁻¹{name}"
    return ""


def explain_turned_inertia(table: RateTable) -> str:
    """Explain a wrong omega' by an inertia that is transformed with the wrong rotation, or transformed to space
    although the equation is in body components."""
    A, J = table.A, table.J
    A_squared = A @ A
    for sentence, B in (
        ("AᵀJA in place of AJAᵀ: the inertia is turned the wrong way", A_squared),
        ("AJAᵀ in place of J: the inertia is that in space", np.swapaxes(A, 1, 2)),
        ("AᵀJA in place of J", A),
    ):
        rotated_inertia = np.swapaxes(B, 1, 2) @ J @ B
        rate = solved(
            rotated_inertia, table.torque - np.cross(table.omega, rotated(rotated_inertia, table.omega))
        )
        if explains(table.omega_rate, rate):
            return sentence
    return ""


def explain_inertia(table: RateTable) -> str:
    """Explain the residual by wrong factors of the entries of J, in the whole equation or in only one of the
    two terms that contain J."""
    omega, rate = table.omega, table.omega_rate
    parts = []
    for i, j in _PAIRS:
        unit = np.zeros((3, 3))
        unit[i, j] = unit[j, i] = 1.0
        parts.append(table.J * unit)
    used = [part for part in parts if np.abs(part).max() > 0.0]
    pairs = [pair for pair, part in zip(_PAIRS, parts, strict=True) if np.abs(part).max() > 0.0]

    def accelerated(part: np.ndarray) -> np.ndarray:
        return np.einsum("nij,nj->ni", part, rate)

    def rotated_part(part: np.ndarray) -> np.ndarray:
        return np.cross(omega, np.einsum("nij,nj->ni", part, omega))

    places: tuple[tuple[str, list[np.ndarray], np.ndarray], ...] = (
        ("", [accelerated(part) + rotated_part(part) for part in used], table.torque),
        (" in ω × Jω", [rotated_part(part) for part in used], table.torque - accelerated(table.J)),
        (" in Jω'", [accelerated(part) for part in used], table.torque - table.gyroscopic),
    )
    for where, columns, right in places:
        match = fit(columns, right)
        if match is None:
            continue
        names = [f"J{i + 1}" if i == j else f"J{i + 1}{j + 1}" for i, j in pairs]
        wrong = [
            f"{name} {times_text(float(factor))}"
            for name, factor in zip(names, match.coefficients, strict=True)
            if abs(factor - 1.0) > 1e-5
        ]
        if wrong and len(wrong) < len(names):
            return join(wrong) + where
        if wrong:
            return (
                f"J {times_text(float(match.coefficients[0]))}{where}"
                if np.ptp(match.coefficients) < 1e-6
                else ""
            )
    return (
        _additional_inertia(table)
        or _exchanged_moments(table)
        or _exchanged_divisors(table)
        or _misaligned_inertia(table)
    )


def _additional_inertia(table: RateTable) -> str:
    """Explain the residual by a constant inertia that is added to that of the body."""
    columns = []
    for i, j in _PAIRS:
        unit = np.zeros((3, 3))
        unit[i, j] = unit[j, i] = 1.0
        columns.append(table.omega_rate @ unit + np.cross(table.omega, table.omega @ unit))
    moment = np.einsum("nij,nj->ni", table.J, table.omega_rate)
    match = fit(columns, table.torque - table.gyroscopic - moment)
    if match is None:
        return ""
    moments, products = match.coefficients[:3], match.coefficients[3:]
    if np.abs(products).max() <= 1e-5 * match.largest:
        return f"an additional inertia {vector_text(moments)} kg m²"
    return f"an additional inertia {vector_text(moments)} kg m² with products {vector_text(products)} kg m²"


def _misaligned_inertia(table: RateTable) -> str:
    """Explain the residual by principal axes of inertia that are rotated in the body by a constant rotation.

    The wrong inertia is the sum of three symmetric matrices, each multiplied by one principal moment. For a rotation
    the matrices are v vᵀ with the rotated axes v.
    """
    moments = np.diagonal(table.J, axis1=1, axis2=2)
    if np.abs(table.J - moments[:, :, None] * np.eye(3)).max() > 0.0 or len(table) < 2 * MIN_INFERENCE_STATES:
        return ""
    units = []
    for i, j in _PAIRS:
        unit = np.zeros((3, 3))
        unit[i, j] = unit[j, i] = 1.0
        units.append(unit)
    columns = [
        moments[:, [k]] * (table.omega_rate @ unit + np.cross(table.omega, table.omega @ unit))
        for k in range(3)
        for unit in units
    ]
    match = fit(columns, table.torque)
    if match is None:
        return ""
    axes = []
    for coefficients in match.coefficients.reshape(3, 6):
        values, vectors = np.linalg.eigh(sum(c * unit for c, unit in zip(coefficients, units, strict=True)))
        if np.abs(values - [0.0, 0.0, 1.0]).max() > FIT_TOLERANCE:
            return ""
        axes.append(vectors[:, 2])
    R = np.stack([axis if axis[k] >= 0.0 else -axis for k, axis in enumerate(axes)], axis=1)
    turn = turn_text(np.eye(3), R.T, least_count=3)
    return f"J is turned by {turn}" if turn else ""


def _exchanged_moments(table: RateTable) -> str:
    """Explain the residual by exchanged principal moments, or by one principal moment that replaces another."""
    moments = np.diagonal(table.J, axis1=1, axis2=2)
    if np.abs(table.J - moments[:, :, None] * np.eye(3)).max() > 0.0:
        return ""
    for order in product(range(3), repeat=3):
        J = moments[:, list(order)]
        gyroscopic = np.cross(table.omega, J * table.omega)
        for where, rate in (
            ("", (table.torque - gyroscopic) / J),
            (" in ω × Jω", (table.torque - gyroscopic) / moments),
        ):
            residual = table.omega_rate - rate
            if np.linalg.norm(residual) <= FIT_TOLERANCE * np.linalg.norm(table.torque_residual):
                moved = [k for k in range(3) if order[k] != k]
                if len(set(order)) == 3:
                    return f"{join([f'J{k + 1}' for k in moved])} are exchanged{where}"
                return join([f"J{order[k] + 1} in place of J{k + 1}" for k in moved]) + where
    return ""


def _exchanged_divisors(table: RateTable) -> str:
    """Explain the residual by components of omega' that are divided by the principal moment of another
    axis."""
    moments = np.diagonal(table.J, axis1=1, axis2=2)
    torque = moments * table.omega_rate - table.torque_residual
    if np.abs(table.J - moments[:, :, None] * np.eye(3)).max() > 0.0:
        return ""
    parts = []
    for k in range(3):
        size = FIT_TOLERANCE * np.linalg.norm(torque[:, k])
        divisors = [
            j
            for j in range(3)
            if np.linalg.norm(moments[:, j] * table.omega_rate[:, k] - torque[:, k]) <= size
        ]
        if not divisors:
            return ""
        if k not in divisors:
            parts.append(f"ω'_{k + 1} is divided by J{divisors[0] + 1}")
    return join(parts)
