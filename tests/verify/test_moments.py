"""The torques that kernels are compared with: right by their definitions, one for each kind of load."""

from __future__ import annotations

import numpy as np
import pytest

from quatviz.core.loads import LOADS as KINDS
from quatviz.core.loads import potential
from quatviz.core.rotations import matrix_L, normalise
from quatviz.verify.arrays import partials
from quatviz.verify.moments import moment
from quatviz.verify.parts.agreement import LOADS

P = normalise(np.array([0.3, -0.5, 0.7, 0.2]))
OMEGA = np.array([0.4, -0.9, 1.3])


def test_every_kind_of_load_is_verified() -> None:
    assert {load.name for load in LOADS["every load"]} == set(KINDS)


@pytest.mark.parametrize("load", LOADS["every load"], ids=lambda load: load.name)
def test_a_torque_is_what_its_potential_says(load) -> None:
    """n = -1/2 L dV/dp, V by differences; what has no potential is told by its power instead."""
    n = moment(load, P, OMEGA)
    slope = partials(lambda p: potential([load], p), P)
    if slope.any():
        assert n == pytest.approx(-0.5 * matrix_L(P) @ slope, abs=1e-10)
    elif load.name == "damping":
        assert n @ OMEGA == pytest.approx(-0.2 * OMEGA @ OMEGA)
    else:
        assert n.any()


def test_a_load_without_a_definition_is_an_error() -> None:
    with pytest.raises(TypeError, match="no definition of"):
        moment(type("Wind", (), {"name": "wind"})(), P, OMEGA)
