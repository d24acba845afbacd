"""What an examiner says of a formulation: a frozen value that fits a screen."""

import html
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from quatviz.base.deprecation import FormerName
from quatviz.base.errors import join_phrases


class Finding(NamedTuple):
    """A known mistake whose difference is that of the lane, `factor` times; `summary` says what it is, `source` where it is met."""

    name: str
    factor: float
    summary: str
    source: str

    def __str__(self) -> str:
        times = (
            ""
            if math.isclose(self.factor, 1.0, rel_tol=1e-4)
            else f"{self.factor:.4g} times the difference of: "
        )
        return f"{self.name}: {times}{self.summary} ({self.source})"


class ConvergenceResult(NamedTuple):
    """What runs with smaller and smaller steps have shown."""

    integrator: str
    expected_order: int
    order: float
    """By which the attitude error falls with the step; NaN where it does not."""
    error: float
    """Largest attitude error [rad] of the finest run that reached the end; NaN where none did."""
    dt: float
    """Its step [s]."""
    reference: str
    """What it is compared with."""
    drifts: dict[str, float]
    """By how much the finest run changes what is to stay, relative to its size."""
    singularity_distance: float
    """Least distance of the finest run from a singularity of the form; 1 where it has none."""
    cost: float
    """Processor time of a step [s]."""
    relative_cost: float
    """The same, in steps of `newton_euler` that were measured beside it."""
    message: str
    """Why runs ended early; empty where they did not."""


class GroupResult(NamedTuple):
    """States of one kind, and the largest relative difference of the rates there."""

    name: str
    difference: float


@dataclass(frozen=True, repr=False)
class Judgement:
    """What `qv.judge` found; print it, or ask its fields.

    `difference` is the largest deviation of p', omega' and the constraint from Newton and Euler at random states, relative to
    their size. `mistakes` are those that make the same difference, two where only both together do; `explanations` say of
    others which component, factor or term is wrong, and `region` where, if not everywhere. `groups` are the kinds of states.
    `multiplier` says what lambda is, `singular` where rates have no value, `undetectable` names mistakes that these bodies and
    loads cannot show. `runs` is None for a function that was judged in Python.

    >>> import quatviz as qv
    >>> found = qv.judge("lagrange_simplified/split", duration=0.2)
    >>> found.is_correct, found.multiplier.partition(", to")[0], round(found.runs.order)
    (True, 'λ = 4T + 2uᵀAᵀf', 4)
    """

    name: str
    states: int
    difference: float
    wrong_rates: tuple[str, ...]
    """Which rates differ."""
    mistakes: tuple[Finding, ...]
    is_combined: bool
    """Whether the mistakes are made together; else each of them alone explains the difference."""
    multiplier: str
    singular: str
    undetectable: tuple[str, ...]
    runs: ConvergenceResult | None = None
    explanations: tuple[str, ...] = ()
    region: str = ""
    groups: tuple[GroupResult, ...] = ()
    is_principal_form: bool = False
    """Whether it is right in principal axes, and wrong with products of inertia."""
    unread: tuple[str, ...] = ()
    """What the equations do not read, and are therefore judged with as the preset has it: "the body", "the loads"."""
    run_fault: str = ""
    """What is wrong with runs whose rates are right; empty if nothing is."""

    @property
    def is_correct(self) -> bool:
        """Whether its rates are those of the body, in principal axes at least, and its runs approach the motion."""
        return not self.wrong_rates and not self.run_fault

    @property
    def verdict(self) -> str:
        """The sum of it in a sentence."""
        if self.run_fault and not self.wrong_rates:
            return f"{self.name} does not follow the motion: {self.run_fault}"
        reasons = self._reasons
        if self.is_principal_form:
            return f"{self.name} follows the motion in principal axes, not with products of inertia: {reasons or 'otherwise'}"
        if self.is_correct:
            return f"{self.name} follows the motion"
        start = f"{self.name} does not follow the motion{' ' if self.region else ''}{self.region}"
        return f"{start}: {reasons}" if reasons else f"{start}, by no mistake that is known"

    @property
    def _reasons(self) -> str:
        """What is wrong, in a few words."""
        names = [mistake.name for mistake in self.mistakes]
        known = join_phrases(names, "and" if self.is_combined else "or") if names else ""
        return "; ".join(filter(None, (known, *self.explanations)))

    def _rows(self) -> Iterator[tuple[str, str]]:
        """What it says, line by line."""
        if not self.wrong_rates and not self.is_principal_form:
            yield (
                "rates",
                f"those of Newton and Euler to {self.difference:.1e} at {self.states} random states",
            )
        else:
            parts = join_phrases(self.wrong_rates or ("ω'",), "and")
            where = f" {self.region}" if self.region else ""
            yield (
                "rates",
                f"{parts} off by {self.difference:.2g} of their size at {self.states} random states{where}",
            )
            yield "states", "; ".join(f"{name}: {difference:.1e}" for name, difference in self.groups)
        for mistake in self.mistakes:
            yield "mistake", str(mistake)
        for explanation in self.explanations:
            yield "mistake", explanation
        if self.run_fault:
            yield "runs", self.run_fault
        if self.unread:
            unread = join_phrases(self.unread, "and")
            yield (
                "not read",
                f"does not read {unread}: judged as the preset has it",
            )
        if self.undetectable:
            yield "not seen", f"this body and these loads cannot show {', '.join(self.undetectable)}"
        if self.multiplier:
            yield "lambda", self.multiplier
        yield "singular", self.singular
        if self.runs is not None:
            yield from _convergence_rows(self.runs)

    def __repr__(self) -> str:
        lines = (f"  {title:<9} {text}" for title, text in self._rows())
        return "\n".join([self.verdict, *lines])

    def _repr_html_(self) -> str:
        rows = (
            f"<tr><th>{html.escape(title)}</th><td style='text-align:left'>{html.escape(text)}</td></tr>"
            for title, text in self._rows()
        )
        return f"<table><caption>{html.escape(self.verdict)}</caption>{''.join(rows)}</table>"

    right = FormerName("right", "is_correct")
    where = FormerName("where", "wrong_rates")
    together = FormerName("together", "is_combined")
    unseen = FormerName("unseen", "undetectable")


def _convergence_rows(runs: ConvergenceResult) -> Iterator[tuple[str, str]]:
    if runs.message:
        yield "runs", runs.message
    if math.isfinite(runs.error):
        order_text = "no order" if math.isnan(runs.order) else f"order {runs.order:.1f}"
        yield (
            "order",
            f"{order_text} of {runs.expected_order} by {runs.integrator}; off by {runs.error:.1e} rad at dt = {runs.dt:.3g} s",
        )
        yield "reference", runs.reference
        yield "drift", "; ".join(f"{name} {drift:.1e}" for name, drift in runs.drifts.items())
    if math.isfinite(runs.cost):
        yield "cost", f"{1e9 * runs.cost:.0f} ns a step, {runs.relative_cost:.1f} x newton_euler"
