"""Quantities that a free body conserves: |h|, T and the direction of h. Their scatter along a recording shows how
free the flight was."""

from dataclasses import dataclass

import numpy as np

from quatviz.base.deprecation import FormerName
from quatviz.base.errors import Phrase, join_phrases, phrase
from quatviz.physics.mechanics.rotations import norm, rotate

_MAX_FREE_EXCESS = 1.5
"""Largest ratio of scatter to noise for which noise alone may cause the scatter."""


@dataclass(frozen=True)
class ConservedQuantity:
    """A quantity that a free body conserves."""

    values: np.ndarray
    """Values (n,) along the recording, NaN where unknown."""
    mean: float
    scatter: float
    """Standard deviation of the values relative to their mean. For a direction it is the root mean square angle [rad]."""
    noise: float
    """Standard deviation of the noise from row to row, relative to the mean; for directions the angle [rad]."""
    drift: float
    """Change of a fitted straight line from the first to the last row, relative to the mean."""

    @property
    def excess(self) -> float:
        """Ratio of scatter to noise."""
        return self.scatter / self.noise if self.noise > 0.0 else float("inf") if self.scatter > 1e-9 else 1.0


@dataclass(frozen=True)
class Invariants:
    """The conserved quantities |h| and T and, if attitudes are known, `direction`: the angle between h and its mean
    direction in space."""

    h: ConservedQuantity
    T: ConservedQuantity
    direction: ConservedQuantity | None
    mean_direction: np.ndarray | None
    """Mean direction of h in space (3,)."""

    @property
    def is_free(self) -> bool:
        """True if the flight is free: noise explains the scatter of every quantity, or the scatter is less than a
        thousandth."""
        quantities = [self.h, self.T, *([self.direction] if self.direction is not None else [])]
        return all(quantity.excess < _MAX_FREE_EXCESS or quantity.scatter < 1e-3 for quantity in quantities)

    @property
    def sentence(self) -> Phrase:
        """Sentence on the scatter of all quantities, which states if the flight was free."""
        parts = [
            phrase("|h| within {share:.2g} %", share=100.0 * self.h.scatter),
            phrase("T within {share:.2g} %", share=100.0 * self.T.scatter),
        ]
        if self.direction is not None:
            parts.append(
                phrase("the direction of h within {angle:.2g} deg", angle=np.degrees(self.direction.scatter))
            )
        statement = phrase("the body conserves {parts}", parts=join_phrases(parts, "and"))
        if self.is_free:
            return phrase("{message}; the flight is free within the noise", message=statement)
        return phrase(
            "{message}, up to {excess:.2g} times what noise explains: a torque acts, or the inertia is wrong; |h| changes by "
            "{drift:.2g} % from beginning to end",
            message=statement, drift=100.0 * self.h.drift,
            excess=max(quantity.excess for quantity in (self.h, self.T, self.direction) if quantity is not None),
        )  # fmt: skip

    free = FormerName("free", "is_free")
    towards = FormerName("towards", "mean_direction")


def compute_invariants(omega: np.ndarray, inertia: np.ndarray, p: np.ndarray | None = None) -> Invariants:
    """Return the conserved quantities of a motion sampled in equal time steps.

    Parameters
    ----------
    omega
        Rates (n, 3) [rad/s, body].
    inertia
        Inertia (3, 3) in any scale.
    p
        Attitudes (n, 4), or None.

    Examples
    --------
    >>> omega = np.tile([0.0, 0.0, 2.0], (20, 1))
    >>> compute_invariants(omega, np.eye(3)).sentence.partition(":")[0]
    'the body conserves |h| within 0 % and T within 0 %; the flight is free within the noise'
    """
    h = omega @ np.asarray(inertia).T
    size, T = norm(h), 0.5 * np.sum(omega * h, axis=1)
    direction = mean_direction = None
    if p is not None:
        unit = rotate(p, h / size[:, None])
        known = np.isfinite(unit).all(axis=1)
        mean = unit[known].mean(axis=0)
        mean_direction = mean / np.linalg.norm(mean)
        deviations = unit - mean_direction
        angles = np.where(known, norm(deviations), np.nan)
        noise = float(np.sqrt(np.nanmean(np.sum(np.diff(deviations, 2, axis=0) ** 2, axis=1)) / 6.0))
        scatter = float(np.sqrt(np.nanmean(angles**2)))
        direction = ConservedQuantity(angles, float(np.nanmean(angles)), scatter, noise, _drift(angles))
    return Invariants(_conserved(size), _conserved(T), direction, mean_direction)


def _conserved(values: np.ndarray) -> ConservedQuantity:
    mean = float(np.nanmean(values))
    scale = abs(mean) if mean else 1.0
    noise = float(np.sqrt(np.nanmean(np.diff(values, 2) ** 2) / 6.0)) / scale
    return ConservedQuantity(values, mean, float(np.nanstd(values)) / scale, noise, _drift(values) / scale)


def _drift(values: np.ndarray) -> float:
    known = np.flatnonzero(np.isfinite(values))
    if len(known) < 2:
        return 0.0
    slope = np.polynomial.polynomial.polyfit(known / known[-1], values[known], 1)[1]
    return float(slope) * (known[-1] - known[0]) / known[-1]
