"""Definition of a typed formulation, as a preset holds it, and the formulation class made from it."""

import math
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, ClassVar

from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import Parameterized, parameter, quote_value, validate
from quatviz.base.vector_program import is_valid_name
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.formulations._named_states import NamedStatesFormulation, StateEquations
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.euler_sequences import LOCK_THRESHOLD
from quatviz.physics.typed_formulations.programs import (
    SINGULARITY_NAME,
    TAKEN_NAMES,
    Texts,
    make_equations,
    make_kernels,
    read_programs,
)

MAX_NUMBERS = 20
"""Largest number of constants that the user can define in `TypedFormulation.numbers`."""


@dataclass(frozen=True)
class TypedFormulation(Parameterized):
    r"""Equations of motion as text: lines that give the rates of named states.

    `rates` has a line `s' = expression` for each state s. An expression may contain the states, the time `t` [s], the
    Euler parameters `p` (4), the angular velocity `omega` (3) [rad/s, body], the rotation matrix `A` (3, 3), body to
    space, the inertia `J` (3, 3) [kg m^2], the torque `n` (3) [N m, body] of all loads, and the `numbers` by name. It has
    the syntax of the expressions of `TorqueLaw`; `solve(J, v)` returns the solution of J x = v. The optional line
    `lam = expression` gives lambda [J]. The optional line `singular = expression` gives a number that tends to 0 at a
    singularity; a lane ends before it reaches one.

    `start` has a line for the start value of each state without a predefined name, in terms of `p`, `omega`, `A` and `J`.
    `attitude` gives p and omega as functions of the states if they are not states themselves. The definition is data:
    nothing in it can run code.

    >>> import quatviz as qv
    >>> mine = qv.TypedFormulation("mine", rates="omega' = solve(J, n - cross(omega, J @ omega))\np' = product(p, [0, omega])/2")
    >>> lanes = [mine, "newton_euler"]
    >>> run = qv.simulate(qv.load_preset("heavy_top"), lanes=lanes, duration=0.1)
    >>> bool(run.orientation_error("mine", "newton_euler").max() < 1e-12)
    True
    """

    name: str = parameter(explanation="name that lanes refer to")
    rates: str = parameter(
        multiline=True, explanation="lines such as omega' = solve(J, n - cross(omega, J @ omega))"
    )
    start: str = parameter(
        default="", multiline=True, explanation="start of your own states, such as s = p[1:]/(1 + p[0])"
    )
    attitude: str = parameter(
        default="",
        multiline=True,
        explanation="p and omega as functions of the states, if they are not states themselves",
    )
    numbers: Any = ()
    """Constants that the lines may use, as a mapping from names to values or as pairs. They are stored as pairs."""

    def __post_init__(self) -> None:
        validate(self)
        object.__setattr__(self, "numbers", _checked_numbers(self.numbers))
        if not isinstance(self.name, str) or not is_valid_name(self.name):
            raise InputError(
                "TypedFormulation.name", expected="a name of letters, digits and _", found=quote_value(self.name),
                remedy='write for example name = "mine"', key="name", topic="own#a-formulation-in-a-preset",
            )  # fmt: skip
        if self.name in FORMULATIONS and self.name not in FORMULATIONS.factories:
            raise InputError(
                "TypedFormulation.name", expected="a name that no formulation of the program has", found=repr(self.name),
                remedy="choose another name", key="name", topic="own#a-formulation-in-a-preset",
            )  # fmt: skip
        _checked_programs(self.texts)

    @property
    def texts(self) -> Texts:
        """The lines that the user typed, with the names of the constants that the lines may use."""
        return Texts(self.rates, self.start, self.attitude, tuple(name for name, _ in self.numbers))

    @property
    def equations(self) -> StateEquations:
        """The equations of motion as functions for evaluation in NumPy."""
        return make_equations(self.name, self.texts, tuple(value for _, value in self.numbers))

    def register(self) -> type[Formulation]:
        """Register this formulation under its name in this process, and return its class."""
        if registered_definition(self.name) != self:
            FORMULATIONS.add(partial(formulation_of, self))
        return formulation_of(self)


def registered_definition(name: str) -> TypedFormulation | None:
    """Return the typed formulation that is registered under a name, or None."""
    factory = FORMULATIONS.factories.get(name)
    if isinstance(factory, partial) and factory.func is formulation_of:
        definition: TypedFormulation = factory.args[0]
        return definition
    return None


@lru_cache(maxsize=256)
def _checked_programs(texts: Texts) -> None:
    read_programs(texts)


def _checked_numbers(numbers: Any) -> tuple[tuple[str, float], ...]:
    """Return the user's constants as pairs of names and finite values.

    Raise an `InputError` if `numbers` are anything else.
    """
    try:
        pairs = tuple(
            (name, float(value))
            for name, value in dict(numbers).items()
            if not isinstance(value, (bool, str))
        )
        count = len(dict(numbers))
    except (TypeError, ValueError, OverflowError):
        pairs, count = (), -1
    if len(pairs) != count or not all(math.isfinite(value) for _, value in pairs):
        raise _numbers_error(quote_value(numbers))
    for name, _ in pairs:
        if not isinstance(name, str) or not is_valid_name(name) or name in TAKEN_NAMES:
            raise _numbers_error(phrase("the reserved or invalid name {name!r}", name=name))
    if len(pairs) > MAX_NUMBERS:
        raise _numbers_error(phrase("{count} numbers", count=len(pairs)))
    return pairs


def _numbers_error(actual: str) -> InputError:
    return InputError(
        "TypedFormulation.numbers", expected=phrase("at most {most} finite numbers by name", most=MAX_NUMBERS), found=actual,
        remedy="write for example numbers = { alpha = 5.0 }", key="numbers", topic="own#a-formulation-in-a-preset",
    )  # fmt: skip


class TypedStatesFormulation(NamedStatesFormulation):
    """Formulation with named states, defined by user-entered text. Its kernels receive the constants of the text."""

    definition: ClassVar[TypedFormulation]

    def extra_parameters(self, body: Body) -> dict[str, Any]:
        return {"numbers": tuple(value for _, value in self.definition.numbers)}


@lru_cache(maxsize=256)
def formulation_of(definition: TypedFormulation) -> type[Formulation]:
    """Return the formulation class that has the equations of a definition."""
    kernels, parameter_type = make_kernels(definition.texts)
    own = definition.equations
    fields: dict[str, Any] = {
        "__module__": __name__, "__doc__": f"Typed equations: {definition.name}.", "name": definition.name,
        "title": definition.name, "source": phrase("typed"), "definition": definition, "own": own, "blocks": own.blocks,
        "stabilisations": ("none", "renormalise") if kernels.projection else ("none",),
        "parameter_type": parameter_type, "kernels": kernels, "family": "Typed",
    }  # fmt: skip
    if kernels.singularity is not None:
        fields.update(singularity_title=SINGULARITY_NAME, threshold=LOCK_THRESHOLD)
    formulation_class: type[Formulation] = type(definition.name, (TypedStatesFormulation,), fields)
    return formulation_class
