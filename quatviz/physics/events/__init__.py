"""Events, one file each, and the conversion of event times to sample indices."""

import math

from quatviz.base.errors import InputError, phrase
from quatviz.base.formatting import SAMPLE_INTERVAL
from quatviz.base.registry import Registry
from quatviz.physics.events.base import Event, EventTemplate

EVENTS: Registry[type[Event]] = Registry(__name__, Event)

_TOLERANCE = 1e-6
"""Largest distance between an event time and a sample, in sample intervals, that is attributed to rounding. For
example, 29 * 0.01 is not exactly 0.29."""


def sample_index(time: float, sample_interval: float, key: str = "at") -> int:
    """Return the index of the sample at a time [s]. Refuse a time that is not a multiple of the sample interval [s]."""
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
    """Return the events that a window can offer at the cursor, by template name: event class and template."""
    return {
        template.name: (event_class, template)
        for event_class in EVENTS.values()
        for template in event_class.templates
    }
