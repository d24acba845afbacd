"""Load the parameters of several bodies into SIMD packs, and store packs back into arrays.

The numbers of a body are a column of an array. A pack consists of the same number of several bodies, in neighboring
columns. All floating-point parameters of a formulation are loaded this way; booleans and counts are equal for all
bodies of a call.
"""

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from quatviz.physics.kernels.binder import compile_source, compiler, overload
from quatviz.physics.loads._kernels.packed import PackedLoads

_ADDRESS_FIELD = "address"
"""Name of the only integer parameter that differs between bodies: the address of the rows of their loads."""


_FLOAT = frozenset((float,))
"""Set of the element types of a tuple that contains only floats. Most kernel parameters are such tuples; comparing with
this set is faster than testing each element."""


class Packed(NamedTuple):
    """Option that compiles kernels for packs of `width` bodies."""

    width: int


class FreePacked(NamedTuple):
    """Option that compiles kernels for packs of `width` bodies, omitting the code that evaluates loads.

    The test for principal axes is kept in every step, as in a lane. Without it, the compiler would arrange
    the arithmetic differently, so that the last bits of the results would differ from those of a lane.
    """

    width: int


# --- numbers of a pack (kernels only)


def number_at(array, row, column):
    """Return the pack of the numbers `array[row, column]`, `array[row, column + 1]` and so on, one for each
    body."""


def put_number(array, row, column, value):
    """Write a pack of numbers to one row of an array, beginning at `array[row, column]`."""


@overload(number_at)
def _number_at(array, row, column):
    from quatviz.physics.kernels.packs import load_pack

    return lambda array, row, column: load_pack(array, row, column)


@overload(put_number)
def _put_number(array, row, column, value):
    from quatviz.physics.kernels.packs import store_pack

    return lambda array, row, column, value: store_pack(array, row, column, value)


# --- what is written out for a formulation


def state_at(y, array, column):
    """Return the state of a body from a column of an array. `y` is any state, which provides the length
    (kernels only)."""


def put_state(y, array, first, column):
    """Write a state into a column of an array, beginning at row `first` (kernels only)."""


def parameters_at(kind, par, numbers, column):
    """Return a copy of the parameters `par` with its numbers replaced by those in a column of `numbers` (kernels only)."""


@overload(state_at)
def _state_at(y, array, column):
    parts = "".join(f"number_at(array, {k}, column), " for k in range(len(y)))
    return compile_source("state", "y, array, column", [f"return ({parts})"], number_at=number_at)


@overload(put_state)
def _put_state(y, array, first, column):
    lines = [f"put_number(array, first + {k}, column, y[{k}])" for k in range(len(y))]
    return compile_source("put", "y, array, first, column", lines, put_number=put_number)


@overload(parameters_at)
def _parameters_at(kind, par, numbers, column):
    scope: dict[str, Any] = {"number_at": number_at}
    counter, is_free_body = itertools.count(), kind.instance_class is FreePacked

    def expression(parameter_type: Any, path: str, name: str = "", of_loads: bool = False) -> str:
        types = compiler().types
        if isinstance(parameter_type, types.BaseTuple):
            fields = getattr(parameter_type, "fields", range(len(parameter_type)))
            paths = [f"{path}.{field}" if isinstance(field, str) else f"{path}[{field}]" for field in fields]
            loads = getattr(parameter_type, "instance_class", None) is PackedLoads
            parts = [
                expression(*arguments, loads)
                for arguments in zip(tuple(parameter_type), paths, map(str, fields), strict=True)
            ]
            if not hasattr(parameter_type, "instance_class"):
                return f"({', '.join(parts)},)" if parts else "()"
            constructor = f"make_{len(scope)}"
            scope[constructor] = parameter_type.instance_class
            return f"{constructor}({', '.join(parts)})"
        is_address = isinstance(parameter_type, types.Integer) and name == _ADDRESS_FIELD
        if isinstance(parameter_type, types.Float) or is_address:
            return f"number_at(numbers, {next(counter)}, column)"
        return "False" if is_free_body and of_loads and isinstance(parameter_type, types.Boolean) else path

    return compile_source("own", "kind, par, numbers, column", [f"return {expression(par, 'par')}"], **scope)


# --- what Python calls


def parameter_numbers(par: Any, name: str = "") -> Iterator[float]:
    """Yield the numbers among the parameters of a formulation, in the order in which kernels read them."""
    if type(par) is tuple and _FLOAT.issuperset(map(type, par)):
        yield from par
    elif isinstance(par, tuple):
        for field, value in zip(getattr(par, "_fields", range(len(par))), par, strict=True):
            yield from parameter_numbers(value, str(field))
    elif isinstance(par, float) or (name == _ADDRESS_FIELD and isinstance(par, int)):
        yield float(par)


def is_load_free(par: Any) -> bool:
    """Return True if no load acts on the body."""
    if isinstance(par, PackedLoads):
        return not par.present
    return not isinstance(par, tuple) or all(map(is_load_free, par))


def shared_parameters(par: Any) -> tuple[Any, ...]:
    """Return the parameters that must be equal for all bodies of a call: all parameters except body-specific numbers."""
    if type(par) is tuple and _FLOAT.issuperset(map(type, par)):
        return ()
    if isinstance(par, tuple):
        fields = getattr(par, "_fields", range(len(par)))
        return tuple(
            shared_parameters(value)
            for name, value in zip(fields, par, strict=True)
            if name != _ADDRESS_FIELD
        )
    return () if isinstance(par, float) or hasattr(par, "kinds") else (par,)


def pad_columns(values: np.ndarray, width: int) -> np.ndarray:
    """Return the columns (k, b), padded with copies of the last one to a multiple of `width`."""
    padding = np.repeat(values[:, -1:], -values.shape[1] % width, axis=1)
    return np.ascontiguousarray(np.concatenate([values, padding], axis=1))
