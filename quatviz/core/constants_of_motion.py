"""Which quantities of a motion must stay what they were at its start."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from quatviz.core.loads.base import Load
from quatviz.core.ring import Ring


def constants(loads: Sequence[Load], ring: Ring | None = None) -> tuple[str, ...]:
    """What an exact solution keeps: the energy if every load has a potential and no ring rubs, |h| if nothing acts."""
    conservative = (
        load.gradient_kernel is not None and getattr(load, "frame", "space") == "space" for load in loads
    )
    energy = all(conservative) and (ring is None or ring.damping == 0)
    momentum = not loads and (ring is None or not np.any(ring.gravity))
    kept = {"energy_drift": energy, "momentum_drift": momentum}
    return ("constraint", "constraint_rate", *(name for name, keeps in kept.items() if keeps))
