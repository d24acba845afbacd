"""One comparison of something computed now with what it must be."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike


@dataclass(frozen=True)
class Check:
    """`value` as computed, `reference` as published or proved, their distance `error` (relative where the name says so).

    `run` names what computed it: preset, lane, integrator and dt, or "identity, N random states". Checks of one `kind`, the
    name unless it is given, are told together where only their worst is asked for.
    """

    name: str
    value: float
    reference: float
    error: float
    tolerance: float
    run: str
    kind: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", self.kind or self.name)

    @property
    def ok(self) -> bool:
        """Whether the error is within the tolerance; NaN is not."""
        return bool(self.error <= self.tolerance)

    @property
    def tolerance_fraction(self) -> float:
        """How much of its tolerance the error takes up."""
        return self.error / self.tolerance if self.tolerance > 0.0 else 0.0

    def as_dict(self) -> dict[str, Any]:
        """For JSON, which has no NaN; `ok` included."""
        fields = {key: None if value != value else value for key, value in asdict(self).items()}
        del fields["kind"]
        return {**fields, "ok": self.ok}


def check_close(
    name: str, value: float, reference: float, tolerance: float, run: str, kind: str = ""
) -> Check:
    """`value` within `tolerance` of `reference`, in their unit."""
    value, reference = float(value), float(reference)
    return Check(name, value, reference, abs(value - reference), tolerance, run, kind)


def check_exceeds(name: str, value: float, minimum: float, run: str) -> Check:
    """Something that must not be small: a misprint that is seen, a law that is broken."""
    return Check(name, float(value), minimum, max(0.0, minimum - float(value)), 0.0, run)


def check_zero(name: str, error: ArrayLike, tolerance: float, run: str, kind: str = "") -> Check:
    """Something that must be zero, every number of it."""
    return check_close(name, np.abs(error).max(), 0.0, tolerance, run, kind)
