"""Interpreter of compiled expressions of time for kernels. Its stack is a tuple."""

import math

from quatviz.base.expression_codes import (
    ABS,
    ADD,
    COS,
    DIVIDE,
    EXP,
    MAX_STACK_DEPTH,
    MIN,
    MULTIPLY,
    NEGATIVE,
    NUMBER,
    POWER,
    SIN,
    SQRT,
    SUBTRACT,
    TIME,
)
from quatviz.physics.kernels.binder import noinline

CODE, VALUE = 1, 2
"""Columns of an instruction's row that hold its operation code and its operand; see `loads.pack_loads`."""
INSTRUCTION_WIDTH = 3
"""Smallest number of columns of a row that holds an instruction."""

assert MAX_STACK_DEPTH == 12, "the tuples below have as many elements"


@noinline
def value_at(loads, first, stop, t):
    """Return the value at `t` [s] of the program in the rows `first:stop` of the packed loads.

    Callable only from kernels.
    """
    s = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for index in range(first, stop):
        code = int(loads[index, CODE])
        if code <= TIME:
            operand = loads[index, VALUE] if code == NUMBER else t
            s = (operand, s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9], s[10])
        elif code <= ABS:
            result = _apply_unary(code, s[0])
            s = (result, s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9], s[10], s[11])
        else:
            combined = _apply_binary(code, s[1], s[0])
            s = (combined, s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9], s[10], s[11], 0.0)
    return s[0]


@noinline
def _apply_unary(code, a):
    if code == NEGATIVE:
        return -a
    if code == SIN:
        return math.sin(a)
    if code == COS:
        return math.cos(a)
    if code == EXP:
        return math.exp(a)
    if code == SQRT:
        return math.sqrt(a)
    return abs(a)


@noinline
def _apply_binary(code, a, b):
    """Return the result of a binary operation. As in NumPy, min and max are NaN if either argument is."""
    if code == ADD:
        return a + b
    if code == SUBTRACT:
        return a - b
    if code == MULTIPLY:
        return a * b
    if code == DIVIDE:
        return a / b
    if code == POWER:
        return a**b
    if a != a:
        return a
    if code == MIN:
        return a if a < b else b
    return a if a > b else b
