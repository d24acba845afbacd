"""Result of judging a formulation: a frozen value that fits on a screen."""

import html
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from quatviz.base.deprecation import FormerName
from quatviz.base.errors import join_phrases


class Finding(NamedTuple):
    """A known mistake whose effect on the rates, times `factor`, equals the error of the judged rates.

    `summary` describes the mistake, `source` says where it occurs.
    """

    name: str
    factor: float
    summary: str
    source: str

    @property
    def description(self) -> str:
        """The mistake in words, without its name."""
        times = (
            ""
            if math.isclose(self.factor, 1.0, rel_tol=1e-4)
            else f"{self.factor:.4g} times the difference of: "
        )
        return f"{times}{self.summary} ({self.source})"

    def __str__(self) -> str:
        return f"{self.name}: {self.description}"


class ConvergenceResult(NamedTuple):
    """Result of runs with successively halved steps."""

    integrator: str
    """Name of the integrator."""
    expected_order: int
    """Order that the integrator declares."""
    order: float
    """Observed order of the attitude error; NaN if the error does not decrease."""
    error: float
    """Largest attitude error [rad] of the finest run that reached the end; NaN if none did."""
    dt: float
    """Step of the finest complete run [s]."""
    reference: str
    """Description of the reference solution from which the errors are measured."""
    drifts: dict[str, float]
    """Largest relative drift of each conserved quantity in the finest run."""
    singularity_distance: float
    """Smallest singularity measure in the finest run; 1 without a singularity."""
    cost: float
    """Processor time per step [s]."""
    relative_cost: float
    """Processor time per step, relative to `newton_euler` measured at the same time."""
    message: str
    """Reason why runs ended early, or ""."""


class GroupResult(NamedTuple):
    """Name of a group of states, and the largest relative difference of the rates there."""

    name: str
    difference: float


@dataclass(frozen=True, repr=False)
class Judgement:
    """Result of `qv.judge`; print it, or use its fields.

    >>> import quatviz as qv
    >>> found = qv.judge("lagrange_simplified/split", duration=0.2)
    >>> found.is_correct, found.multiplier.partition(", to")[0], round(found.runs.order)
    (True, 'λ = 4T + 2uᵀAᵀf', 4)
    """

    name: str
    """Name of the formulation or function."""
    states: int
    """Number of random states at which rates were compared."""
    difference: float
    """Largest relative deviation of p', omega' and the constraint from Newton-Euler."""
    wrong_rates: tuple[str, ...]
    """Names of the rates that differ from those of the motion: p', ω' or the constraint."""
    mistakes: tuple[Finding, ...]
    """Known mistakes that explain the difference."""
    is_combined: bool
    """True if the mistakes explain the difference only together; otherwise each of them alone explains it."""
    multiplier: str
    """Text that lists the theoretical terms whose sum lambda equals; "" without lambda."""
    singular: str
    """Attitudes at which the rates have no finite value."""
    undetectable: tuple[str, ...]
    """Names of known mistakes that have no effect for the bodies and loads of the compared states."""
    runs: ConvergenceResult | None = None
    """Result of the runs; None for a function, which is judged in Python."""
    explanations: tuple[str, ...] = ()
    """Sentences about the wrong component, factor or term, for errors that are not known mistakes."""
    region: str = ""
    """Region in which the rates are wrong, or "" if they are wrong everywhere."""
    groups: tuple[GroupResult, ...] = ()
    """Largest relative difference of the rates in each group of states."""
    is_principal_form: bool = False
    """True if the formulation is correct in principal axes and wrong with products of inertia."""
    unread: tuple[str, ...] = ()
    """Inputs that the equations do not read and for which the preset's values were used: "the body", "the loads"."""
    run_fault: str = ""
    """Sentence about runs that do not approach the motion although the rates are correct, or ""."""

    @property
    def is_correct(self) -> bool:
        """True if the rates are correct, at least in principal axes, and the runs approach the motion."""
        return not self.wrong_rates and not self.run_fault

    @property
    def verdict(self) -> str:
        """One sentence that says whether the formulation follows the motion and, if not, why."""
        if self.is_correct and not self.is_principal_form:
            return self.conclusion
        if self.run_fault and not self.wrong_rates:
            return f"{self.conclusion}: {self.run_fault}"
        unknown = "otherwise" if self.is_principal_form else "no known mistake explains this"
        return f"{self.conclusion}: {self._reasons or unknown}"

    @property
    def conclusion(self) -> str:
        """The first part of `verdict`, which says whether the formulation follows the motion."""
        if self.run_fault and not self.wrong_rates:
            return f"{self.name} does not follow the motion"
        if self.is_principal_form:
            return f"{self.name} follows the motion in principal axes, not with products of inertia"
        if self.is_correct:
            return f"{self.name} follows the motion"
        return f"{self.name} does not follow the motion{' ' if self.region else ''}{self.region}"

    @property
    def _reasons(self) -> str:
        """Short text that lists the names of the detected mistakes, then the explanations."""
        names = [mistake.name for mistake in self.mistakes]
        known = join_phrases(names, "and" if self.is_combined else "or") if names else ""
        return "; ".join(filter(None, (known, *self.explanations)))

    def _rows(self) -> Iterator[tuple[str, str]]:
        """Yield title and text of each line of the printed judgement."""
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
                f"{parts} wrong by {self.difference:.2g} (relative) at {self.states} random states{where}",
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
                f"does not read {unread}: judged with the values of the preset",
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
        order_text = "none" if math.isnan(runs.order) else f"{runs.order:.1f}"
        yield (
            "order",
            f"{order_text} (expected {runs.expected_order}) with {runs.integrator}; "
            f"error {runs.error:.1e} rad at dt = {runs.dt:.3g} s",
        )
        yield "reference", runs.reference
        yield "drift", "; ".join(f"{name} {drift:.1e}" for name, drift in runs.drifts.items())
    if math.isfinite(runs.cost):
        yield (
            "cost",
            f"{1e9 * runs.cost:.0f} ns per step, {runs.relative_cost:.1f} times that of newton_euler",
        )
