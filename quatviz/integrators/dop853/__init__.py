"""Dormand and Prince's adaptive method of order eight, with dense output on the samples."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from quatviz.base.errors import phrase
from quatviz.base.kinds import Measured
from quatviz.formulations.base import Formulation
from quatviz.integrators.base import Integrator
from quatviz.integrators.dop853.coefficients import tableau
from quatviz.kernels.algebra import load, store, total
from quatviz.kernels.binder import OPTIONS, chart, compiled, inline, projection, rhs, singularity
from quatviz.kernels.blocks import NOT_FINITE, PROJECT_RATES, RUNNING, SINGULAR, STEP_FAILED

TOLERANCE = 1e-12
"""Relative and absolute, per step: near the end of what doubles hold, where an adaptive method earns its keep."""
LONGEST = 1000.0
"""The longest step, in first tries: a motion without curvature would ask for an endless one."""
MOST, FEWEST = 100, 1000
"""Steps between two samples, for each first try that fits and besides: more would hold up whoever waits."""
SAFETY, SHRINK, GROW = 0.9, 0.2, 10.0
EPS = float(np.finfo(float).eps)

SAMPLE, SIDE, T_OLD, T, STEP, TRIED = range(6)
"""Elements of the memory: the sample that the next block starts from, the side of the singularity, times of the
step's start and end [s], the next step [s], steps tried, rejected ones included."""
OLD, NEW, POINT, NOW = range(4)
"""Rows of the states: at the step's start, at its end, at a stage, and at its end after charts and stabilisation."""


class Dop853Method(NamedTuple):
    """The tableau A (16, 16), C (16), its error estimates E3 and E5 (13), the interpolant's D (4, 16), the tolerances; what is
    remembered: `memory` (6) and `states` (4, k) as above, the stages (16, k) and the interpolant (7, k)."""

    A: np.ndarray
    C: np.ndarray
    E3: np.ndarray
    E5: np.ndarray
    D: np.ndarray
    rtol: float
    atol: float
    memory: np.ndarray
    states: np.ndarray
    stages: np.ndarray
    interpolant: np.ndarray


@njit(**OPTIONS)
def _stages(method, par, t, h, y, first, last):
    """Stages `first` to `last` - 1. Number 12 is the derivative at the end of the step, whose state is then in `POINT`;
    those above serve the interpolant alone."""
    length = len(y)
    for stage in range(first, last):
        for i in range(length):
            method.states[POINT, i] = 0.0
        for past in range(stage):
            weight = method.A[stage, past]
            if weight != 0.0:
                for i in range(length):
                    method.states[POINT, i] += weight * method.stages[past, i]
        for i in range(length):
            method.states[POINT, i] = method.states[OLD, i] + h * method.states[POINT, i]
        point = load(method.states, POINT, y)
        store(method.stages, stage, rhs(par, t + method.C[stage] * h, point))


@njit(**OPTIONS)
def _error(method, h, length):
    """The estimated error over the tolerance: a step is good up to 1; Hairer, Norsett, Wanner II.10."""
    fifth, third = 0.0, 0.0
    for i in range(length):
        scale = method.atol + method.rtol * max(abs(method.states[OLD, i]), abs(method.states[NEW, i]))
        five, three = 0.0, 0.0
        for stage in range(13):
            five += method.E5[stage] * method.stages[stage, i]
            three += method.E3[stage] * method.stages[stage, i]
        fifth += (five / scale) ** 2
        third += (three / scale) ** 2
    if fifth == 0.0 and third == 0.0:
        return 0.0
    return h * fifth / np.sqrt((fifth + 0.01 * third) * length)


@njit(**OPTIONS)
def _interpolate(method, h, length):
    """The coefficients of the dense output of order seven, from three more stages; HNW II.6."""
    for i in range(length):
        change = method.states[NEW, i] - method.states[OLD, i]
        method.interpolant[0, i] = change
        method.interpolant[1, i] = h * method.stages[0, i] - change
        method.interpolant[2, i] = 2.0 * change - h * (method.stages[12, i] + method.stages[0, i])
        for row in range(4):
            value = 0.0
            for stage in range(16):
                value += method.D[row, stage] * method.stages[stage, i]
            method.interpolant[3 + row, i] = h * value


@inline
def _sampled(method, x, y):
    """The state at the part x of the step, by Horner's scheme in x and 1 - x; it is exact at both ends."""
    for i in range(len(y)):
        value = 0.0
        for power in range(6, -1, -1):
            value = (value + method.interpolant[power, i]) * (x if power % 2 == 0 else 1.0 - x)
        method.states[POINT, i] = method.states[OLD, i] + value
    return load(method.states, POINT, y)


@njit(**OPTIONS)
def _depart(method):
    """The end of the last step is the start of the next, and its last stage the first, if nothing altered the state."""
    fresh = method.memory[TRIED] == 0.0
    for i in range(method.states.shape[1]):
        fresh = fresh or method.states[NEW, i] != method.states[NOW, i]
        method.states[OLD, i] = method.states[NOW, i]
        method.stages[0, i] = method.stages[12, i]
    return 0 if fresh else 1


@njit(**OPTIONS)
def _accept(method, h, growth, longest):
    """Whether the step of `h` [s] that was tried is good; `STEP` becomes the one to try next."""
    memory, length = method.memory, method.states.shape[1]
    memory[TRIED] += 1.0
    for i in range(length):
        method.states[NEW, i] = method.states[POINT, i]
    error = _error(method, h, length)
    factor = SHRINK
    if error < np.inf:
        factor = GROW if error == 0.0 else min(GROW, max(SHRINK, SAFETY * error**-0.125))
    good = error <= 1.0
    memory[STEP] = min(h * min(growth, factor), longest)
    if good:
        memory[T_OLD], memory[T] = memory[T], memory[T] + h
    return good


@inline
def _arrive(method, par, project, threshold, y):
    """Charts and stabilisation at the end of a step, and whether it came near a singularity: a status."""
    new = chart(par, load(method.states, NEW, y))
    if project > 0:
        new = projection(par, project == PROJECT_RATES, new)
    store(method.states, NOW, new)
    measure = singularity(par, method.memory[T], new)
    if not abs(measure) > threshold or measure * method.memory[SIDE] < 0.0:
        return SINGULAR if math.isfinite(total(new)) else NOT_FINITE
    return RUNNING


@compiled
def dop853_block(method, par, project, first, steps_per_sample, dt, threshold, y, rows):
    """As `kernels.blocks.fixed_step_block`, but steps are as long as the tolerances allow; `dt` is the first try.

    The step that covers the block's last sample is kept for the next block, so that results do not depend on how a
    run is divided. Samples inside a step come from its interpolant, before a chart changes the coordinates at
    its end; where a lane asks for stabilisation they are stabilised like the end of the step.
    """
    memory, interval = method.memory, steps_per_sample * dt
    if rows.shape[0] == 0:
        return RUNNING, 0, first * interval, y
    if memory[SAMPLE] != first:
        store(method.states, NOW, y)
        store(method.states, NEW, y)
        memory[SIDE] = singularity(par, first * interval, y)
        memory[T_OLD], memory[T], memory[STEP], memory[TRIED] = first * interval, first * interval, dt, 0.0
    least, ready = 1e-12 * dt, memory[SAMPLE] == first
    for row in range(rows.shape[0]):
        target = (first + row + 1) * interval
        tries = FEWEST + MOST * steps_per_sample
        while memory[T] < target:
            stage, growth, good, ready = _depart(method), GROW, False, False
            while not good:
                h = memory[STEP]
                tries -= 1
                if tries < 0 or not h > max(least, 16.0 * EPS * abs(memory[T])):
                    return STEP_FAILED, row, memory[T], load(method.states, NOW, y)
                _stages(method, par, memory[T], h, y, stage, 13)
                good = _accept(method, h, growth, LONGEST * dt)
                stage, growth = 1, 1.0
            status = _arrive(method, par, project, threshold, y)
            if status != RUNNING:
                return status, row, memory[T], load(method.states, NOW, y)
        h = memory[T] - memory[T_OLD]
        if not ready:
            _stages(method, par, memory[T_OLD], h, y, 13, 16)
            _interpolate(method, h, len(y))
            ready = True
        sample = _sampled(method, (target - memory[T_OLD]) / h, y)
        if project > 0:
            sample = projection(par, project == PROJECT_RATES, sample)
        if not math.isfinite(total(sample)):
            return NOT_FINITE, row, target, sample
        store(rows, row, sample)
        y = sample
    memory[SAMPLE] = first + rows.shape[0]
    return RUNNING, rows.shape[0], memory[SAMPLE] * interval, y


class Dop853(Integrator):
    """Twelve evaluations per step of its own length, error of order eight; three more where a sample falls into the step,
    which an interpolant of order seven then gives. Keeps its error per step below 1e-12, relative and absolute, and
    so passes gently through what is fast only for a while. It preserves nothing exactly, but loses little."""

    name = "dop853"
    title = "Dormand–Prince 8(5,3)"
    source = "Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.5, II.6, II.10"
    order = 8
    place = 70
    measured = (Measured(1670, 925, ("3.6e-11", "3.7e-11", "1.5e-11")),)
    fixed_step = False
    block = staticmethod(dop853_block)

    def method(self, formulation: Formulation) -> Dop853Method:
        length = len(formulation.state)
        memory = np.full(6, -1.0)
        memory[TRIED] = 0.0
        return Dop853Method(
            **tableau(),
            rtol=TOLERANCE,
            atol=TOLERANCE,
            memory=memory,
            states=np.zeros((4, length)),
            stages=np.zeros((16, length)),
            interpolant=np.zeros((7, length)),
        )

    def steps_made(self, method: Any) -> int | None:
        return int(method.memory[TRIED])

    def explain_failure(self) -> str:
        return phrase(
            "its steps became more than a hundred times shorter than dt: the motion is singular in these coordinates, or "
            "much faster than dt suggests; try a smaller dt, or another formulation"
        )
