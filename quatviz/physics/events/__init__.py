"""Events, one file each, and the samples at which they happen."""

import math

from quatviz.base.errors import InputError, phrase
from quatviz.base.formatting import SAMPLE_INTERVAL
from quatviz.base.registry import Registry
from quatviz.physics.events.base import Event, EventTemplate

EVENTS: Registry[type[Event]] = Registry(__name__, Event)

_TOLERANCE = 1e-6
"""Of a sample interval: 29 times 0.01 is not quite 0.29."""


def sample_index(time: float, sample_interval: float, key: str = "at") -> int:
    """The number of the sample at the time `at` [s]; refused unless there is one."""
    ratio = time / sample_interval
    nearest = round(ratio) if math.isfinite(ratio) else 0
    if math.isfinite(ratio) and abs(ratio - nearest) <= _TOLERANCE:
        return nearest
    raise InputError(
        expected=phrase(
            "a multiple of {name} = {sample_interval:.12g} s",
            name=SAMPLE_INTERVAL,
            sample_interval=sample_interval,
        ),
        found=f"{time:.12g} s",
        remedy=phrase("write at = {time:.12g}, the nearest one", time=nearest * sample_interval),
        key=key,
    )


def event_templates() -> dict[str, tuple[type[Event], EventTemplate]]:
    """Everything that a window can offer to do at the cursor, by name."""
    return {
        template.name: (event_class, template)
        for event_class in EVENTS.values()
        for template in event_class.templates
    }
