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
from quatviz.physics.mechanics.rotor_system import RotorSystem


class Gyrostat(ExactSolution):
    """A body with J* = A 1 + (C - A) a a^T and a constant stored momentum s along a, such as that of rotors about a.

    J* is J without the axial inertias of the rotors of constant momentum. With the axial component H_a of the total
    angular momentum, omega_a is constant and the transverse part of omega rotates about a at the rate
    (H_a - A omega_a)/A. For one rotor of axial inertia I and relative speed W this rate is ((C - A) omega_a + I W)/A.
    The attitude is a rotation about H in space at the rate |H|/A, after a rotation about a at the rate omega_a - H_a/A.
    """

    name = "gyrostat"
    title = "axisymmetric gyrostat"
    needs = "a body without active loads, and rotors of constant speed or momentum about an axis of symmetry"
    source = "Hughes, Spacecraft Attitude Dynamics (1986), chapter 6"
    conditions = (
        "no active loads; rotors of constant speed or momentum, whose total momentum lies along an axis of symmetry "
        "of the body, or any for a sphere"
    )
    functions = "sine and cosine"
    order = 15
    carries_rotors = True

    @classmethod
    def samples(cls) -> Mapping[str, tuple[Body, Initial, Sequence[Load]]]:
        wheel = Rotor(axis=[0.0, 0.0, 1.0], inertia=0.5, law="constant_speed", speed=8.0)
        askew = Rotor(axis=[0.3, -1.0, 0.5], inertia=0.5, law="constant_speed", speed=8.0)
        start = Initial(euler_parameters=[1.0, 0.0, 0.0, 0.0], angular_velocity=[0.2, -0.1, 0.5])
        return {
            "dual-spin gyrostat": (Body(inertia=[10.0, 10.0, 6.0], rotors=[wheel]), start, ()),
            "sphere with rotors": (Body(inertia=[5.0, 5.0, 5.0], rotors=[wheel, askew]), start, ()),
        }

    @classmethod
    def unsupported_reason(cls, problem: ExactProblem) -> str:
        reason = constant_rotors_reason(problem)
        if reason:
            return reason
        system = RotorSystem(problem.body)
        J = system.effective_inertia
        axis = _symmetry_axis(system)
        axial = axis @ J @ axis
        transverse = 0.5 * (np.trace(J) - axial)
        error = J - transverse * np.eye(3) - (axial - transverse) * np.outer(axis, axis)
        is_symmetric = np.abs(error).max() <= SYMMETRY_TOLERANCE * np.abs(J).max()
        return "" if is_symmetric else phrase("the axis of the rotors is not an axis of symmetry of the body")

    def __init__(self, problem: ExactProblem) -> None:
        math, system = context(), RotorSystem(problem.body)
        self._axis = _symmetry_axis(system)
        self._p = problem.p / np.linalg.norm(problem.p)
        J = system.effective_inertia
        momentum = J @ problem.omega + system.stored_momentum
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


def constant_rotors_reason(problem: ExactProblem) -> str:
    """Return why the solution does not apply to a problem, or "" for a torque-free body whose rotors have constant
    speed or momentum."""
    if not problem.body.rotors:
        return phrase("the body has no rotor")
    if problem.loads:
        return phrase("these loads act: {loads}", loads=load_names(problem.loads))
    if any(rotor.has_state for rotor in problem.body.rotors):
        return phrase("the speed or momentum of a rotor changes")
    return ""


def _symmetry_axis(system: RotorSystem) -> np.ndarray:
    """Return the unit axis (3,) about which the motion may be symmetric.

    It is the direction of the stored momentum. If there is none, it is the principal axis for which the two other
    principal moments differ least.
    """
    axis = system.stored_momentum
    size = np.linalg.norm(axis)
    if size > 0.0:
        return axis / size
    moments, axes = np.linalg.eigh(system.effective_inertia)
    principal: np.ndarray = axes[:, 0 if moments[2] - moments[1] < moments[1] - moments[0] else 2]
    return principal


def _turns(phase: LinearPhase, t: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """Return Euler parameters (n, 4) of rotations about a unit axis (3,) at times (n,) [s].

    Half the rotation angle is 2 pi times the phase.
    """
    half = 2.0 * np.pi * phase.evaluate(t)[0]
    return np.concatenate((np.cos(half)[:, None], np.sin(half)[:, None] * axis), axis=1)
