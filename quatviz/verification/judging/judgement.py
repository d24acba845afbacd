"""What an examiner says of a formulation: a frozen value that fits a screen."""

import html
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from quatviz.base.errors import listed


class Finding(NamedTuple):
    """A known mistake whose difference is that of the lane, `factor` times; `told` says what it is, `source` where it is met."""

    name: str
    factor: float
    told: str
    source: str

    def __str__(self) -> str:
        times = (
            ""
            if math.isclose(self.factor, 1.0, rel_tol=1e-4)
            else f"{self.factor:.4g} times the difference of: "
        )
        return f"{self.name}: {times}{self.told} ({self.source})"


class Runs(NamedTuple):
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
    nearest: float
    """Least distance of the finest run from a singularity of the form; 1 where it has none."""
    cost: float
    """Processor time of a step [s]."""
    share: float
    """The same, in steps of `newton_euler` that were measured beside it."""
    message: str
    """Why runs ended early; empty where they did not."""


@dataclass(frozen=True, repr=False)
class Judgement:
    """What `qv.judge` found; print it, or ask its fields.

    `difference` is the largest deviation of p', omega' and the constraint from Newton and Euler at random states, relative to
    their size. `mistakes` are those that make the same difference, two where only both together do. `multiplier` says what
    lambda is, `singular` where rates have no value, `unseen` names mistakes that this body and these loads cannot show.
    `runs` is None for a function that was judged in Python.

    >>> import quatviz as qv
    >>> found = qv.judge("lagrange_simplified/split", duration=0.2)
    >>> found.right, found.multiplier.partition(", to")[0], round(found.runs.order)
    (True, 'λ = 4T + 2uᵀAᵀf', 4)
    """

    name: str
    states: int
    difference: float
    where: tuple[str, ...]
    """Which rates differ."""
    mistakes: tuple[Finding, ...]
    together: bool
    """Whether the mistakes are made together; else each of them alone explains the difference."""
    multiplier: str
    singular: str
    unseen: tuple[str, ...]
    runs: Runs | None = None

    @property
    def right(self) -> bool:
        """Whether its rates are those of the body."""
        return not self.where

    @property
    def verdict(self) -> str:
        """The sum of it in a sentence."""
        if self.right:
            return f"{self.name} follows the motion"
        if not self.mistakes:
            return f"{self.name} does not follow the motion, by no mistake that is known"
        names = [each.name for each in self.mistakes]
        said = listed(names, "and" if self.together else "or")
        return f"{self.name} does not follow the motion: {said}"

    def _rows(self) -> Iterator[tuple[str, str]]:
        """What it says, line by line."""
        if self.right:
            yield (
                "rates",
                f"those of Newton and Euler to {self.difference:.1e} at {self.states} random states",
            )
        else:
            yield (
                "rates",
                f"{listed(self.where, 'and')} off by {self.difference:.2g} of their size at {self.states} random states",
            )
        for each in self.mistakes:
            yield "mistake", str(each)
        if self.unseen:
            yield "not seen", f"this body and these loads cannot show {', '.join(self.unseen)}"
        if self.multiplier:
            yield "lambda", self.multiplier
        yield "singular", self.singular
        if self.runs is not None:
            yield from _of_runs(self.runs)

    def __repr__(self) -> str:
        lines = (f"  {title:<9} {said}" for title, said in self._rows())
        return "\n".join([self.verdict, *lines])

    def _repr_html_(self) -> str:
        rows = (
            f"<tr><th>{html.escape(title)}</th><td style='text-align:left'>{html.escape(said)}</td></tr>"
            for title, said in self._rows()
        )
        return f"<table><caption>{html.escape(self.verdict)}</caption>{''.join(rows)}</table>"


def _of_runs(runs: Runs) -> Iterator[tuple[str, str]]:
    if runs.message:
        yield "runs", runs.message
    if math.isfinite(runs.error):
        falls = "no order" if math.isnan(runs.order) else f"order {runs.order:.1f}"
        yield (
            "order", f"{falls} of {runs.expected_order} by {runs.integrator}; off by {runs.error:.1e} rad at dt = {runs.dt:.3g} s"
        )  # fmt: skip
        yield "reference", runs.reference
        yield "drift", "; ".join(f"{name} {drift:.1e}" for name, drift in runs.drifts.items())
    if math.isfinite(runs.cost):
        yield "cost", f"{1e9 * runs.cost:.0f} ns a step, {runs.share:.1f} x newton_euler"
