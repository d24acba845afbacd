"""Events, one file each, and the samples at which they happen."""

import math

from quatviz.base.errors import InputError, phrase
from quatviz.base.formatting import SAMPLE_INTERVAL
from quatviz.base.registry import Registry
from quatviz.physics.events.base import Event, Offer

EVENTS: Registry[type[Event]] = Registry(__name__, Event)

_TOLERANCE = 1e-6
"""Of a sample interval: 29 times 0.01 is not quite 0.29."""


def sample_of(at: float, sample_interval: float, key: str = "at") -> int:
    """The number of the sample at the time `at` [s]; refused unless there is one."""
    ratio = at / sample_interval
    nearest = round(ratio) if math.isfinite(ratio) else 0
    if math.isfinite(ratio) and abs(ratio - nearest) <= _TOLERANCE:
        return nearest
    raise InputError(
        expected=phrase(
            "a multiple of {name} = {sample_interval:.12g} s",
            name=SAMPLE_INTERVAL,
            sample_interval=sample_interval,
        ),
        found=f"{at:.12g} s",
        remedy=phrase("write at = {time:.12g}, the nearest one", time=nearest * sample_interval),
        key=key,
    )


def offers() -> dict[str, tuple[type[Event], Offer]]:
    """Everything that a window can offer to do at the cursor, by name."""
    return {offer.name: (kind, offer) for kind in EVENTS.values() for offer in kind.offers}
