"""The reference torques of loads are right by definition, one for each load."""

from dataclasses import dataclass

import numpy as np
import pytest

from quatviz.physics.loads import LOADS as KINDS
from quatviz.physics.loads import bind, total_potential
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import matrix_L, normalize, rotation_matrix
from quatviz.verification.arrays import partial_derivatives
from quatviz.verification.load_torque import load_torque_by_definition
from quatviz.verification.parts.agreement import LOADS

P = normalize(np.array([0.3, -0.5, 0.7, 0.2]))
TIME = 0.7
BODY = Body(inertia=[[3.1, 0.1, -0.05], [0.1, 2.1, 0.2], [-0.05, 0.2, 1.3]])
OMEGA = np.array([0.4, -0.9, 1.3])


def test_every_load_kind_is_verified() -> None:
    assert {load.name for load in LOADS["every load"]} == set(KINDS)


@pytest.mark.parametrize("load", LOADS["every load"], ids=lambda load: load.name)
def test_torque_matches_its_potential(load) -> None:
    """n = -1/2 L dV/dp, with V differenced; loads without a potential are checked by their power."""
    n = load_torque_by_definition(load, TIME, P, OMEGA, BODY.inertia)
    bound = bind([load], BODY)
    slope = partial_derivatives(lambda p: total_potential(bound, np.array(TIME), p), P)
    if slope.any():
        assert n == pytest.approx(-0.5 * matrix_L(P) @ slope, abs=1e-10)
    elif load.name == "damping":
        square = OMEGA @ OMEGA
        matrix = np.zeros((3, 3)) if load.matrix is None else load.matrix
        power = load.coefficient * square + OMEGA @ matrix @ OMEGA + load.quadratic * square**1.5
        assert n @ OMEGA == pytest.approx(-power)
    elif load.name == "internal_dissipation":
        h = BODY.inertia @ OMEGA
        assert n @ h == pytest.approx(0.0, abs=1e-15)
        assert n @ OMEGA == pytest.approx(-0.1 * (OMEGA @ OMEGA - (OMEGA @ h) ** 2 / (h @ h)))
    else:
        assert n.any()


@dataclass(frozen=True, eq=False)
class Wind(Load):
    """A load that says its torque once."""

    name = "wind"

    def torque_on(self, body: Body, t: np.ndarray, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
        return np.array([[1.0, 0.0, time] for time in t])


def test_load_without_definition_uses_its_torque() -> None:
    assert load_torque_by_definition(Wind(), TIME, P, OMEGA, BODY.inertia) == pytest.approx([1.0, 0.0, TIME])


@pytest.mark.parametrize("load_name", KINDS)
def test_every_load_definition_matches_its_torque(load_name: str) -> None:
    # A law that is typed is its own definition.
    assert load_name == "torque_law" or KINDS[load_name].reference_torque is not Load.reference_torque
    for load in KINDS[load_name].samples():
        twin = Load.reference_torque(load, TIME, rotation_matrix(P), OMEGA, BODY.inertia)
        assert load_torque_by_definition(load, TIME, P, OMEGA, BODY.inertia) == pytest.approx(twin, abs=1e-13)
