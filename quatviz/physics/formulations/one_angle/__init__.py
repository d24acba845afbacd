"""Rotation about a fixed axis, described by its angle alone."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from quatviz.base.class_metadata import Performance
from quatviz.physics.formulations.base import Formulation, StateFunction
from quatviz.physics.loads import bind
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.state import BODY_RATE, EULER_PARAMETERS


class OneAngleParameters(NamedTuple):
    """Type of the parameters of the formulation `one_angle`. It is empty, since no kernel reads any."""


class OneAngle(Formulation):
    """A body that turns about a fixed principal axis a: J_a phi'' = a.n(phi, phi').

    For the disk of S3's first example this is J phi'' = -1/2 k r^2 sin 2 phi. Only the angle is integrated, with a relative
    tolerance of 1e-13; attitude and angular velocity follow from it. A motion without a fixed axis is refused with a reason.
    State (omega, p), 7; no singularity.
    """

    name = "one_angle"
    title = "One angle"
    family = "For comparison"
    summary = "Rotation about one fixed axis, described by one angle, such as the disk on a spring"
    source = "S3(46), with r^2 in place of the printed r"
    blocks = (BODY_RATE, EULER_PARAMETERS)
    sort_order = 155
    measured = (Performance("no steps", "no steps", ("", "", "")),)
    has_closed_form = True
    evaluation_method = "one angle, integrated by DOP853 with a relative tolerance of 1e-13"

    def parameters(self, body: Body, loads: Sequence[Load]) -> OneAngleParameters:
        return OneAngleParameters()

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: OneAngleParameters) -> np.ndarray:
        return np.concatenate((omega, p))

    def observe(self, states: np.ndarray, parameters: OneAngleParameters) -> tuple[np.ndarray, np.ndarray]:
        return states[:, 3:], states[:, :3]

    def system_matrix(self, states: np.ndarray, parameters: OneAngleParameters) -> np.ndarray:
        return np.full((3, 3), np.nan)  # one equation has no matrix

    def solution(self, body: Body, loads: Sequence[Load], p: np.ndarray, omega: np.ndarray) -> StateFunction:
        # Imported on demand, since importing scipy.integrate would double the start-up time of the window.
        from quatviz.physics.formulations.one_angle.motion import AngleMotion

        motion = AngleMotion(body, bind(loads, body), p, omega)

        def states(t: np.ndarray) -> np.ndarray:
            angle, rate = motion.evaluate(t)
            return np.concatenate((rate[:, None] * motion.axis, motion.attitudes(angle)), axis=1)

        return states
