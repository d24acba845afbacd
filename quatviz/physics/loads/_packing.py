"""Packing of loads for kernels before a run: constant loads are summed, every other load becomes a row of numbers."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from quatviz.base.expression import Expression
from quatviz.physics.kernels.binder import compiler
from quatviz.physics.loads._kernels.packed import LoadSumAtCenter, PackedLoads, VariableLoadSum
from quatviz.physics.loads._kernels.rows import (
    BODY_FORCE,
    CLASS_COLUMN,
    CONSTANT_NUMBERS,
    CONSTANT_ROW,
    FIRST_NUMBER,
    INSTRUCTION_ROW,
    PROGRAM_START,
    PROGRAM_STOP,
    ROW_WIDTH,
    SPACE_FORCE,
    LoadKernels,
)
from quatviz.physics.loads.base import LOADS, BoundLoad, ConstantLoad, Load, kernels_of

LOAD_FORMS = ("torque", "potential", "split", "gradient")
"""Load forms, that is, ways in which loads enter the equations of a formulation.

`torque`: all loads enter as torques. `potential`: loads with a potential enter by its gradient, all others as
torques. `split` and `gradient`: forces at body points enter by the generalized forces of S0, section 4, all other
loads as torques.
"""

_UPPER_TRIANGLE = np.triu_indices(4)


def pack_loads(loads: Iterable[BoundLoad], load_form: str, at_center: bool = False) -> PackedLoads:
    """Return the loads of a body in the form that the kernels of a lane read, for one of the `LOAD_FORMS`.

    `at_center` is True for a body whose rotation and translation are coupled. The sum over its variable loads
    is then a `LoadSumAtCenter`.
    """
    constant_numbers, rows, expressions = np.zeros(CONSTANT_NUMBERS), [], []
    loads, own_kernels = list(loads), list[LoadKernels]()
    load_classes = load_classes_with_kernels(part for load in loads for part, _ in load.parts)
    for load in loads:
        for part, factor in load.parts:
            constant = part.constant
            numbers = (
                np.array(part.row(load.body)) if constant is None else _pack_constant(constant, load_form)
            )
            if constant is not None and factor is None and not numbers[16:26].any():
                constant_numbers += numbers
                continue
            row = np.zeros(ROW_WIDTH)
            row[CLASS_COLUMN] = (
                CONSTANT_ROW if constant is not None else _row_class(part, load_classes, own_kernels)
            )
            row[FIRST_NUMBER : FIRST_NUMBER + len(numbers)] = numbers
            rows.append(row)
            expressions.append(factor)
    table = np.array([*rows, *_program_rows(rows, expressions)]).reshape(-1, ROW_WIDTH)
    # A sum without rows of registered classes needs none of their kernels and is faster.
    called_classes = load_classes if any(row[CLASS_COLUMN] >= CONSTANT_ROW for row in rows) else ()
    find_address = (
        partial(_sum_address, load_form, called_classes, tuple(own_kernels), at_center) if rows else lambda: 0
    )
    variable_sum = VariableLoadSum(table, load_classes, find_address)
    if at_center:
        forces = constant_numbers[SPACE_FORCE:].tolist()
        variable_sum = LoadSumAtCenter(table, load_classes, find_address, forces)
    return PackedLoads(
        present=bool(constant_numbers[:SPACE_FORCE].any() or rows),
        is_tangent=load_form == "torque",
        torque=tuple(constant_numbers[:3].tolist()),
        has_extra=bool(constant_numbers[3:6].any() or rows),
        space_torque=tuple(constant_numbers[3:6].tolist()),
        work_matrix=tuple(constant_numbers[6:16].tolist()),
        has_variable=bool(rows),
        variable_sum=variable_sum,
        address=table.ctypes.data,
        row_count=len(table),
    )


def variable_sums(parameters: Iterable[Any]) -> list[VariableLoadSum]:
    """Return the sums over loads that the kernels of a formulation call.

    `parameters` are the fields of the kernels' parameters.
    """
    return [
        field.variable_sum for field in parameters if isinstance(field, PackedLoads) and field.has_variable
    ]


def load_classes_with_kernels(loads: Iterable[Load]) -> tuple[type[Load], ...]:
    """Return the classes of loads that a compiled sum supports, in the order of their numbers.

    These are all classes of quatviz that have kernels, and the classes of plug-ins to which one of the given loads
    belongs: the kernels of an installed plug-in are compiled only if it is used.
    """
    given_classes = set(map(type, loads))
    return tuple(
        [
            load_class
            for load_class in LOADS.entries().values()
            if load_class.torque_kernel is not None
            and (load_class in given_classes or load_class.__module__.startswith("quatviz."))
        ]
    )


def _row_class(load: Load, load_classes: Sequence[type[Load]], own_kernels: list[LoadKernels]) -> int:
    """Return the type code of a load's row.

    A load of a class that is not in `load_classes` gets a code for its own kernels, which are added to
    `own_kernels` if necessary.
    """
    if type(load) in load_classes:
        return 1 + load_classes.index(type(load))
    kernels = kernels_of(load)
    if kernels not in own_kernels:
        own_kernels.append(kernels)
    return INSTRUCTION_ROW - 1 - own_kernels.index(kernels)


def work_matrix(force: np.ndarray, point: np.ndarray) -> np.ndarray:
    """Return Davenport's matrix W (4, 4) [J], with which f^T A u = p^T W p for a force f (3,) [N, space] at
    the body point u (3,) [m].
    """
    W = np.empty((4, 4))
    W[0, 0] = along = point @ force
    W[0, 1:] = W[1:, 0] = np.cross(point, force)
    W[1:, 1:] = np.outer(force, point) + np.outer(point, force) - along * np.eye(3)
    return W


def _pack_constant(constant: ConstantLoad, load_form: str) -> np.ndarray:
    """Return the numbers (32) by which kernels read a constant load.

    They are the torque in the body (3) and in space (3), the upper triangles of 2 W (10) and B (10), and the force
    in space (3) and in the body (3). B gives the generalized force (p^T B p) p. It is nonzero only for a force
    fixed in the body in the load form `gradient`.
    """
    numbers = np.zeros(CONSTANT_NUMBERS)
    v, u = np.asarray(constant.vector, float), constant.point
    if u is None:
        numbers[slice(0, 3) if constant.frame == "body" else slice(3, 6)] = v
        return numbers
    first_force = SPACE_FORCE if constant.frame == "space" else BODY_FORCE
    numbers[first_force : first_force + 3] = v
    radial_work = 2.0 * float(u @ v)
    if constant.frame == "space":
        work_matrix_ = 2.0 * work_matrix(v, u) + (radial_work if load_form == "gradient" else 0.0) * np.eye(4)
    else:
        numbers[:3] = np.cross(u, v)
        work_matrix_ = (radial_work if load_form in ("split", "gradient") else 0.0) * np.eye(4)
        numbers[16:26] = 2.0 * work_matrix(u, v)[_UPPER_TRIANGLE] if load_form == "gradient" else 0.0
    numbers[6:16] = work_matrix_[_UPPER_TRIANGLE]
    return numbers


def _program_rows(
    rows: Sequence[np.ndarray], expressions: Sequence[Expression | None]
) -> Iterator[np.ndarray]:
    """Yield the instructions of all expressions as rows. Write into the row of each load the index of the first row
    of its program, and the index after the last."""
    next_row = len(rows)
    for row, expression in zip(rows, expressions, strict=True):
        if expression is not None:
            row[PROGRAM_START], next_row = next_row, next_row + len(expression.program)
            row[PROGRAM_STOP] = next_row
            for code, value in expression.program:
                yield np.array([INSTRUCTION_ROW, code, value, *np.zeros(ROW_WIDTH - 3)])


def _sum_address(
    load_form: str,
    load_classes: tuple[type[Load], ...],
    own_kernels: tuple[LoadKernels, ...],
    at_center: bool,
) -> int:
    compiler()
    from quatviz.physics.loads._sum import address_of

    return address_of(load_form, load_classes, own_kernels, at_center)
