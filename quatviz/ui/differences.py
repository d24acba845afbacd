"""Each lane minus another: a source whose columns are magnitudes of differences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from quatviz.core.observables import QUANTITIES, Quantity
from quatviz.core.rotations import relative_angle
from quatviz.ui.frame import Source
from quatviz.ui.lazy import Derived
from quatviz.ui.tr import tr


@dataclass(frozen=True)
class _Rule:
    """How a quantity is compared: what it is called then, with what, and by which function of two columns."""

    called: Quantity
    of: Callable[[np.ndarray, np.ndarray], np.ndarray]
    against: str = ""
    """The quantity of the same lane that is subtracted; the same quantity of the reference lane if empty."""


def rule(name: str) -> _Rule:
    """Euler parameters by the rotation between the two, for p and -p are one orientation; angles within half a
    turn; lambda against its own theory, because lanes do not share one lambda."""
    quantity = QUANTITIES[name]
    if name == "p":
        called = Quantity("p", tr("Orientation error"), (tr("orientation error"),), "rad")
        return _Rule(called, lambda own, other: relative_angle(own, other)[:, None])
    if name == "lam":
        return _Rule(replace(quantity, symbols=("|λ − theory|",)), _magnitude, "lam_theory")
    called = replace(quantity, symbols=tuple(f"|Δ{symbol}|" for symbol in quantity.symbols))
    return _Rule(called, _turned if quantity.name.startswith("angles_") else _magnitude)


def _magnitude(own: np.ndarray, other: np.ndarray) -> np.ndarray:
    return np.abs(own - other)


def _turned(own: np.ndarray, other: np.ndarray) -> np.ndarray:
    turn = np.abs(own - other) % 360.0
    return np.minimum(turn, 360.0 - turn)


class Differences:
    """A `Source` of magnitudes of `source`'s lanes minus the lane `reference`, computed where they are read."""

    def __init__(self, source: Source, reference: str) -> None:
        self.info = source.info
        self.reference = reference
        self._source = source

    def values(self, lane: str, quantity: str) -> tuple[np.ndarray, Derived]:
        """Times (n,) and magnitudes (n, k), as far as both lanes have got; see `frame.Source`."""
        how = rule(quantity)
        times, own = self._source.values(lane, quantity)
        _, other = self._source.values(lane if how.against else self.reference, how.against or quantity)
        column = Derived((own, other), how.of, len(how.called.symbols))
        return times[: len(column)], column
