"""The integrator protocol: one way of stepping in time. Frozen; see the contract."""

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
    """What an adaptive method keeps the estimated error of each step below, in every component y of the state:
    `absolute` + `relative` |y|, the first in the component's own unit."""

    relative: float
    absolute: float


class Integrator(ABC):
    """One integration method. The contract, from which an integrator can be written; an explicit Runge-Kutta method is its
    tableau in a subclass of `ExplicitRungeKutta`, which has done 2 to 4:

    1. One module in `quatviz/physics/integrators/`, or in an outside package behind an entry point of the group
       `quatviz.integrators`, defines one concrete subclass. `name` is the module's name (free for a plug-in),
       `title` what people read, `source` where the method comes from, `order` its order of convergence (one test fits it, for every
       method in the registry), `preserves` the invariants that it keeps to rounding, in words. In a folder the class stands
       in `__init__.py`, and what point 2 asks for in `kernel.py`, which imports modules of kernels alone.
    2. The module defines a `NamedTuple` type of its own for what its kernel reads and registers
       `@kernels.binder.stepper(Method)`: `f(method, par, t, dt, y) -> (status, y)`, one step of `dt` [s] from time
       `t` [s]. It reaches the formulation only through `physics.kernels.binder.rhs(par, t, y)`, never by name. `status` is
       `RUNNING`, or `STEP_FAILED` where the step cannot be made (Newton's iteration, step underflow).
       What must be remembered from step to step lives in an array of the method's tuple.
    3. `method` makes that tuple for one lane.
    4. `block` is the compiled loop over samples: `physics.kernels.blocks.fixed_step_block`, or the method's own with the same
       arguments and results where steps do not fall on samples (adaptive methods with dense output). It returns after `most`
       steps, in the middle of a sample too, and goes on there when it is called next, to the same bits: whoever computes has to
       answer in between. What it needs for that beside the state is in the method's tuple.
    5. `fixed_step` says that `dt` divides the sample interval; an adaptive method reads `dt` as its first try.
    6. A combination with a formulation that makes no sense raises `base.errors.InputError` in `method`.
    7. Nothing here records or alters a state between steps; the loop, `block`, applies charts and stabilisation.
    8. `stabilisations` names what a lane may ask for beside this method, and `stabilised_by` says in a clause why it is no
       more; None leaves the choice to the formulation.
    9. `records` names what the method's own `block` writes behind the state in every row, because only the step knows it:
       `lambda` [J], an unknown of the step. `first_record` gives it for the state at t = 0, compiled, once before
       the first block.
    10. `steps_made` counts the steps of a method whose steps do not fall on samples, from its tuple; None for the others.
    11. `usual_tolerances` says that the method takes tolerances, as adaptive ones do, and which hold where nobody chooses; None for
       the others, whose lanes are refused any. An instance has those of its lane, `self.tolerances`, for `method` to hand on: as
       numbers in its tuple, so that others recompile nothing.
    12. `load_changes` is set for adaptive methods, `fixed_step = False`: when the loads of the lane change abruptly, the table
        (n, 3) that `physics.kernels.load_changes` reads. A step ends at each jump or kink, and is no longer than the table says.
    13. What people read of a method stands with it: `help` is its section of the help's page on integrators, Markdown without the
       heading (or the file `help.md` of a method that is a folder), `measured` its rows of the page's table, `sort_order` where it
       stands there.
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
        """What this method's kernel reads, of its own `NamedTuple` type, for one lane."""

    def first_record(
        self, method: Any, parameters: Any, dt: float, state: tuple[float, ...]
    ) -> tuple[float, ...]:
        """What `records` names, of the state at t = 0."""
        return ()

    def steps_made(self, method: Any) -> int | None:
        """How many steps were made so far, where the lane cannot know."""
        return None

    @classmethod
    def display_name(cls) -> Phrase:
        """Its name within a sentence, which a window tells by its title."""
        return titled_name(cls.name, cls.title)

    def explain_failure(self) -> str:
        """One sentence for a person when a step could not be made: what happened, what to try."""
        return phrase("{title} could not make a step; try a smaller dt", title=phrase(self.title))
