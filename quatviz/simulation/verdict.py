"""The verdict on the accuracy of a lane, as window, command line, scripts and figures show it."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np

from quatviz.base.errors import phrase

MAX_ATTITUDE_ERROR = 1e-3
"""Largest error of the attitude [rad] of a lane that is called accurate: a twentieth of a degree, which no plot of angles shows."""


@dataclass(frozen=True, eq=False)
class AccuracyVerdict:
    """Says whether a lane is accurate, until when, why not, and what to try. `message` says it in one sentence or two."""

    lane: str
    """Name of the lane."""
    is_accurate: bool = True
    accurate_until: float = 0.0
    """Time [s] up to which the attitude error is estimated at `MAX_ATTITUDE_ERROR` at most; NaN where that is not known, as of a
    lane that ended early."""
    times: np.ndarray = field(default_factory=lambda: np.zeros(0))
    """Times (n,) [s] at which the lane was checked. Empty where nothing had to be checked, as of a closed form."""
    errors: np.ndarray = field(default_factory=lambda: np.zeros(0))
    """Estimated error (n,) of the attitude [rad] at these times, 0 to pi."""
    reason: str = ""
    """Why the lane is not accurate: a phrase without the lane's name. Empty for an accurate one."""
    remedy: str = ""
    """What to try: a phrase that is a sentence without its full stop, or empty where nothing helps."""
    separation_time: float | None = None
    """Time [s] in which neighboring motions separate by a factor e, of a motion that is chaotic or unstable."""
    is_about_equations: bool = False
    """True if the lane solves other equations than the body's on purpose, so that no step makes it accurate."""
    end_message: str = ""
    """The lane's own message where it ended early. It is then the message of the verdict, too."""

    remark: str = ""
    """What could not be checked: a phrase, or empty."""

    @property
    def max_error(self) -> float:
        """Largest estimated error of the attitude [rad]."""
        return float(np.max(self.errors, initial=0.0))

    @cached_property
    def message(self) -> str:
        """The verdict for people: a phrase that names the lane. Empty for an accurate lane."""
        if self.is_accurate:
            return ""
        if self.end_message:
            return self.end_message
        if self.is_about_equations:
            return phrase("{lane} {reason}", lane=self.lane, reason=self.reason)
        explanation = self.reason
        if self.remedy:
            explanation = phrase("{reason}. {remedy}", reason=self.reason, remedy=self.remedy)
        if not self.accurate_until > 0.0:
            return phrase("{lane} is not accurate: {reason}", lane=self.lane, reason=explanation)
        return phrase(
            "{lane} is not accurate after t = {time:.4g} s: {reason}",
            lane=self.lane, time=self.accurate_until, reason=explanation,
        )  # fmt: skip


class VerdictSource(Protocol):
    """A check of a lane, in progress or complete."""

    @property
    def verdict(self) -> AccuracyVerdict | None:
        """The verdict on all samples that the lane has now; None before it is known."""
