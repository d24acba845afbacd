"""Newton's and Euler's equations, for forms that only differ in how they write the attitude. Not a formulation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from quatviz.core.body import Body
from quatviz.core.loads.base import Load
from quatviz.formulations._body_parameters import packed
from quatviz.formulations.base import Formulation


class AttitudeForm(Formulation):
    """Newton and Euler with an attitude of its own; a subclass names the type of its parameters."""

    parameter_type: ClassVar[type]

    def parameters(self, body: Body, loads: Sequence[Load]) -> Any:
        return self.parameter_type(**packed(body, loads))

    @staticmethod
    def omega_of(states: np.ndarray) -> np.ndarray:
        """The first three components of every such state."""
        return states[:, :3]
