"""Requirements of methods that advance p and the angular momentum by rules of their own.

This module defines no integrator.
"""

from typing import Any

import numpy as np

from quatviz.base.errors import InputError, join_phrases, phrase
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.formulations.base import Formulation


def require_momentum_state(formulation: Formulation) -> None:
    """Raise `InputError` for a formulation whose state does not consist of p and the body's angular momentum."""
    if not formulation.has_momentum:
        supported = [family().titled_id for family in FORMULATIONS.values() if family().has_momentum]
        raise InputError(
            "integrator",
            expected="a formulation whose state is p and either omega or h, and nothing else",
            found=phrase(
                "{id}, whose state is {names}",
                id=formulation.titled_id,
                names=", ".join(formulation.component_names),
            ),
            remedy=phrase("choose {names}, or another integrator", names=join_phrases(supported)),
            topic="errors#integrators",
        )


def empty_memory(formulation: Formulation) -> Any:
    """Return the memory (2, k) of a method before its first step, for the states of a formulation."""
    return np.full((2, len(formulation.component_names)), np.nan)
