"""Equations of motion, one file per family."""

from __future__ import annotations

from quatviz.core.errors import Refusal, phrase
from quatviz.core.registry import Registry
from quatviz.formulations.base import Formulation, Settings

FORMULATIONS: Registry[Formulation] = Registry(__name__, Formulation)


def make_formulation(lane_id: str, key: str = "", settings: Settings | None = None) -> Formulation:
    """The formulation of a lane id, `name` or `name/variant`; a `Refusal` that lists what exists."""
    name, _, variant = lane_id.partition("/")
    family = FORMULATIONS.find(name, key)
    if variant and variant not in family.variants:
        raise Refusal(
            key or "formulations",
            expected=phrase(
                "a variant of {name}: {variants}",
                name=name,
                variants=", ".join(family.variants) or phrase("it has none, write the name alone"),
            ),
            found=repr(lane_id),
            remedy="correct the spelling",
            key=key,
            topic="errors#names",
        )
    return family(variant, settings)
