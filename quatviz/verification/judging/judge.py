"""`qv.judge`: the rates of a formulation against those of the body, and against every known mistake; then its runs."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, islice
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from quatviz.analysis.studies.measurement import measured
from quatviz.analysis.studies.plan import Case, Plan
from quatviz.analysis.studies.reference import Reference, find_reference
from quatviz.analysis.studies.result import Findings
from quatviz.api.solution import Solution
from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import shown
from quatviz.files.preset import Lane, Preset
from quatviz.physics.equations import Point
from quatviz.physics.formulations import make_formulation
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.loads import keeps_energy
from quatviz.physics.loads.gravity import Gravity
from quatviz.simulation.lane_settings import settings_of
from quatviz.simulation.simulation import Simulation
from quatviz.verification.judging.judgement import Finding, Judgement, Runs
from quatviz.verification.judging.mistakes import MISTAKES, Mistake
from quatviz.verification.judging.subject import (
    STATES,
    OfForm,
    OfFunction,
    Rates,
    Subject,
    examination,
    points,
    special,
)

RIGHT = 1e-8
"""Relative difference of rates below which they are the same."""
SAME = 1e-5
"""The same of two differences."""
_STEPS = 4
_STEPS_TIMED = 20_000
_PARTS = ("p'", "ω'", "the constraint")
_MULTIPLIERS: dict[str, tuple[str, ...]] = {
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
_FACTORS = {
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
    >>> qv.judge("hamilton", duration=0.2).right
    True
    """
    if isinstance(lane, FunctionType):
        return _examined(OfFunction(lane), preset or examination(), None)
    if isinstance(lane, Solution):
        spec, preset = lane.engine.spec, preset or lane.engine.preset
    elif isinstance(lane, str | Lane):
        spec = Lane.from_string(lane) if isinstance(lane, str) else lane
    else:
        raise InputError(
            "lane", expected="a lane, the id of one, or a function", found=shown(lane),
            remedy='write for example run["hamilton"] for a lane of a run', topic="own#judged",
        )  # fmt: skip
    form = make_formulation(spec.formulation, "lane", settings_of(spec))
    if form.closed_form or form.carries_ring:
        raise InputError(
            "lane", expected="equations of one rigid body that are integrated", found=form.id,
            remedy="choose another lane", topic="own#judged",
        )  # fmt: skip
    given = preset or examination()
    return _examined(OfForm(form), given, _runs(spec, given, duration))


def _examined(subject: Subject, preset: Preset, runs: Runs | None) -> Judgement:
    """The rates of a subject at random states, and what explains them."""
    states, found = [], []
    for at in islice(filter(subject.regular, points(preset)), STATES):
        with np.errstate(all="ignore"):
            rates = subject.rates(at)
        if all(np.isfinite(each).all() for each in rates[:3]):
            states.append(at)
            found.append(rates)
    if not states:
        raise InputError(
            subject.name, expected="rates that are numbers", found=phrase("none at any of the random states"),
            remedy="see what it divides by", topic="own#judged",
        )  # fmt: skip
    scale = _Scale.of(states)
    own = scale.difference(states, found)
    parts = scale.parts(own)
    where = tuple(name for name, size in zip(_PARTS, parts, strict=True) if not size <= RIGHT)
    known, unseen = _known(subject, states, scale)
    mistakes, together = _explained(own, known) if where else ((), False)
    return Judgement(
        name=subject.name,
        states=len(states),
        difference=max(parts),
        where=where,
        mistakes=mistakes,
        together=together,
        multiplier=_multiplier(states, np.array([each.lam for each in found])),
        singular=_singular(subject, preset),
        unseen=() if where else unseen,
        runs=runs,
    )


class _Scale(NamedTuple):
    """How large p', omega' and the loss of a constraint are, by which differences are divided."""

    sizes: tuple[float, float, float]

    @classmethod
    def of(cls, states: Sequence[Point]) -> "_Scale":
        rates = [np.abs(at.p_rate).max() for at in states]
        turns = [max(np.abs(at.omega_rate).max(), float(at.omega @ at.omega)) for at in states]
        return cls((max(rates), max(turns), max(max(at.T, float(at.omega @ at.omega)) for at in states)))

    def difference(self, states: Sequence[Point], found: Sequence[Rates]) -> np.ndarray:
        """From the rates of the body (states, 8)."""
        rows = [
            np.concatenate((
                (rates.p_rate - at.p_rate) / self.sizes[0],
                (rates.omega_rate - at.omega_rate) / self.sizes[1],
                [rates.leaving / self.sizes[2]],
            ))
            for at, rates in zip(states, found, strict=True)
        ]  # fmt: skip
        return np.array(rows)

    def parts(self, difference: np.ndarray) -> tuple[float, float, float]:
        """The largest difference of p', of omega', of the constraint."""
        first, second, third = difference[:, :4], difference[:, 4:7], difference[:, 7:]
        return float(np.abs(first).max()), float(np.abs(second).max()), float(np.abs(third).max())


def _known(
    subject: Subject, states: Sequence[Point], scale: _Scale
) -> tuple[dict[type[Mistake], np.ndarray], tuple[str, ...]]:
    """The differences of the mistakes that can be made in such a state, and the names of those that these states do not show."""
    found, unseen = {}, []
    for kind in MISTAKES.values():
        wrong = [
            Rates(
                kind.p_rate(at), kind.omega_rate(at),
                0.0 if subject.velocities is None else kind.leaving(at, subject.velocities),
            )
            for at in states
        ]  # fmt: skip
        difference = scale.difference(states, wrong)
        if np.abs(difference).max() > RIGHT:
            found[kind] = difference
        elif kind.leaving.__func__ is Mistake.leaving.__func__:  # type: ignore[attr-defined]
            unseen.append(kind.name)
    return found, tuple(unseen)


def _explained(own: np.ndarray, known: dict[type[Mistake], np.ndarray]) -> tuple[tuple[Finding, ...], bool]:
    """The mistakes of which each makes this difference, else a multiple of it, else two that make it together."""
    size = np.linalg.norm(own)
    exact: list[Finding] = []
    multiples: list[Finding] = []
    for kind, difference in known.items():
        factor = float(np.sum(own * difference) / np.sum(difference**2))
        if np.linalg.norm(own - factor * difference) <= SAME * size:
            is_exact = kind.any_factor or math.isclose(factor, 1.0, rel_tol=SAME)
            (exact if is_exact else multiples).append(_finding(kind, factor))
    if exact:
        return tuple(exact), False
    pairs = [
        (one, other)
        for one, other in combinations(known, 2)
        if np.linalg.norm(own - known[one] - known[other]) <= SAME * size
    ]
    if multiples or not pairs:
        return tuple(multiples[:1]), False
    return tuple(_finding(kind, 1.0) for kind in pairs[0]), True


def _finding(kind: type[Mistake], factor: float) -> Finding:
    return Finding(kind.name, 1.0 if kind.any_factor else factor, kind.told, kind.source)


def _multiplier(states: Sequence[Point], lam: np.ndarray) -> str:
    """What lambda is, in a few words; empty where there is none."""
    if not np.isfinite(lam).all():
        return ""
    for name, terms in _MULTIPLIERS.items():
        theory = np.array([sum(at.theory(terms).values()) for at in states])
        size = max(float(np.abs(theory).max()), 1e-9)
        for factor, words in _FACTORS.items():
            error = float(np.abs(lam - factor * theory).max())
            if error <= 1e-6 * (size if terms else max(at.T for at in states)):
                return f"λ = {name}{words}, to {error / size if terms else error:.1e}"
    return "λ is none of the theory: not 0, 4T, with or without 2uᵀAᵀf, 2uᵀf, -pᵀ∂V/∂p"


def _singular(subject: Subject, preset: Preset) -> str:
    """Where it has no rates that are right, of attitudes in which coordinates often have none."""
    where = []
    title = subject.form.singularity_title if isinstance(subject, OfForm) else ""
    for at in special(preset):
        try:
            with np.errstate(all="ignore"):
                rates = subject.rates(at)
            fine = all(np.isfinite(each).all() for each in rates[:3])
            large = fine and np.abs(rates.omega_rate).max() > 1e6 * (1.0 + float(at.omega @ at.omega))
        except (InputError, ArithmeticError, np.linalg.LinAlgError):
            fine, large = False, False
        if not fine or large:
            where.append(f"({', '.join(f'{value:.3g}' for value in at.p)})")
    if where:
        more = f" and {len(where) - 2} more" if len(where) > 2 else ""
        return f"{f'{title} = 0: ' if title else ''}no rates at p = {', '.join(where[:2])}{more}, of 10 quarter and half turns"
    return f"where {title} = 0" if title else "at none of 10 quarter and half turns about the axes"


# --- runs


def _runs(lane: Lane, preset: Preset, duration: float | None) -> Runs:
    """Runs with `_STEPS` steps against the exact or a finer solution."""
    plan = Plan.of(preset, lanes=[lane], steps=_STEPS, duration=duration)
    if plan.refused:
        raise InputError(
            "lane", expected="a lane that this body and these loads can be run in", found=plan.refused[0].reason,
            remedy="judge it with another preset", topic="own#judged",
        )  # fmt: skip
    with np.errstate(all="ignore"):
        reference = find_reference(plan)
        study = [measured(plan, case, reference) for case in plan.cases]
    whole = [point for point in study if point.status == "ok"]
    found = Findings(plan, tuple(study), reference.method, reference.levels)
    finest = (whole or study)[-1]
    curve = found.curves()[0]
    run = Simulation(
        plan.run_of(finest.case.lane, finest.case.integrator, finest.case.dt, finest.case.tolerance)
    )
    run.complete(jobs=1)
    motion = run.lanes[0].motion()
    return Runs(
        integrator=finest.case.integrator,
        expected_order=INTEGRATORS[finest.case.integrator].order,
        order=curve.fit.order if curve.fit is not None else math.nan,
        error=finest.errors["orientation"],
        dt=finest.case.dt,
        reference=reference.method,
        drifts=_drifts(motion, preset),
        nearest=float(np.abs(motion.singularity).min()),
        cost=(cost := _cost(plan, finest.case, reference)),
        share=cost / _cost(plan, replace(finest.case, lane=Lane("newton_euler")), reference),
        message="" if len(whole) == len(study) else next(point.message for point in study if point.status != "ok"),
    )  # fmt: skip


def _cost(plan: Plan, case: Case, reference: Reference) -> float:
    """Processor time [s] of a step, of enough of them to tell; NaN for a lane that ends early."""
    finer = math.ceil(math.log2(max(_STEPS_TIMED * case.dt / plan.duration, 1.0)))
    return measured(plan, replace(case, dt=case.dt / 2**finer), reference).per_step


def _drifts(motion: Any, preset: Preset) -> dict[str, float]:
    """Of what is to stay: |p|, the energy where no load takes any, h in space where no load acts, and along gravity."""
    found = {"|p|² - 1": float(np.abs(motion.constraint).max())}
    if all(keeps_energy(load) for load in preset.loads):
        found["energy"] = float(np.abs(motion.energy_drift).max())
    if not preset.loads:
        found["h in space"] = float(motion.h_space_drift.max())
    elif all(isinstance(load, Gravity) for load in preset.loads):
        along = motion.h_space[:, 2]
        found["h along gravity"] = float(np.abs(along - along[0]).max() / (motion.reference.momentum or 1.0))
    return found
