"""`qv.judge`: the rates of a formulation against those of the body, and against every known mistake; then its runs."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, islice
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from quatviz.analysis.studies.measurement import StudyPoint, run_case
from quatviz.analysis.studies.plan import StudyCase, StudyPlan
from quatviz.analysis.studies.reference import ReferenceSolution, find_reference
from quatviz.analysis.studies.result import StudyData
from quatviz.api.solution import Solution
from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import quote_value
from quatviz.files.preset import Lane, Preset
from quatviz.physics.equations import EvaluationPoint
from quatviz.physics.formulations import make_formulation
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.loads import conserves_energy
from quatviz.physics.loads.gravity import Gravity
from quatviz.simulation.lane_settings import formulation_options
from quatviz.simulation.simulation import Simulation
from quatviz.verification.judging.judgement import ConvergenceResult, Finding, Judgement
from quatviz.verification.judging.mistakes import MISTAKES, Mistake
from quatviz.verification.judging.subject import (
    STATE_COUNT,
    FormulationSubject,
    FunctionSubject,
    StateRates,
    Subject,
    default_examination_preset,
    random_points,
    special_points,
)

RATE_TOLERANCE = 1e-8
"""Relative difference of rates below which they are the same."""
MATCH_TOLERANCE = 1e-5
"""The same of two differences."""
_MIN_FINISHED_RUNS = 2
"""Runs to the end from which an order of convergence is read."""
_STEP_COUNT = 4
_MIN_TIMED_STEPS = 20_000
_PART_NAMES = ("p'", "ω'", "the constraint")
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
"""What lambda is in theory, by load form and gyroscopic term, of the constraint Jacobian pᵀ, on the left."""
_FACTOR_TEXTS = {
    1.0: "",
    0.5: ", half of it: the constraint's Jacobian is 2pᵀ, or 2T is taken for 4T",
    -1.0: ", with the opposite sign: it stands on the right, as in S3",
    -0.5: ", half of it and with the opposite sign: the Jacobian is 2pᵀ, and it stands on the right",
}


def judge(lane: Any, preset: Preset | None = None, *, duration: float | None = None) -> Judgement:
    """What is wrong with a formulation, or that nothing is, as an examiner would say it.

    `lane` is a lane of a finished run, a lane or its id, such as `qv.formulation` makes, or a function with the arguments that
    `qv.formulation` describes, which is then judged in Python by its rates alone. Its rates are compared with Newton's and
    Euler's at random states, to rounding, and where they differ with the differences that known mistakes make. Then it is run with
    four steps, of which each is half the one before, for `duration` [s]. Bodies and loads are those of `preset`, or of the
    run; else a body without principal axes under gravity. Raises `InputError` for a lane that is known in closed form.

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
        return _examine(FunctionSubject(lane), preset or default_examination_preset(), None)
    if isinstance(lane, Solution):
        spec, preset = lane.engine.spec, preset or lane.engine.preset
    elif isinstance(lane, str | Lane):
        spec = Lane.from_string(lane) if isinstance(lane, str) else lane
    else:
        raise InputError(
            "lane", expected="a lane, the id of one, or a function", found=quote_value(lane),
            remedy='write for example run["hamilton"] for a lane of a run', topic="own#judged",
        )  # fmt: skip
    form = make_formulation(spec.formulation, "lane", formulation_options(spec))
    if form.has_closed_form or form.carries_ring:
        raise InputError(
            "lane", expected="equations of one rigid body that are integrated", found=form.id,
            remedy="choose another lane", topic="own#judged",
        )  # fmt: skip
    examined_preset = preset or default_examination_preset()
    return _examine(
        FormulationSubject(form), examined_preset, _convergence_runs(spec, examined_preset, duration)
    )


def _examine(subject: Subject, preset: Preset, runs: ConvergenceResult | None) -> Judgement:
    """The rates of a subject at random states, and what explains them."""
    states, state_rates = [], []
    for state in islice(filter(subject.is_regular, random_points(preset)), STATE_COUNT):
        with np.errstate(all="ignore"):
            rates = subject.rates(state)
        if all(np.isfinite(component).all() for component in rates[:3]):
            states.append(state)
            state_rates.append(rates)
    if not states:
        raise InputError(
            subject.name, expected="rates that are numbers", found=phrase("none at any of the random states"),
            remedy="see what it divides by", topic="own#judged",
        )  # fmt: skip
    scale = _RateScale.from_states(states)
    own_difference = scale.relative_differences(states, state_rates)
    parts = scale.largest_by_part(own_difference)
    wrong_parts = tuple(
        name for name, size in zip(_PART_NAMES, parts, strict=True) if not size <= RATE_TOLERANCE
    )
    mistake_differences, unseen = _mistake_differences(subject, states, scale)
    mistakes, together = _explain(own_difference, mistake_differences) if wrong_parts else ((), False)
    return Judgement(
        name=subject.name,
        states=len(states),
        difference=max(parts),
        wrong_rates=wrong_parts,
        mistakes=mistakes,
        is_combined=together,
        multiplier=_describe_multiplier(states, np.array([component.lam for component in state_rates])),
        singular=_describe_singularities(subject, preset),
        undetectable=() if wrong_parts else unseen,
        runs=runs,
    )


class _RateScale(NamedTuple):
    """How large p', omega' and the loss of a constraint are, by which differences are divided."""

    sizes: tuple[float, float, float]

    @classmethod
    def from_states(cls, states: Sequence[EvaluationPoint]) -> "_RateScale":
        rates = [np.abs(state.p_rate).max() for state in states]
        turns = [max(np.abs(state.omega_rate).max(), float(state.omega @ state.omega)) for state in states]
        return cls(
            (max(rates), max(turns), max(max(state.T, float(state.omega @ state.omega)) for state in states))
        )

    def relative_differences(
        self, states: Sequence[EvaluationPoint], rates_list: Sequence[StateRates]
    ) -> np.ndarray:
        """From the rates of the body (states, 8)."""
        rows = [
            np.concatenate((
                (rates.p_rate - state.p_rate) / self.sizes[0],
                (rates.omega_rate - state.omega_rate) / self.sizes[1],
                [rates.constraint_violation_rate / self.sizes[2]],
            ))
            for state, rates in zip(states, rates_list, strict=True)
        ]  # fmt: skip
        return np.array(rows)

    def largest_by_part(self, difference: np.ndarray) -> tuple[float, float, float]:
        """The largest difference of p', of omega', of the constraint."""
        first, second, third = difference[:, :4], difference[:, 4:7], difference[:, 7:]
        return float(np.abs(first).max()), float(np.abs(second).max()), float(np.abs(third).max())


def _mistake_differences(
    subject: Subject, states: Sequence[EvaluationPoint], scale: _RateScale
) -> tuple[dict[type[Mistake], np.ndarray], tuple[str, ...]]:
    """The differences of the mistakes that can be made in such a state, and the names of those that these states do not show."""
    differences, unseen = {}, []
    for mistake in MISTAKES.values():
        mistaken_rates = [
            StateRates(
                mistake.p_rate(state), mistake.omega_rate(state),
                0.0 if subject.velocity_kind is None else mistake.constraint_violation_rate(state, subject.velocity_kind),
            )
            for state in states
        ]  # fmt: skip
        difference = scale.relative_differences(states, mistaken_rates)
        if np.abs(difference).max() > RATE_TOLERANCE:
            differences[mistake] = difference
        elif mistake.constraint_violation_rate.__func__ is Mistake.constraint_violation_rate.__func__:  # type: ignore[attr-defined]
            unseen.append(mistake.name)
    return differences, tuple(unseen)


def _explain(
    own_difference: np.ndarray, mistake_differences: dict[type[Mistake], np.ndarray]
) -> tuple[tuple[Finding, ...], bool]:
    """The mistakes of which each makes this difference, else a multiple of it, else two that make it together."""
    size = np.linalg.norm(own_difference)
    exact: list[Finding] = []
    multiples: list[Finding] = []
    for mistake, difference in mistake_differences.items():
        factor = float(np.sum(own_difference * difference) / np.sum(difference**2))
        if np.linalg.norm(own_difference - factor * difference) <= MATCH_TOLERANCE * size:
            is_exact = mistake.has_free_factor or math.isclose(factor, 1.0, rel_tol=MATCH_TOLERANCE)
            (exact if is_exact else multiples).append(_make_finding(mistake, factor))
    if exact:
        return tuple(exact), False
    pairs = [
        (first, second)
        for first, second in combinations(mistake_differences, 2)
        if np.linalg.norm(own_difference - mistake_differences[first] - mistake_differences[second])
        <= MATCH_TOLERANCE * size
    ]
    if multiples or not pairs:
        return tuple(multiples[:1]), False
    return tuple(_make_finding(mistake, 1.0) for mistake in pairs[0]), True


def _make_finding(mistake: type[Mistake], factor: float) -> Finding:
    return Finding(mistake.name, 1.0 if mistake.has_free_factor else factor, mistake.summary, mistake.source)


def _describe_multiplier(states: Sequence[EvaluationPoint], lam: np.ndarray) -> str:
    """What lambda is, in a few words; empty where there is none."""
    if not np.isfinite(lam).all():
        return ""
    for name, terms in _MULTIPLIER_TERMS.items():
        theory = np.array([sum(state.theoretical_terms(terms).values()) for state in states])
        size = max(float(np.abs(theory).max()), 1e-9)
        for factor, suffix in _FACTOR_TEXTS.items():
            error = float(np.abs(lam - factor * theory).max())
            if error <= 1e-6 * (size if terms else max(state.T for state in states)):
                return f"λ = {name}{suffix}, to {error / size if terms else error:.1e}"
    return "λ is none of the theory: not 0, 4T, with or without 2uᵀAᵀf, 2uᵀf, -pᵀ∂V/∂p"


def _describe_singularities(subject: Subject, preset: Preset) -> str:
    """Where it has no rates that are right, of attitudes in which coordinates often have none."""
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
        return f"{prefix}no rates at p = {', '.join(locations[:2])}{suffix}, of 10 quarter and half turns"
    return f"where {title} = 0" if title else "at none of 10 quarter and half turns about the axes"


# --- runs


def _convergence_runs(lane: Lane, preset: Preset, duration: float | None) -> ConvergenceResult:
    """Runs with `_STEP_COUNT` steps against the exact or a finer solution."""
    plan = StudyPlan.create(preset, lanes=[lane], steps=_STEP_COUNT, duration=duration)
    if plan.refused:
        raise InputError(
            "lane", expected="a lane that this body and these loads can be run in", found=plan.refused[0].reason,
            remedy="judge it with another preset", topic="own#judged",
        )  # fmt: skip
    with np.errstate(all="ignore"):
        reference = find_reference(plan)
        study_points = [run_case(plan, case, reference) for case in plan.cases]
    finished = [point for point in study_points if point.status == "ok"]
    study_data = StudyData(plan, tuple(study_points), reference.method, reference.levels)
    finest = (finished or study_points)[-1]
    curve = study_data.curves()[0]
    run = Simulation(
        plan.case_preset(finest.case.lane, finest.case.integrator, finest.case.dt, finest.case.tolerance)
    )
    run.complete(jobs=1)
    motion = run.lanes[0].motion()
    return ConvergenceResult(
        integrator=finest.case.integrator,
        expected_order=INTEGRATORS[finest.case.integrator].order,
        order=curve.fit.order if curve.fit is not None else math.nan,
        error=finest.errors["orientation"],
        dt=finest.case.dt,
        reference=reference.method,
        drifts=_invariant_drifts(motion, preset),
        singularity_distance=float(np.abs(motion.singularity).min()),
        cost=(cost := _step_cost(plan, finest.case, reference)),
        relative_cost=cost / _step_cost(plan, replace(finest.case, lane=Lane("newton_euler")), reference),
        message=_unfinished_message(study_points),
    )  # fmt: skip


def _unfinished_message(study_points: Sequence[StudyPoint]) -> str:
    """Why a run ended early; empty where only the coarsest steps did, and enough finer ones show the order."""
    finished = [point.status == "ok" for point in study_points]
    if finished.count(True) >= _MIN_FINISHED_RUNS and all(finished[finished.index(True) :]):
        return ""
    return next((point.message for point in study_points if point.status != "ok"), "")


def _step_cost(plan: StudyPlan, case: StudyCase, reference: ReferenceSolution) -> float:
    """Processor time [s] of a step, of enough of them to tell; NaN for a lane that ends early."""
    halvings = math.ceil(math.log2(max(_MIN_TIMED_STEPS * case.dt / plan.duration, 1.0)))
    return run_case(plan, replace(case, dt=case.dt / 2**halvings), reference).seconds_per_step


def _invariant_drifts(motion: Any, preset: Preset) -> dict[str, float]:
    """Of what is to stay: |p|, the energy where no load takes any, h in space where no load acts, and along gravity."""
    drifts = {"|p|² - 1": float(np.abs(motion.constraint).max())}
    if all(conserves_energy(load) for load in preset.loads):
        drifts["energy"] = float(np.abs(motion.energy_drift).max())
    if not preset.loads:
        drifts["h in space"] = float(motion.h_space_drift.max())
    elif all(isinstance(load, Gravity) for load in preset.loads):
        vertical_momentum = motion.h_space[:, 2]
        drifts["h along gravity"] = float(
            np.abs(vertical_momentum - vertical_momentum[0]).max() / (motion.reference.momentum or 1.0)
        )
    return drifts
