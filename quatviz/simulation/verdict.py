"""Verdict on the accuracy of a lane, shown by the window, the command line, scripts and figures."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np

from quatviz.base.errors import phrase

MAX_ATTITUDE_ERROR = 1e-3
"""Largest attitude error [rad] of a lane that counts as accurate. It is a twentieth of a degree, which is invisible
in plots of angles."""


@dataclass(frozen=True, eq=False)
class AccuracyVerdict:
    """Verdict on the accuracy of a lane: until when the lane is accurate, the reason if it is not, and advice. The
    property `message` is its text."""

    lane: str
    """Name of the lane."""
    is_accurate: bool = True
    accurate_until: float = 0.0
    """Time [s] up to which the estimated attitude error is at most `MAX_ATTITUDE_ERROR`; NaN if unknown, as for a
    lane that ended early."""
    times: np.ndarray = field(default_factory=lambda: np.zeros(0))
    """Times (n,) [s] at which the lane was checked. Empty if no check was needed, as for a closed form."""
    errors: np.ndarray = field(default_factory=lambda: np.zeros(0))
    """Estimated attitude error (n,) [rad] at `times`, 0 to pi."""
    reason: str = ""
    """Reason why the lane is not accurate, as a phrase without the name of the lane; "" for an accurate lane."""
    remedy: str = ""
    """Advice on what to try, as a sentence without its full stop, or ""."""
    separation_time: float | None = None
    """Time [s] in which neighboring motions separate by a factor e, for a chaotic or unstable motion."""
    is_about_equations: bool = False
    """True if the lane intentionally solves other equations than those of the body, so that no step size makes it
    accurate."""
    end_message: str = ""
    """Message of a lane that ended early; it is also the message of the verdict."""

    remark: str = ""
    """Phrase on what could not be checked, or ""."""

    @property
    def max_error(self) -> float:
        """Largest estimated error of the attitude [rad]."""
        return float(np.max(self.errors, initial=0.0))

    @cached_property
    def message(self) -> str:
        """Text of the verdict, a phrase that names the lane. "" for an accurate lane."""
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
    """Interface of an accuracy check of a lane, which may still be running."""

    @property
    def verdict(self) -> AccuracyVerdict | None:
        """Verdict on all current samples of the lane, or None before it is known."""
