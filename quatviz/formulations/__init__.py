"""Equations of motion, one file per family."""

from __future__ import annotations

from quatviz.core.errors import Refusal
from quatviz.core.registry import Registry
from quatviz.formulations.base import Formulation

FORMULATIONS: Registry[Formulation] = Registry(__name__, Formulation)


def make_formulation(lane_id: str, key: str = "", J0: float | None = None) -> Formulation:
    """The formulation of a lane id, `name` or `name/variant`; a `Refusal` that lists what exists.

    `J0` [kg m^2] is the free moment of inertia of the forms that have one, refused for the others.
    """
    name, _, variant = lane_id.partition("/")
    family = FORMULATIONS.find(name, key)
    if variant and variant not in family.variants:
        raise Refusal(
            key or "formulations",
            expected=f"a variant of {name}: {', '.join(family.variants) or 'it has none, write the name alone'}",
            found=repr(lane_id),
            remedy="correct the spelling",
            key=key,
        )
    if J0 is not None and not family.free_inertia:
        place = key.replace("formulation", "J0")
        raise Refusal(
            place or "J0",
            expected=f"no J0 for {name}, which has no free moment of inertia",
            found=f"{J0:g}",
            remedy="remove the key, or choose "
            + ", ".join(n for n, form in FORMULATIONS.items() if form.free_inertia),
            key=place,
        )
    return family(variant) if J0 is None else family(variant, J0)
