"""Base class of integrators that use a solver of SciPy. This module defines no integrator.

Kernels cannot call SciPy's Python and C code. These integrators therefore run the loop of `_kernels.adaptive` in
Python, with the compiled derivative. They are offered because they share no code with quatviz, so that they check
its own methods.
"""

import math
import warnings
from typing import Any, ClassVar, NamedTuple

import numpy as np

from quatviz.base.errors import phrase
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators._kernels.adaptive import (
    LIMIT,
    ROW,
    STEP,
    TRIED,
    advance_adaptively,
    new_memory,
)
from quatviz.physics.integrators._kernels.scipy_calls import end_of_step, slope
from quatviz.physics.integrators.base import Integrator, Tolerances
from quatviz.physics.kernels.binder import Kernel
from quatviz.physics.kernels.blocks import NOT_FINITE, RUNNING, STEP_FAILED

END_TIME = 1e30
"""End time [s] that SciPy's solvers require as an argument. It is never reached, since a solver is only asked for
single steps."""

# A failed step is reported by the lane's status. The filter holds for the whole process: `warnings.catch_warnings` is not
# safe in threads, and every lane is computed in one.
warnings.filterwarnings("ignore", module=r"scipy\.integrate\._ivp\.")


def scipy_solver(name: str) -> Any:
    """Return a solver class of SciPy by its name. The first import takes a fifth of a second."""
    from scipy import integrate

    return getattr(integrate, name)


class SolverDriver:
    """Driver of a SciPy solver. Its methods replace the kernels of a compiled adaptive method."""

    def __init__(self, solver: str, tolerances: Tolerances) -> None:
        self._solver_name, self._tolerances = solver, tolerances
        self._solver: Any = None
        self._last_solver: Any = None
        """Solver that made the last step and contains its interpolant.

        It differs from the current solver if a new solver was started after a change of the state.
        """
        self._dense: Any = None
        self._kernels: tuple[Kernel, Kernel] | None = None

    def _entry_points(self, par: Any, time: float, y: tuple[float, ...]) -> tuple[Kernel, Kernel]:
        """Return `slope` and `end_of_step`, compiled for the types of `par` and of the state `y`. SciPy is
        imported at the first call."""
        if self._kernels is None:
            scipy_solver(self._solver_name)
            self._kernels = slope.entry_point(par, time, y), end_of_step.entry_point(par, time, y)
        return self._kernels

    def begin(self, par: Any, time: float, dt: float, y: tuple[float, ...]) -> None:
        """Start a solver at `time` [s] from y with the first step `dt` [s].

        The solver has no memory of previous steps.
        """
        kernel = self._entry_points(par, time, y)[0]

        def derivative(t: float, state: np.ndarray) -> np.ndarray:
            return np.array(kernel(par, float(t), tuple(state.tolist())))

        relative, absolute = self._tolerances
        settings = {"rtol": relative, "atol": absolute, "first_step": dt}
        with np.errstate(all="ignore"):
            solver_class = scipy_solver(self._solver_name)
            self._solver = solver_class(derivative, time, np.array(y), END_TIME, **settings)

    def accepted_step(self, memory: np.ndarray, end: float) -> tuple[int, float, tuple[float, ...]]:
        """Make one step, which ends at `end` [s] at the latest, and return `(status, time, y)`."""
        solver = self._last_solver = self._solver
        memory[TRIED] += 1.0
        if memory[TRIED] > memory[LIMIT] or not _try_step(solver, min(end, END_TIME)):
            is_finite = bool(np.isfinite(solver.y).all())
            return STEP_FAILED if is_finite else NOT_FINITE, float(solver.t), tuple(solver.y.tolist())
        memory[STEP] = getattr(solver, "h_abs", math.nan)
        return RUNNING, float(solver.t), tuple(solver.y.tolist())

    def make_interpolant(self) -> None:
        """Prepare the interpolation within the last step."""
        self._dense = self._last_solver.dense_output()

    def interpolate(self, time: float) -> tuple[float, ...]:
        """Return the state at `time` [s] within the last step."""
        state: list[float] = self._dense(time).tolist()
        return tuple(state)

    def end_of_step(self, par: Any, time: float, y: tuple[float, ...]) -> tuple[tuple[float, ...], float]:
        """Return the state after a step, converted to other coordinates if the formulation needs it, and its
        singularity measure.
        """
        ended: tuple[tuple[float, ...], float] = self._entry_points(par, time, y)[1](par, time, y)
        return ended


def _try_step(solver: Any, end: float) -> bool:
    """Make the solver's next step, until `end` [s] at the latest, and return True if it succeeds.

    SciPy's linear algebra raises ValueError for numbers that are not finite. It also issues warnings, which become
    exceptions if a program or a test requests that.
    """
    solver.t_bound, solver.status = end, "running"
    if hasattr(solver, "_lsoda_solver"):  # pass the end to ODEPACK as the solver's constructor does
        solver._lsoda_solver._integrator.rwork[0] = end
    try:
        with np.errstate(all="ignore"):
            solver.step()
    except (ValueError, Warning):
        return False
    return bool(solver.status != "failed")


class ScipyMethod(NamedTuple):
    """Data of an integrator that uses SciPy: the `driver` of the solver, the table of load `changes`, and the
    arrays `memory` and `current` that `_kernels.adaptive.AdaptiveKernels` describes."""

    driver: SolverDriver
    changes: np.ndarray
    memory: np.ndarray
    current: np.ndarray


class ScipyIntegrator(Integrator):
    """An integrator that uses a solver of SciPy. A subclass defines `solver`, the name of a class in
    `scipy.integrate`."""

    fixed_step = False
    block = staticmethod(advance_adaptively)
    stabilisations: ClassVar[tuple[str, ...]] = ("none", "baumgarte")
    stabilised_by: ClassVar[str] = "it stores past values that an altered state would contradict"
    solver: ClassVar[str]

    def method(self, formulation: Formulation) -> ScipyMethod:
        assert self.tolerances is not None
        current = np.zeros((1, len(formulation.component_names)))
        return ScipyMethod(
            SolverDriver(self.solver, self.tolerances), self.load_changes, new_memory(), current
        )

    def with_load_changes(self, method: Any) -> Any:
        method.memory[ROW] = 0.0
        return method._replace(changes=self.load_changes)

    def steps_made(self, method: Any) -> int | None:
        return int(method.memory[TRIED])

    def explain_failure(self) -> str:
        return phrase(
            "{title} found no step within its tolerances, or needed more than a hundred steps for each dt. Try a smaller dt, "
            "larger tolerances, or another formulation",
            title=phrase(self.title),
        )
