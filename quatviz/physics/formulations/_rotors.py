"""Formulations for a body with rotors: any formulation whose kernels return attitude and angular velocity, extended by
rotors.

This module defines no formulation. The original formulation receives a body with the inertia J* and the torque of the
rotors as an additional load. Its initial state, constraint, singularity and multiplier therefore remain valid. The axial
momenta of the rotors whose momentum is integrated are appended to its state.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, NamedTuple

import numpy as np

from quatviz.base.errors import InputError, join_phrases, phrase
from quatviz.base.expression import Expression
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.formulations._extended import ExtendedForm
from quatviz.physics.formulations._kernels.rotors import (
    UNLIMITED,
    RotorNumbers,
    RotorPrograms,
    RotorTerms,
    rotor_extension,
)
from quatviz.physics.formulations.base import Formulation, pack_body
from quatviz.physics.kernels.expression_kernel import CODE, INSTRUCTION_WIDTH, VALUE
from quatviz.physics.loads import bind, pack_loads
from quatviz.physics.loads.base import LOADS, Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import normalize
from quatviz.physics.mechanics.rotor import SPEED_MARGIN, Rotor
from quatviz.physics.mechanics.rotor_system import RotorSystem
from quatviz.physics.mechanics.state import StateVariable, numbered_block


class ObservedRotors(NamedTuple):
    """Parameters of an exact solution or a recording of a body with rotors.

    They replace `RotorParameters`, since nothing is integrated.
    """

    base: Any
    system: RotorSystem


class RotorForm(ExtendedForm):
    """Methods of a formulation for a body with rotors.

    `with_rotors` derives a class from this one and from the class of the formulation.
    """

    base_parameter_type: ClassVar[type]

    def __init__(self, body: Body, base: Formulation) -> None:
        super().__init__(base)
        numbers = [] if self.has_closed_form else RotorSystem(body).state_indices
        block = numbered_block(StateVariable.ROTOR_MOMENTA, "rotor", (number + 1 for number in numbers))
        self.blocks = (*base.blocks, block) if numbers else base.blocks  # type: ignore[misc]

    def parameters(self, body: Body, loads: Sequence[Load]) -> Any:
        system = RotorSystem(body)
        if self.has_closed_form:
            return ObservedRotors(self._base.parameters(body, loads), system)
        effective_body = body.with_inertia(system.effective_inertia)
        fields = {**pack_body(effective_body, (), self.load_form), **self.extra_parameters(effective_body)}
        # The loads act on body and rotors: the J of a gravity gradient includes the rotors.
        fields["loads"] = pack_loads(bind(loads, body), self.load_form)
        programs = motor_programs(system)
        numbers = rotor_numbers(system, programs)
        return self.parameter_type(
            base=self.base_parameter_type(**fields),
            stored_momentum=tuple(system.stored_momentum.tolist()),
            rotors=numbers,
            terms=RotorTerms(
                axes=_body_axes(numbers),
                has_stored_momentum=not all(rotor.has_state for rotor in body.rotors),
                has_friction=any(rotor.friction > 0.0 for rotor in body.rotors),
                has_programs=bool(programs),
                has_limits=any(map(_is_limited, body.rotors)),
                has_controller=any(rotor.law == "attitude_control" for rotor in body.rotors),
            ),
            controller=_controller(system),
            programs=RotorPrograms(
                np.concatenate([*programs.values(), np.empty((0, INSTRUCTION_WIDTH))]), system
            ),
            row_count=sum(map(len, programs.values())),
        )

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: Any) -> np.ndarray:
        state = self._base.start(p, omega, parameters.base)
        if self.has_closed_form:
            return state
        return np.concatenate((state, parameters.programs.system.initial_momenta(omega)))

    def rotor_momenta(self, states: np.ndarray, parameters: Any) -> np.ndarray:
        if self.has_closed_form:
            unknown = np.full((len(states), len(parameters.system.state_indices)), np.nan)
            return parameters.system.momenta(self._base.observe(states, parameters.base)[1], unknown)
        omega = self.observe(states, parameters)[1]
        return parameters.programs.system.momenta(omega, states[:, self._width :])


def with_rotors(form: Formulation, body: Body, key: str) -> Formulation:
    """Return the formulation for the motion of `body`; `form` itself if the body has no rotors.

    Parameters
    ----------
    form
        Formulation of the motion of a rigid body.
    body
        Initial body of a lane.
    key
        Path of the setting that chose the formulation, for error messages.

    Raises
    ------
    InputError
        If the equations of the formulation cannot include rotors.
    """
    if not body.rotors:
        return form
    family = type(form)
    if not family.supports_rotors and not form.has_closed_form:
        names = [other().titled_id for other in FORMULATIONS.values() if other.supports_rotors]
        raise InputError(
            expected=phrase("a formulation that supports rotors: {names}", names=join_phrases(names)),
            found=phrase("{id}, which would ignore the rotors", id=form.titled_id),
            remedy="choose one of these, or remove [[rotors]]",
            key=key,
        )
    return _extended(family)(body, form)


@cache
def _extended(family: type[Formulation]) -> Any:
    """Return the class for bodies with rotors that belongs to the formulation class `family`."""
    attributes: dict[str, Any] = {"__module__": family.__module__, "__doc__": family.__doc__}
    if family.kernels is not None:
        parameter_type, kernels = rotor_extension(family.parameter_type, family.kernels)
        attributes |= {
            "parameter_type": parameter_type,
            "base_parameter_type": family.parameter_type,
            "kernels": kernels,
            "second_order": False,
        }
    return type(family.__name__, (RotorForm, family), attributes)


def motor_loads(body: Body) -> list[Load]:
    """Return the motor torques of a body that are expressions of time, as loads.

    Functions that check loads for abrupt changes and undefined values can then check motors too.
    """
    make_torque: Any = LOADS["torque"]
    return [
        make_torque(torque=[rotor.torque, 0.0, 0.0])
        for rotor in body.rotors
        if isinstance(rotor.torque, Expression)
    ]


def motor_programs(system: RotorSystem) -> dict[int, np.ndarray]:
    """Return the instruction rows (n, INSTRUCTION_WIDTH) of each motor torque that is an expression of time, by index of
    the rotor."""
    programs = {}
    for index, rotor in enumerate(system.rotors):
        if isinstance(rotor.torque, Expression):
            rows = np.zeros((len(rotor.torque.program), INSTRUCTION_WIDTH))
            rows[:, [CODE, VALUE]] = rotor.torque.program
            programs[index] = rows
    return programs


def rotor_numbers(system: RotorSystem, programs: Mapping[int, np.ndarray]) -> tuple[RotorNumbers, ...]:
    """Return the parameters of each rotor whose momentum is integrated, as kernels read them.

    `programs` is the result of `motor_programs`.
    """
    numbers, next_row = [], 0
    for index in system.state_indices:
        rotor, axis = system.rotors[index], system.axes[index]
        start, stop = 0, 0
        if index in programs:
            start, stop = next_row, next_row + len(programs[index])
            next_row = stop
        torque, demand = _constant_torques(rotor)
        numbers.append(
            RotorNumbers(
                axis=tuple(axis.tolist()),
                inverse_inertia=1.0 / rotor.moment,
                torque=torque,
                demand=demand,
                direction=tuple(system.control_directions[index].tolist()),
                friction_axis=tuple((rotor.friction * axis).tolist()),
                drag=rotor.friction / rotor.moment,
                max_torque=UNLIMITED if rotor.max_torque is None else rotor.max_torque,
                speed_reserve=1.0 / SPEED_MARGIN,
                reserve_slope=0.0 if rotor.max_speed is None else 1.0 / (SPEED_MARGIN * rotor.max_speed),
                program_start=start,
                program_stop=stop,
            )
        )
    return tuple(numbers)


def _body_axes(numbers: Sequence[RotorNumbers]) -> tuple[int, ...]:
    """Return the index of the body axis of each rotor, or () if a rotor is not parallel to a body axis."""
    axes = [
        item.axis.index(1.0) if 1.0 in item.axis and not np.count_nonzero(item.axis) > 1 else -1
        for item in numbers
    ]
    return () if -1 in axes else tuple(axes)


def _constant_torques(rotor: Rotor) -> tuple[float, float]:
    """Return the fields `torque` and `demand` [N m] of `RotorNumbers`.

    One of them is the constant torque of the motor: `demand` if the motor has a speed limit, otherwise `torque`. The
    other one is 0. Both are 0 if the torque varies.
    """
    if rotor.law != "motor" or isinstance(rotor.torque, Expression):
        return 0.0, 0.0
    if rotor.max_speed is not None:
        return 0.0, rotor.torque
    largest = UNLIMITED if rotor.max_torque is None else rotor.max_torque
    return min(max(rotor.torque, -largest), largest), 0.0


def _is_limited(rotor: Rotor) -> bool:
    """Return True if the limits of the motor must be applied in each step."""
    varies = rotor.law == "attitude_control" or isinstance(rotor.torque, Expression)
    return rotor.max_speed is not None or (rotor.max_torque is not None and varies)


def _controller(system: RotorSystem) -> tuple[float, ...]:
    """Return K, D and the unit target of the rotors that control the attitude, which share one controller."""
    for rotor in system.rotors:
        if rotor.law == "attitude_control":
            return (rotor.stiffness, rotor.damping, *normalize(rotor.target).tolist())
    return (0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
