"""Comparison of a formulation's wrong rates with the rates of known mistakes. Errors that equal no known
mistake are fitted by wrong terms."""

import math
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from quatviz.physics.equations import EvaluationPoint
from quatviz.physics.mechanics.state import StateVariable
from quatviz.verification.judging.explanation import EXPLAINERS, explain_start
from quatviz.verification.judging.judgement import Finding
from quatviz.verification.judging.mistakes import MISTAKES, Mistake
from quatviz.verification.judging.rate_table import PART_NAMES, PART_SLICES, RATE_TOLERANCE, RateTable
from quatviz.verification.judging.subject import StateRates

MATCH_TOLERANCE = 1e-5
"""Largest relative deviation with which an error of the rates counts as equal to the effect of a known
mistake."""
_MISTAKE_STATES = 16
"""Number of states at which known mistakes are evaluated."""
_FACTORS = (-1.0, 2.0, 0.5, -2.0, -0.5)
"""Factors between the error of the rates and the effect of a known mistake, with which the mistake is still
recognized. Sign errors and missing factors of 1/2 are frequent."""

Differences = dict[type[Mistake], np.ndarray]


class Explained(NamedTuple):
    """Explanation of the wrong rates of a formulation."""

    mistakes: tuple[Finding, ...] = ()
    """Known mistakes that explain the errors."""
    is_combined: bool = False
    """True if the mistakes explain the errors only together; otherwise each mistake alone explains them."""
    sentences: tuple[str, ...] = ()
    """Sentences about errors that are not known mistakes."""
    region: str = ""
    """Region of states in which the rates are wrong, or "" if they are wrong everywhere."""


@lru_cache(maxsize=8192)
def _mistaken_rates(
    mistake: type[Mistake], state: EvaluationPoint, velocity_kind: StateVariable | None
) -> StateRates:
    """Return the rates that equations with a mistake give at a state. Results are cached, because many
    judgements use the same states."""
    return StateRates(
        mistake.p_rate(state), mistake.omega_rate(state),
        0.0 if velocity_kind is None else mistake.constraint_violation_rate(state, velocity_kind),
    )  # fmt: skip


def _possible_mistakes(reads_loads: bool) -> list[type[Mistake]]:
    return [mistake for mistake in MISTAKES.values() if reads_loads or not mistake.in_call_of_loads]


def _mistake_differences(table: RateTable, reads_loads: bool) -> Differences:
    """Map each possible mistake to its effect on the rates at the states of `table`, as relative differences (n, 8).
    Mistakes without an effect at these states are omitted."""
    differences = {
        mistake: table.scale.differences(
            table.states, [_mistaken_rates(mistake, state, table.velocity_kind) for state in table.states]
        )
        for mistake in _possible_mistakes(reads_loads)
    }
    return {
        mistake: difference
        for mistake, difference in differences.items()
        if np.abs(difference).max() > table.tolerance
    }


def undetectable_mistakes(table: RateTable, reads_loads: bool) -> tuple[str, ...]:
    """Return the names of known mistakes that have no effect on p' and omega' at the states of `table`."""
    return tuple(
        mistake.name
        for mistake in _possible_mistakes(reads_loads)
        if mistake.constraint_violation_rate.__func__ is Mistake.constraint_violation_rate.__func__  # type: ignore[attr-defined]
        and not any(_has_effect(mistake, table, state) for state in table.states)
    )


def _has_effect(mistake: type[Mistake], table: RateTable, state: EvaluationPoint) -> bool:
    rates = _mistaken_rates(mistake, state, table.velocity_kind)
    return bool(np.abs(table.scale.differences([state], [rates])).max() > table.tolerance)


def explain(table: RateTable, reads_loads: bool) -> Explained:
    """Explain the errors of a formulation. Its rates are wrong at every state of `table`."""
    start_sentence = explain_start(table)
    if start_sentence:
        return Explained(sentences=(start_sentence,))
    few = table.subset(np.arange(min(len(table), _MISTAKE_STATES)))
    known = _mistake_differences(few, reads_loads)
    exact = _matches(few.differences, known, (1.0,), table.velocity_kind)
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
    """Explain the errors of one part of the rates: p', omega' or the rate of the constraint.

    The errors at the states of `few` are compared with the effects `known` of known mistakes at the same
    states. If no mistake fits, wrong terms are fitted to all states of `table`.
    """
    columns = PART_SLICES[PART_NAMES.index(part)]
    own = few.differences[:, columns]
    shares = {
        mistake: difference[:, columns]
        for mistake, difference in known.items()
        if np.abs(np.delete(difference, np.r_[columns], axis=1)).max() <= RATE_TOLERANCE
    }
    exact = _matches(own, shares, (1.0,), table.velocity_kind)
    if exact:
        return Explained(exact)
    sentence = EXPLAINERS[part](table)
    if sentence:
        return Explained(sentences=(sentence,))
    multiples = _matches(own, shares, _FACTORS, table.velocity_kind)
    if multiples:
        return Explained(multiples[:1])
    size = np.linalg.norm(own)
    for first, second in combinations(shares, 2):
        if np.linalg.norm(own - shares[first] - shares[second]) <= MATCH_TOLERANCE * size:
            return Explained(tuple(_make_finding(mistake, 1.0) for mistake in (first, second)), True)
    return Explained()


def _matches(
    own: np.ndarray, known: Differences, factors: tuple[float, ...], velocity_kind: StateVariable | None
) -> tuple[Finding, ...]:
    """Return the known mistakes whose effect, multiplied by one of the `factors`, equals the error `own` (n,
    k) of the rates."""
    size, findings = np.linalg.norm(own), []
    for mistake, difference in known.items():
        squared = float(np.sum(difference**2))
        factor = float(np.sum(own * difference)) / squared if squared else math.nan
        is_free = velocity_kind in mistake.free_factor_kinds
        is_known = is_free or any(math.isclose(factor, value, rel_tol=MATCH_TOLERANCE) for value in factors)
        if is_known and np.linalg.norm(own - factor * difference) <= MATCH_TOLERANCE * size:
            findings.append(_make_finding(mistake, 1.0 if is_free else factor))
    return tuple(findings)


def _make_finding(mistake: type[Mistake], factor: float) -> Finding:
    return Finding(mistake.name, factor, mistake.summary, mistake.source)
