"""Refusal of formulations that Lie-group methods cannot integrate. This module defines no integrator."""

from quatviz.base.errors import InputError, phrase
from quatviz.physics.formulations import make_formulation
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators import INTEGRATORS


def require_group_state(formulation: Formulation) -> None:
    """Raise `InputError` for a formulation whose state does not consist of p and components of a vector
    space.
    """
    if not formulation.on_group:
        raise InputError(
            "integrator",
            expected=phrase(
                "a formulation whose state is p and either omega or h, such as {one} or {other}",
                one=make_formulation("newton_euler").titled_id,
                other=make_formulation("hamilton").titled_id,
            ),
            found=phrase(
                "{id}, whose state is {names}",
                id=formulation.titled_id,
                names=", ".join(formulation.component_names),
            ),
            remedy=phrase(
                "choose one of these formulations, or {other}", other=INTEGRATORS["rk4"].display_name()
            ),
            topic="errors#integrators",
        )
