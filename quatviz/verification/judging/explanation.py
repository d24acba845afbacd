"""Explanation of wrong rates that no known mistake explains: the component, factor or term that is wrong.

The residual, that is the rates of the formulation minus those of the motion, is fitted at random states by terms that
occur in equations of a rigid body. The simplest exact fit is described in words.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import permutations, product
from typing import NamedTuple

import numpy as np

from quatviz.verification.judging.rate_table import PART_NAMES, RATE_TOLERANCE, RateTable

FIT_TOLERANCE = 1e-5
"""Largest relative residual of a fit that counts as exact. Numerical derivatives of rates have fewer digits than
rates.
"""
_MAX_TERMS = 3
"""Largest number of wrong terms that an explanation should contain for one component of an equation."""
_MIN_LIMITED_STATES = 4
"""Smallest number of states from which a limit of the torque, or a constant rotation of vectors, is
inferred."""
_GOLDEN, _SECTIONS = 0.381966, 60
"""Ratio and number of iterations of a golden-section search; the iterations suffice for all digits."""
_ZERO = 1e-7
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


def _amount_text(value: float) -> str:
    """Return a coefficient with three decimals, or with three digits if it is small or large."""
    return f"{value:.3f}" if 1e-2 <= abs(value) < 1e3 else f"{value:.3g}"


def _vector_text(vector: Sequence[float] | np.ndarray) -> str:
    size = float(np.abs(vector).max())
    return f"({', '.join(_amount_text(float(v)) if abs(v) > 1e-5 * size else '0' for v in vector)})"


# --- the angular velocity


def explain_rotation(table: RateTable) -> str:
    """Return a sentence that says what is wrong with omega', or "" if no simple explanation exists."""
    for explain in (
        _whole_terms,
        _own_components,
        _limited_torque,
        _replaced_terms,
        _constant_terms,
        _time_terms,
        _by_component,
        _inertia,
        _turned_torque,
        _mixed,
        _limited_rate,
        _sparse_terms,
    ):
        sentence = explain(table)
        if sentence:
            return sentence
    return ""


def _whole_terms(table: RateTable) -> str:
    """Explain the residual by a wrong factor of the torque n or of omega x J omega, or by an additional
    torque that is proportional to a single vector."""
    residual, n, gyroscopic = table.torque_residual, table.torque, table.gyroscopic
    e0, e = table.p[:, :1], table.p[:, 1:]
    scaled: tuple[tuple[str, np.ndarray], ...] = (("the torque n", n), ("ω × Jω", -gyroscopic))
    for name, column in scaled:
        match = fit([column], residual)
        if match:
            return f"{name} {times_text(1.0 + match.coefficients[0])}"
    added = (
        ("ω", table.omega), ("Jω", table.h), ("e", e), ("sign(e0) e", np.sign(e0) * e), ("e0 e", e0 * e),
        ("|ω| ω", np.linalg.norm(table.omega, axis=1, keepdims=True) * table.omega),
        ("ω × e", np.cross(table.omega, e)), ("Jω × n", np.cross(table.h, n)), ("ω × n", np.cross(table.omega, n)),
    )  # fmt: skip
    for name, column in added:
        match = fit([column], residual)
        if match:
            return f"additional torque {_amount_text(match.coefficients[0])} {name}"
    match = fit([n, -gyroscopic], residual)
    if match:
        first, second = 1.0 + match.coefficients
        if abs(first - second) < 1e-6:
            return f"J ω' {times_text(first)}"
        return f"the torque n {times_text(first)}, and ω × Jω {times_text(second)}"
    return ""


def _own_components(table: RateTable) -> str:
    """Explain an error by components of the author's velocity variable whose rates have wrong factors or are
    exchanged."""
    own, right = table.own, table.own_right
    if not own.size:
        return ""
    size = max(float(np.abs(right).max()), 1e-300)
    wrong = np.abs(own - right).max(axis=0) > RATE_TOLERANCE * size
    factors = {}
    for k in np.flatnonzero(wrong):
        match = fit([right[:, k]], own[:, k])
        if match is None:
            break
        factors[int(k)] = float(match.coefficients[0])
    names = table.own_names
    if wrong.any() and len(factors) == wrong.sum():
        if len(factors) == own.shape[1] and np.ptp(list(factors.values())) < 1e-6:
            return f"{names[0].rpartition('_')[0]} {times_text(factors[0])}"
        return _join([f"{names[k]} only, {times_text(factor)}" for k, factor in factors.items()])
    if own.shape[1] == 3:
        return _permutation_text(own, right, names)
    return ""


def _permutation_text(actual: np.ndarray, right: np.ndarray, names: Sequence[str]) -> str:
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
            what = f"{_join([names[k] for k in moved])} are exchanged"
            return what + (f", and {_join(changed)} with the opposite sign" if changed else "")
    return ""


def _constant_terms(table: RateTable) -> str:
    """Explain the residual by an additional constant: a constant momentum, or a constant torque in the body
    or in space."""
    residual, axes = table.torque_residual, np.eye(3)
    match = fit([-np.cross(table.omega, axis) for axis in axes], residual)
    if match:
        return f"constant additional momentum {_vector_text(match.coefficients)} kg m²/s, as of a gyrostat"
    match = fit([-np.cross(table.omega, table.A[:, k]) for k in range(3)], residual)
    if match:
        return f"constant additional momentum {_vector_text(match.coefficients)} kg m²/s in space"
    match = fit([np.broadcast_to(axis, residual.shape) for axis in axes], residual)
    if match:
        return f"additional constant torque {_vector_text(match.coefficients)} N m in the body"
    match = fit([table.A[:, k] for k in range(3)], residual)
    if match:
        return f"additional constant torque {_vector_text(match.coefficients)} N m in space"
    return ""


def _time_terms(table: RateTable) -> str:
    """Explain the residual by a torque that grows in proportion to time."""
    residual, t = table.torque_residual, table.t[:, None]
    for name, vectors in (
        ("in the body", [np.broadcast_to(axis, residual.shape) for axis in np.eye(3)]),
        ("in space", [table.A[:, k] for k in range(3)]),
    ):
        match = fit([t * vector for vector in vectors], residual)
        if match:
            return f"additional torque {_vector_text(match.coefficients)} t N m {name}"
    for name, vector in (("n", table.torque), ("ω", table.omega), ("Jω", table.h)):
        match = fit([t * vector], residual)
        if match:
            return f"additional torque {_amount_text(match.coefficients[0])} t {name}"
    return ""


def _by_component(table: RateTable) -> str:
    """Explain the residual by wrong factors of the components of one term, or by an additional torque in each
    component."""
    residual, axes = table.torque_residual, np.eye(3)
    for name, column in (("the torque n", table.torque), ("ω × Jω", -table.gyroscopic)):
        match = fit([column * axis for axis in axes], residual)
        if match:
            return _factors_text(name, 1.0 + match.coefficients)
    in_space = np.einsum("nij,nj->ni", table.A, table.torque)
    match = fit([np.einsum("nji,nj->ni", table.A, in_space * axis) for axis in axes], residual)
    if match:
        return _factors_text("the torque n in space", 1.0 + match.coefficients)
    squares = np.abs(table.omega) * table.omega
    for name, column in (
        ("ω{0}", table.omega), ("Jω{0}", table.h), ("e{0}", table.p[:, 1:]), ("|ω{0}| ω{0}", squares),
    ):  # fmt: skip
        match = fit([column * axis for axis in axes], residual)
        if match and np.ptp(match.coefficients) <= _ZERO * match.largest:
            return f"additional torque {_amount_text(match.coefficients[0])} {name.format('_k')} in each component"
        if match:
            terms = [
                f"{_amount_text(value)} {name.format(k + 1)} in component {k + 1}"
                for k, value in enumerate(match.coefficients)
                if abs(value) > _ZERO * match.largest
            ]
            return f"additional torque {_join(terms)}"
    return ""


def _factors_text(name: str, factors: np.ndarray) -> str:
    parts = [
        f"component {k + 1} of {name} only, {times_text(float(factor))}"
        for k, factor in enumerate(factors)
        if abs(factor - 1.0) > _ZERO
    ]
    return _join(parts)


_PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


def _inertia(table: RateTable) -> str:
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
            return _join(wrong) + where
        if wrong:
            return (
                f"J {times_text(float(match.coefficients[0]))}{where}"
                if np.ptp(match.coefficients) < 1e-6
                else ""
            )
    return _exchanged_moments(table) or _exchanged_divisors(table)


def _exchanged_moments(table: RateTable) -> str:
    """Explain the residual by principal moments in the wrong order, or by one that is used in place of another."""
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
                    return f"{_join([f'J{k + 1}' for k in moved])} are exchanged{where}"
                return _join([f"J{order[k] + 1} in place of J{k + 1}" for k in moved]) + where
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
    return _join(parts)


def _limited_torque(table: RateTable) -> str:
    """Explain a torque whose magnitude, or each of whose components, is limited."""
    expected, actual = table.torque, table.torque + table.torque_residual
    lengths, expected_lengths = (np.linalg.norm(torque, axis=1) for torque in (actual, expected))
    limit = float(np.median(lengths))
    if limit == 0.0 or len(table) < _MIN_LIMITED_STATES:
        return ""
    parallel = expected * (limit / np.maximum(expected_lengths, 1e-300))[:, None]
    if np.abs(actual - parallel).max() <= FIT_TOLERANCE * limit and expected_lengths.min() > limit:
        return f"the torque |n| is limited to {_amount_text(limit)} N m"
    is_limited = np.abs(actual - expected) > FIT_TOLERANCE * np.abs(expected).max()
    limits = np.abs(actual[is_limited])
    if len(limits) < _MIN_LIMITED_STATES or np.ptp(limits) > FIT_TOLERANCE * limits.max():
        return ""
    limit = float(np.median(limits))
    if np.abs(actual - np.clip(expected, -limit, limit)).max() > FIT_TOLERANCE * np.abs(expected).max():
        return ""
    return f"each component of the torque n is limited to {_amount_text(limit)} N m"


def _limited_rate(table: RateTable) -> str:
    """Explain a gyroscopic term that is formed with limited components of omega, or with a limited |omega|."""
    omega = table.omega
    lengths = np.linalg.norm(omega, axis=1, keepdims=True)
    size = np.linalg.norm(table.torque_residual)

    def error(limited: np.ndarray) -> float:
        gyroscopic = np.cross(limited, np.einsum("nij,nj->ni", table.J, limited))
        return float(np.linalg.norm(table.gyroscopic - gyroscopic - table.torque_residual))

    for name, limit_rate in (
        ("each component of ω", lambda limit: np.clip(omega, -limit, limit)),
        ("|ω|", lambda limit: omega * np.minimum(1.0, limit / np.maximum(lengths, 1e-300))),
    ):
        limit = _smallest_error(lambda limit: error(limit_rate(limit)), float(lengths.max()))  # noqa: B023
        if error(limit_rate(limit)) <= FIT_TOLERANCE * size:
            return f"{name} is limited to {_amount_text(limit)} rad/s in ω × Jω"
    return ""


def _smallest_error(error: Callable[[float], float], largest: float) -> float:
    """Return the value between 0 and `largest` with the smallest `error`: the best of a grid, refined by
    golden-section search."""
    count = 24
    values = [largest * (k + 1) / count for k in range(count)]
    best = min(values, key=error)
    low, high = best - largest / count, best + largest / count
    for _ in range(_SECTIONS):
        first, second = low + _GOLDEN * (high - low), high - _GOLDEN * (high - low)
        low, high = (low, second) if error(first) < error(second) else (first, high)
    return 0.5 * (low + high)


def _turned_torque(table: RateTable) -> str:
    """Explain a torque in the body that is turned by a constant rotation, as by a misaligned actuator."""
    turn = _turn_text(table.torque, table.torque + table.torque_residual)
    return f"the torque n is turned by {turn}" if turn else ""


def _turn_text(vectors: np.ndarray, result: np.ndarray) -> str:
    """Return a text with angle and axis of the constant rotation that takes `vectors` (n, 3) to `result` (n,
    3); "" if there is none."""
    if len(vectors) < _MIN_LIMITED_STATES:
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
    return f"{angle:.4g}° about {_vector_text(axis / sine)}" if sine > 1e-6 else ""


def _replaced_terms(table: RateTable) -> str:
    """Explain a term that is evaluated with the wrong vectors: loads at rest, or rates and momenta of another frame."""
    residual = table.torque_residual
    at_rest = np.array([replace(state, omega=np.zeros(3)).torque for state in table.states])
    in_space, turned_back = (np.einsum(path, table.A, table.omega) for path in ("nij,nj->ni", "nji,nj->ni"))
    h_in_space = np.einsum("nij,nj->ni", table.A, table.h)
    for sentence, difference in (
        ("the loads are evaluated at ω = 0", at_rest - table.torque),
        ("Aω × Jω in place of ω × Jω: the rate is that in space", table.gyroscopic - np.cross(in_space, table.h)),
        ("Aᵀω × Jω in place of ω × Jω", table.gyroscopic - np.cross(turned_back, table.h)),
        ("ω × AJω in place of ω × Jω: the momentum is that in space", table.gyroscopic - np.cross(table.omega, h_in_space)),
        ("Aω × AJω in place of ω × Jω: it is not rotated into the body", table.gyroscopic - np.cross(in_space, h_in_space)),
    ):  # fmt: skip
        if np.linalg.norm(residual - difference) <= FIT_TOLERANCE * np.linalg.norm(residual):
            return sentence
    return ""


def _mixed(table: RateTable) -> str:
    """Explain a torque or gyroscopic term whose components are exchanged or multiplied by a constant matrix."""
    residual = table.torque_residual
    for name, vector, sign in (("n", table.torque, 1.0), ("ω × Jω", table.gyroscopic, -1.0)):
        result = vector + sign * residual
        text = _permutation_text(result, vector, [f"component {k} of {name}" for k in (1, 2, 3)])
        if text:
            return text
    for name, vector in (("ω", table.omega), ("e", table.p[:, 1:])):
        text = _matrix_text(vector, residual, name)
        if text:
            return text
    return ""


def _matrix_text(vector: np.ndarray, residual: np.ndarray, name: str) -> str:
    """Describe `residual` (n, 3) as an additional torque that is a constant matrix times `vector` (n, 3).
    Return "" if it is not such a torque."""
    columns, entries = [], []
    for i in range(3):
        for j in range(3):
            column = np.zeros_like(residual)
            column[:, i] = vector[:, j]
            columns.append(column)
            entries.append((i, j))
    match = fit(columns, residual)
    if match is None:
        return ""
    terms = [
        f"{_amount_text(value)} {name}{j + 1} in component {i + 1}"
        for (i, j), value in zip(entries, match.coefficients, strict=True)
        if abs(value) > _ZERO * match.largest
    ]
    return f"additional torque {_join(terms)}" if len(terms) <= 4 else ""


class _Term(NamedTuple):
    """A term that one component of an equation may contain: its name, its values (n,), and its correct
    factor, which is 0 for a term that does not belong there."""

    name: str
    values: np.ndarray
    right_factor: float = 0.0


def _sparse_terms(table: RateTable) -> str:
    """Explain the residual by a few wrong terms in single components of J omega', or of the rate of the
    author's velocity variable. The explanation with fewer terms is returned."""
    torque_names = [f"J ω'_{k}" for k in (1, 2, 3)]
    by_torque = _sparse_rows(
        table.torque_residual, lambda row: _torque_terms(table, row), torque_names
    ) or _sparse_rows(table.torque_residual, lambda row: _difference_terms(table, row), torque_names)
    own = table.own - table.own_right
    by_own = _sparse_rows(own, lambda row: _own_terms(table, row), table.own_names) if own.size else None
    candidates = [candidate for candidate in (by_torque, by_own) if candidate is not None]
    return min(candidates, key=lambda candidate: candidate[0])[1] if candidates else ""


def _sparse_rows(
    residual: np.ndarray, terms_of: Callable[[int], Sequence[_Term]], names: Sequence[str]
) -> tuple[int, str] | None:
    """Explain each component of a residual (n, k) by a few wrong terms. Return the number of terms and a
    sentence, or None if a component needs too many terms."""
    size = float(np.abs(residual).max())
    sentences, count = [], 0
    for row in range(residual.shape[1]):
        if np.abs(residual[:, row]).max() <= 1e-8 * size:
            continue
        matches = _few_terms(residual[:, row], terms_of(row))
        if matches is None:
            return None
        count += len(matches)
        sentences.append(f"in {names[row]}: {_terms_text(matches)}")
    return (count, "; ".join(sentences)) if sentences else None


def _terms_text(matches: Sequence[tuple[_Term, float]]) -> str:
    """Describe terms that have wrong factors, terms that should not occur, and a term that stands in place of
    another."""
    missing = [term for term, value in matches if term.right_factor and abs(term.right_factor + value) < 1e-6]
    if len(matches) == 2 and len(missing) == 1:
        ((added, value),) = [match for match in matches if match[0] is not missing[0]]
        ratio = value / missing[0].right_factor
        if not added.right_factor and abs(abs(ratio) - 1.0) < 1e-5:
            return f"{'-' if ratio < 0.0 else ''}{added.name} for {missing[0].name}"
    texts = [
        f"{term.name} {times_text((term.right_factor + value) / term.right_factor)}"
        if term.right_factor
        else f"an additional {_amount_text(value)} {term.name}".rstrip()
        for term, value in matches
    ]
    return _join(texts)


def _few_terms(residual: np.ndarray, terms: Sequence[_Term]) -> list[tuple[_Term, float]] | None:
    """Return a few terms with coefficients whose sum is a residual (n,), or None if one or two terms, or up
    to `_MAX_TERMS` + 1 terms chosen by matching pursuit, do not suffice.
    """
    columns = np.stack([term.values for term in terms], axis=1)
    lengths = np.linalg.norm(columns, axis=0)
    columns = columns / np.where(lengths > 0.0, lengths, 1.0)
    # All pairs are tried, because the term most similar to the residual is often not one of the pair that
    # reproduces it.
    selections: list[tuple[int, ...]] = [(int(k),) for k in np.argsort(-np.abs(columns.T @ residual))[:8]]
    selections += [(i, j) for j in range(len(terms)) for i in range(j)]
    chosen = _first_match(columns, residual, selections) or _pursue(columns, residual)
    if chosen is None:
        return None
    coefficients = np.linalg.lstsq(columns[:, chosen], residual, rcond=None)[0] / lengths[list(chosen)]
    return [(terms[k], float(value)) for k, value in zip(chosen, coefficients, strict=True)]


def _first_match(
    columns: np.ndarray, residual: np.ndarray, selections: Sequence[tuple[int, ...]]
) -> tuple[int, ...] | None:
    size = np.linalg.norm(residual)
    gram, moments = columns.T @ columns, columns.T @ residual
    for selection in selections:
        index = list(selection)
        if len(index) == 2:
            a, b, c = 1.0, gram[index[0], index[1]], 1.0
            determinant = a * c - b * b
            if determinant < 1e-12:
                continue
            x = (moments[index[0]] - b * moments[index[1]]) / determinant
            y = (moments[index[1]] - b * moments[index[0]]) / determinant
            remaining = residual - columns[:, index[0]] * x - columns[:, index[1]] * y
        else:
            remaining = residual - columns[:, index[0]] * moments[index[0]]
        if np.linalg.norm(remaining) <= FIT_TOLERANCE * size:
            return selection
    return None


def _pursue(columns: np.ndarray, residual: np.ndarray) -> tuple[int, ...] | None:
    """Select columns whose combination is the residual (n,), by orthogonal matching pursuit. Return their
    indices, or None if `_MAX_TERMS` + 1 columns do not suffice."""
    chosen: list[int] = []
    remaining = residual
    for _ in range(_MAX_TERMS + 1):
        chosen.append(int(np.argmax(np.abs(columns.T @ remaining))))
        coefficients = np.linalg.lstsq(columns[:, chosen], residual, rcond=None)[0]
        remaining = residual - columns[:, chosen] @ coefficients
        if np.linalg.norm(remaining) <= FIT_TOLERANCE * np.linalg.norm(residual):
            return tuple(chosen)
    return None


def _torque_terms(table: RateTable, row: int) -> list[_Term]:
    """Return the terms, correct or wrong, that component `row` of J omega' = n - omega x h may contain."""
    n, omega, h, p = table.torque, table.omega, table.h, table.p
    terms = [_Term(f"n{k + 1}", n[:, k], 1.0 if k == row else 0.0) for k in range(3)]
    j, k = (row + 1) % 3, (row + 2) % 3
    is_principal = not np.abs(table.J[:, (0, 0, 1), (1, 2, 2)]).any()
    if is_principal:
        moments = np.diagonal(table.J, axis1=1, axis2=2)
        for a in range(3):
            for b in range(a, 3):
                for c in range(3):
                    factor = 0.0
                    if {a, b} == {j, k}:
                        factor = {j: 1.0, k: -1.0}.get(c, 0.0)
                    name = f"J{c + 1} ω{a + 1} ω{b + 1}"
                    terms.append(_Term(name, moments[:, c] * omega[:, a] * omega[:, b], factor))
    else:
        for a in range(3):
            for b in range(3):
                factor = {(j, k): -1.0, (k, j): 1.0}.get((a, b), 0.0)
                terms.append(_Term(f"ω{a + 1} h{b + 1}", omega[:, a] * h[:, b], factor))
    terms += [_Term(f"ω{a + 1} ω{b + 1}", omega[:, a] * omega[:, b]) for a in range(3) for b in range(a, 3)]
    terms += [_Term(f"ω{a + 1}", omega[:, a]) for a in range(3)]
    terms += [_Term(f"h{a + 1}", h[:, a]) for a in range(3)]
    terms += [_Term(f"e{a}", p[:, a]) for a in range(4)]
    terms.append(_Term("N m", np.ones(len(table))))
    return terms


def _difference_terms(table: RateTable, row: int) -> list[_Term]:
    """Return the terms (J_c - J_d) omega_a omega_b, correct or wrong, that component `row` of Euler's
    equations may contain."""
    moments, omega = np.diagonal(table.J, axis1=1, axis2=2), table.omega
    j, k = (row + 1) % 3, (row + 2) % 3
    terms = []
    for c, d in ((1, 2), (2, 0), (0, 1)):
        for a in range(3):
            for b in range(a, 3):
                is_own = (c, d) == (j, k) and {a, b} == {j, k}
                values = (moments[:, c] - moments[:, d]) * omega[:, a] * omega[:, b]
                terms.append(
                    _Term(f"(J{c + 1} - J{d + 1}) ω{a + 1} ω{b + 1}", values, 1.0 if is_own else 0.0)
                )
    return terms


def _own_terms(table: RateTable, row: int) -> list[_Term]:
    """Return the terms, correct or wrong, that component `row` of the rate of the author's velocity variable
    may contain."""
    names, right = table.own_names, table.own_right
    inverse = np.linalg.inv(table.J)
    by_torque = np.einsum("nij,nj->ni", inverse, table.torque)
    terms = [_Term(names[k], right[:, k], 1.0 if k == row else 0.0) for k in range(right.shape[1])]
    if right.shape[1] == 3:
        terms += [_Term(f"(J⁻¹n)_{k + 1}", by_torque[:, k]) for k in range(3)]
    terms += [_Term(f"ω{k + 1}", table.omega[:, k]) for k in range(3)]
    terms += [
        _Term(f"ω{a + 1} ω{b + 1}", table.omega[:, a] * table.omega[:, b])
        for a in range(3)
        for b in range(a, 3)
    ]
    terms += [_Term(f"e{k}", table.p[:, k]) for k in range(4)]
    terms.append(_Term("", np.ones(len(table))))
    return terms


# --- the attitude


def explain_attitude(table: RateTable) -> str:
    """Return a sentence that says what is wrong with p', or "" if no simple explanation exists."""
    residual, right = table.p_residual, table.p_rate
    result = residual + right
    match = fit([right], residual)
    if match:
        return f"p' {times_text(1.0 + match.coefficients[0])}"
    match = fit([table.p], residual)
    if match:
        return f"p' has an additional {_amount_text(match.coefficients[0])} p"
    for explain in (_attitude_components, _attitude_rate, _attitude_terms):
        sentence = explain(table, result)
        if sentence:
            return sentence
    return ""


def _attitude_components(table: RateTable, actual: np.ndarray) -> str:
    """Explain p', given as `actual` (n, 4), by wrong factors of single components."""
    right = table.p_rate
    factors = {}
    for k in np.flatnonzero(np.abs(table.p_residual).max(axis=0) > RATE_TOLERANCE * np.abs(right).max()):
        match = fit([right[:, k]], actual[:, k])
        if match is None:
            return ""
        factors[int(k)] = float(match.coefficients[0])
    return _join([f"p'_{k} only, {times_text(factor)}" for k, factor in factors.items()])


def _attitude_rate(table: RateTable, actual: np.ndarray) -> str:
    """Explain p', given as `actual` (n, 4), by a wrong angular velocity: its components have wrong factors,
    are exchanged, or contain an additional constant."""
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
            if abs(factor - 1.0) > _ZERO
        ]
        return _join(parts)
    names = [f"ω{k + 1}" for k in range(3)]
    text = _permutation_text(omega, table.omega, names)
    if text:
        return f"in p' {text}"
    turn = _turn_text(table.omega, omega)
    if turn:
        return f"in p', ω is turned by {turn}"
    difference = omega - table.omega
    for name, vectors in (
        ("in the body", [np.broadcast_to(axis, omega.shape) for axis in np.eye(3)]),
        ("in space", [table.A[:, k] for k in range(3)]),
    ):
        match = fit(vectors, difference)
        if match:
            return (
                f"p' turns with an additional constant rate {_vector_text(match.coefficients)} rad/s {name}"
            )
    return ""


def _attitude_terms(table: RateTable, actual: np.ndarray) -> str:
    """Explain p', given as `actual` (n, 4), by a few wrong terms among the twelve products of a component of
    p and a component of omega."""
    p, omega = table.p, table.omega
    right = {
        0: {(1, 0): -0.5, (2, 1): -0.5, (3, 2): -0.5},
        1: {(0, 0): 0.5, (2, 2): 0.5, (3, 1): -0.5},
        2: {(0, 1): 0.5, (3, 0): 0.5, (1, 2): -0.5},
        3: {(0, 2): 0.5, (1, 1): 0.5, (2, 0): -0.5},
    }

    def terms_of(row: int) -> list[_Term]:
        products = [
            _Term(f"e{a} ω{b + 1}", p[:, a] * omega[:, b], right[row].get((a, b), 0.0))
            for a in range(4)
            for b in range(3)
        ]
        others = [_Term(f"e{a}", p[:, a]) for a in range(4)]
        return [*products, *others, *(_Term(f"ω{b + 1}", omega[:, b]) for b in range(3))]

    result = _sparse_rows(table.p_residual, terms_of, [f"p'_{k}" for k in range(4)])
    return result[1] if result is not None else ""


# --- the constraint


def explain_constraint(table: RateTable) -> str:
    """Return a sentence about the rate at which the constraint is violated, or "" if no simple explanation exists."""
    T = np.array([state.T for state in table.states])
    squared = np.einsum("ni,ni->n", table.omega, table.omega)
    work = np.einsum("ni,ni->n", table.omega, table.torque)
    for name, column in (("|p'|²", 0.25 * squared), ("T", T), ("ω·n", work), ("", np.ones(len(table)))):
        match = fit([column], table.constraint)
        if match:
            return f"the constraint is violated at the rate {_amount_text(match.coefficients[0])} {name}".rstrip()
    return ""


def _join(parts: Sequence[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


EXPLAINERS: dict[str, Callable[[RateTable], str]] = dict(
    zip(PART_NAMES, (explain_attitude, explain_rotation, explain_constraint), strict=True)
)
"""Function that explains the errors of one part of the rates, by the name of the part."""
