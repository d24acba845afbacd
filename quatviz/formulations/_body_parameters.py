"""What every kernel reads of a body and its loads. Not a formulation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from quatviz.core.body import Body
from quatviz.core.loads import pack
from quatviz.core.loads.base import Load


class BodyParameters(NamedTuple):
    """J and its inverse, row-major (9) [kg m^2, 1/(kg m^2)], whether they are diagonal, and the packed loads.

    The type picks the kernels: a formulation that reads no more than this extends it by a class of its own.
    """

    principal: bool
    inertia: tuple[float, ...]
    inverse_inertia: tuple[float, ...]
    loads: np.ndarray


def packed(body: Body, loads: Sequence[Load]) -> dict[str, Any]:
    """The fields of `BodyParameters`, with which the parameters of other forms begin."""
    return {
        "principal": body.is_principal,
        "inertia": tuple(map(float, body.inertia.ravel())),
        "inverse_inertia": tuple(map(float, body.inverse_inertia.ravel())),
        "loads": pack(loads, body),
    }
