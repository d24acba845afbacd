"""The loop that computes many bodies in one call: several at once in a pack of numbers, or one after the other.

Numbers of a body stand in the columns of arrays, so that those of neighbours are a pack. Whatever of the parameters of a
formulation are numbers is read from there too; what are truth values and counts is the same for all bodies of a call.
"""

import itertools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from quatviz.physics.kernels.algebra import total
from quatviz.physics.kernels.binder import (
    attitude,
    chart,
    compile_source,
    compiled,
    compiler,
    kernels_for,
    overload,
    projection,
    singularity,
    step,
)
from quatviz.physics.kernels.blocks import NOT_FINITE, PROJECT_RATES, RUNNING, SINGULAR
from quatviz.physics.loads import PackedLoads

_ADDRESS_FIELD = "address"
"""The whole number among parameters that is of one body: where the rows of its loads are."""


class Packed(NamedTuple):
    """Bodies are computed `width` at a time."""

    width: int


class FreePacked(NamedTuple):
    """The same of bodies on which nothing acts: what kernels ask of loads is left out of what is compiled. (Whether axes are
    principal is asked in every step, as in a lane: what is compiled without joins other sums and products, and ends with
    other bits.)"""

    width: int


class Single(NamedTuple):
    """One after the other."""

    width: int


# --- what is different for packs and for single numbers (kernels only)


def number_at(kind, array, row, column):
    """The number in an array, or the pack that begins there."""


def put_number(kind, array, row, column, value):
    """Write it there."""


def as_address(kind, number):
    """A number that stands for an address."""


def _is_packed(kind: Any) -> bool:
    return getattr(kind, "instance_class", None) in (Packed, FreePacked)


@overload(number_at)
def _number_at(kind, array, row, column):
    if not _is_packed(kind):
        return lambda kind, array, row, column: array[row, column]
    from quatviz.physics.kernels.packs import load_pack

    return lambda kind, array, row, column: load_pack(array, row, column)


@overload(put_number)
def _put_number(kind, array, row, column, value):
    if not _is_packed(kind):

        def store(kind, array, row, column, value):
            array[row, column] = value

        return store
    from quatviz.physics.kernels.packs import store_pack

    return lambda kind, array, row, column, value: store_pack(array, row, column, value)


@overload(as_address)
def _as_address(kind, number):
    return (lambda kind, number: number) if _is_packed(kind) else (lambda kind, number: int(number))


# --- what is written out for a formulation


def state_at(kind, y, array, column):
    """The state in a column; `y` gives its length (kernels only)."""


def put_state(kind, y, array, first, column):
    """Write a state into a column, from the row `first` on (kernels only)."""


def parameters_at(kind, par, numbers, column):
    """The parameters of a body: `par` with the numbers in a column in the place of its own (kernels only)."""


def observed_row(par, y):
    """(p, omega) in a row of a formulation whose attitude is known to kernels, else the state (kernels only)."""


@overload(state_at)
def _state_at(kind, y, array, column):
    parts = "".join(f"number_at(kind, array, {k}, column), " for k in range(len(y)))
    return compile_source("state", "kind, y, array, column", [f"return ({parts})"], number_at=number_at)


@overload(put_state)
def _put_state(kind, y, array, first, column):
    lines = [f"put_number(kind, array, first + {k}, column, y[{k}])" for k in range(len(y))]
    return compile_source("put", "kind, y, array, first, column", lines, put_number=put_number)


@overload(parameters_at)
def _parameters_at(kind, par, numbers, column):
    scope: dict[str, Any] = {"number_at": number_at, "whole": as_address}
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
        if isinstance(parameter_type, types.Float):
            return f"number_at(kind, numbers, {next(counter)}, column)"
        if isinstance(parameter_type, types.Integer) and name == _ADDRESS_FIELD:
            return f"whole(kind, number_at(kind, numbers, {next(counter)}, column))"
        return "False" if is_free_body and of_loads and isinstance(parameter_type, types.Boolean) else path

    return compile_source("own", "kind, par, numbers, column", [f"return {expression(par, 'par')}"], **scope)


@overload(observed_row)
def _observed_row(par, y):
    if kernels_for(par).group is None:
        return lambda par, y: y

    def observed(par, y):
        p, omega = attitude(par, y)
        return (p[0], p[1], p[2], p[3], omega[0], omega[1], omega[2])

    return observed


# --- what Python calls


@compiled
def advance_each(
    kind,
    method,
    par,
    numbers,
    has_own_numbers,
    project,
    steps_done,
    steps_per_sample,
    dt,
    y,
    states,
    rows,
    threshold,
    ended,
):
    """As `packed.advance_packs`, one body after the other, for every formulation. `ended` (2, b) is given status and time [s]
    of a body that ends, as `physics.kernels.blocks.fixed_step_block` has it, whose rows are left as they are from there on."""
    width = len(observed_row(par, y))
    samples = rows.shape[0] // width
    for column in range(states.shape[1]):
        parameters = parameters_at(kind, par, numbers, column * has_own_numbers)
        state = state_at(kind, y, states, column)
        side = singularity(parameters, steps_done * dt, state)
        status, time = int(ended[0, column]), ended[1, column]
        for sample in range(samples):
            first = steps_done + sample * steps_per_sample
            for number in range(first, first + steps_per_sample):
                if status == RUNNING:
                    status, state = step(method, parameters, number * dt, dt, state)
                    state = chart(parameters, state)
                    if project > 0:
                        state = projection(parameters, project == PROJECT_RATES, state)
                    time = (number + 1) * dt
                    measure = singularity(parameters, time, state)
                    if status == RUNNING and (not abs(measure) > threshold or measure * side < 0.0):
                        status = SINGULAR if math.isfinite(total(state)) else NOT_FINITE
            if status != RUNNING:
                break
            put_state(kind, observed_row(parameters, state), rows, sample * width, column)
        if status != RUNNING:
            ended[0, column], ended[1, column] = status, time
        put_state(kind, state, states, 0, column)


def parameter_numbers(par: Any, name: str = "") -> Iterator[float]:
    """The numbers among the parameters of a formulation, in the order in which kernels read them."""
    if isinstance(par, tuple):
        for field, value in zip(getattr(par, "_fields", range(len(par))), par, strict=True):
            yield from parameter_numbers(value, str(field))
    elif isinstance(par, float) or (name == _ADDRESS_FIELD and isinstance(par, int)):
        yield float(par)


def is_load_free(par: Any) -> bool:
    """Whether nothing acts on the body."""
    return not any(isinstance(part, PackedLoads) and part.present for part in par)


def shared_parameters(par: Any) -> tuple[Any, ...]:
    """What is no such number: the same for all bodies of a call."""
    if isinstance(par, tuple):
        fields = getattr(par, "_fields", range(len(par)))
        return tuple(
            shared_parameters(value)
            for name, value in zip(fields, par, strict=True)
            if name != _ADDRESS_FIELD
        )
    return () if isinstance(par, float) or hasattr(par, "kinds") else (par,)


def pad_columns(values: np.ndarray, count: int) -> np.ndarray:
    """Columns (k, b) filled up to `count` by the last of them."""
    padding = np.repeat(values[:, -1:], count - values.shape[1], axis=1)
    return np.ascontiguousarray(np.concatenate([values, padding], axis=1))
