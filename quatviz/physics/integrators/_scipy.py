"""Solvers of SciPy as integrators: called from Python through the compiled derivative. Not an integrator."""

import math
import warnings
from typing import Any, ClassVar, NamedTuple

import numpy as np

from quatviz.base.errors import phrase
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators.base import Integrator, Tolerances
from quatviz.physics.kernels.binder import Kernel, chart, compiled, rhs, singularity
from quatviz.physics.kernels.blocks import NOT_FINITE, RUNNING, SINGULAR, STEP_FAILED

END_TIME = 1e30
"""The end [s] that a solver is told of: it is asked for steps, and not for an end."""
STEPS_PER_FIRST_TRY, EXTRA_STEPS = 100, 1000
"""Steps between two samples, for each first try that fits and besides: more would hold up whoever waits."""
PAUSED = -1
"""How steps towards a sample can end, beside what a lane can end of."""

# A failed step is reported by the lane's status. The filter holds for the whole process: `warnings.catch_warnings` is not
# safe in threads, and every lane is computed in one.
warnings.filterwarnings("ignore", module=r"scipy\.integrate\._ivp\.")


@compiled
def slope(par, t, y):
    """The derivative of the state y at t [s]."""
    return rhs(par, t, y)


@compiled
def end_of_step(par, t, y):
    """`(y, singularity)` where a step has ended, in the coordinates that suit it best."""
    new = chart(par, y)
    return new, singularity(par, t, new)


def scipy_solver(name: str) -> Any:
    """A class of SciPy, which takes a fifth of a second to import."""
    from scipy import integrate

    return getattr(integrate, name)


def entry_points(par: Any, t: float, y: tuple[float, ...]) -> tuple[Kernel, Kernel]:
    """`slope` and `end_of_step` for such parameters and states."""
    return slope.entry_point(par, t, y), end_of_step.entry_point(par, t, y)


class SolverDriver:
    """A solver on its way, and what must be remembered of it from block to block."""

    def __init__(self, solver: str, tolerances: Tolerances) -> None:
        self._solver_name, self._tolerances = solver, tolerances
        self.sample = -1
        """The sample that the next block starts from."""
        self.tried_steps = 0
        self.limit: int | None = None
        """How many steps may be tried for the sample that is under way, None where none is."""
        self.time = math.nan
        self._solver: Any = None
        self._dense: Any = None
        self._slope: Kernel = slope
        self._end_of_step: Kernel = end_of_step
        self._side = math.nan

    def prepare(self, par: Any, time: float, y: tuple[float, ...]) -> None:
        """Have at hand what the first step needs."""
        scipy_solver(self._solver_name)
        entry_points(par, time, y)

    def begin(self, par: Any, time: float, dt: float, y: tuple[float, ...]) -> None:
        """Start at `time` [s] from y, knowing nothing of before."""
        self.time, self.limit, self._dense = time, None, None
        self._slope, self._end_of_step = entry_points(par, time, y)
        self._side = self._end_of_step(par, time, y)[1]
        self._restart(par, dt, y)

    def _restart(self, par: Any, dt: float, y: tuple[float, ...]) -> None:
        slope = self._slope

        def derivative(t: float, state: np.ndarray) -> np.ndarray:
            return np.array(slope(par, float(t), tuple(state.tolist())))

        relative, absolute = self._tolerances
        settings = {"rtol": relative, "atol": absolute, "first_step": dt}
        solver_class = scipy_solver(self._solver_name)
        with np.errstate(all="ignore"):
            self._solver = solver_class(derivative, self.time, np.array(y), END_TIME, **settings)

    def advance(self, par: Any, target: float, pause: int, threshold: float) -> tuple[int, tuple[float, ...]]:
        """`(status, y)`: steps until one reaches `target` [s], or until `pause` were tried."""
        solver = self._solver
        while self.time < target:
            if self.tried_steps >= pause:
                return PAUSED, ()
            self.tried_steps += 1
            if self.tried_steps > (self.limit or 0) or not _try_step(solver):
                is_finite = bool(np.isfinite(solver.y).all())
                return STEP_FAILED if is_finite else NOT_FINITE, tuple(solver.y.tolist())
            self.time, reached = float(solver.t), tuple(solver.y.tolist())
            self._dense = solver.dense_output() if self.time >= target else None
            y, measure = self._end_of_step(par, self.time, reached)
            if not abs(measure) > threshold or measure * self._side < 0.0:
                return SINGULAR if all(map(math.isfinite, y)) else NOT_FINITE, y
            if y != reached:  # other coordinates: what the solver remembers is of those before
                self._restart(par, solver.h_abs, y)
                solver = self._solver
        return RUNNING, ()

    def interpolate(self, time: float) -> np.ndarray:
        """The state at `time` [s] within the last step."""
        state: np.ndarray = self._dense(time)
        return state


def _try_step(solver: Any) -> bool:
    """Make the solver's next step and return True if it succeeds.

    SciPy's linear algebra raises ValueError for numbers that are not finite. Its warnings are exceptions where a program or a
    test asks for that.
    """
    try:
        with np.errstate(all="ignore"):
            solver.step()
    except (ValueError, Warning):
        return False
    return bool(solver.status != "failed")


class ScipyMethod(NamedTuple):
    """What is remembered."""

    driver: SolverDriver


def scipy_block(
    method: ScipyMethod,
    par: Any,
    project: int,
    step_count: int,
    steps_per_sample: int,
    max_steps: int,
    dt: float,
    threshold: float,
    y: tuple[float, ...],
    rows: np.ndarray,
) -> tuple[int, int, float, tuple[float, ...]]:
    """As `physics.kernels.blocks.fixed_step_block`, but in Python, with steps as long as the tolerances allow; `dt` is the
    first try. The step that covers the block's last sample is kept for the next block, so that results do not depend on how a
    run is divided."""
    driver, interval, first = method.driver, steps_per_sample * dt, step_count // steps_per_sample
    if len(rows) == 0:
        driver.prepare(par, first * interval, y)
        return RUNNING, 0, first * interval, y
    if driver.sample != first:
        driver.begin(par, first * interval, dt, y)
    pause = driver.tried_steps + max_steps
    for row in range(len(rows)):
        target = (first + row + 1) * interval
        if driver.time < target:
            if driver.limit is None:
                driver.limit = driver.tried_steps + EXTRA_STEPS + STEPS_PER_FIRST_TRY * steps_per_sample
            status, state = driver.advance(par, target, pause, threshold)
            if status == PAUSED:
                driver.sample = first + row
                return RUNNING, row, driver.time, y
            if status != RUNNING:
                return status, row, driver.time, state
            driver.limit = None
        sample_state = driver.interpolate(target)
        if not np.isfinite(sample_state).all():
            return NOT_FINITE, row, target, y
        rows[row] = sample_state
        y = tuple(sample_state.tolist())
    driver.sample = first + len(rows)
    return RUNNING, len(rows), driver.sample * interval, y


class ScipyIntegrator(Integrator):
    """A subclass gives the name of the `solver`, a class of `scipy.integrate`."""

    fixed_step = False
    block = staticmethod(scipy_block)
    stabilisations: ClassVar[tuple[str, ...]] = ("none", "baumgarte")
    stabilised_by: ClassVar[str] = "it remembers what an altered state would belie"
    solver: ClassVar[str]

    def method(self, formulation: Formulation) -> ScipyMethod:
        assert self.tolerances is not None
        return ScipyMethod(SolverDriver(self.solver, self.tolerances))

    def steps_made(self, method: Any) -> int | None:
        return int(method.driver.tried_steps)

    def explain_failure(self) -> str:
        return phrase(
            "{title} could make no step that keeps to its tolerances, or needed more than a hundred for each dt; try a smaller "
            "dt, a larger tolerance, or another formulation",
            title=phrase(self.title),
        )
