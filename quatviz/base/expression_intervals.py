"""Bounds of an expression of time and of its time derivative over intervals of time.

Interval arithmetic with automatic differentiation (Moore, Kearfott and Cloud, Introduction to Interval Analysis,
chapters 5 and 9): a bound over an interval holds at every time in it, so that no feature between samples is missed.
Bounds are not rounded outwards; they locate features and do not prove anything.
"""

from typing import NamedTuple

import numpy as np

from quatviz.base.expression import (
    ABS,
    ADD,
    COS,
    DIVIDE,
    EXP,
    MAX,
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


class Enclosure(NamedTuple):
    """Lower and upper bounds (n,) of a function of time, and of its time derivative, one for each of n time
    intervals.
    """

    lower: np.ndarray
    upper: np.ndarray
    rate_lower: np.ndarray
    rate_upper: np.ndarray


class EnclosedStep(NamedTuple):
    """One instruction of a compiled expression, with the bounds `result` of its value in each time interval.

    An instruction such as `abs` has a jump or a kink where some function of time is zero. `switch` contains the
    bounds of this function, or None if the instruction has neither jumps nor kinks. `operands` are indices of
    instructions of the program: the function is the result of one instruction, or the difference of the results of
    two.
    """

    code: int
    result: Enclosure
    switch: Enclosure | None = None
    operands: tuple[int, ...] = ()


def enclose_program(program: np.ndarray, start: np.ndarray, stop: np.ndarray) -> list[EnclosedStep]:
    """Return the enclosure of the result of every instruction of a program.

    Parameters
    ----------
    program
        Program (m, 2) of `base.expression`.
    start, stop
        Ends of the intervals (n,) [s].
    """
    zeros, ones = np.zeros_like(start), np.ones_like(start)
    steps: list[EnclosedStep] = []
    stack: list[int] = []
    with np.errstate(all="ignore"):
        for number, value in program.tolist():
            code = int(number)
            if code == NUMBER:
                constant = np.full_like(start, value)
                step = EnclosedStep(code, Enclosure(constant, constant, zeros, zeros))
            elif code == TIME:
                step = EnclosedStep(code, Enclosure(start, stop, ones, ones))
            elif code <= ABS:
                index = stack.pop()
                operand = steps[index].result
                result = _UNARY[code](operand)
                step = (
                    EnclosedStep(code, result, operand, (index,))
                    if code in (SQRT, ABS)
                    else EnclosedStep(code, result)
                )
            else:
                right, left = stack.pop(), stack.pop()
                step = _enclose_binary(code, steps, left, right)
            stack.append(len(steps))
            steps.append(step)
    return steps


def _enclose_binary(code: int, steps: list[EnclosedStep], left: int, right: int) -> EnclosedStep:
    first, second = steps[left].result, steps[right].result
    result = _BINARY[code](first, second)
    if code in (MIN, MAX):
        return EnclosedStep(code, result, _subtract(first, second), (left, right))
    if code == DIVIDE:
        return EnclosedStep(code, result, second, (right,))
    if code == POWER and not _is_natural(second):
        return EnclosedStep(code, result, first, (left,))
    return EnclosedStep(code, result)


def _is_natural(exponent: Enclosure) -> bool:
    """Return True if an exponent is a constant and a non-negative integer. The power is then smooth."""
    value = exponent.lower.flat[0] if exponent.lower.size else 0.0
    return bool(_is_constant(exponent) and value >= 0.0 and value == np.round(value))


def _is_constant(value: Enclosure) -> bool:
    return bool(
        np.all(value.lower == value.upper) and not np.any(value.rate_lower) and not np.any(value.rate_upper)
    )


def _product(
    a: tuple[np.ndarray, np.ndarray], b: tuple[np.ndarray, np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the product of two intervals (lower, upper).

    Zero times infinity counts as zero, as is usual for bounds.
    """
    products = np.stack([a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]])
    products[np.isnan(products)] = 0.0
    return products.min(axis=0), products.max(axis=0)


def _reciprocal(lower: np.ndarray, upper: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    has_zero = (lower <= 0.0) & (upper >= 0.0)
    return np.where(has_zero, -np.inf, 1.0 / upper), np.where(has_zero, np.inf, 1.0 / lower)


def _add(a: Enclosure, b: Enclosure) -> Enclosure:
    return Enclosure(*(x + y for x, y in zip(a, b, strict=True)))


def _subtract(a: Enclosure, b: Enclosure) -> Enclosure:
    return Enclosure(
        a.lower - b.upper, a.upper - b.lower, a.rate_lower - b.rate_upper, a.rate_upper - b.rate_lower
    )


def _negate(a: Enclosure) -> Enclosure:
    return Enclosure(-a.upper, -a.lower, -a.rate_upper, -a.rate_lower)


def _multiply(a: Enclosure, b: Enclosure) -> Enclosure:
    first, second = _product(a[2:], b[:2]), _product(a[:2], b[2:])
    return Enclosure(*_product(a[:2], b[:2]), first[0] + second[0], first[1] + second[1])


def _divide(a: Enclosure, b: Enclosure) -> Enclosure:
    """Return the bounds of the quotient q = a/b and of its time derivative q' = (a' - q b')/b."""
    inverse = _reciprocal(b.lower, b.upper)
    quotient = _product(a[:2], inverse)
    change = _product(quotient, b[2:])
    rate = _product((a.rate_lower - change[1], a.rate_upper - change[0]), inverse)
    return Enclosure(*quotient, *rate)


def _power(a: Enclosure, b: Enclosure) -> Enclosure:
    if not _is_constant(b):  # exp(b log a)
        base_lower = np.maximum(a.lower, 0.0)
        inverse = _reciprocal(base_lower, np.maximum(a.upper, 0.0))
        logarithm = Enclosure(np.log(base_lower), np.log(np.maximum(a.upper, 0.0)), *_product(a[2:], inverse))
        return _exp(_multiply(b, logarithm))
    exponent = float(b.lower.flat[0]) if b.lower.size else 0.0
    values = _constant_power(a.lower, a.upper, exponent)
    slopes = _constant_power(a.lower, a.upper, exponent - 1.0)
    scaled = (
        (exponent * slopes[0], exponent * slopes[1])
        if exponent >= 0.0
        else (exponent * slopes[1], exponent * slopes[0])
    )
    return Enclosure(*values, *(_product(scaled, a[2:]) if exponent else (np.zeros_like(a.lower),) * 2))


def _constant_power(lower: np.ndarray, upper: np.ndarray, exponent: float) -> tuple[np.ndarray, np.ndarray]:
    """Return bounds of x**exponent for x in [lower, upper]. Negative x are ignored for a fractional exponent."""
    if exponent < 0.0 and exponent == np.round(exponent):
        return _reciprocal(*_constant_power(lower, upper, -exponent))
    if exponent != np.round(exponent):
        lower, upper = np.maximum(lower, 0.0), np.maximum(upper, 0.0)
    low, high = lower**exponent, upper**exponent
    values = np.minimum(low, high), np.maximum(low, high)
    if exponent > 0.0 and exponent % 2.0 == 0.0:
        return np.where((lower < 0.0) & (upper > 0.0), 0.0, values[0]), values[1]
    return values


def _sine(lower: np.ndarray, upper: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return bounds of the sine of angles in [lower, upper] [rad]."""
    low, high = np.sin(lower), np.sin(upper)
    turns = 0.5 / np.pi
    has_top = np.floor(upper * turns - 0.25) > np.floor(lower * turns - 0.25)
    has_bottom = np.floor(upper * turns + 0.25) > np.floor(lower * turns + 0.25)
    is_wide = ~(upper - lower < 2.0 * np.pi)  # also True for infinite and NaN bounds
    return (
        np.where(is_wide | has_bottom, -1.0, np.minimum(low, high)),
        np.where(is_wide | has_top, 1.0, np.maximum(low, high)),
    )


def _sin(a: Enclosure) -> Enclosure:
    quarter = 0.5 * np.pi
    return Enclosure(*_sine(a.lower, a.upper), *_product(_sine(a.lower + quarter, a.upper + quarter), a[2:]))


def _cos(a: Enclosure) -> Enclosure:
    quarter = 0.5 * np.pi
    slope = _sine(a.lower, a.upper)
    return Enclosure(*_sine(a.lower + quarter, a.upper + quarter), *_product((-slope[1], -slope[0]), a[2:]))


def _exp(a: Enclosure) -> Enclosure:
    values = np.exp(a.lower), np.exp(a.upper)
    return Enclosure(*values, *_product(values, a[2:]))


def _sqrt(a: Enclosure) -> Enclosure:
    values = np.sqrt(np.maximum(a.lower, 0.0)), np.sqrt(np.maximum(a.upper, 0.0))
    slope = 0.5 / values[1], 0.5 / values[0]
    return Enclosure(*values, *_product(slope, a[2:]))


def _abs(a: Enclosure) -> Enclosure:
    size = np.maximum(np.abs(a.lower), np.abs(a.upper))
    smallest = np.where(
        (a.lower <= 0.0) & (a.upper >= 0.0), 0.0, np.minimum(np.abs(a.lower), np.abs(a.upper))
    )
    positive, negative = a.lower >= 0.0, a.upper <= 0.0
    steepest = np.maximum(np.abs(a.rate_lower), np.abs(a.rate_upper))
    return Enclosure(
        smallest,
        size,
        np.where(positive, a.rate_lower, np.where(negative, -a.rate_upper, -steepest)),
        np.where(positive, a.rate_upper, np.where(negative, -a.rate_lower, steepest)),
    )


def _minimum(a: Enclosure, b: Enclosure) -> Enclosure:
    is_first, is_second = a.upper <= b.lower, b.upper <= a.lower
    return Enclosure(
        np.minimum(a.lower, b.lower),
        np.minimum(a.upper, b.upper),
        np.where(
            is_first, a.rate_lower, np.where(is_second, b.rate_lower, np.minimum(a.rate_lower, b.rate_lower))
        ),
        np.where(
            is_first, a.rate_upper, np.where(is_second, b.rate_upper, np.maximum(a.rate_upper, b.rate_upper))
        ),
    )


def _maximum(a: Enclosure, b: Enclosure) -> Enclosure:
    return _negate(_minimum(_negate(a), _negate(b)))


_UNARY = {NEGATIVE: _negate, SIN: _sin, COS: _cos, EXP: _exp, SQRT: _sqrt, ABS: _abs}
_BINARY = {
    ADD: _add, SUBTRACT: _subtract, MULTIPLY: _multiply, DIVIDE: _divide, POWER: _power, MIN: _minimum, MAX: _maximum,
}  # fmt: skip
