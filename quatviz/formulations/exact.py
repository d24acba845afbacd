"""The motion itself, where it is known in closed form: not integrated, evaluated at each sample."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from quatviz.core.body import Body
from quatviz.core.exact import solve
from quatviz.core.loads.base import Load
from quatviz.formulations.base import Formulation, Solution


class ExactParameters(NamedTuple):
    """No kernel reads anything."""


class Exact(Formulation):
    """Jacobi's elliptic and theta functions, evaluated at each sample: a free body, a symmetric heavy top, rotation about a
    principal axis under springs or gravity, steady rotation. Good to rounding at any time, so that each lane minus this one
    is that lane's whole error. Where no form is known it says why and the other lanes run on. State (omega, p), 7; no
    singularity, no steps."""

    name = "exact"
    title = "Exact solution"
    source = "elliptic functions; S3(46) and Tables 3, 5 are cases"
    closed_form = True

    @property
    def state(self) -> tuple[str, ...]:
        return ("omega1", "omega2", "omega3", "e0", "e1", "e2", "e3")

    def parameters(self, body: Body, loads: Sequence[Load]) -> ExactParameters:
        return ExactParameters()

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: ExactParameters) -> np.ndarray:
        return np.concatenate((omega, p))

    def observe(self, states: np.ndarray, parameters: ExactParameters) -> tuple[np.ndarray, np.ndarray]:
        return states[:, 3:], states[:, :3]

    def system(self, states: np.ndarray, parameters: ExactParameters) -> np.ndarray:
        return np.full((3, 3), np.nan)  # nothing is solved

    def solution(self, body: Body, loads: Sequence[Load], p: np.ndarray, omega: np.ndarray) -> Solution:
        found = solve(body, loads, p, omega)

        def states(t: np.ndarray) -> np.ndarray:
            attitude, rate = found.at(t)
            return np.concatenate((rate, attitude), axis=1)

        return states
