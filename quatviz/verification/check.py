"""A check: one comparison of a computed value with its reference."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike


@dataclass(frozen=True)
class Check:
    """Comparison of a computed value with a published or derived reference.

    Checks of equal `kind` form a group, of which summaries show only the worst check.
    """

    name: str
    """Name of the quantity that is compared."""
    value: float
    """Computed value."""
    reference: float
    """Published or derived value."""
    error: float
    """Deviation of the value from the reference. It is a relative deviation if the name of the check says so."""
    tolerance: float
    """Largest accepted error."""
    run: str
    """Description of the computation: preset, lane, integrator and dt, or "identity, N random states"."""
    group: str = ""
    """Name of the group of checks to which this check belongs; by default `name`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "group", self.group or self.name)

    @property
    def ok(self) -> bool:
        """True if the error is within the tolerance; False for NaN."""
        return bool(self.error <= self.tolerance)

    @property
    def tolerance_fraction(self) -> float:
        """Ratio of the error to the tolerance."""
        return self.error / self.tolerance if self.tolerance > 0.0 else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return the fields and `ok` for JSON. NaN becomes None, because JSON cannot represent it."""
        fields = {key: None if value != value else value for key, value in asdict(self).items()}
        del fields["group"]
        return {**fields, "ok": self.ok}


def check_close(
    name: str, value: float, reference: float, tolerance: float, run: str, group: str = ""
) -> Check:
    """Return a check that `value` is within `tolerance` of `reference`, all in the same unit."""
    value, reference = float(value), float(reference)
    return Check(name, value, reference, abs(value - reference), tolerance, run, group)


def check_exceeds(name: str, value: float, minimum: float, run: str) -> Check:
    """Return a check that `value` is at least `minimum`. Such a check shows that an effect exists, for example the
    effect of a misprint."""
    return Check(name, float(value), minimum, max(0.0, minimum - float(value)), 0.0, run)


def check_zero(name: str, error: ArrayLike, tolerance: float, run: str, group: str = "") -> Check:
    """Return a check that the largest magnitude in the array `error` is within `tolerance` of zero."""
    return check_close(name, np.abs(error).max(), 0.0, tolerance, run, group)
