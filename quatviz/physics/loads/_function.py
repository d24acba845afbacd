"""The load whose torque is a Python function of a script.

The function is compiled when the load is made; a preset cannot contain it. The load is not in the registry: no
preset can name it, and the window does not offer it.
"""

import inspect
import math
import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self, overload

import numpy as np
from numba import cloudpickle
from numba.core.errors import NumbaError, UnsupportedBytecodeError

from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import parameter, quote_value
from quatviz.physics.kernels.algebra import to_body
from quatviz.physics.kernels.binder import OPTIONS, compile_source, compiler, inline
from quatviz.physics.loads.base import MAX_KERNEL_NUMBERS, Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import normalize, rotate_back

_TEST_STATE = (0.3, np.array([0.5, 0.5, -0.5, 0.5]), np.array([0.3, -0.4, 0.7]))
"""State (t, p, omega) at which a function is tested."""


@dataclass(frozen=True, eq=False)
class FunctionLoad(Load):
    """A torque that is given by a Python function n(t, p, omega, **gains) that numba can compile. `qv.load` makes it.

    The function returns n (3) [N m] for t [s], unit p (4, scalar first) and omega (3) [rad/s, body], which are arrays.
    Calling the load with gains returns a load with these gains, without compiling anything.
    """

    name: ClassVar[str] = "function"
    is_control = True

    function: Callable[..., Any]
    gains: Any = ()
    """Values of the additional arguments of the function: a mapping or pairs, stored as pairs in the order of the
    arguments. A missing gain has the function's default.
    """
    frame: str = parameter(
        default="body", choices=("body", "space"), explanation="frame of the components of n"
    )
    torque_kernel: Any = field(init=False, default=None, compare=False, repr=False)  # type: ignore[misc]

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "gains", _bound_gains(self.function, dict(self.gains)))
        object.__setattr__(self, "torque_kernel", _kernel(self.function, len(self.gains), self.frame))
        n = np.asarray(self._torque(*_TEST_STATE))
        if n.shape != (3,):
            raise _function_error(self.function, "the torque, 3 numbers", quote_value(n.tolist()))

    def __call__(self, **gains: float) -> Self:
        """Return this load with other gains."""
        return replace(self, gains={**dict(self.gains), **gains})

    @property
    def named_numbers(self) -> Mapping[str, float]:
        return dict(self.gains)

    def with_named_numbers(self, numbers: Mapping[str, float]) -> Self:
        return replace(self, gains=dict(numbers))

    def row(self, body: Body) -> tuple[float, ...]:
        return tuple(value for _, value in self.gains)

    def torque_on(self, body: Body, t: np.ndarray, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
        unit_p = normalize(p)
        rows = [self._torque(*state) for state in zip(t.tolist(), unit_p, omega, strict=True)]
        n = np.array(rows, dtype=np.float64).reshape(-1, 3)
        return rotate_back(unit_p, n) if self.frame == "space" else n

    def _torque(self, t: float, p: np.ndarray, omega: np.ndarray) -> Any:
        return self.function(t, p.copy(), omega.copy(), *(value for _, value in self.gains))

    def __reduce__(self) -> Any:
        """Pickle the function by value, since a function from a notebook is in no module that can be
        imported. It is compiled again when it is unpickled.
        """
        return _rebuild, (cloudpickle.dumps(self.function), self.gains, self.frame)

    def __deepcopy__(self, memo: object) -> Self:
        return self


def _rebuild(function: bytes, gains: Any, frame: str) -> FunctionLoad:
    return FunctionLoad(pickle.loads(function), gains, frame)


@overload
def load(function: Callable[..., Any], /) -> FunctionLoad: ...


@overload
def load(*, frame: str = "body") -> Callable[[Callable[..., Any]], FunctionLoad]: ...


def load(function: Callable[..., Any] | None = None, /, *, frame: str = "body") -> Any:
    """Return a load whose torque is a function n(t, p, omega, **gains) of this session.

    Parameters
    ----------
    function
        Function of t [s], unit p (4, scalar first) and omega (3) [rad/s, body] that returns the torque (3) [N m]. numba
        compiles it. Its additional arguments are gains, numbers with defaults. Gains are data: changing them compiles
        nothing, and sweeps refer to them as `loads[0].gains.K`.
    frame
        Frame of the returned torque, "body" or "space".

    Raises
    ------
    InputError
        If the function cannot be compiled or does not return three numbers.

    Examples
    --------
    >>> import quatviz as qv
    >>> @qv.load
    ... def brake(t, p, omega, D=0.4):
    ...     return -D * omega
    >>> lanes = [qv.Lane("newton_euler", name=f"D = {D}", loads=[brake(D=D)]) for D in (0.2, 40.0)]
    >>> run = qv.simulate("torque_free", lanes=lanes, duration=0.1)
    >>> bool(run["D = 40.0"].kinetic[-1] < run["D = 0.2"].kinetic[-1])
    True
    """
    if function is None:
        return lambda function: FunctionLoad(function, frame=frame)
    return FunctionLoad(function, frame=frame)


def _bound_gains(function: Any, given: Mapping[str, Any]) -> tuple[tuple[str, float], ...]:
    """Return the gains as pairs of name and value, in the order of the function's arguments.

    `given` replaces the defaults.
    """
    if not inspect.isfunction(function):
        raise _function_error(function, "a function defined with def", quote_value(function))
    arguments = list(inspect.signature(function).parameters.values())
    names = [argument.name for argument in arguments]
    expected = phrase("the arguments (t, p, omega), followed by gains with default values")
    if names[:3] != ["t", "p", "omega"] or any(
        argument.kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD for argument in arguments
    ):
        raise _function_error(function, expected, f"({', '.join(names)})")
    defaults = {argument.name: argument.default for argument in arguments[3:]}
    if unknown := given.keys() - defaults.keys():
        known = ", ".join(defaults) or phrase("none")
        raise _function_error(
            function, phrase("gains of the function: {names}", names=known), ", ".join(sorted(unknown))
        )
    gains = {**defaults, **given}
    if len(gains) > MAX_KERNEL_NUMBERS:
        raise _function_error(
            function, phrase("at most {most} gains", most=MAX_KERNEL_NUMBERS), f"{len(gains)}"
        )
    try:
        return tuple((name, float(value)) for name, value in gains.items())
    except (TypeError, ValueError):
        missing = [name for name, value in gains.items() if value is inspect.Parameter.empty]
        raise _function_error(function, expected, ", ".join(missing) or quote_value(gains)) from None


_SCOPE: dict[str, Any] = {"array": np.array, "sqrt": math.sqrt, "to_body": to_body}
_kernels: dict[tuple[Any, int, str], Any] = {}
"""Compiled kernels by function, number of gains and frame. Loads whose gains differ only in their values share a
kernel."""


def _kernel(function: Any, gain_count: int, frame: str) -> Any:
    key = (function, gain_count, frame)
    if key in _kernels:
        return _kernels[key]
    compiled: Any = compiler().njit(**OPTIONS)(function)
    try:
        compiled(*_TEST_STATE, *(1.0,) * gain_count)
    except (
        NumbaError,
        UnsupportedBytecodeError,
        TypeError,
        ValueError,
        IndexError,
        ZeroDivisionError,
    ) as error:
        message = str(error).strip().split("\n")[0][:200] or type(error).__name__
        raise _function_error(function, "a function that numba compiles", message) from None
    gains = "".join(f", row[{k}]" for k in range(gain_count))
    lines = [
        "r = 1.0 / sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3])",
        "q = (r * p[0], r * p[1], r * p[2], r * p[3])",
        f"n = function(t, array(q), array((omega[0], omega[1], omega[2])){gains})",
        "return to_body(q, (n[0], n[1], n[2]))" if frame == "space" else "return (n[0], n[1], n[2])",
    ]
    kernel = compile_source("torque", "row, t, p, omega", lines, function=compiled, **_SCOPE)
    return _kernels.setdefault(key, inline(kernel))


def _function_error(function: Any, expected: str, actual: str) -> InputError:
    return InputError(
        getattr(function, "__name__", "load"), expected=expected, found=actual,
        remedy="write for example def brake(t, p, omega, D=0.4): return -D * omega", topic="own#a-torque-law",
    )  # fmt: skip
