"""The exact motion where it is known in closed form: evaluated at each sample, not integrated."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from quatviz.base.class_metadata import Performance
from quatviz.physics.exact import solve
from quatviz.physics.formulations.base import Formulation, StateFunction
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.state import BODY_RATE, EULER_PARAMETERS


class ExactParameters(NamedTuple):
    """Type of the parameters of the formulation `exact`. It is empty, since no kernel reads any."""


class Exact(Formulation):
    """The exact motion by Jacobi's elliptic and theta functions, evaluated at each sample.

    Closed forms are known for a free body, also with rotors of constant speed or momentum, a symmetric heavy top,
    rotation about a principal axis under springs or gravity, and steady rotation. They are accurate to rounding at
    any time, so that the difference between another lane and this one is the total error of that lane. If no closed
    form is known, this lane says why, and the other lanes run. State (omega, p), 7; no singularity, no steps.
    """

    name = "exact"
    title = "Exact solution"
    family = "For comparison"
    summary = (
        "Exact solution in elliptic functions, evaluated and not integrated; known for some motions only"
    )
    source = "elliptic functions; S3(46) and Tables 3, 5 are cases"
    blocks = (BODY_RATE, EULER_PARAMETERS)
    sort_order = 150
    measured = (Performance("no steps", "no steps", ("", "1.9e-14", "1.4e-15")),)
    has_closed_form = True

    def parameters(self, body: Body, loads: Sequence[Load]) -> ExactParameters:
        return ExactParameters()

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: ExactParameters) -> np.ndarray:
        return np.concatenate((omega, p))

    def observe(self, states: np.ndarray, parameters: ExactParameters) -> tuple[np.ndarray, np.ndarray]:
        return states[:, 3:], states[:, :3]

    def system_matrix(self, states: np.ndarray, parameters: ExactParameters) -> np.ndarray:
        return np.full((3, 3), np.nan)  # nothing is solved

    def solution(self, body: Body, loads: Sequence[Load], p: np.ndarray, omega: np.ndarray) -> StateFunction:
        exact_solution = solve(body, loads, p, omega)

        def states(t: np.ndarray) -> np.ndarray:
            attitude, rate = exact_solution.evaluate(t)
            return np.concatenate((rate, attitude), axis=1)

        return states
