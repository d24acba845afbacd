"""The function that sums over all loads that are not constant; it serves all formulations.

This module is imported when such a load exists.
"""

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import carray, types
from numba.extending import intrinsic

from quatviz.physics.kernels.algebra import add3, combined3, combined4, dot3, dot4, to_body
from quatviz.physics.kernels.binder import compile_source, inline
from quatviz.physics.kernels.expression_kernel import value_at
from quatviz.physics.kernels.forces import half_generalized_force, scaled4, to_space
from quatviz.physics.loads._kernels.packed import symmetric_times
from quatviz.physics.loads._kernels.rows import (
    BODY_FORCE,
    CLASS_COLUMN,
    CONSTANT_NUMBERS,
    INSTRUCTION_ROW,
    PROGRAM_START,
    PROGRAM_STOP,
    ROW_WIDTH,
    SPACE_FORCE,
    Kernel,
    LoadKernels,
)


@intrinsic
def _numbers_at(typing_context: Any, address: Any) -> Any:
    """Implementation of `numbers_at(address)`, which converts the address of doubles to a pointer for
    `carray`.
    """
    pointer = types.CPointer(types.float64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], ir.DoubleType().as_pointer())

    return pointer(types.intp), generate


numbers_at: Any = _numbers_at


@inline
def evaluate_constant_row(row, t, p, omega):
    """Return torque (3) and generalized force (4) of a constant load.

    Such a load has a row only if a function of time multiplies it. Callable only from kernels.
    """
    s, b = row[6:16], row[16:26]
    Q = combined4(1.0, symmetric_times(s, p), dot4(p, symmetric_times(b, p)), p)
    return add3((row[0], row[1], row[2]), to_body(p, (row[3], row[4], row[5]))), Q


def make_sum(load_form: str, kernels: Sequence[LoadKernels]) -> Kernel:
    """Make the function that sums over the rows of registered loads.

    The classes of the loads are numbered from 1 in the order of `kernels`.
    """
    dispatch = _make_dispatcher(
        [
            (1 + number, _make_evaluator(load_form, load_kernels))
            for number, load_kernels in enumerate(kernels)
        ]
    )

    def sum_rows(address, rows, t, p, omega):
        table = carray(numbers_at(address), (rows, ROW_WIDTH))
        n, Q = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)
        for index in range(rows):
            row_class = int(table[index, CLASS_COLUMN])
            if row_class == INSTRUCTION_ROW:
                break
            if row_class < INSTRUCTION_ROW:
                continue
            m, R = dispatch(row_class, _row_numbers(table, index), t, p, omega)
            factor = _time_factor(table, index, t)
            n, Q = combined3(1.0, n, factor, m), combined4(1.0, Q, factor, R)
        return (*n, *Q)

    return sum_rows


def make_sum_with_unregistered(
    registered_sum: Kernel | None, load_form: str, kernels: Sequence[LoadKernels]
) -> Kernel:
    """Make the function that sums over the rows of loads with kernels of their own, and adds `registered_sum` if it is
    not None.

    The kernels of these loads are numbered downwards from `INSTRUCTION_ROW`.
    """
    dispatch = _make_dispatcher(
        [
            (INSTRUCTION_ROW - 1 - number, _make_evaluator(load_form, load_kernels))
            for number, load_kernels in enumerate(kernels)
        ]
    )

    @inline
    def own_rows(address, rows, t, p, omega):
        table = carray(numbers_at(address), (rows, ROW_WIDTH))
        n, Q = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)
        for index in range(rows):
            row_class = int(table[index, CLASS_COLUMN])
            if row_class == INSTRUCTION_ROW:
                break
            if row_class < INSTRUCTION_ROW:
                m, R = dispatch(row_class, _row_numbers(table, index), t, p, omega)
                factor = _time_factor(table, index, t)
                n, Q = combined3(1.0, n, factor, m), combined4(1.0, Q, factor, R)
        return n, Q

    if registered_sum is None:

        def sum_own_rows(address, rows, t, p, omega):
            n, Q = own_rows(address, rows, t, p, omega)
            return (*n, *Q)

        return sum_own_rows
    others = registered_sum

    def sum_all_rows(address, rows, t, p, omega):
        total = others(address, rows, t, p, omega)
        n, Q = own_rows(address, rows, t, p, omega)
        return (*add3(n, total[:3]), *combined4(1.0, Q, 1.0, total[3:]))

    return sum_all_rows


def make_sum_at_center(load_form: str, kernels: Sequence[tuple[int, LoadKernels]]) -> Kernel:
    """Make the function that sums over all rows for a center of mass at c (3) [m, space]. It also returns the force on
    the center of mass.

    `kernels` are pairs of the number of a load's class and the kernels of the load.
    """
    dispatch = _make_center_dispatcher(
        [(number, _make_center_evaluator(load_form, load_kernels)) for number, load_kernels in kernels]
    )

    def sum_rows_at_center(address, rows, t, p, omega, c):
        table = carray(numbers_at(address), (rows, ROW_WIDTH))
        n, Q, f = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        for index in range(rows):
            row_class = int(table[index, CLASS_COLUMN])
            if row_class == INSTRUCTION_ROW:
                break
            m, R, g = dispatch(row_class, _row_numbers(table, index), t, p, omega, c)
            factor = _time_factor(table, index, t)
            n, Q = combined3(1.0, n, factor, m), combined4(1.0, Q, factor, R)
            f = combined3(1.0, f, factor, g)
        return (*n, *Q, *f)

    return sum_rows_at_center


@inline
def constant_row_at_center(row, t, p, omega, c):
    """Return torque (3), generalized force (4) and force (3) [N, space] of a constant load that has a row.

    Callable only from kernels.
    """
    n, Q = evaluate_constant_row(row, t, p, omega)
    space_force = (row[SPACE_FORCE], row[SPACE_FORCE + 1], row[SPACE_FORCE + 2])
    body_force = (row[BODY_FORCE], row[BODY_FORCE + 1], row[BODY_FORCE + 2])
    return n, Q, combined3(1.0, space_force, 1.0 / dot4(p, p), to_space(p, body_force))


def _make_center_dispatcher(evaluators: list[tuple[int, Kernel]]) -> Kernel:
    """Make `f(row_class, row, t, p, omega, c) -> (n, Q, f)`, which calls the one of the `evaluators` that has
    the number `row_class`.
    """
    if not evaluators:

        @inline
        def dispatch_constant(row_class, row, t, p, omega, c):
            return constant_row_at_center(row, t, p, omega, c)

        return dispatch_constant
    (number, evaluate), others = evaluators[0], _make_center_dispatcher(evaluators[1:])

    @inline
    def dispatch(row_class, row, t, p, omega, c):
        if row_class == number:
            return evaluate(row, t, p, omega, c)
        return others(row_class, row, t, p, omega, c)

    return dispatch


def _make_center_evaluator(load_form: str, kernels: LoadKernels) -> Kernel:
    """Make `f(row, t, p, omega, c) -> (n, Q, f)`, which evaluates a load with these kernels in a load form:
    torque, generalized force, and force on the center of mass.
    """
    evaluate, force, application = _make_evaluator(load_form, kernels), kernels.force, kernels.application
    with_center = _make_center_setter(kernels.center_column)
    if force is not None:
        force_kernel = force

        @inline
        def by_own_force(row, t, p, omega, c):
            placed = with_center(row, c)
            n, Q = evaluate(placed, t, p, omega)
            return n, Q, force_kernel(placed, t, p)

        return by_own_force
    if application is not None:
        application_kernel = application

        @inline
        def by_point_force(row, t, p, omega, c):
            placed = with_center(row, c)
            n, Q = evaluate(placed, t, p, omega)
            return n, Q, application_kernel(placed, t, p)[0]

        return by_point_force

    @inline
    def without_force(row, t, p, omega, c):
        n, Q = evaluate(with_center(row, c), t, p, omega)
        return n, Q, (0.0, 0.0, 0.0)

    return without_force


def _make_center_setter(column: int | None) -> Kernel:
    """Make `f(row, c) -> row`, which writes c into three consecutive columns of the row, the first of which is
    `column`.

    If `column` is None, the function returns the row unchanged.
    """
    columns = [] if column is None else list(range(column, column + 3))
    parts = (
        f"c[{columns.index(index)}]" if index in columns else f"row[{index}]"
        for index in range(CONSTANT_NUMBERS)
    )
    return inline(compile_source("with_center", "row, c", [f"return ({', '.join(parts)})"]))


@inline
def _time_factor(table, index, t):
    """Return the factor of a row at t [s]: the value of its expression, or 1. Callable only from kernels."""
    if table[index, PROGRAM_STOP] > 0.0:
        return value_at(table, int(table[index, PROGRAM_START]), int(table[index, PROGRAM_STOP]), t)
    return 1.0


@inline
def _row_numbers(table, index):
    """Return the numbers (32) that a row of the table holds after its first three columns, as a tuple."""
    row = table[index]
    return (
        row[3], row[4], row[5], row[6], row[7], row[8], row[9], row[10], row[11], row[12], row[13], row[14], row[15],
        row[16], row[17], row[18], row[19], row[20], row[21], row[22], row[23], row[24], row[25], row[26], row[27], row[28],
        row[29], row[30], row[31], row[32], row[33], row[34],
    )  # fmt: skip


def _make_dispatcher(kernels: list[tuple[int, Kernel]]) -> Kernel:
    """Make `dispatch(row_class, row, t, p, omega) -> (n, Q)`, which calls the kernel with the number `row_class`.

    A number without a kernel belongs to a constant load.
    """
    if not kernels:

        @inline
        def dispatch_constant(row_class, row, t, p, omega):
            return evaluate_constant_row(row, t, p, omega)

        return dispatch_constant
    (number, kernel), others = kernels[0], _make_dispatcher(kernels[1:])

    @inline
    def dispatch(row_class, row, t, p, omega):
        if row_class == number:
            return kernel(row, t, p, omega)
        return others(row_class, row, t, p, omega)

    return dispatch


def _make_evaluator(load_form: str, kernels: LoadKernels) -> Kernel:
    """Make `f(row, t, p, omega) -> (n, Q)`, which evaluates a load with these kernels in a load form: torque
    and generalized force.
    """
    torque_kernel, gradient_kernel, application_kernel = kernels.torque, kernels.gradient, kernels.application
    if load_form == "potential" and gradient_kernel is not None:

        @inline
        def by_potential(row, t, p, omega):
            return (0.0, 0.0, 0.0), scaled4(-1.0, gradient_kernel(row, t, p))

        return by_potential
    if load_form in ("split", "gradient") and application_kernel is not None:
        radial_factor = 2.0 if load_form == "gradient" else 0.0

        @inline
        def by_force(row, t, p, omega):
            f, u = application_kernel(row, t, p)
            return (0.0, 0.0, 0.0), combined4(
                2.0, half_generalized_force(p, u, f), radial_factor * dot3(u, f), p
            )

        return by_force
    assert torque_kernel is not None

    @inline
    def by_torque(row, t, p, omega):
        return torque_kernel(row, t, p, omega), (0.0, 0.0, 0.0, 0.0)

    return by_torque
