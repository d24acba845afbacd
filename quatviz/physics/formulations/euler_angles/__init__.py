"""Lagrange's equations in Euler angles of any of the twelve sequences: three coordinates, no multiplier, a
singularity."""

import math
from typing import Any

import numpy as np

from quatviz.base.class_metadata import Performance
from quatviz.base.errors import phrase
from quatviz.base.formatting import humanize
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.formulations.euler_angles.kernel import (
    KERNELS,
    EulerAngleParameters,
)
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.euler_sequences import (
    LOCK_THRESHOLD,
    SEQUENCES,
    S,
    angles_from_p,
    det_S,
    p_from_angles,
)
from quatviz.physics.mechanics.state import StateVariable, numbered_block

_SECOND_ANGLE = {"321": phrase("pitch"), "313": phrase("nutation")}


class EulerAngles(Formulation):
    """Lagrange's equations in Euler angles.

    Sequence a-b-c means A = R_a(t1) R_b(t2) R_c(t3), with the angles in the order of the rotations
    (S2 lists them backwards). Near det S = 0 the rates grow as 1/det S: gimbal lock. The angles are integrated, so they
    count whole turns. State (q, q'), 6; singular where det S = 0.
    """

    name = "euler_angles"
    title = "Lagrange in Euler angles"
    family = "Lagrange, three coordinates"
    summary = "Lagrange's equations in Euler angles of any of the twelve sequences"
    source = "S2(10, 11, 16, 41, 46)"
    blocks = (
        numbered_block(StateVariable.COORDINATES, "t", (1, 2, 3)),
        numbered_block(StateVariable.COORDINATE_RATES, "t", (1, 2, 3), "_rate"),
    )
    sort_order = 100
    measured = (Performance(393, 550, ("7.1e-11 (313)", "1.4e-12 (123)", "5.3e-12 (313)")),)
    variants = ("321", "313", *(sequence for sequence in SEQUENCES if sequence not in ("321", "313")))
    second_order = True
    parameter_type = EulerAngleParameters
    supports_rotors = True
    kernels = KERNELS
    singularity_title = "det S"
    threshold = LOCK_THRESHOLD

    def extra_parameters(self, body: Body) -> dict[str, Any]:
        axes = (tuple(np.eye(3)[int(axis) - 1].tolist()) for axis in self.variant)
        return dict(zip(("first", "second", "third"), axes, strict=True))

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: EulerAngleParameters) -> np.ndarray:
        angles = angles_from_p(p, self.variant)
        if p_from_angles(angles, self.variant) @ p < 0.0:
            angles[0] += 2.0 * math.pi  # the same attitude, with the sign of p that other lanes have
        # At the singularity no rates give this omega. With the nearest ones the lane can report its state.
        rates = np.linalg.lstsq(S(angles, self.variant), omega, rcond=None)[0]
        return np.concatenate((angles, rates))

    def observe(self, states: np.ndarray, parameters: EulerAngleParameters) -> tuple[np.ndarray, np.ndarray]:
        angles, rates = states[:, :3], states[:, 3:]
        return p_from_angles(angles, self.variant), (S(angles, self.variant) @ rates[:, :, None])[:, :, 0]

    def system_matrix(self, states: np.ndarray, parameters: EulerAngleParameters) -> np.ndarray:
        matrix = S(states[:, :3], self.variant)
        return np.swapaxes(matrix, 1, 2) @ np.reshape(parameters.inertia, (3, 3)) @ matrix

    def closest_approach(self, state: np.ndarray, parameters: EulerAngleParameters) -> float:
        """Estimate how close the motion from a state comes to the singularity, as the smallest |det S|.

        |det S| is the sine of the angle between the first axis, fixed in space, and the third axis c, fixed in the
        body. The third axis is assumed to move along a great circle, for which the smallest sine is det S^2 |t1'| /
        |omega x c|.
        """
        _, omega = self.observe(state[None], parameters)
        speed = float(np.linalg.norm(np.cross(omega[0], parameters.third)))
        sine = float(det_S(state[:3], self.variant))
        return sine * sine * abs(float(state[3])) / speed if speed > 0.0 else abs(sine)

    def explain_step_limit(self, state: np.ndarray, singularity: float, dt: float) -> str:
        angle, distance_deg, nearest, alternative = self._place(state)
        return phrase(
            "{sequence} angles are too near their singularity for steps of this length: the {angle} is {away:.2g} deg from "
            "{nearest:g} deg, det S = {measure:.2g}. Try {other} or any Euler-parameter form{shorter}",
            sequence=humanize(self.variant), angle=angle, away=distance_deg, nearest=nearest, measure=singularity,
            other=alternative, shorter=phrase(", or dt = {dt:.2g} s", dt=dt) if dt > 0.0 else "",
        )  # fmt: skip

    def explain_singularity(self, state: np.ndarray, singularity: float) -> str:
        if abs(state[1]) > 1e3:
            return phrase(
                "{sequence} angles jumped across their singularity within one step, where the rates grow as 1/det S. Try "
                "a smaller dt, another sequence, or any Euler-parameter form",
                sequence=humanize(self.variant),
            )
        angle, distance_deg, nearest, alternative = self._place(state)
        return phrase(
            "{sequence} angles are locked: the {angle} is {away:.2g} deg from {nearest:g} deg, det S = {measure:.2g}. Try "
            "{other} or any Euler-parameter form",
            sequence=humanize(self.variant), angle=angle, away=distance_deg, nearest=nearest, measure=singularity,
            other=alternative,
        )  # fmt: skip

    def _place(self, state: np.ndarray) -> tuple[str, float, float, str]:
        """Return four values for a message on the singularity: the name of the second angle, its distance
        [deg] from the singular value, that value [deg], and the sequence that is farthest from its own
        singularity.
        """
        name = _SECOND_ANGLE.get(self.variant, phrase("second angle"))
        quarter = 90.0 if len(set(self.variant)) == 3 else 0.0
        t2 = math.degrees(state[1])
        nearest = 180.0 * round((t2 - quarter) / 180.0) + quarter
        p = p_from_angles(state[:3], self.variant)
        best_sequence = max(SEQUENCES, key=lambda sequence: abs(det_S(angles_from_p(p, sequence), sequence)))
        return name, abs(t2 - nearest), nearest, humanize(best_sequence)
