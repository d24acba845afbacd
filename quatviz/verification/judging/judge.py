"""`qv.judge`: compare the rates of a formulation with those of the motion and with known mistakes, then check its
runs.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce
from types import FunctionType
from typing import Any

import numpy as np

from quatviz.api.solution import Solution
from quatviz.base.errors import InputError, phrase
from quatviz.base.formatting import humanize
from quatviz.base.parameters import quote_value
from quatviz.files.preset import Lane, Preset
from quatviz.physics.equations import EvaluationPoint
from quatviz.physics.formulations import make_formulation
from quatviz.physics.typed_formulations.definition import TypedFormulation
from quatviz.simulation.lane_settings import formulation_options
from quatviz.verification.judging.comparison import Explained, explain, undetectable_mistakes
from quatviz.verification.judging.fits import FIT_TOLERANCE
from quatviz.verification.judging.judgement import GroupResult, Judgement
from quatviz.verification.judging.rate_table import PART_NAMES, RateTable
from quatviz.verification.judging.region import describe_region
from quatviz.verification.judging.runs import ConvergenceRuns, convergence_runs, states_along
from quatviz.verification.judging.states import (
    GENERAL,
    OTHER_LOADS,
    PRESET,
    PRINCIPAL,
    SYMMETRIC,
    StateGroup,
    default_examination_preset,
    other_body,
    other_loads,
    random_points,
    special_points,
    state_groups,
    with_other_moment,
)
from quatviz.verification.judging.subject import (
    EquationsSubject,
    FormulationSubject,
    FunctionSubject,
    StateRates,
    Subject,
)
from quatviz.verification.lanes import NEAR_SINGULARITY

ALONG_RUN = "its own run"
"""Name of the group of states along the lane's own run."""
BODY, LOADS = "the body", "the loads"
"""Names of the two inputs that equations may ignore because they contain constants instead."""
_FIT_STATES = 48
"""Number of states to which explanations of an error are fitted."""
_OWN_RATE_TOLERANCE = 1e-5
"""Largest relative difference of rates that count as equal along a lane's own run. It is larger than
`RATE_TOLERANCE`, because the run may pass near a singularity, where rates lose digits."""
_REGION_STATES = 64
"""Number of states from which the region of wrong states is determined, if a formulation is wrong at some states
only."""
_ROUNDING = 1e-11
"""Largest relative difference of rates that may be rounding. No region of wrong states is reported if the rates
outside it differ by more and have the same error, only smaller."""
_SEED_STEP = 1000
"""Difference between the seeds of two consecutive draws from the same group of states."""
_MISTAKE_STATES = 8
"""Number of states per group at which known mistakes are tested for an effect on the rates."""
_MULTIPLIER_TERMS: dict[str, tuple[str, ...]] = {
    "0": (),
    "4T": ("4T",),
    "2uᵀAᵀf": ("2uᵀAᵀf",),
    "2uᵀAᵀf + 2uᵀf": ("2uᵀAᵀf", "2uᵀf"),
    "4T + 2uᵀAᵀf": ("4T", "2uᵀAᵀf"),
    "4T + 2uᵀAᵀf + 2uᵀf": ("4T", "2uᵀAᵀf", "2uᵀf"),
    "-pᵀ∂V/∂p": ("−pᵀ∂V/∂p",),
    "4T - pᵀ∂V/∂p": ("4T", "−pᵀ∂V/∂p"),
}
"""Maps the text that describes a theoretical value of lambda to the terms of which it is the sum. The signs
apply if lambda is on the left side of the equation, multiplied by the constraint Jacobian pᵀ."""
_FACTOR_TEXTS = {
    1.0: "",
    0.5: ", half of it: the constraint's Jacobian is 2pᵀ, or 2T is taken for 4T",
    -1.0: ", with the opposite sign: it is on the right side, as in S3",
    -0.5: ", half of it and with the opposite sign: the Jacobian is 2pᵀ, and λ is on the right side",
}


def judge(lane: Any, preset: Preset | None = None, *, duration: float | None = None) -> Judgement:
    """Judge a formulation: say whether its rates and runs are correct and, if not, what is wrong with its equations.

    Parameters
    ----------
    lane
        A lane of a finished run; a lane or its id, such as one made by `qv.formulation`; a function with the arguments
        that `qv.formulation` describes; or a `TypedFormulation`. For the last two only the rates are judged, without
        compiling anything.
    preset
        Body and loads; by default those of the run, or a body without principal axes under gravity.
    duration
        Duration [s] of the runs.

    Raises
    ------
    InputError
        If the lane has a closed form, or its rates are never finite.

    Notes
    -----
    Rates are compared with those of Newton-Euler at random states, to rounding. Differences are compared with those
    of known mistakes. Then the lane is run with four steps, each half the previous one.

    Examples
    --------
    >>> import numpy as np
    >>> import quatviz as qv
    >>> def mine(t, p, omega, body, loads):
    ...     n = loads.torque(t, p, omega)
    ...     return np.linalg.solve(body.inertia, n + np.cross(omega, body.inertia @ omega))
    >>> found = qv.judge(mine)
    >>> found.verdict
    'mine does not follow the motion: gyroscopic_sign'
    >>> qv.judge("hamilton", duration=0.2).is_correct
    True
    """
    if isinstance(lane, FunctionType):
        return _examine(
            FunctionSubject(lane), preset or default_examination_preset(), is_given=preset is not None
        )
    if isinstance(lane, TypedFormulation):
        subject: Subject = EquationsSubject(lane.equations)
        return _examine(subject, preset or default_examination_preset(), is_given=preset is not None)
    spec = _lane_of(lane)
    if isinstance(lane, Solution):
        preset = preset or lane.engine.problem.preset
    form = make_formulation(spec.formulation, "lane", formulation_options(spec))
    if form.has_closed_form or form.carries_ring:
        raise InputError(
            "lane", expected="a lane that integrates equations of a single rigid body", found=form.id,
            remedy="choose another lane", topic="own#judged",
        )  # fmt: skip
    examined_preset = preset or default_examination_preset()
    if spec.loads:
        examined_preset, spec = examined_preset.with_lane_loads(spec), replace(spec, loads=())
    runs = convergence_runs(spec, examined_preset, duration)
    subject = FormulationSubject(form)
    own_states = states_along(runs.motion, examined_preset)
    return _examine(subject, examined_preset, preset is not None, runs, own_states)


def _lane_of(lane: Any) -> Lane:
    """Return the lane that the argument of `judge` specifies."""
    if isinstance(lane, Solution):
        return lane.engine.spec
    if isinstance(lane, str | Lane):
        return Lane.from_string(lane) if isinstance(lane, str) else lane
    raise InputError(
        "lane", expected="a lane, the id of one, or a function", found=quote_value(lane),
        remedy='write for example run["hamilton"] for a lane of a run', topic="own#judged",
    )  # fmt: skip


def _examine(
    subject: Subject,
    preset: Preset,
    is_given: bool,
    runs: ConvergenceRuns | None = None,
    own_states: Any = (),
) -> Judgement:
    """Evaluate the rates of a subject at random states and explain their errors."""
    unread = _unread(subject, preset)
    equal_moments = {} if BODY in unread else _equal_moments(subject, preset)
    groups = state_groups(
        preset, is_given, keeps_body=BODY in unread, keeps_loads=LOADS in unread,
        has_variable_loads=subject.has_variable_loads,
        equal_moments=equal_moments,
    )  # fmt: skip
    tables = {
        group.name: table
        for seed, group in enumerate(groups, start=7)
        if (table := _measure_group(subject, group, subject.state_count, seed))
    }
    if own_states and (along_run := _measure(subject, own_states)):
        tables[ALONG_RUN] = replace(along_run, tolerance=_OWN_RATE_TOLERANCE)
    if not tables:
        raise InputError(
            subject.name, expected="finite rates", found=phrase("none at any of the random states"),
            remedy="check the equations for divisions by zero", topic="own#judged",
        )  # fmt: skip
    wrong = [name for name, table in tables.items() if table.wrong_parts]
    # Left-out products of inertia are wrong at all states, not only at a few.
    is_principal_form = (
        wrong == [GENERAL] and PRINCIPAL in tables and bool(tables[GENERAL].is_wrong.mean() > 0.5)
    )
    explained = (
        _explain_group(subject, preset, tables, groups, wrong, LOADS not in unread) if wrong else Explained()
    )
    wrong_parts = {part for name in wrong for part in tables[name].wrong_parts}
    return Judgement(
        name=subject.name,
        states=sum(map(len, tables.values())),
        difference=max(max(table.largest_by_part) for table in tables.values()),
        wrong_rates=() if is_principal_form else tuple(part for part in PART_NAMES if part in wrong_parts),
        mistakes=explained.mistakes,
        is_combined=explained.is_combined,
        multiplier=_describe_multiplier(next(iter(tables.values()))),
        singular=_describe_singularities(subject, preset),
        undetectable=() if wrong else _undetectable(tables.values(), LOADS not in unread),
        runs=runs.result if runs is not None else None,
        explanations=explained.sentences,
        region=explained.region,
        groups=tuple(GroupResult(name, max(table.largest_by_part)) for name, table in tables.items()),
        is_principal_form=is_principal_form,
        unread=(*unread, *(f"J{moment + 1}" for moment in equal_moments)),
        run_fault=runs.fault if runs is not None else "",
    )


def _unread(subject: Subject, preset: Preset) -> tuple[str, ...]:
    """Return the names of the inputs, body and loads, that the equations do not read."""
    first, *_ = random_points(preset, 1)
    changes = {
        BODY: replace(first, body=other_body(preset.body)),
        LOADS: replace(first, loads=[*preset.loads, *other_loads()]),
    }
    with np.errstate(all="ignore"):
        return tuple(name for name, changed in changes.items() if not subject.responds(first, changed))


def _equal_moments(subject: Subject, preset: Preset) -> dict[int, int]:
    """Map the index of each principal moment that the equations do not read to the index of an equal moment
    that they read.

    The result is empty if any unread moment has no equal moment that is read.
    """
    if not preset.body.is_principal:
        return {}
    first, *_ = random_points(preset, 1)
    moments = np.diagonal(preset.body.inertia)
    changed_bodies = [with_other_moment(preset.body, k) for k in range(3)]
    with np.errstate(all="ignore"):
        unread = [
            k
            for k, body in enumerate(changed_bodies)
            if body is not None and not subject.responds(first, replace(first, body=body))
        ]
    pairs = {
        k: other
        for k in unread
        for other in range(3)
        if other not in unread and np.isclose(moments[k], moments[other], rtol=1e-12)
    }
    return pairs if len(pairs) == len(unread) else {}


def _measure_group(subject: Subject, group: StateGroup, count: int, seed: int) -> RateTable | None:
    """Return the rates at `count` states of a group. The result has fewer states if the rates are not finite at
    many of them, and is None if the rates are finite nowhere."""
    table = _measure(subject, group.draw(count, seed))
    if table is not None and len(table) < count:
        more = _measure(subject, group.draw(count, seed + _SEED_STEP), count - len(table))
        return table if more is None else table.joined(more)
    return table


def _measure(
    subject: Subject, points: Iterable[EvaluationPoint], count: int | None = None
) -> RateTable | None:
    """Return the rates at the first `count` points that are not near a singularity and have finite rates; by default
    at all such points. Return None if there are none."""
    states: list[EvaluationPoint] = []
    state_rates: list[StateRates] = []
    for state in points:
        try:
            with np.errstate(all="ignore"):
                rates = subject.rates(state)
        except InputError:
            if not states:
                return None
            raise
        if not abs(rates.singularity) > NEAR_SINGULARITY:
            continue
        if all(np.isfinite(component).all() for component in rates[:3]):
            states.append(state)
            state_rates.append(rates)
        if len(states) == count:
            break
    return RateTable(states, state_rates, subject) if states else None


def _explain_group(
    subject: Subject,
    preset: Preset,
    tables: dict[str, RateTable],
    groups: Sequence[StateGroup],
    wrong: Sequence[str],
    reads_loads: bool,
) -> Explained:
    """Explain the errors at the first group of states with wrong rates, in this order: principal axes, products of
    inertia, symmetric bodies, other loads, the preset, the lane's own run."""
    name = next(
        name for name in (PRINCIPAL, GENERAL, SYMMETRIC, OTHER_LOADS, PRESET, ALONG_RUN) if name in wrong
    )
    table = tables[name]
    if name != ALONG_RUN:
        group = next(group for group in groups if group.name == name)
        count = _FIT_STATES if table.is_wrong.all() else _REGION_STATES
        more = _measure_group(subject, group, count - len(table), 70)
        table = table if more is None else table.joined(more)
    load_sentence = _repeated_load(table, preset) if reads_loads else ""
    if load_sentence:
        return Explained(sentences=(load_sentence,))
    explained = explain(table.subset(np.flatnonzero(table.is_wrong)), reads_loads)
    if not explained.mistakes and not explained.sentences and PART_NAMES[2] in table.wrong_parts:
        # The factor may depend on the body, as that of a free moment of inertia does; a preset has only one body.
        of_one_body = _measure(subject, random_points(preset), subject.state_count)
        if of_one_body is not None and of_one_body.is_wrong.all():
            explained = explain(of_one_body, reads_loads)
    region = describe_region(table)
    if (
        region
        and explained.sentences
        and np.abs(table.differences[~table.is_wrong]).max() > _ROUNDING
        and explain(table, reads_loads).sentences == explained.sentences
    ):
        region = ""  # The error is only too small to be seen elsewhere.
    return explained._replace(region=region)


def _repeated_load(table: RateTable, preset: Preset) -> str:
    """Return a sentence if a load of the preset acts twice, because the equations contain its torque and also read
    the loads; otherwise ""."""
    if table.wrong_parts != PART_NAMES[1:2]:
        return ""
    for load in preset.loads:
        torques = (replace(state, loads=[load]).torque for state in table.states)
        if all(
            np.abs(residual - torque).max() <= FIT_TOLERANCE * np.abs(torque).max()
            for residual, torque in zip(table.torque_residual, torques, strict=True)
        ):
            return f"the load {humanize(load.name)} acts twice: the equations contain it besides the loads"
    return ""


def _undetectable(tables: Iterable[RateTable], reads_loads: bool) -> tuple[str, ...]:
    """Return the names of the known mistakes that have no effect on the rates at the states of `tables`."""
    few = [table.subset(np.arange(min(len(table), _MISTAKE_STATES))) for table in tables]
    joined = reduce(RateTable.joined, few)
    return undetectable_mistakes(joined, reads_loads)


def _describe_multiplier(table: RateTable) -> str:
    """Return a short text that lists the theoretical terms whose sum lambda equals; "" if the formulation has
    no lambda."""
    states, lam = table.states, np.array([rates.lam for rates in table.rates])
    if not np.isfinite(lam).all():
        return ""
    for name, terms in _MULTIPLIER_TERMS.items():
        theory = np.array([sum(state.theoretical_terms(terms).values()) for state in states])
        size = max(float(np.abs(theory).max()), 1e-9)
        for factor, suffix in _FACTOR_TEXTS.items():
            error = float(np.abs(lam - factor * theory).max())
            if error <= 1e-6 * (size if terms else max(state.T for state in states)):
                return f"λ = {name}{suffix}, to {error / size if terms else error:.1e}"
    return "λ is none of the theoretical values: not 0 or 4T, with or without 2uᵀAᵀf, 2uᵀf, -pᵀ∂V/∂p"


def _describe_singularities(subject: Subject, preset: Preset) -> str:
    """Describe the attitudes at which the formulation has no correct rates. Only attitudes are tested at
    which coordinates are often singular."""
    locations = []
    title = subject.form.singularity_title if isinstance(subject, FormulationSubject) else ""
    for state in special_points(preset):
        try:
            with np.errstate(all="ignore"):
                rates = subject.rates(state)
            is_finite = all(np.isfinite(rate).all() for rate in rates[:3])
            is_unbounded = is_finite and np.abs(rates.omega_rate).max() > 1e6 * (
                1.0 + float(state.omega @ state.omega)
            )
        except (InputError, ArithmeticError, np.linalg.LinAlgError):
            is_finite, is_unbounded = False, False
        if not is_finite or is_unbounded:
            locations.append(f"({', '.join(f'{value:.3g}' for value in state.p)})")
    if locations:
        suffix = f" and {len(locations) - 2} more" if len(locations) > 2 else ""
        prefix = f"{title} = 0: " if title else ""
        return (
            f"{prefix}no rates at p = {', '.join(locations[:2])}{suffix} (10 quarter and half turns tested)"
        )
    return f"where {title} = 0" if title else "at none of the 10 tested quarter and half turns about the axes"
