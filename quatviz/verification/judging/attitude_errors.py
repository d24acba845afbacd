"""Explanation of wrong attitude rates: of p', or of the author's own attitude coordinates."""

import numpy as np

from quatviz.verification.judging.fits import (
    ZERO,
    amount_text,
    fit,
    join,
    permutation_text,
    times_text,
    turn_text,
    vector_text,
)
from quatviz.verification.judging.rate_table import RATE_TOLERANCE, Coordinate, RateTable
from quatviz.verification.judging.sparse_terms import CandidateTerm, sparse_rows

_SAME_RATE = 1e-7
"""Largest relative difference at which a computed rate of an attitude coordinate counts as correct. The correct
rates are numerical derivatives and therefore have fewer digits."""


def explain_attitude(table: RateTable) -> str:
    """Return a sentence that says what is wrong with p', or "" if no simple explanation exists."""
    residual, right = table.p_residual, table.p_rate
    match = fit([right], residual)
    if match:
        return f"p' {times_text(1.0 + match.coefficients[0])}"
    match = fit([table.p], residual)
    if match:
        return f"p' has an additional {amount_text(match.coefficients[0])} p"
    sentence = _coordinate_rates(table)
    if sentence:
        return sentence
    for explain in (_attitude_components, _attitude_rate, _vector_terms, _attitude_terms):
        sentence = explain(table, residual + right)
        if sentence:
            return sentence
    return ""


def explain_own_coordinates(table: RateTable) -> str:
    """Return a sentence that names the wrong components of the author's own coordinates and their factors.

    The result is "" if all components are right, if all are wrong, or if a wrong component has no constant
    factor.
    """
    return _component_rates(table.coordinates, needs_factors=True)


def _coordinate_rates(table: RateTable) -> str:
    """Explain a wrong p' by the rates of the author's own coordinates. The text gives wrong factors, else wrong
    terms, else only the names of the wrong components."""
    coordinates = table.coordinates
    sentence = _component_rates(coordinates, needs_factors=True)
    if sentence:
        return sentence
    wrong = [coordinate for coordinate in coordinates if _wrong_components(coordinate).any()]
    if len(wrong) == 1 and wrong[0].rates.shape[1] == 3:
        sentence = _vector_rate(table, wrong[0])
    return sentence or _component_rates(coordinates, needs_factors=False)


def _wrong_components(coordinate: Coordinate) -> np.ndarray:
    """Return the mask (k,) of the components of a coordinate whose rate is wrong."""
    size = max(float(np.abs(coordinate.right).max()), 1e-300)
    return np.asarray(np.abs(coordinate.rates - coordinate.right).max(axis=0) > _SAME_RATE * size)


def _component_rates(coordinates: tuple[Coordinate, ...], needs_factors: bool) -> str:
    """Return the names of the components whose rates are wrong. If `needs_factors` is True, the text includes their
    factors, and is "" if a factor is not constant. If it is False, the text is "" if all components are wrong."""
    names, has_factors, count = [], True, 0
    for coordinate in coordinates:
        wrong = _wrong_components(coordinate)
        count += len(wrong)
        factors = []
        for k in np.flatnonzero(wrong):
            match = fit([coordinate.right[:, k]], coordinate.rates[:, k])
            has_factors &= match is not None
            factors.append(f", {times_text(float(match.coefficients[0]))}" if match and needs_factors else "")
        if 1 < len(factors) == len(wrong) and len(set(factors)) == 1 and factors[0]:
            names.append(f"{coordinate.symbol}'{factors[0].removeprefix(',')}")
        else:
            names += [
                f"{coordinate.names[k]} only{factor}"
                for k, factor in zip(np.flatnonzero(wrong), factors, strict=True)
            ]
    if not names or (needs_factors and not has_factors) or (not needs_factors and len(names) == count):
        return ""
    return join(names)


def _vector_rate(table: RateTable, coordinate: Coordinate) -> str:
    """Explain a wrong rate of a vector s of coordinates, such as Rodrigues parameters, by wrong factors of
    terms such as s x omega and s (s.omega)."""
    s, omega, symbol = coordinate.values, table.omega, coordinate.symbol
    along, squared = np.einsum("ni,ni->n", s, omega), np.einsum("ni,ni->n", s, s)
    names = ("ω", f"{symbol} × ω", f"{symbol} ({symbol}·ω)", f"|{symbol}|² ω", "e0 ω", symbol)
    columns = [
        omega, np.cross(s, omega), along[:, None] * s, squared[:, None] * omega, np.abs(table.p[:, :1]) * omega, s,
    ]  # fmt: skip
    right, actual = fit(columns, coordinate.right), fit(columns, coordinate.rates)
    if right is None or actual is None:
        return ""
    terms = []
    for name, expected, value in zip(names, right.coefficients, actual.coefficients, strict=True):
        if abs(value - expected) <= 1e-6 * right.largest:
            continue
        if abs(expected) > 1e-6 * right.largest:
            terms.append(f"{name} {times_text(float(value / expected))}")
        else:
            terms.append(f"an additional {amount_text(float(value))} {name}")
    return f"in {symbol}': {join(terms)}" if terms else ""


def _attitude_components(table: RateTable, actual: np.ndarray) -> str:
    """Explain a wrong p', given as `actual` (n, 4), by wrong factors of single components."""
    right = table.p_rate
    factors = {}
    for k in np.flatnonzero(np.abs(table.p_residual).max(axis=0) > RATE_TOLERANCE * np.abs(right).max()):
        match = fit([right[:, k]], actual[:, k])
        if match is None:
            return ""
        factors[int(k)] = float(match.coefficients[0])
    return join([f"p'_{k} only, {times_text(factor)}" for k, factor in factors.items()])


def _attitude_rate(table: RateTable, actual: np.ndarray) -> str:
    """Explain a wrong p', given as `actual` (n, 4), by a wrong angular velocity: its components have wrong
    factors, are exchanged, or contain an additional constant."""
    L = np.array([state.L for state in table.states])
    omega = 2.0 * np.einsum("nij,nj->ni", L, actual)
    if np.abs(actual - 0.5 * np.einsum("nji,nj->ni", L, omega)).max() > 1e-8 * np.abs(actual).max():
        return ""
    factors = []
    for k in range(3):
        match = fit([table.omega[:, k]], omega[:, k])
        if match is None:
            break
        factors.append(float(match.coefficients[0]))
    if len(factors) == 3:
        parts = [
            f"ω{k + 1} in p' {times_text(factor)}"
            for k, factor in enumerate(factors)
            if abs(factor - 1.0) > ZERO
        ]
        return join(parts)
    names = [f"ω{k + 1}" for k in range(3)]
    text = permutation_text(omega, table.omega, names)
    if text:
        return f"in p' {text}"
    turn = turn_text(table.omega, omega)
    if turn:
        return f"in p', ω is turned by {turn}"
    other = _other_rate_text(table, omega)
    if other:
        return f"in p', {other}"
    difference = omega - table.omega
    for name, vectors in (
        ("in the body", [np.broadcast_to(axis, omega.shape) for axis in np.eye(3)]),
        ("in space", [table.A[:, k] for k in range(3)]),
    ):
        match = fit(vectors, difference)
        if match:
            return f"p' turns with an additional constant rate {vector_text(match.coefficients)} rad/s {name}"
    return ""


def _other_rate_text(table: RateTable, omega: np.ndarray) -> str:
    """Return a text that names the vector with which p' was computed in place of omega. `omega` (n, 3) is the
    angular velocity that follows from the wrong p'. The text is "" if no frequent mistake gives this vector."""
    A, J, right, h = table.A, table.J, table.omega, table.h
    speed = np.linalg.norm(right, axis=1, keepdims=True)
    h_in_space, Ah_in_space = (np.einsum("nij,nj->ni", matrix, h) for matrix in (A, A @ A))

    def solved(vectors: np.ndarray) -> np.ndarray:
        return np.linalg.solve(J, vectors[..., None])[..., 0]

    for text, vectors in (
        ("Aω in place of ω: the rate is that in space", np.einsum("nij,nj->ni", A, right)),
        ("Aᵀω in place of ω: the rate is turned the wrong way", np.einsum("nji,nj->ni", A, right)),
        ("ω = J⁻¹ A h with h in space, in place of J⁻¹ Aᵀ h", solved(Ah_in_space)),
        ("ω = J⁻¹ h with h in space, in place of J⁻¹ Aᵀ h", solved(h_in_space)),
        ("Jω in place of ω", h),
        ("J⁻¹ω in place of ω", solved(right)),
        ("ω/|ω| in place of ω", right / speed),
        ("|ω| ω in place of ω", right * speed),
    ):
        match = fit([vectors], omega)
        if match:
            factor = float(match.coefficients[0])
            return text if abs(factor - 1.0) < 1e-6 else f"{amount_text(factor)} {text}"
    return ""


def _vector_terms(table: RateTable, actual: np.ndarray) -> str:
    """Explain a wrong p', given as `actual` (n, 4), by wrong factors of e·ω in its scalar part, and of e0 ω and
    e x ω in its vector part."""
    e0, e, omega = table.p[:, :1], table.p[:, 1:], table.omega
    zero = np.zeros((len(table), 1))
    columns = (
        np.hstack((-np.einsum("ni,ni->n", e, omega)[:, None], np.zeros_like(e))),
        np.hstack((zero, e0 * omega)),
        np.hstack((zero, np.cross(e, omega))),
    )
    match = fit([0.5 * column for column in columns], actual)
    if match is None:
        return ""
    terms = [
        f"{name} {times_text(float(factor))}"
        for name, factor in zip(("e·ω", "e0 ω", "e × ω"), match.coefficients, strict=True)
        if abs(factor - 1.0) > 1e-6
    ]
    return f"in p': {join(terms)}"


def _attitude_terms(table: RateTable, actual: np.ndarray) -> str:
    """Explain a wrong p', given as `actual` (n, 4), by a few wrong terms among the twelve products of a
    component of p and a component of omega."""
    p, omega = table.p, table.omega
    right = {
        0: {(1, 0): -0.5, (2, 1): -0.5, (3, 2): -0.5},
        1: {(0, 0): 0.5, (2, 2): 0.5, (3, 1): -0.5},
        2: {(0, 1): 0.5, (3, 0): 0.5, (1, 2): -0.5},
        3: {(0, 2): 0.5, (1, 1): 0.5, (2, 0): -0.5},
    }

    def terms_of(row: int) -> list[CandidateTerm]:
        products = [
            CandidateTerm(f"e{a} ω{b + 1}", p[:, a] * omega[:, b], right[row].get((a, b), 0.0))
            for a in range(4)
            for b in range(3)
        ]
        others = [CandidateTerm(f"e{a}", p[:, a]) for a in range(4)]
        return [*products, *others, *(CandidateTerm(f"ω{b + 1}", omega[:, b]) for b in range(3))]

    result = sparse_rows(table.p_residual, terms_of, [f"p'_{k}" for k in range(4)])
    return result[1] if result is not None else ""
