"""Fit a body by least squares with the compiled engine, over successively longer parts of a flight."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from quatviz.analysis.executors.factory import PROCESSES, create_workers
from quatviz.analysis.executors.payload import SharedPayload
from quatviz.analysis.executors.polled_task import PolledTask
from quatviz.analysis.fitting import noise
from quatviz.analysis.fitting.data import check_scale_option, clean_data, make_fit_data
from quatviz.analysis.fitting.fit_parameters import FitOptions
from quatviz.analysis.fitting.result import BodyFit
from quatviz.analysis.fitting.search import Search, SearchState
from quatviz.base.translation import tr
from quatviz.physics.mechanics.rotations import normalize

Progress = Callable[[float], object]
"""Function that receives the completed fraction (0 to 1). An exception that it raises ends the fit."""


def fit_body(
    t: ArrayLike,
    p: ArrayLike | None = None,
    omega: ArrayLike | None = None,
    *,
    axes: bool = True,
    bias: bool = True,
    scale: str = "",
    misalignment: bool = False,
    damping: bool = False,
    loss: str = noise.LEAST_SQUARES,
    start: ArrayLike = (1.0, 0.0, 0.0, 0.0),
    progress: Progress | None = None,
) -> BodyFit:
    """Return the free body whose motion fits the data.

    Parameters
    ----------
    t
        Times (n,) [s].
    p, omega
        Attitudes (n, 4) and rates (n, 3) [rad/s, body]; one of them may be None. Rows with NaN are ignored.
    axes, bias, misalignment, damping
        True to fit the rotation of the principal axes relative to the axes of the recording, a constant bias of the
        rates, a misalignment of the axes of rates and attitudes, and a viscous damping.
    scale
        Scale of the rates to fit: "" for none, "common" to the three axes, or "each", which requires attitudes.
    loss
        Loss function, by SciPy's names. Outliers have full weight with "linear" (least squares), reduced weight
        with "huber" and "soft_l1", and almost none with "cauchy".
    start
        Initial attitude (4,) for data without attitudes.
    progress
        Called with the completed fraction (0 to 1).

    Raises
    ------
    InputError
        If the data are not sufficient.

    Notes
    -----
    The search begins with a linear estimate from the conserved momentum. It then fits parts of the flight, each three
    times as long as the previous one. Attitudes and rates are weighted by their residuals.

    Examples
    --------
    >>> from quatviz.physics.exact import solve
    >>> from quatviz.physics.mechanics.body import Body
    >>> t = np.linspace(0.0, 5.0, 251)
    >>> p, rates = solve(Body(inertia=[1.0, 2.0, 2.5]), [], np.array([1.0, 0, 0, 0]), np.array([0.3, 2.0, 0.5])).evaluate(t)
    >>> fit = fit_body(t, p, rates, axes=False)
    >>> fit.moments.round(6).tolist()  # the largest is 1
    [0.4, 0.8, 1.0]
    """
    return make_search(
        t, p, omega, axes=axes, bias=bias, scale=scale, misalignment=misalignment, damping=damping, loss=loss, start=start
    ).run(progress or (lambda share: None))  # fmt: skip


def make_search(
    t: ArrayLike, p: ArrayLike | None = None, omega: ArrayLike | None = None, *, axes: bool = True, bias: bool = True,
    scale: str = "", misalignment: bool = False, damping: bool = False, loss: str = noise.LEAST_SQUARES,
    start: ArrayLike = (1.0, 0.0, 0.0, 0.0),
) -> Search:  # fmt: skip
    """Return the search that `fit_body` runs for the same arguments, before its first step."""
    data = make_fit_data(t, p, omega, loss)
    choice = FitOptions(
        axes, bias and data.omega is not None, scale if data.omega is not None else "",
        misalignment and data.p is not None and data.omega is not None, damping, data.p is not None, data.omega is not None,
    )  # fmt: skip
    check_scale_option(data, choice, scale)
    return Search(data, choice, clean_data(data), normalize(np.asarray(start, float)))


class FitJob(PolledTask):
    """A running fit, which the caller polls.

    Each step of the search runs in a worker, by default a process. `fit` is the result once the task is done.

    Parameters
    ----------
    arguments
        Arguments of `make_search`.
    executor, nice, waits
        Choice of workers: arguments `executor`, `nice` and `wait` of `create_workers`.
    """

    def __init__(
        self,
        arguments: Mapping[str, Any],
        executor: object = PROCESSES,
        *,
        nice: int = 0,
        waits: bool = True,
    ) -> None:
        super().__init__(create_workers(executor, __name__, jobs=1, nice=nice, wait=waits))
        self.steps, self.max_steps = 0, 0
        """Number of completed steps, and largest possible number of steps; both are 0 while unknown."""
        self.fit: BodyFit | None = None
        self._search: SharedPayload[Search]
        self._submit(self._take_search, self._fail, SharedPayload(dict(arguments)), _begin_search)

    @property
    def seconds_left(self) -> float:
        return math.inf  # The duration of a step is not known in advance.

    @property
    def status_text(self) -> str:
        if self.fit is not None:
            return tr("Fitted in {count} steps", count=self.steps)
        if self.done:
            return tr("Cancelled")
        if not self.max_steps:
            return tr(self.wait_reason) or tr("Starting a process")
        return tr("Step {count} of at most {most}", count=self.steps + 1, most=self.max_steps)

    def poll(self, timeout: float = 0.0) -> Sequence[BodyFit]:
        """Return a list that contains the result if the fit has finished during this call, otherwise an empty list."""
        before = self.fit
        self._advance(timeout)
        return [self.fit] if self.fit is not None and self.fit is not before else []

    def _take_search(self, search_and_state: tuple[Search, SearchState]) -> None:
        search, state = search_and_state
        self.max_steps, self._search = search.max_steps, SharedPayload(search)
        self._submit_next_step(state)

    def _submit_next_step(self, state: SearchState) -> None:
        self.steps = state.steps
        if state.settled:
            self._submit(self._finish, self._fail, self._search, Search.make_fit, state)
        else:
            self._submit(self._submit_next_step, self._fail, self._search, Search.next_state, state)

    def _finish(self, fit: BodyFit) -> None:
        self.fit = fit


def _begin_search(arguments: dict[str, Any]) -> tuple[Search, SearchState]:
    search = make_search(**arguments)
    return search, search.initial_state()
