"""Explanation of a wrong omega': the factor, term, frame, inertia or load that is wrong."""

from collections.abc import Iterator

import numpy as np

from quatviz.physics.formulations._velocities import VELOCITIES
from quatviz.verification.judging.fits import (
    FIT_TOLERANCE,
    ZERO,
    amount_text,
    explains,
    fit,
    join,
    number_text,
    permutation_text,
    rotated,
    rotated_back,
    smallest_error,
    solved,
    times_text,
    vector_text,
)
from quatviz.verification.judging.inertia_errors import (
    explain_division,
    explain_inertia,
    explain_turned_inertia,
)
from quatviz.verification.judging.load_errors import (
    explain_limited_torque,
    explain_oscillation,
    explain_rate_of_loads,
    explain_shifted_loads,
    explain_turned_torque,
)
from quatviz.verification.judging.rate_table import RATE_TOLERANCE, RateTable
from quatviz.verification.judging.sparse_terms import CandidateTerm, few_terms, sparse_rows


def explain_rotation(table: RateTable) -> str:
    """Return a sentence that says what is wrong with omega', or "" if no simple explanation exists."""
    for explain in (
        _space_momentum,
        _whole_terms,
        _own_components,
        explain_limited_torque,
        explain_rate_of_loads,
        _other_gyroscopic,
        explain_division,
        explain_turned_inertia,
        _constant_terms,
        _modulated_terms,
        _growing_torque,
        _by_component,
        _vector_sum,
        explain_inertia,
        explain_turned_torque,
        _mixed,
        _limited_rate,
        _sparse_terms,
        explain_shifted_loads,
        explain_oscillation,
        _wrong_components,
    ):
        sentence = explain(table)
        if sentence:
            return sentence
    return ""


def _vectors(table: RateTable) -> Iterator[tuple[str, np.ndarray]]:
    """Yield name and values (n, 3) of each vector to which an additional torque may be proportional."""
    n, omega, h, e = table.torque, table.omega, table.h, table.p[:, 1:]
    yield "ω", omega
    yield "Jω", h
    yield "e", e
    yield "Aω", rotated(table.A, omega)
    yield "Aᵀω", rotated_back(table.A, omega)
    yield "AJω", rotated(table.A, h)
    yield "J⁻¹ω", solved(table.J, omega)
    yield "ω × e", np.cross(omega, e)
    yield "Jω × n", np.cross(h, n)
    yield "ω × n", np.cross(omega, n)
    yield "J⁻¹n", solved(table.J, n)
    yield "An", rotated(table.A, n)
    yield "Aᵀn", rotated_back(table.A, n)


def _factors(table: RateTable) -> Iterator[tuple[str, np.ndarray]]:
    """Yield factors that may multiply a vector: scalar functions of the state. Each factor is a format text such as
    "t {}", and the values (n,)."""
    speed, torque = np.linalg.norm(table.omega, axis=1), np.linalg.norm(table.torque, axis=1)
    e0, e = table.p[:, 0], np.linalg.norm(table.p[:, 1:], axis=1)
    yield "t {}", table.t
    yield "|ω| {}", speed
    yield "|ω|² {}", speed**2
    yield "{}/|ω|", 1.0 / speed
    yield "e0 {}", e0
    yield "|e0| {}", np.abs(e0)
    yield "sign(e0) {}", np.sign(e0)
    yield "{}/e0", 1.0 / e0
    yield "{}/|e|", 1.0 / e
    yield "{}/(1 + e0)", 1.0 / (1.0 + e0)
    yield "{}/(1 + |e0|)", 1.0 / (1.0 + np.abs(e0))
    yield "φ {}/|e|", 2.0 * np.arctan2(e, e0) / e
    yield "{}/|n|", 1.0 / np.maximum(torque, 1e-300)
    yield "|n| {}", torque
    for row in range(3):
        yield f"A3{row + 1} {{}}", table.A[:, 2, row]
    for k in range(3):
        yield f"ω{k + 1} {{}}", table.omega[:, k]


def _space_momentum(table: RateTable) -> str:
    """Explain a wrong rate of h in space by a missing rotation of the torque to space, or by a gyroscopic term, which
    occurs only in the body frame."""
    if table.subject.velocity is not VELOCITIES["h_space"] or not table.own.size:
        return ""
    A, n, omega, h = table.A, table.torque, table.omega, table.h
    torque, omega_space, h_space = rotated(A, n), rotated(A, omega), rotated(A, h)
    for torque_text, torque_error in (
        ("", 0.0),
        ("n in place of A n, and ", n - torque),
        ("Aᵀn in place of A n, and ", rotated_back(A, n) - torque),
    ):
        for product_text, product in (
            ("ω_space × h_space", np.cross(omega_space, h_space)),
            ("ω × h_space", np.cross(omega, h_space)),
            ("ω × Jω", np.cross(omega, h)),
        ):
            for sign, factor in (("-", -1.0), ("+", 1.0)):
                if explains(table.own - table.own_right, torque_error + factor * product):
                    return (
                        f"in h_space' {torque_text}an additional term {sign} {product_text}: "
                        "the rate of h in space is the torque alone"
                    )
    return ""


def _whole_terms(table: RateTable) -> str:
    """Explain the residual by a wrong factor of the torque n or of omega x J omega, or by an additional
    torque that is proportional to a single vector."""
    residual, n, gyroscopic = table.torque_residual, table.torque, table.gyroscopic
    scaled: tuple[tuple[str, np.ndarray], ...] = (("the torque n", n), ("ω × Jω", -gyroscopic))
    for name, column in scaled:
        match = fit([column], residual)
        if match:
            return f"{name} {times_text(1.0 + match.coefficients[0])}"
    for name, column in _vectors(table):
        match = fit([column], residual)
        if match:
            return f"additional torque {amount_text(match.coefficients[0])} {name}"
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
        return join([f"{names[k]} only, {times_text(factor)}" for k, factor in factors.items()])
    if own.shape[1] == 3:
        return permutation_text(own, right, names)
    return ""


def _other_gyroscopic(table: RateTable) -> str:
    """Explain the residual by a gyroscopic term that is the product of vectors other than omega and J omega."""
    A, J, omega, h = table.A, table.J, table.omega, table.h
    in_space, turned_back = rotated(A, omega), rotated_back(A, omega)
    h_in_space = rotated(A, h)
    for sentence, rate, momentum in (
        ("Aω × Jω in place of ω × Jω: the rate is that in space", in_space, h),
        ("Aᵀω × Jω in place of ω × Jω", turned_back, h),
        ("ω × AJω in place of ω × Jω: the momentum is that in space", omega, h_in_space),
        ("ω × AᵀJω in place of ω × Jω", omega, rotated_back(A, h)),
        ("Aω × AJω in place of ω × Jω: it is not rotated into the body", in_space, h_in_space),
        ("ω × J⁻¹ω in place of ω × Jω", omega, solved(J, omega)),
        ("ω × JAω in place of ω × Jω: the rate is that in space", omega, rotated(J, in_space)),
        ("ω × JAᵀω in place of ω × Jω", omega, rotated(J, turned_back)),
        ("Jω × Jω, which is zero, in place of ω × Jω", h, h),
        ("ω × J²ω in place of ω × Jω", omega, rotated(J, h)),
    ):
        if explains(table.torque_residual, table.gyroscopic - np.cross(rate, momentum)):
            return sentence
    return ""


def _wrong_components(table: RateTable) -> str:
    """Name the components of an equation that are wrong, if the others are correct."""
    own = table.own - table.own_right
    candidates = [(table.torque_residual, [f"J ω'_{k}" for k in (1, 2, 3)])]
    if own.size:
        candidates.insert(0, (own, list(table.own_names)))
    for residual, names in candidates:
        size = np.abs(residual).max()
        wrong = [name for k, name in enumerate(names) if np.abs(residual[:, k]).max() > 1e-6 * size]
        if len(wrong) < len(names):
            return f"{join(wrong)} only"
    return ""


def _constant_terms(table: RateTable) -> str:
    """Explain the residual by an additional constant: a constant momentum, or a constant torque in the body
    or in space."""
    residual, axes = table.torque_residual, np.eye(3)
    match = fit([-np.cross(table.omega, axis) for axis in axes], residual)
    if match:
        return f"constant additional momentum {vector_text(match.coefficients)} kg m²/s, as of a gyrostat"
    match = fit([-np.cross(table.omega, table.A[:, k]) for k in range(3)], residual)
    if match:
        return f"constant additional momentum {vector_text(match.coefficients)} kg m²/s in space"
    match = fit([np.broadcast_to(axis, residual.shape) for axis in axes], residual)
    if match:
        return f"additional constant torque {vector_text(match.coefficients)} N m in the body"
    match = fit([table.A[:, k] for k in range(3)], residual)
    if match:
        return f"additional constant torque {vector_text(match.coefficients)} N m in space"
    return ""


def _modulated_terms(table: RateTable) -> str:
    """Explain the residual by one vector times a function of the state: a torque n that is normalized or grows with
    time, drag that grows with the speed, or a spring."""
    residual = table.torque_residual
    for name, sign, vectors in (
        ("n", 1.0, table.torque),
        ("ω × Jω", -1.0, table.gyroscopic),
        *((name, 0.0, vectors) for name, vectors in _vectors(table)),
    ):
        lengths = np.linalg.norm(vectors, axis=1)
        amounts = np.einsum("ni,ni->n", residual, vectors) / np.maximum(lengths, 1e-300) ** 2
        if not explains(residual, amounts[:, None] * vectors):
            continue
        totals = 1.0 + sign * amounts
        if sign and (totals > 0.0).all() and (match := fit([table.t], np.log(totals))):
            rate = float(match.coefficients[0])
            exponent = f"{'-' if rate < 0.0 else ''}{'' if abs(abs(rate) - 1.0) < 1e-6 else f'{number_text(abs(rate))} '}t"
            return f"{_title(name)} times exp({exponent})"
        for template, factor in _factors(table):
            if not sign:
                match = fit([lengths * factor], lengths * amounts)
                if match:
                    return f"additional torque {amount_text(match.coefficients[0])} {template.format(name)}"
            elif match := fit([lengths, lengths * factor], lengths * amounts):
                constant, amount = sign * match.coefficients
                return _modulated_text(name, template, 1.0 + constant, amount)
    return ""


def _title(name: str) -> str:
    return "the torque n" if name == "n" else name


def _modulated_text(name: str, template: str, constant: float, amount: float) -> str:
    """Describe a term that is multiplied by `constant` + `amount` f, where f is the function of the state named by
    `template`."""
    title = _title(name)
    number = "" if abs(amount - 1.0) < 1e-6 else f"{number_text(amount)} "
    if abs(constant) > 1e-6:
        factor = template.format("1" if template.startswith("{}") else "").strip()
        return f"{title} times ({number_text(constant)} + {number}{factor})"
    if template.startswith("{}"):
        return f"{number}{template.format(name if name == 'n' else f'({name})')} in place of {name}"
    return f"{title} times {number}{template.format('').strip()}"


def _growing_torque(table: RateTable) -> str:
    """Explain the residual by a constant direction times a torque that grows in proportion to time or its
    square."""
    residual, t = table.torque_residual, table.t[:, None]
    for name, vectors in (
        ("in the body", [np.broadcast_to(axis, residual.shape) for axis in np.eye(3)]),
        ("in space", [table.A[:, k] for k in range(3)]),
    ):
        for power, factor in (("t", t), ("t²", t * t)):
            match = fit([factor * vector for vector in vectors], residual)
            if match:
                return f"additional torque {vector_text(match.coefficients)} {power} N m {name}"
    return ""


def _vector_sum(table: RateTable) -> str:
    """Explain the residual by two or three vectors: wrong factors of n and of omega x J omega, and additional
    torques in proportion to vectors."""
    terms = [
        CandidateTerm("the torque n", np.ravel(table.torque), 1.0),
        CandidateTerm("ω × Jω", np.ravel(table.gyroscopic), -1.0),
        *(CandidateTerm(name, np.ravel(vectors)) for name, vectors in _vectors(table)),
    ]
    matches = few_terms(np.ravel(table.torque_residual), terms)
    if matches is None:
        return ""
    factors = [
        f"{term.name} {times_text((term.right_factor + value) / term.right_factor)}"
        for term, value in matches
        if term.right_factor
    ]
    added = [f"{amount_text(value)} {term.name}" for term, value in matches if not term.right_factor]
    return join([*factors, *([f"additional torque {join(added)}"] if added else [])])


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
    for name, vectors in (("ω", rotated(table.A, table.omega)), ("h", rotated(table.A, table.h))):
        match = fit([rotated_back(table.A, vectors * axis) for axis in axes], residual)
        if match:
            terms = [
                f"{amount_text(value)} {name}_{component} in component {component}"
                for component, value in zip("xyz", match.coefficients, strict=True)
                if abs(value) > ZERO * match.largest
            ]
            return f"additional torque {join(terms)} in space"
    squares = np.abs(table.omega) * table.omega
    for name, column in (
        ("ω{0}", table.omega), ("Jω{0}", table.h), ("e{0}", table.p[:, 1:]), ("|ω{0}| ω{0}", squares),
        ("sign(ω{0})", np.sign(table.omega)),
    ):  # fmt: skip
        match = fit([column * axis for axis in axes], residual)
        if match and np.ptp(match.coefficients) <= ZERO * match.largest:
            return f"additional torque {amount_text(match.coefficients[0])} {name.format('_k')} in each component"
        if match:
            terms = [
                f"{amount_text(value)} {name.format(k + 1)} in component {k + 1}"
                for k, value in enumerate(match.coefficients)
                if abs(value) > ZERO * match.largest
            ]
            return f"additional torque {join(terms)}"
    return ""


def _factors_text(name: str, factors: np.ndarray) -> str:
    parts = [
        f"component {k + 1} of {name} only, {times_text(float(factor))}"
        for k, factor in enumerate(factors)
        if abs(factor - 1.0) > ZERO
    ]
    return join(parts)


def _limited_rate(table: RateTable) -> str:
    """Explain the residual by a gyroscopic term in which |omega| or each component of omega is limited."""
    omega = table.omega
    lengths = np.linalg.norm(omega, axis=1, keepdims=True)
    size = float(np.linalg.norm(table.torque_residual))

    def error(limited: np.ndarray) -> float:
        gyroscopic = np.cross(limited, np.einsum("nij,nj->ni", table.J, limited))
        return float(np.linalg.norm(table.gyroscopic - gyroscopic - table.torque_residual))

    for name, limit_rate in (
        ("each component of ω", lambda limit: np.clip(omega, -limit, limit)),
        ("|ω|", lambda limit: omega * np.minimum(1.0, limit / np.maximum(lengths, 1e-300))),
    ):
        limit = smallest_error(lambda limit: error(limit_rate(limit)), float(lengths.max()), 0.5 * size)  # noqa: B023
        if limit is not None and error(limit_rate(limit)) <= FIT_TOLERANCE * size:
            return f"{name} is limited to {amount_text(limit)} rad/s in ω × Jω"
    return ""


def _mixed(table: RateTable) -> str:
    """Explain a torque or gyroscopic term whose components are exchanged or multiplied by a constant matrix."""
    residual = table.torque_residual
    for name, vector, sign in (("n", table.torque, 1.0), ("ω × Jω", table.gyroscopic, -1.0)):
        result = vector + sign * residual
        text = permutation_text(result, vector, [f"component {k} of {name}" for k in (1, 2, 3)])
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
        f"{amount_text(value)} {name}{j + 1} in component {i + 1}"
        for (i, j), value in zip(entries, match.coefficients, strict=True)
        if abs(value) > ZERO * match.largest
    ]
    return f"additional torque {join(terms)}" if len(terms) <= 4 else ""


def _sparse_terms(table: RateTable) -> str:
    """Explain the residual by a few wrong terms in the equations for J omega', or in those for the rate of the author's velocity
    variable. Return the explanation with fewer terms, or "" if there is none."""
    is_momentum = list(table.own_names[:1]) == ["h'_1"]
    is_principal = not np.abs(table.J[:, (0, 0, 1), (1, 2, 2)]).any()
    names = table.own_names if is_momentum else [f"J ω'_{k}" for k in (1, 2, 3)]
    by_torque = None
    for terms_of in (
        lambda row: _torque_terms(table, row, has_moments=is_principal and not is_momentum),
        lambda row: _torque_terms(table, row, has_moments=is_principal),
        lambda row: _difference_terms(table, row),
    ):
        by_torque = by_torque or sparse_rows(table.torque_residual, terms_of, names)
    own = table.own - table.own_right
    by_own = sparse_rows(own, lambda row: _own_terms(table, row), table.own_names) if own.size else None
    candidates = [candidate for candidate in (by_torque, by_own) if candidate is not None]
    return min(candidates, key=lambda candidate: candidate[0])[1] if candidates else ""


def _torque_terms(table: RateTable, row: int, has_moments: bool) -> list[CandidateTerm]:
    """Return the terms, correct or wrong, that component `row` of J omega' = n - omega x h may contain.

    Products of omega and h are written with principal moments if `has_moments` is True.
    """
    n, omega, h, p = table.torque, table.omega, table.h, table.p
    terms = [CandidateTerm(f"n{k + 1}", n[:, k], 1.0 if k == row else 0.0) for k in range(3)]
    j, k = (row + 1) % 3, (row + 2) % 3
    if has_moments:
        moments = np.diagonal(table.J, axis1=1, axis2=2)
        for a in range(3):
            for b in range(a, 3):
                for c in range(3):
                    factor = 0.0
                    if {a, b} == {j, k}:
                        factor = {j: 1.0, k: -1.0}.get(c, 0.0)
                    name = f"J{c + 1} ω{a + 1} ω{b + 1}"
                    terms.append(CandidateTerm(name, moments[:, c] * omega[:, a] * omega[:, b], factor))
    else:
        for a in range(3):
            for b in range(3):
                factor = {(j, k): -1.0, (k, j): 1.0}.get((a, b), 0.0)
                terms.append(CandidateTerm(f"ω{a + 1} h{b + 1}", omega[:, a] * h[:, b], factor))
    terms += [
        CandidateTerm(f"ω{a + 1} ω{b + 1}", omega[:, a] * omega[:, b]) for a in range(3) for b in range(a, 3)
    ]
    terms += [CandidateTerm(f"ω{a + 1}", omega[:, a]) for a in range(3)]
    terms += [CandidateTerm(f"h{a + 1}", h[:, a]) for a in range(3)]
    terms += [CandidateTerm(f"e{a}", p[:, a]) for a in range(4)]
    terms.append(CandidateTerm("N m", np.ones(len(table))))
    return terms


def _difference_terms(table: RateTable, row: int) -> list[CandidateTerm]:
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
                    CandidateTerm(f"(J{c + 1} - J{d + 1}) ω{a + 1} ω{b + 1}", values, 1.0 if is_own else 0.0)
                )
    return terms


def _own_terms(table: RateTable, row: int) -> list[CandidateTerm]:
    """Return the terms, correct or wrong, that component `row` of the rate of the author's velocity variable
    may contain."""
    names, right = table.own_names, table.own_right
    inverse = np.linalg.inv(table.J)
    by_torque = np.einsum("nij,nj->ni", inverse, table.torque)
    terms = [CandidateTerm(names[k], right[:, k], 1.0 if k == row else 0.0) for k in range(right.shape[1])]
    if right.shape[1] == 3:
        terms += [CandidateTerm(f"(J⁻¹n)_{k + 1}", by_torque[:, k]) for k in range(3)]
    terms += [CandidateTerm(f"ω{k + 1}", table.omega[:, k]) for k in range(3)]
    terms += [
        CandidateTerm(f"ω{a + 1} ω{b + 1}", table.omega[:, a] * table.omega[:, b])
        for a in range(3)
        for b in range(a, 3)
    ]
    terms += [CandidateTerm(f"e{k}", table.p[:, k]) for k in range(4)]
    terms.append(CandidateTerm("", np.ones(len(table))))
    return terms
