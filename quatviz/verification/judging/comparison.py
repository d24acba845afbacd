"""Comparison of a formulation's errors with those of known mistakes, for each rate; other errors are fitted."""

import math
from itertools import combinations
from typing import NamedTuple

import numpy as np

from quatviz.physics.mechanics.state import StateVariable
from quatviz.verification.judging.explanation import EXPLAINERS
from quatviz.verification.judging.judgement import Finding
from quatviz.verification.judging.mistakes import MISTAKES, Mistake
from quatviz.verification.judging.rate_table import PART_NAMES, PART_SLICES, RATE_TOLERANCE, RateTable
from quatviz.verification.judging.subject import StateRates

MATCH_TOLERANCE = 1e-5
"""Largest relative deviation between two differences that count as equal."""
_MISTAKE_STATES = 16
"""Number of states at which known mistakes are evaluated."""
_FACTORS = (-1.0, 2.0, 0.5, -2.0, -0.5)
"""Multiples of a mistake that are recognized, because a sign or a factor 1/2 is what people usually forget."""

Differences = dict[type[Mistake], np.ndarray]


class Explained(NamedTuple):
    """Explanation of wrong rates."""

    mistakes: tuple[Finding, ...] = ()
    """Known mistakes."""
    is_combined: bool = False
    """True if all mistakes are made together; otherwise each of them alone explains the rates."""
    sentences: tuple[str, ...] = ()
    """Sentences about errors that are not known mistakes."""
    region: str = ""
    """Region in which the rates are wrong, or ""."""


def mistake_differences(
    velocity_kind: StateVariable | None, table: RateTable, reads_loads: bool
) -> tuple[Differences, tuple[str, ...]]:
    """Return the effects of the possible mistakes, and the names of those that the states of `table` cannot reveal."""
    differences: Differences = {}
    unseen = []
    for mistake in MISTAKES.values():
        if mistake.in_call_of_loads and not reads_loads:
            continue
        mistaken_rates = [
            StateRates(
                mistake.p_rate(state), mistake.omega_rate(state),
                0.0 if velocity_kind is None else mistake.constraint_violation_rate(state, velocity_kind),
            )
            for state in table.states
        ]  # fmt: skip
        difference = table.scale.differences(table.states, mistaken_rates)
        if np.abs(difference).max() > table.tolerance:
            differences[mistake] = difference
        elif mistake.constraint_violation_rate.__func__ is Mistake.constraint_violation_rate.__func__:  # type: ignore[attr-defined]
            unseen.append(mistake.name)
    return differences, tuple(unseen)


def explain(velocity_kind: StateVariable | None, table: RateTable, reads_loads: bool) -> Explained:
    """Return the explanation of a table whose rates are wrong at all states."""
    few = table.subset(np.arange(min(len(table), _MISTAKE_STATES)))
    known = mistake_differences(velocity_kind, few, reads_loads)[0]
    exact = _matches(few.differences, known, (1.0,))
    if exact:
        return Explained(exact)
    findings: list[Finding] = []
    sentences: list[str] = []
    wrong = table.wrong_parts
    if wrong[:2] == PART_NAMES[:2] and table.own_is_right:
        # Only p' is wrong; omega' of the attitude then differs as a consequence.
        wrong = tuple(part for part in wrong if part != PART_NAMES[1])
    for part in wrong:
        result = _explain_part(part, table, few, known)
        findings += result.mistakes[:1] if len(wrong) > 1 else result.mistakes
        sentences += result.sentences
    is_combined = len(findings) > 1 and (len(wrong) > 1 or result.is_combined)
    return Explained(tuple(findings), is_combined, tuple(sentences))


def _explain_part(part: str, table: RateTable, few: RateTable, known: Differences) -> Explained:
    """Return the explanation of one part of the rates.

    Known mistakes are compared at the `few` states, other terms are fitted to all states of the table.
    """
    columns = PART_SLICES[PART_NAMES.index(part)]
    own = few.differences[:, columns]
    shares = {
        mistake: difference[:, columns]
        for mistake, difference in known.items()
        if np.abs(np.delete(difference, np.r_[columns], axis=1)).max() <= RATE_TOLERANCE
    }
    exact = _matches(own, shares, (1.0,))
    if exact:
        return Explained(exact)
    sentence = EXPLAINERS[part](table)
    if sentence:
        return Explained(sentences=(sentence,))
    multiples = _matches(own, shares, _FACTORS)
    if multiples:
        return Explained(multiples[:1])
    size = np.linalg.norm(own)
    for first, second in combinations(shares, 2):
        if np.linalg.norm(own - shares[first] - shares[second]) <= MATCH_TOLERANCE * size:
            return Explained(tuple(_make_finding(mistake, 1.0) for mistake in (first, second)), True)
    return Explained()


def _matches(own: np.ndarray, known: Differences, factors: tuple[float, ...]) -> tuple[Finding, ...]:
    """Return the mistakes whose effect, times one of the factors, equals `own`."""
    size, findings = np.linalg.norm(own), []
    for mistake, difference in known.items():
        squared = float(np.sum(difference**2))
        factor = float(np.sum(own * difference)) / squared if squared else math.nan
        is_known = mistake.has_free_factor or any(
            math.isclose(factor, value, rel_tol=MATCH_TOLERANCE) for value in factors
        )
        if is_known and np.linalg.norm(own - factor * difference) <= MATCH_TOLERANCE * size:
            findings.append(_make_finding(mistake, factor))
    return tuple(findings)


def _make_finding(mistake: type[Mistake], factor: float) -> Finding:
    return Finding(mistake.name, 1.0 if mistake.has_free_factor else factor, mistake.summary, mistake.source)
