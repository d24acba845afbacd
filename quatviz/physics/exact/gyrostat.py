"""The torque-free axisymmetric body with rotors on its axis of symmetry: the dual-spin satellite."""

from collections.abc import Mapping, Sequence

import numpy as np

from quatviz.base.errors import phrase
from quatviz.physics.exact._multiprecision import LinearPhase, context, to_multiprecision
from quatviz.physics.exact.base import SYMMETRY_TOLERANCE, ExactProblem, ExactSolution, load_names
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Initial
from quatviz.physics.mechanics.rotations import multiply, rotate, rotate_back
from quatviz.physics.mechanics.rotor import Rotor


class Gyrostat(ExactSolution):
    """A body with J = A 1 + (C - A) a a^T whose rotors all turn about a, each with a constant speed or momentum.

    With the axial component H_a of the total angular momentum, omega_a is constant and the transverse part of omega
    rotates about a at the rate (H_a - A omega_a)/A, which is ((C - A) omega_a + I W)/A for one rotor. The attitude is a
    rotation about h in space at the rate |h|/A, after a rotation about a at the rate omega_a - H_a/A.
    """

    name = "gyrostat"
    title = "axisymmetric gyrostat"
    needs = "no load that acts, and rotors of constant speed or momentum about an axis of symmetry"
    source = "Hughes, Spacecraft Attitude Dynamics (1986), chapter 6"
    conditions = "no load that acts; rotors about an axis of symmetry of the body, each with a constant speed or momentum"
    functions = "sine and cosine"
    order = 15
    carries_rotors = True

    @classmethod
    def samples(cls) -> Mapping[str, tuple[Body, Initial, Sequence[Load]]]:
        wheel = Rotor(axis=[0.0, 0.0, 1.0], inertia=0.5, law="constant_speed", speed=8.0)
        start = Initial(euler_parameters=[1.0, 0.0, 0.0, 0.0], angular_velocity=[0.2, -0.1, 0.5])
        return {"dual-spin gyrostat": (Body(inertia=[10.0, 10.0, 6.0], rotors=[wheel]), start, ())}

    @classmethod
    def unsupported_reason(cls, problem: ExactProblem) -> str:
        rotors = problem.body.rotors
        if not rotors:
            return phrase("the body has no rotor")
        if problem.loads:
            return phrase("{loads} acts", loads=load_names(problem.loads))
        if any(rotor.has_state for rotor in rotors):
            return phrase("the speed or momentum of a rotor changes")
        axis = rotors[0].unit_axis
        if any(np.abs(np.cross(axis, rotor.unit_axis)).max() > SYMMETRY_TOLERANCE for rotor in rotors):
            return phrase("its rotors turn about different axes")
        J = problem.body.inertia
        axial = axis @ J @ axis
        transverse = 0.5 * (np.trace(J) - axial)
        error = J - transverse * np.eye(3) - (axial - transverse) * np.outer(axis, axis)
        is_symmetric = np.abs(error).max() <= SYMMETRY_TOLERANCE * np.abs(J).max()
        return "" if is_symmetric else phrase("the axis of its rotors is no axis of symmetry")

    def __init__(self, problem: ExactProblem) -> None:
        math, body = context(), problem.body
        self._axis = body.rotors[0].unit_axis
        self._p = problem.p / np.linalg.norm(problem.p)
        momentum = body.initial_momentum(problem.omega)
        J = body.inertia
        transverse = to_multiprecision(0.5 * (np.trace(J) - self._axis @ J @ self._axis))
        self._axial = float(self._axis @ problem.omega)
        self._transverse = problem.omega - self._axial * self._axis
        size = float(np.linalg.norm(momentum))
        direction = momentum / size if size > 0.0 else self._axis
        self._h = rotate(self._p[None], direction[None])[0]
        spin = to_multiprecision(self._axial) - to_multiprecision(float(self._axis @ momentum)) / transverse
        zero, turn = math.mpf(0), 4 * math.pi
        self._precession_phase = LinearPhase(to_multiprecision(size) / transverse / turn, zero)
        self._spin_phase = LinearPhase(spin / turn, zero)

    def evaluate(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        precession = _turns(self._precession_phase, t, self._h)
        spin = _turns(self._spin_phase, t, self._axis)
        p = multiply(multiply(precession, self._p), spin)
        omega = rotate_back(spin, np.tile(self._transverse, (len(t), 1))) + self._axial * self._axis
        return p, omega


def _turns(phase: LinearPhase, t: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """Return Euler parameters (n, 4) of rotations about a unit axis (3,) by twice the phase at times (n,) [s]."""
    half = 2.0 * np.pi * phase.evaluate(t)[0]
    return np.concatenate((np.cos(half)[:, None], np.sin(half)[:, None] * axis), axis=1)
