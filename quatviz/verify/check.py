"""One comparison of something computed now with what it must be."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Check:
    """`value` as computed, `reference` as published or proved, their distance `error` (relative where the name says so).

    `run` names what computed it: preset, lane, integrator and dt, or "identity, N random states".
    """

    name: str
    value: float
    reference: float
    error: float
    tolerance: float
    run: str

    @property
    def ok(self) -> bool:
        """Whether the error is within the tolerance; NaN is not."""
        return bool(self.error <= self.tolerance)

    def as_dict(self) -> dict[str, Any]:
        """For JSON, which has no NaN; `ok` included."""
        fields = {key: None if value != value else value for key, value in asdict(self).items()}
        return {**fields, "ok": self.ok}


def compared(name: str, value: float, reference: float, tolerance: float, run: str) -> Check:
    """`value` within `tolerance` of `reference`, in their unit."""
    return Check(name, float(value), float(reference), abs(float(value) - float(reference)), tolerance, run)


def exceeding(name: str, value: float, least: float, run: str) -> Check:
    """Something that must not be small: a misprint that is seen, a law that is broken."""
    return Check(name, float(value), least, max(0.0, least - float(value)), 0.0, run)


def vanishing(name: str, error: float, tolerance: float, run: str) -> Check:
    """Something that must be zero."""
    return compared(name, error, 0.0, tolerance, run)
