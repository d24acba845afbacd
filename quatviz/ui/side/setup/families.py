"""The families of parts that a preset holds any number of."""

from __future__ import annotations

from quatviz.base.tr import tr
from quatviz.base.words import spoken
from quatviz.events import offers
from quatviz.loads import LOADS
from quatviz.ui.side.setup.parts_form import Addition, Family


def load_family() -> Family:
    """Loads, each kind with the least that it may be."""
    return Family("loads", tr("a load"), [Addition(kind, spoken(name)) for name, kind in LOADS.items()])


def event_family() -> Family:
    """Events, as a window offers them."""
    return Family(
        "events",
        tr("an event"),
        [Addition(kind, tr(offer.text), offer.values) for kind, offer in offers().values()],
    )
