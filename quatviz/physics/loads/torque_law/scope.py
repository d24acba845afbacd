"""Functions and source lines that the statements of typed programs use, in kernels and for NumPy columns."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from quatviz.base.vector_program import UNARY_FUNCTIONS
from quatviz.physics.loads.torque_law.kernel import larger, sign, smaller, where

KERNEL_SCOPE: Mapping[str, Any] = {
    **{name: getattr(math, name) for name in UNARY_FUNCTIONS if hasattr(math, name)},
    "atan2": math.atan2, "abs": abs, "sign": sign, "min": smaller, "max": larger, "where": where,
}  # fmt: skip
"""Functions that the statements of a typed program call in kernels, by name."""

_NUMPY_NAMES = {
    "asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "min": "minimum", "max": "maximum",
}  # fmt: skip
ARRAY_SCOPE: Mapping[str, Any] = {
    name: getattr(np, _NUMPY_NAMES.get(name, name))
    for name in (*UNARY_FUNCTIONS, "atan2", "min", "max", "where", "float64")
}
"""Functions that the statements of a typed program call for NumPy columns, by name."""

ROTATION_LINES = (
    "_a0 = 2.0 * (_p0 * _p0 + _p1 * _p1) - 1.0",
    "_a1 = 2.0 * (_p1 * _p2 - _p0 * _p3)",
    "_a2 = 2.0 * (_p1 * _p3 + _p0 * _p2)",
    "_a3 = 2.0 * (_p1 * _p2 + _p0 * _p3)",
    "_a4 = 2.0 * (_p0 * _p0 + _p2 * _p2) - 1.0",
    "_a5 = 2.0 * (_p2 * _p3 - _p0 * _p1)",
    "_a6 = 2.0 * (_p1 * _p3 - _p0 * _p2)",
    "_a7 = 2.0 * (_p2 * _p3 + _p0 * _p1)",
    "_a8 = 2.0 * (_p0 * _p0 + _p3 * _p3) - 1.0",
)
"""Statements that compute A (9, row-major), body to space, from unit p."""


def attitude_lines(parts: Sequence[str]) -> list[str]:
    """Return statements that compute unit p and A from the texts of four numbers proportional to p."""
    square = " + ".join(f"{part} * {part}" for part in parts)
    unit = (f"_p{k} = _r * {part}" for k, part in enumerate(parts))
    return [f"_r = 1.0 / sqrt({square})", *unit, *ROTATION_LINES]


def constant_lines(constants: Sequence[float], wrap: str = "{}") -> list[str]:
    """Return statements that assign the constants `_k0`, `_k1`, ... of a program.

    `wrap` is the format in which each value is written.
    """
    return [f"_k{k} = {wrap.format(repr(value))}" for k, value in enumerate(constants)]
