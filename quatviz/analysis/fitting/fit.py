"""Fit the body: least squares on the compiled engine, over longer and longer stretches of a flight."""

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
"""Hears the share that is done, 0 to 1; what it raises ends the fit."""


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
    """The free body whose motion this is: attitudes p (n, 4), rates omega (n, 3) [rad/s, body], or both, at times t (n,) [s].

    Sought are the principal moments, as ratios, and the start; with `axes` how the principal axes are turned in the axes of the
    recording; of rates a constant `bias`, a `scale` ("common" to the three axes, or "each" its own, which takes attitudes
    to tell), and with attitudes beside them the `misalignment` of their axes with those; a viscous `damping`. Rates alone
    begin at the attitude `start` (4,), for they tell none. Rows with a NaN in them do not count: a gap is flown through.

    `loss` is how much a sample far off counts, by SciPy's names: as its square ("linear"), less ("huber", "soft_l1"), or next to
    nothing ("cauchy").

    A linear estimate from conserved momentum begins; then stretches of the flight are fitted, each three times as long, so that a
    turn is never mistaken for another. Attitudes and rates weigh by the noise that is left over. `InputError` where too little is
    there.

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
    """The search of `fit_body`, ready to take its first step."""
    data = make_fit_data(t, p, omega, loss)
    choice = FitOptions(
        axes, bias and data.omega is not None, scale if data.omega is not None else "",
        misalignment and data.p is not None and data.omega is not None, damping, data.p is not None, data.omega is not None,
    )  # fmt: skip
    check_scale_option(data, choice, scale)
    return Search(data, choice, clean_data(data), normalize(np.asarray(start, float)))


class FitJob(PolledTask):
    """A fit in progress: polled by whoever asked for it, one step of the search after the other in a process of its own, or by
    other workers, as `workers_of` has them. `arguments` are those of `make_search`; `fit` is there at the end."""

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
        """How many were taken, and how many there are at most; 0 while nobody knows."""
        self.fit: BodyFit | None = None
        self._search: SharedPayload[Search]
        self._submit(self._take_search, self._fail, SharedPayload(dict(arguments)), _begin_search)

    @property
    def seconds_left(self) -> float:
        return math.inf  # no step tells how long the next one takes

    @property
    def status_text(self) -> str:
        if self.fit is not None:
            return tr("Fitted in {count} steps", count=self.steps)
        if self.done:
            return tr("Cancelled")
        if not self.max_steps:
            return tr(self.wait_reason) or tr("Starting a process")
        return tr("Step {count} of {most} at most", count=self.steps + 1, most=self.max_steps)

    def poll(self, timeout: float = 0.0) -> Sequence[BodyFit]:
        """What was found, once."""
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
