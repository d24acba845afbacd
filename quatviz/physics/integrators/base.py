"""The integrator protocol: methods of stepping in time.

The class `Integrator` states the contract; plug-in packages depend on it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import numpy as np

from quatviz.base.class_metadata import Performance
from quatviz.base.errors import Phrase, phrase, titled_name
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.kernels.blocks import fixed_step_block
from quatviz.physics.kernels.load_changes import NO_CHANGES


class Tolerances(NamedTuple):
    """Tolerances of an adaptive method.

    In every component y of the state, the estimated error of a step must not exceed `absolute` + `relative` |y|.
    `absolute` is in the unit of the component.
    """

    relative: float
    absolute: float


class Integrator(ABC):
    """An integration method. Contract for a new integrator:

    An explicit Runge-Kutta method is given by its tableau in a subclass of `ExplicitRungeKutta`, which implements
    points 2 to 4.

    1. One module in `quatviz/physics/integrators/`, or in an outside package behind an entry point of the group
       `quatviz.integrators`, defines one concrete subclass. `name` is the module's name (free for a plug-in), `title`
       is shown to the user, `source` cites the method, `order` is its order of convergence (a test measures it for
       every registered method), and `preserves` names the invariants that it conserves to rounding. In a folder the
       class is in `__init__.py`, and the code of point 2 is in `kernel.py`, which imports only modules of kernels.
    2. The module defines a `NamedTuple` type for the data that its kernel reads, and registers
       `@kernels.binder.stepper(Method)`: `f(method, par, t, dt, y) -> (status, y)`, one step of `dt` [s] from time `t`
       [s]. It refers to the formulation only by `physics.kernels.binder.rhs(par, t, y)`, never by name. `status` is
       `RUNNING`, or `STEP_FAILED` if the step cannot be made (Newton's iteration, step underflow). Data that must be
       kept between steps are in an array of the method's tuple.
    3. `method` makes that tuple for one lane.
    4. `block` is the compiled loop over samples: `physics.kernels.blocks.fixed_step_block`, or the method's own with
       the same arguments and results if its steps do not fall on samples (adaptive methods with dense output). It
       returns after `max_steps` steps, even within a sample, and the next call continues from there with bitwise equal
       results, so that the caller can respond in between. All data for that other than the state are in the method's
       tuple.
    5. `fixed_step` is True if `dt` must divide the sample interval. An adaptive method uses `dt` as its first trial
       step.
    6. `method` raises `base.errors.InputError` for a formulation that the method cannot integrate.
    7. An integrator neither records nor alters a state between steps: the loop, `block`, applies charts and
       stabilization.
    8. `stabilisations` names the stabilizations that a lane may choose with this method, and `stabilised_by` states in
       a clause why there are no others; None leaves the choice to the formulation.
    9. `records` names values that the method's own `block` writes after the state in every row, since only the step
       knows them: `lambda` [J], an unknown of the step. `first_record` returns them for the state at t = 0, compiled,
       once before the first block.
    10. `steps_made` returns the number of steps of a method whose steps do not fall on samples, from its tuple; None
        for other methods.
    11. `usual_tolerances` are the default tolerances of a method that accepts tolerances, as adaptive ones do; None for
        other methods, whose lanes may not set any. An instance has those of its lane, `self.tolerances`. `method` puts
        them into its tuple as numbers, so that other tolerances recompile nothing.
    12. `load_changes` is set for adaptive methods, `fixed_step = False`: the times at which the loads of the lane
        change abruptly, as the table (n, 3) of `physics.kernels.load_changes`. A step ends at each jump or kink and is
        no longer than the table says. The table is replaced when a run is extended; `with_load_changes` puts it into
        the tuple of a lane in progress.
    13. The texts of a method are defined with it: `help` is its section of the help's page on integrators, Markdown
        without the heading (or the file `help.md` of a method that is a folder), `measured` are its rows of the page's
        table, and `sort_order` determines its position there.
    """

    contract: ClassVar[int] = 1
    name: ClassVar[str]
    title: ClassVar[str]
    source: ClassVar[str]
    order: ClassVar[int]
    preserves: ClassVar[tuple[str, ...]] = ()
    fixed_step: ClassVar[bool] = True
    block: ClassVar[Callable[..., Any]] = staticmethod(fixed_step_block)
    stabilisations: ClassVar[tuple[str, ...] | None] = None
    stabilised_by: ClassVar[str] = ""
    records: ClassVar[tuple[str, ...]] = ()
    help: ClassVar[str] = ""
    sort_order: ClassVar[int] = 1000
    measured: ClassVar[tuple[Performance, ...]] = ()
    usual_tolerances: ClassVar[Tolerances | None] = None
    load_changes: np.ndarray = NO_CHANGES

    def __init__(self, tolerances: Tolerances | None = None) -> None:
        self.tolerances = tolerances or self.usual_tolerances

    @abstractmethod
    def method(self, formulation: Formulation) -> Any:
        """Return the data that this method's kernel reads, of its own `NamedTuple` type, for one lane."""

    def with_load_changes(self, method: Any) -> Any:
        """Return a copy of `method`, the data of a lane in progress, with the current table of abrupt load
        changes.
        """
        return method

    def first_record(
        self, method: Any, parameters: Any, dt: float, state: tuple[float, ...]
    ) -> tuple[float, ...]:
        """Return the values that are recorded under the names in `records` for the state at t = 0."""
        return ()

    def steps_made(self, method: Any) -> int | None:
        """Return the number of steps made so far, or None if the steps fall on samples."""
        return None

    @classmethod
    def display_name(cls) -> Phrase:
        """Return the name of the method for use in a sentence; a window shows its title."""
        return titled_name(cls.name, cls.title)

    def explain_failure(self) -> str:
        """Return one sentence for the user after a step failed: what happened and what to try."""
        return phrase("{title} could not make a step. Try a smaller dt", title=phrase(self.title))
