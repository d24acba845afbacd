"""Other programs as formulations. This module defines no formulation of its own.

quatviz does not depend on these programs. A lane such as `formulation = "mujoco"` can be used only if the package
is installed; otherwise it is refused with a message that names the package to install.
"""

import importlib
import importlib.util
import math
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from quatviz.base.errors import InputError, phrase
from quatviz.base.registry import Registry
from quatviz.physics.exact import NoClosedForm
from quatviz.physics.formulations.base import Formulation, StateFunction
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import from_rotation_vector, to_rotation_vector
from quatviz.physics.mechanics.state import BODY_RATE, EULER_PARAMETERS

STEP = 1e-3
"""Longest step [s] that the other programs make.

Their steps are shortened so that the times of samples are reached exactly.
"""
_MASS_SHARE = 1e-3
"""Ratio of m |r|^2 to the smallest principal moment, with the lever arm r of the force. It determines the mass m that a
body at a pivot has in the other program. The rotation does not depend on m, only on the weight and on the inertia about
the pivot."""


class ProgramLoads(NamedTuple):
    """Sum of the loads on a body. Other programs support constant torques and at most one constant force."""

    body_torque: np.ndarray
    """Torque (3,) [N m, body]."""
    space_torque: np.ndarray
    """Torque (3,) [N m, space]."""
    force: np.ndarray
    """Force (3,) [N, space]."""
    point: np.ndarray
    """Point (3,) [m, body] at which the force acts."""


class UnsupportedByProgramError(NoClosedForm):
    """Error for a body or loads that another program cannot represent."""

    status = "not_supported"


class ProgramParameters(NamedTuple):
    """Type of the parameters of a formulation that another program computes.

    It is empty, since no kernel reads any.
    """


class OtherProgram(Formulation):
    """Base class of formulations whose motion another program computes."""

    package: ClassVar[str]
    """Name of the package on the Python package index."""
    family = "For comparison"
    blocks = (BODY_RATE, EULER_PARAMETERS)
    has_closed_form = True

    @classmethod
    def is_installed(cls) -> bool:
        """Return True if the package can be imported."""
        return importlib.util.find_spec(cls.package) is not None

    def parameters(self, body: Body, loads: Sequence[Load]) -> ProgramParameters:
        return ProgramParameters()

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: ProgramParameters) -> np.ndarray:
        return np.concatenate((omega, p))

    def observe(self, states: np.ndarray, parameters: ProgramParameters) -> tuple[np.ndarray, np.ndarray]:
        return states[:, 3:], states[:, :3]

    def system_matrix(self, states: np.ndarray, parameters: ProgramParameters) -> np.ndarray:
        return np.full((3, 3), np.nan)  # the matrices of the other program are not known

    def solution(self, body: Body, loads: Sequence[Load], p: np.ndarray, omega: np.ndarray) -> StateFunction:
        if body.rotors:
            raise UnsupportedByProgramError(
                phrase("quatviz does not pass rotors to {title}", title=self.title)
            )
        motion = self.open_motion(body, supported_loads(loads, self.title), p, omega)
        memory: dict[str, Any] = {"t": math.inf}

        def states(t: np.ndarray) -> np.ndarray:
            rows = np.empty((len(t), 7))
            for index in np.argsort(t, kind="stable"):
                if t[index] < memory["t"]:
                    motion.reset()
                    memory["t"] = 0.0
                gap = float(t[index]) - memory["t"]
                if gap > 0.0:
                    count = math.ceil(gap / STEP - 1e-9)
                    motion.advance(gap / count, count)
                memory["t"] = float(t[index])
                rows[index] = motion.state()
            return rows

        return states

    @abstractmethod
    def open_motion(self, body: Body, loads: ProgramLoads, p: np.ndarray, omega: np.ndarray) -> Any:
        """Return an object that steps the motion: `reset()`, `advance(dt, count)` makes `count` steps of dt
        [s], and `state()` returns omega (3) [rad/s, body] followed by p (4).
        """


def supported_loads(loads: Sequence[Load], title: str) -> ProgramLoads:
    """Return the sum of the loads.

    Raises
    ------
    UnsupportedByProgramError
        If a load is not constant, or if several forces are constant in space.
    """
    body_torque, space_torque = np.zeros(3), np.zeros(3)
    forces: list[tuple[np.ndarray, np.ndarray]] = []
    for load in loads:
        constant = None if load.timed else load.constant
        if constant is None:
            raise UnsupportedByProgramError(
                phrase(
                    "in quatviz a lane of {title} supports only constant forces and torques, not {load}",
                    title=title, load=phrase(load.name.replace("_", " ")),
                )
            )  # fmt: skip
        if constant.point is None and constant.frame == "space":
            space_torque = space_torque + constant.vector
        elif constant.point is None:
            body_torque = body_torque + constant.vector
        elif constant.frame == "body":
            body_torque = body_torque + np.cross(constant.point, constant.vector)
        elif np.any(constant.vector):
            forces.append((constant.vector, np.asarray(constant.point, dtype=float)))
    if len(forces) > 1:
        raise UnsupportedByProgramError(
            phrase(
                "in quatviz a lane of {title} supports one constant force in space, not {count}",
                title=title,
                count=len(forces),
            )
        )
    force, point = forces[0] if forces else (np.zeros(3), np.zeros(3))
    return ProgramLoads(body_torque, space_torque, force, point)


class Mujoco(OtherProgram):
    """One body on a ball joint in MuJoCo, by its Runge-Kutta method of order four with steps of at most 1 ms.

    Constant torques and one constant force, such as the weight, act as in quatviz; other loads are refused.
    """

    name = "mujoco"
    title = "MuJoCo"
    summary = "The motion that MuJoCo computes, if it is installed"
    source = "Todorov, Erez and Tassa 2012, MuJoCo: A physics engine for model-based control"
    package = "mujoco"
    sort_order = 156
    evaluation_method = "computed by MuJoCo, RK4 with steps of at most 1 ms"

    def open_motion(
        self, body: Body, loads: ProgramLoads, p: np.ndarray, omega: np.ndarray
    ) -> "_MujocoMotion":
        return _MujocoMotion(body, loads, p, omega)


_MUJOCO_MODEL = """\
<mujoco>
  <option integrator="RK4">
    <flag contact="disable" constraint="disable" equality="disable" frictionloss="disable" limit="disable"/>
  </option>
  <worldbody><body>
    <joint type="ball"/>
    <inertial pos="{pos}" mass="{mass!r}" fullinertia="{inertia}"/>
  </body></worldbody>
</mujoco>
"""


class _MujocoMotion:
    """One body in MuJoCo. A ball joint has p, scalar first, as its position and omega in the body as its velocity."""

    def __init__(self, body: Body, loads: ProgramLoads, p: np.ndarray, omega: np.ndarray) -> None:
        self._mujoco = mujoco = importlib.import_module("mujoco")
        lever_arm = loads.point if loads.force.any() else np.zeros(3)
        square = float(lever_arm @ lever_arm)
        smallest = float(np.linalg.eigvalsh(body.inertia)[0])
        mass = _MASS_SHARE * smallest / square if square > 0.0 else 1.0
        about_center = body.inertia - mass * (square * np.eye(3) - np.outer(lever_arm, lever_arm))
        pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
        inertia = " ".join(repr(float(about_center[pair])) for pair in pairs)
        text = _MUJOCO_MODEL.format(pos=" ".join(map(repr, lever_arm.tolist())), mass=mass, inertia=inertia)
        try:
            self._model = mujoco.MjModel.from_xml_string(text)
        except ValueError as error:
            raise UnsupportedByProgramError(
                phrase("MuJoCo refuses the body: {reason}", reason=str(error))
            ) from None
        self._model.opt.gravity[:] = loads.force / mass
        self._data = mujoco.MjData(self._model)
        self._loads, self._p, self._omega = loads, np.array(p, dtype=float), np.array(omega, dtype=float)

    def reset(self) -> None:
        self._mujoco.mj_resetData(self._model, self._data)
        self._data.qpos[:], self._data.qvel[:] = self._p, self._omega
        self._data.qfrc_applied[:] = self._loads.body_torque
        self._data.xfrc_applied[1, 3:] = self._loads.space_torque

    def advance(self, dt: float, count: int) -> None:
        self._model.opt.timestep = dt
        self._mujoco.mj_step(self._model, self._data, count)

    def state(self) -> np.ndarray:
        return np.concatenate((self._data.qvel, self._data.qpos))


class Exudyn(OtherProgram):
    """One free body in Exudyn, by its explicit Runge-Kutta method of order four on the Lie group with steps of at most 1 ms.

    Constant torques and one constant force, such as the weight, act as in quatviz; other loads are refused.
    """

    name = "exudyn"
    title = "Exudyn"
    summary = "The motion that Exudyn computes, if it is installed"
    source = "Gerstmayr 2024, Exudyn: a C++-based Python package for flexible multibody systems"
    package = "exudyn"
    sort_order = 157
    evaluation_method = "computed by Exudyn, RK44 on the Lie group with steps of at most 1 ms"

    def open_motion(
        self, body: Body, loads: ProgramLoads, p: np.ndarray, omega: np.ndarray
    ) -> "_ExudynMotion":
        return _ExudynMotion(body, loads, p, omega)


class _ExudynMotion:
    """One body in Exudyn. Its explicit methods support no joints, so that the body is free.

    The node of the body is its fixed point, and the inertia is about the node. A force turns the body by its torque about
    the node, as for a body at a pivot. The translation of the node does not affect the rotation.
    """

    def __init__(self, body: Body, loads: ProgramLoads, p: np.ndarray, omega: np.ndarray) -> None:
        self._exudyn = exudyn = importlib.import_module("exudyn")
        items = importlib.import_module("exudyn.itemInterface")
        self._container = exudyn.SystemContainer()
        self._system = system = self._container.AddSystem()
        self._initial_p, self._omega = np.array(p, dtype=float), np.array(omega, dtype=float)
        node = system.AddNode(items.NodeRigidBodyRotVecLG(referenceCoordinates=[0.0] * 6))
        J = body.inertia
        inertia = [J[0, 0], J[1, 1], J[2, 2], J[1, 2], J[0, 2], J[0, 1]]
        body_number = system.AddObject(
            items.ObjectRigidBody(mass=1.0, inertia=list(map(float, inertia)), nodeNumber=node)
        )

        def marker(point: np.ndarray) -> Any:
            return system.AddMarker(
                items.MarkerBodyRigid(bodyNumber=body_number, localPosition=point.tolist())
            )

        reference = marker(np.zeros(3))
        for torque, is_in_body in ((loads.body_torque, True), (loads.space_torque, False)):
            if torque.any():
                system.AddLoad(
                    items.LoadTorqueVector(
                        markerNumber=reference, loadVector=torque.tolist(), bodyFixed=is_in_body
                    )
                )
        if loads.force.any():
            system.AddLoad(
                items.LoadForceVector(markerNumber=marker(loads.point), loadVector=loads.force.tolist())
            )
        system.Assemble()
        self._settings = settings = exudyn.SimulationSettings()
        settings.timeIntegration.automaticStepSize = False
        settings.timeIntegration.verboseMode = 0
        settings.timeIntegration.explicit.useLieGroupIntegration = True
        settings.solution.file.write = False
        settings.parallel.numberOfThreads = 1

    def reset(self) -> None:
        self._p = self._initial_p
        data, zeros = self._system.systemData, [0.0, 0.0, 0.0]
        for configuration in (
            self._exudyn.ConfigurationType.Initial,
            self._exudyn.ConfigurationType.Current,
        ):
            data.SetODE2Coordinates(zeros + to_rotation_vector(self._p).tolist(), configuration)
            data.SetODE2Coordinates_t(zeros + self._omega.tolist(), configuration)

    def advance(self, dt: float, count: int) -> None:
        self._settings.timeIntegration.numberOfSteps = count
        self._settings.timeIntegration.endTime = count * dt
        self._system.SolveDynamic(
            self._settings, solverType=self._exudyn.DynamicSolverType.RK44, updateInitialValues=True
        )

    def state(self) -> np.ndarray:
        data = self._system.systemData
        p = from_rotation_vector(data.GetODE2Coordinates()[3:])
        self._p = -p if p @ self._p < 0.0 else p  # a rotation vector does not determine the sign
        return np.concatenate((data.GetODE2Coordinates_t()[3:], self._p))


PROGRAMS: tuple[type[OtherProgram], ...] = (Mujoco, Exudyn)
"""Formulations of other programs, whether the programs are installed or not."""


class FormulationRegistry(Registry[type[Formulation]]):
    """Registry of formulations that also contains those of other programs, if the programs are installed."""

    def _builtin_entries(self) -> Iterator[tuple[str, type[Formulation]]]:
        yield from super()._builtin_entries()
        yield from ((program.name, program) for program in PROGRAMS if program.is_installed())

    def find(self, name: str, key: str = "") -> type[Formulation]:
        program = next((program for program in PROGRAMS if program.name == name), None)
        if program is not None and name not in self:
            raise InputError(
                key or self.family, expected=phrase("the package {package}", package=program.package),
                found="no such package", remedy=phrase("install it: pip install {package}", package=program.package),
                key=key, topic="own#other-programs",
            )  # fmt: skip
        return super().find(name, key)
