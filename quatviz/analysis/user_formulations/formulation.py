"""`qv.formulation`: a lane with a user-defined formulation, from a function or from a Lagrangian."""

import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import partial
from types import FunctionType, MappingProxyType
from typing import Any, overload

from numba import cloudpickle

from quatviz.analysis.user_formulations.function import formulation_from_function
from quatviz.analysis.user_formulations.lagrangian import LagrangianProblem, formulation_from_lagrangian
from quatviz.analysis.user_formulations.state_function import formulation_from_states, has_named_states
from quatviz.base.errors import InputError
from quatviz.base.parameters import quote_value
from quatviz.files.preset import Lane
from quatviz.physics.formulations import FORMULATIONS, equations


class UserLane(Lane):
    """A lane with a formulation that was defined in this session.

    Notebooks display the lane as its equations. Pickling includes the formulation, so that other processes can use the
    lane.
    """

    def _repr_latex_(self) -> str:
        side_texts = (
            " ".join(
                f"{'-' if term.sign < 0 else '+' if number else ''} {term.latex}"
                for number, term in enumerate(terms)
            )
            for equation in equations(self.formulation)
            for terms in (equation.left, equation.right)
        )
        sides = iter(side_texts)
        derived = getattr(FORMULATIONS[self.formulation], "typeset", ())
        lines = [
            *derived,
            *(f"{left_side} &= {right_side}" for left_side, right_side in zip(sides, sides, strict=True)),
        ]
        return "$$" + r"\begin{aligned}" + r" \\ ".join(lines) + r"\end{aligned}" + "$$"

    def __reduce__(self) -> Any:
        recipe = cloudpickle.dumps(FORMULATIONS.factories[self.formulation])
        return _restore_lane, (recipe, {field.name: getattr(self, field.name) for field in fields(self)})


def _restore_lane(recipe: bytes, fields: dict[str, Any]) -> UserLane:
    if fields["formulation"] not in FORMULATIONS:
        FORMULATIONS.add(pickle.loads(recipe))
    return UserLane(**fields)


@overload
def formulation(
    function: Callable[..., Any],
    /,
    *,
    start: Mapping[str, Any] = ...,
    attitude: Callable[..., Any] | None = None,
    name: str | None = None,
) -> UserLane: ...


@overload
def formulation(
    *,
    start: Mapping[str, Any] = ...,
    attitude: Callable[..., Any] | None = None,
    name: str | None = None,
) -> Callable[[Callable[..., Any]], UserLane]: ...


@overload
def formulation(
    lagrangian: Any,
    /,
    *,
    coordinates: Sequence[Any],
    constraints: Sequence[Any] = (),
    attitude: str | Sequence[Any] | None = None,
    loads: bool = True,
    name: str = "lagrangian",
) -> UserLane: ...


def formulation(
    thing: Any = None,
    /,
    *,
    coordinates: Sequence[Any] = (),
    constraints: Sequence[Any] = (),
    start: Mapping[str, Any] = MappingProxyType({}),
    attitude: str | Sequence[Any] | Callable[..., Any] | None = None,
    loads: bool = True,
    name: str | None = None,
) -> Any:
    """Return a lane with a formulation of your own, from a function or a Lagrangian; `qv.judge` examines it.

    Parameters
    ----------
    thing
        A function `f(t, p, omega, body, loads)`, or a SymPy expression of the Lagrangian [J] in J1, J2, J3 or J11 to J33.
    coordinates, constraints
        Generalized coordinates of the Lagrangian, made with `dynamicsymbols`, and expressions that remain zero.
    start
        Initial values of your own states: numbers, or functions of (p, omega, body).
    attitude
        Relation of p to the coordinates: None if they are p, an Euler sequence such as "313" if they are its angles, or
        four expressions. For a function without the state p, a function of the states that returns p and omega.
    loads
        False if the Lagrangian contains the potential of the run's loads; otherwise they act in addition.
    name
        Name of the formulation; by default the name of the function, or "lagrangian".

    Notes
    -----
    A function receives t [s], p (4, scalar first, body to space), omega (3) [rad/s, body], `body.inertia` (3,
    3) and `loads.torque(t, p, omega)` (3) [N m, body]. It returns omega' (3), or the pair of p' (4) and
    omega'. Instead of `omega`, the third argument may be `omega_space`, `h`, `h_space`, `p_rate` (p') or `g`
    (2 L^T h). The function then returns the rate of this variable: p'' for `p_rate`, for example. With
    `p_rate` or `g`, it may also return the pair of this rate and lambda. Arguments with any other names are
    states of your own, as in `f(t, omega, s, body, loads)`. The function then returns the rates of all states
    in a tuple. Numba compiles the function. An `InputError` names the line of the function that cannot be
    used.

    Examples
    --------
    >>> import numpy as np
    >>> import quatviz as qv
    >>> @qv.formulation
    ... def euler(t, p, omega, body, loads):
    ...     return body.inverse_inertia @ (loads.torque(t, p, omega) - np.cross(omega, body.inertia @ omega))
    >>> run = qv.simulate(qv.load_preset("heavy_top"), lanes=[euler, "newton_euler"], duration=0.1)
    >>> bool(run.orientation_error("euler", "newton_euler").max() < 1e-12)
    True
    """
    if thing is None:
        return partial(formulation, start=start, attitude=attitude, name=name)
    if isinstance(thing, FunctionType):
        lane_name = _checked_name(name or thing.__name__)
        return UserLane(FORMULATIONS.add(_function_factory(thing, lane_name, start, attitude)).name)
    if isinstance(thing, Lane) or callable(thing):
        raise _no_formulation_error(thing)
    lane_name = _checked_name(name or "lagrangian")
    problem = LagrangianProblem(thing, tuple(coordinates), tuple(constraints), attitude, loads)
    return UserLane(FORMULATIONS.add(partial(formulation_from_lagrangian, problem, lane_name)).name)


def _no_formulation_error(thing: Any) -> InputError:
    return InputError(
        "formulation", expected="a function defined with def, or a SymPy expression", found=quote_value(thing),
        remedy="write for example def mine(t, p, omega, body, loads)", topic="own#a-function",
    )  # fmt: skip


def _function_factory(
    function: FunctionType, name: str, start: Mapping[str, Any], attitude: Any
) -> Callable[[], Any]:
    """Return a function without arguments that creates the formulation class of a user function."""
    if attitude is not None and not isinstance(attitude, FunctionType):
        raise InputError(
            "attitude", expected="a function defined with def or lambda", found=quote_value(attitude),
            remedy="write for example attitude=lambda s, omega: (p, omega)", topic="own#other-states",
        )  # fmt: skip
    if not start and attitude is None and not has_named_states(function):
        return partial(formulation_from_function, function, name)
    return partial(formulation_from_states, function, name, dict(start), attitude)


def _checked_name(name: Any) -> str:
    """Return `name` if it is valid as the name of a lane, and raise an `InputError` otherwise.

    This is checked before compiling. A slash is refused, because a lane reads it as the beginning of a
    variant.
    """
    if not isinstance(name, str) or "/" in name:
        raise InputError(
            "formulation", expected="a name of letters, digits, and _ . -", found=quote_value(name),
            remedy='write for example name="mine"', key="name", topic="own#a-function",
        )  # fmt: skip
    return Lane(name).formulation
