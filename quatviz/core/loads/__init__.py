"""Loads, one file each, and the one array in which kernels read them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from quatviz.core.body import Body
from quatviz.core.errors import phrase
from quatviz.core.expression import Expression
from quatviz.core.loads._divided import Divided, divided, is_timed
from quatviz.core.loads.base import ROW, Load
from quatviz.core.registry import Registry

LOADS: Registry[Load] = Registry(__name__, Load)

BEHIND = -1
"""A load that stands behind the common ones has the number -1 - k in place of its kind's number k."""
FIRST, STOP = 1 + ROW, 2 + ROW
"""Columns of such a row: where the program begins that it is multiplied by, and where it ends; 0 without one."""
_WIDTH = 3 + ROW


def kinds() -> list[type[Load]]:
    """Every kind by its number in a row: those that a preset may name, and the potential that only a script can supply."""
    from quatviz.core.loads._potential import Potential

    return [*LOADS.values(), Potential]


def pack(loads: Sequence[Load], body: Body) -> np.ndarray:
    """The loads as kernels read them: (n, 3 + ROW) floats, a row for each load with its kind's number first.

    A load with expressions takes a row for what is constant of it and one for each expression, of which it is a multiple.
    These, and kinds that are not `common`, come behind all others; behind them one row for each instruction of the
    programs (0, code, value), which nobody reads as a load; see `core.load_sums`.
    """
    numbers_of = {kind: number for number, kind in enumerate(kinds())}
    parts = [part for load in loads for part in divided(load)]
    parts.sort(key=_stands_behind)
    rows, programs = np.zeros((len(parts), _WIDTH)), [np.empty((0, _WIDTH))]
    stop = len(parts)
    for row, (load, factor) in zip(rows, parts, strict=True):
        numbers = load.bound(body).row()
        row[0] = numbers_of[type(load)]
        row[1 : 1 + len(numbers)] = numbers
        if _stands_behind((load, factor)):
            row[0] = BEHIND - row[0]
        if factor is not None:
            first, stop = stop, stop + len(factor.program)
            row[FIRST], row[STOP] = first, stop
            programs.append(np.pad(factor.program, ((0, 0), (1, _WIDTH - 3))))
    return np.concatenate((rows, *programs))


def _stands_behind(part: tuple[Load, Expression | None]) -> bool:
    load, factor = part
    return factor is not None or not load.common


def resolved(loads: Sequence[Load], body: Body) -> tuple[Load, ...]:
    """The loads as they act on `body`: `potential`, `applied`, `acting` and `moment` of what this returns may be called,
    those of a load with expressions too. Nothing happens to what is resolved already."""
    return tuple(
        load if isinstance(load, Divided) else Divided(load, body) if is_timed(load) else load.bound(body)
        for load in loads
    )


def undefined(loads: Sequence[Load], t: Sequence[float]) -> str:
    """What has no finite value at one of the times t [s], in words; empty where every expression has one."""
    for load in loads:
        for _, factor in divided(load):
            values = np.zeros(len(t)) if factor is None else factor.at(np.asarray(t))
            wrong = np.flatnonzero(~np.isfinite(values))
            if factor is not None and len(wrong):
                spoken = phrase(load.name.replace("_", " "))
                return phrase(
                    "{expression!r} of the load {load} has no finite value at t = {time:.6g} s",
                    expression=factor.text,
                    load=spoken,
                    time=t[wrong[0]],
                )
    return ""


def keeps_energy(load: Load) -> bool:
    """Whether T + V stays constant under a load: its potential, if it has one, does not depend on time."""
    return load.keeps_energy and not is_timed(load)


def potential(loads: Sequence[Load], t: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Potential energy V (n,) [J] of all resolved loads at times (n,) [s] and Euler parameters (n, 4), as they are, not
    normalised."""
    return sum((load.potential(t, p) for load in loads), np.zeros(p.shape[:-1]))
