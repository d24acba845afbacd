"""Formulations for a body with rotors: any formulation whose kernels return attitude and angular velocity, extended by
rotors.

This module defines no formulation. The extended formulation sees a body with the inertia J* and the torque of the
rotors as an additional load; its state is followed by the axial momenta of the rotors whose momentum is integrated.
Start, constraint, singularity and multiplier therefore remain those of the formulation.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar, NamedTuple

import numpy as np

from quatviz.base.errors import InputError, join_phrases, phrase
from quatviz.base.expression import Expression
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.formulations._extended import ExtendedForm
from quatviz.physics.formulations._kernels.rotor_rows import (
    AXIS,
    DIRECTION,
    FRICTION,
    FRICTION_PER_INERTIA,
    INVERSE_INERTIA,
    MAX_TORQUE,
    PROGRAM_START,
    PROGRAM_STOP,
    RESERVE_SLOPE,
    ROW_WIDTH,
    SPEED_RESERVE,
    TORQUE,
    UNLIMITED,
)
from quatviz.physics.formulations._kernels.rotors import RotorTable
from quatviz.physics.formulations.base import Formulation, pack_body
from quatviz.physics.kernels.expression_kernel import CODE, VALUE
from quatviz.physics.loads import bind, pack_loads
from quatviz.physics.loads.base import LOADS, Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import normalize
from quatviz.physics.mechanics.rotor import SPEED_MARGIN
from quatviz.physics.mechanics.rotor_system import RotorSystem
from quatviz.physics.mechanics.state import StateVariable, numbered_block


class ObservedRotors(NamedTuple):
    """Parameters of an exact solution or a recording, in place of `RotorParameters`: nothing is integrated."""

    base: Any
    system: RotorSystem


class RotorForm(ExtendedForm):
    """Methods of a formulation for a body with rotors. `with_rotors` derives a class from this and the formulation's
    class."""

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
        table = RotorTable(table_rows(system), system)
        return self.parameter_type(
            base=self.base_parameter_type(**fields),
            stored_momentum=tuple(system.stored_momentum.tolist()),
            inverse_inertias=tuple((1.0 / system.inertias[system.state_indices]).tolist()),
            friction_matrix=tuple(system.friction_matrix.ravel().tolist()),
            has_friction=bool(system.friction_matrix.any()),
            has_motors=any(rotor.has_motor for rotor in body.rotors),
            has_limits=any(
                rotor.max_torque is not None or rotor.max_speed is not None for rotor in body.rotors
            ),
            has_controller=any(rotor.law == "attitude_control" for rotor in body.rotors),
            controller=_controller(system),
            table=table,
            row_count=len(table.rows),
        )

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: Any) -> np.ndarray:
        state = self._base.start(p, omega, parameters.base)
        if self.has_closed_form:
            return state
        return np.concatenate((state, parameters.table.system.initial_momenta(omega)))

    def rotor_momenta(self, states: np.ndarray, parameters: Any) -> np.ndarray:
        if self.has_closed_form:
            unknown = np.full((len(states), len(parameters.system.state_indices)), np.nan)
            return parameters.system.momenta(self._base.observe(states, parameters.base)[1], unknown)
        omega = self.observe(states, parameters)[1]
        return parameters.table.system.momenta(omega, states[:, self._width :])


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
    if family.rotor_parameter_type is None and not form.has_closed_form:
        names = [
            other().titled_id for other in FORMULATIONS.values() if other.rotor_parameter_type is not None
        ]
        raise InputError(
            expected=phrase("a formulation that supports rotors: {names}", names=join_phrases(names)),
            found=phrase("{id}, which would ignore them", id=form.titled_id),
            remedy="choose one of these, or remove [[rotors]]",
            key=key,
        )
    return _extended(family)(body, form)


@cache
def _extended(family: type[Formulation]) -> Any:
    """Return the class of a family's formulations for bodies with rotors."""
    attributes: dict[str, Any] = {"__module__": family.__module__, "__doc__": family.__doc__}
    if family.kernels is not None:
        attributes |= {
            "parameter_type": family.rotor_parameter_type,
            "base_parameter_type": family.parameter_type,
            "kernels": family.rotor_kernels,
            "second_order": False,
        }
    return type(family.__name__, (RotorForm, family), attributes)


def motor_loads(body: Body) -> list[Load]:
    """Return loads with the expressions of time of a body's motors, for checks of abrupt changes and undefined
    values."""
    make_torque: Any = LOADS["torque"]
    return [
        make_torque(torque=[rotor.torque, 0.0, 0.0])
        for rotor in body.rotors
        if isinstance(rotor.torque, Expression)
    ]


def table_rows(system: RotorSystem) -> np.ndarray:
    """Return the rows (r, ROW_WIDTH) of the rotors whose momentum is integrated, followed by the programs of their
    expressions."""
    rows = np.zeros((len(system.state_indices), ROW_WIDTH))
    programs: list[np.ndarray] = []
    for row, number in zip(rows, system.state_indices, strict=True):
        rotor = system.rotors[number]
        row[AXIS : AXIS + 3] = rotor.unit_axis
        row[INVERSE_INERTIA], row[FRICTION] = 1.0 / system.inertias[number], rotor.friction
        row[FRICTION_PER_INERTIA] = rotor.friction / system.inertias[number]
        row[MAX_TORQUE] = UNLIMITED if rotor.max_torque is None else rotor.max_torque
        row[SPEED_RESERVE] = 1.0 / SPEED_MARGIN
        row[RESERVE_SLOPE] = 0.0 if rotor.max_speed is None else 1.0 / (SPEED_MARGIN * rotor.max_speed)
        if rotor.law == "motor":
            if isinstance(rotor.torque, Expression):
                first = len(rows) + len(programs)
                programs += [_instruction_row(code, value) for code, value in rotor.torque.program]
                row[PROGRAM_START], row[PROGRAM_STOP] = first, len(rows) + len(programs)
            else:
                row[TORQUE] = rotor.torque
        elif rotor.law == "attitude_control":
            row[DIRECTION : DIRECTION + 3] = system.control_directions[number]
    return np.concatenate([rows, np.array(programs).reshape(-1, ROW_WIDTH)])


def _controller(system: RotorSystem) -> tuple[float, ...]:
    """Return K, D and the unit target of the rotors that control the attitude, which share one controller."""
    for rotor in system.rotors:
        if rotor.law == "attitude_control":
            return (rotor.stiffness, rotor.damping, *normalize(rotor.target).tolist())
    return (0.0, 0.0, 1.0, 0.0, 0.0, 0.0)


def _instruction_row(code: float, value: float) -> np.ndarray:
    row = np.zeros(ROW_WIDTH)
    row[CODE], row[VALUE] = code, value
    return row
