"""How functions become kernels, and which of them a call means: the one binder.

Kernels see a state as a tuple of floats and the parameters of a formulation as a `NamedTuple` type of its
own. The type picks the formulation while the loop is compiled, so that each pair of formulation and
integrator becomes one specialised machine-code loop that is found in the cache by the next process.

A formulation names its kernels in one value, `kernels = Kernels(rhs=..., ...)`, an integrator its step with
`@stepper(Method)`. What they call is decorated with `@inline`. The options below are the same everywhere:
a division by zero gives inf instead of raising (the lane tests finiteness), and a multiplication may be
fused with an addition as C compilers do; nothing is reordered.

numba takes longer to import than all else that a list of what there is needs. It is imported when a kernel is first called, or
asked for; until then what is here only remembers what numba is to be told.
"""

import math
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import update_wrapper
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

Kernel = Callable[..., Any]

OPTIONS: Any = {"error_model": "numpy", "fastmath": {"contract"}}
INTERNAL_OPTIONS: Any = {**OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Of what only kernels call: the ways in from Python and from C took twice as long to compile as all they lead to."""
INLINE_OPTIONS: Any = {**INTERNAL_OPTIONS, "forceinline": True}

_CACHE_MODULE = "quatviz.physics.kernels.cache"
"""Imported by its name. The key of a kernel covers the modules that import statements lead to, and how kernels are stored is no
part of them."""

_deferred: list[Callable[[Any], None]] | None = []
"""What numba is told once it is imported, by `physics.kernels.compiler`; None from then on."""
_lock = threading.RLock()


def compiler() -> Any:
    """The module `physics.kernels.compiler`, for which numba is imported and told of every kernel that there is.

    Another thread does so for the main one, which Ctrl-C ends anywhere: of what is half imported nothing could be called again.
    """
    if _deferred is not None and threading.current_thread() is threading.main_thread():
        helper = threading.Thread(target=_import_quietly, name="imports numba", daemon=True)
        helper.start()
        helper.join()
    return _import_compiler()


def _import_quietly() -> None:
    """Import it without a message of what went wrong: the caller tries again, and raises that."""
    with suppress(Exception):
        _import_compiler()


def _import_compiler() -> Any:
    global _deferred
    import_module(_CACHE_MODULE).require_compiler()
    from quatviz.physics.kernels import compiler

    with _lock:
        deferred, _deferred = _deferred, None
        for register in deferred or ():
            register(compiler)
    return compiler


def _register(register: Callable[[Any], None]) -> None:
    """Do this with the compiler: now if numba is imported, else when it is needed here."""
    with _lock:
        if _deferred is not None and sys.modules.get("numba") is None:
            _deferred.append(register)
            return
    register(compiler())


def inline(function: Kernel) -> Any:
    """For functions that kernels call: compiled into the caller. To Python they stay what they are."""
    _register(lambda compiler: compiler.register_jitable(**INLINE_OPTIONS)(function))
    return function


def overload(stub: Kernel, strict: bool = True) -> Callable[[Kernel], Kernel]:
    """Let kernels that call `stub` be given what the decorated function makes of the types of the arguments, inlined."""

    def decorate(implementation: Kernel) -> Kernel:
        _register(
            lambda compiler: compiler.overload(stub, jit_options=INLINE_OPTIONS, strict=strict)(
                implementation
            )
        )
        return implementation

    return decorate


class LazyDispatcher:
    """A function that numba compiles for each types of arguments: its dispatcher is made when it is first called, by Python or
    by a kernel."""

    def __init__(self, function: Kernel, make: Callable[[Any, Kernel], Any]) -> None:
        self._make = make
        self._dispatcher: Any = None
        self._entry_points: dict[Any, Kernel] = {}
        """What it is for arguments of a shape."""
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        return (self._dispatcher or self.dispatcher)(*arguments)

    @property
    def dispatcher(self) -> Any:
        """numba's own."""
        if self._dispatcher is None:
            compiler_module = compiler()
            with _lock:
                self._dispatcher = self._dispatcher or self._make(compiler_module, vars(self)["__wrapped__"])
        return self._dispatcher

    def entry_point(self, *arguments: Any) -> Kernel:
        """What is called for arguments of these types, compiled or loaded. numba's own way to it looks at the type of each number
        in long tuples, which takes as long as some thousand steps."""
        shape = _type_key(arguments)
        if shape not in self._entry_points:
            types = tuple(map(self.dispatcher.typeof_pyval, arguments))
            if types not in self.dispatcher.overloads:
                self.dispatcher.compile(types)
            self._entry_points[shape] = self.dispatcher.overloads[types].entry_point
        return self._entry_points[shape]

    @property
    def is_loaded(self) -> bool:
        """Whether it is there for any types of arguments."""
        return self._dispatcher is not None and bool(self._dispatcher.signatures)

    @property
    def _numba_type_(self) -> Any:
        return self.dispatcher._numba_type_


_NUMBERS = float, int, np.generic
_NUMBER_TYPES = frozenset((float, int, bool))
"""Types whose values `_type_key` need not look at one by one."""


def _type_key(value: Any) -> Any:
    """What numba's type of a value follows from, and nothing else: all floats are alike, and of what is neither a number nor an
    array or a tuple of such, those that say their own type."""
    if isinstance(value, tuple):
        return type(value), *[
            type(element) if type(element) in _NUMBER_TYPES else _type_key(element) for element in value
        ]
    if isinstance(value, _NUMBERS):
        return type(value)
    if isinstance(value, np.ndarray):
        flags = value.flags
        return value.dtype, value.ndim, flags.c_contiguous, flags.f_contiguous, flags.writeable, flags.aligned
    return getattr(value, "_numba_type_", value)


class InternalDispatcher(LazyDispatcher):
    """A function that only kernels can call: it is compiled without an entry for Python, whose call would end the process."""

    def __call__(self, *arguments: Any) -> Any:
        raise TypeError(f"{vars(self)['__wrapped__'].__qualname__} can be called by kernels only")


def noinline(function: Kernel) -> Any:
    """As `inline` for what is large, and called from several places: compiled once, and called."""
    return InternalDispatcher(
        function, lambda compiler, function: compiler.njit(**INTERNAL_OPTIONS)(function)
    )


def compiled(
    function: Kernel, modules: Iterable[str] = (), by_address: bool = False, names: Iterable[str] = ()
) -> Any:
    """Compile a function that Python calls: kept in our own cache, run without the GIL.

    Parameters
    ----------
    function
        The function.
    modules
        Names of the modules of kernels that it was given, which its own module does not import.
    by_address
        True if kernels call it by its address. That needs an entry from C, without which others compile faster.
    names
        Which of the kernels in `modules` it was given: another choice is another key.
    """
    options: Any = {**OPTIONS, "nogil": True, "no_cfunc_wrapper": not by_address}

    def make_dispatcher(compiler: Any, function: Kernel) -> Any:
        dispatcher = compiler.njit(**options)(function)
        dispatcher._cache = import_module(_CACHE_MODULE).KernelCache(function, modules_of, modules, names)
        return dispatcher

    return LazyDispatcher(function, make_dispatcher)


def kernel_path(kernel: LazyDispatcher, *arguments: Any) -> Path | None:
    """The file that what `compiled` gave is kept in for such arguments, if it is; None where it can not be kept."""
    dispatcher = kernel.dispatcher
    return dispatcher._cache.path_of(tuple(map(dispatcher.typeof_pyval, arguments)))


def is_cached(kernel: LazyDispatcher, *arguments: Any) -> bool:
    """Whether what `compiled` gave has been kept for such arguments: then calling it loads it, and compiles nothing."""
    path = kernel_path(kernel, *arguments)
    return path is not None and path.exists()


def compile_source(name: str, signature: str, lines: Iterable[str], **scope: Any) -> Kernel:
    """The function of this text, which the program has written from indices and numbers: never a person.

    Loops over tuples were as fast up to states of eight components, took no less to compile, and made a step of
    fourteen 3.4 times as long: the compiler unrolls what is short.
    """
    exec(f"def {name}({signature}):\n" + "".join(f"    {line}\n" for line in lines), scope)
    return scope[name]


class Index3Kernels(NamedTuple):
    """The index-3 problem p' = v(p, g), g' = f(t, p, g) - p lambda, p.p = 1 in momenta g conjugate to p.

    `v` must be regular in all four components of g, so that lambda follows from the constraint. What a form adds to
    lambda is what f has along p: one motion, another multiplier.
    """

    momenta: Kernel
    """`f(par, y) -> (p, g)`."""
    velocity: Kernel
    """`f(par, p, g) -> p'` (4) for unit p."""
    force: Kernel
    """`f(par, t, p, g) -> g'` (4) for unit p, but for -p lambda."""
    state: Kernel
    """`f(par, p, g) -> y`."""


class AttitudeKernels(NamedTuple):
    """A state made of p and of components that live in a vector space."""

    attitude: Kernel
    """`f(par, y) -> (p, omega)`, omega [rad/s, body]."""
    with_attitude: Kernel
    """`f(par, y, p) -> y`, with p in the place of the state's own."""


class MomentumKernels(NamedTuple):
    """A state that is p beside the angular momentum h of the body, whatever stands for it, and nothing else that moves; the
    parameters have the fields of `physics.formulations.base.BodyParameters`."""

    momentum: Kernel
    """`f(par, y) -> (p, h)`, h [kg m^2/s, body]."""
    with_momentum: Kernel
    """`f(par, p, h) -> y`."""


@dataclass(frozen=True)
class Kernels:
    """What is compiled of a formulation, `par` being its parameters and `y` its state. What a form can do is what is here."""

    rhs: Kernel
    """`f(par, t, y) -> tuple`, the derivative of the state at t [s]."""
    multiplier: Kernel | None = None
    """`f(par, t, y) -> float`, lambda [J] from the very solve that yields the derivative."""
    singularity: Kernel | None = None
    """`f(par, t, y) -> float`, which tends to 0 where the form is singular."""
    singularity_limit: Kernel | None = None
    """`f(par, dt, y) -> float`, the smallest magnitude of `singularity` at which fixed steps of dt [s] still follow the motion of
    the state y."""
    chart: Kernel | None = None
    """`f(par, y) -> tuple`, the same motion in the coordinates that suit it best; called after every step."""
    projection: Kernel | None = None
    """`f(par, rates, y) -> tuple`: p back on the sphere and, if `rates`, what must be tangent to it (p', g) made so."""
    first_integrals: Kernel | None = None
    """`f(par, h, old, new) -> tuple`: the state new that a step of h [s] led to from old, with the first integrals that the
    equations have at old. For equations in which an error of these grows with time; adaptive methods call it after each step."""
    index3: Index3Kernels | None = None
    """For integrators that leave the constraint and its multiplier to the step."""
    group: AttitudeKernels | None = None
    """For integrators that move the attitude along exponentials."""
    observed: Kernel | None = None
    """`f(par, y) -> (p, omega)`, omega [rad/s, body], of forms without `group`: for what is added to equations, such as rotors."""
    momentum: MomentumKernels | None = None
    """For integrators of a rigid body, which take h and p on by rules of their own in place of the derivative."""

    @property
    def attitude(self) -> Kernel | None:
        """`f(par, y) -> (p, omega)`, omega [rad/s, body], of whatever kind the state is; None where the form has none."""
        return self.observed if self.group is None else self.group.attitude

    @property
    def functions(self) -> tuple[Kernel, ...]:
        """All of them, as Python has them."""
        optional = (
            self.rhs,
            self.multiplier,
            self.singularity,
            self.singularity_limit,
            self.chart,
            self.projection,
            self.first_integrals,
            self.observed,
        )
        functions = (*optional, *(self.index3 or ()), *(self.group or ()), *(self.momentum or ()))
        return tuple(function for function in functions if function is not None)


_bound: dict[type, Kernels] = {}
_owners: dict[type, str] = {}
_steps: dict[type, Kernel] = {}


def bind(parameters: type, kernels: Kernels, owner: str) -> None:
    """Let kernels that are given parameters of this type call `kernels`: numba picks them by the type when it compiles.

    Parameters
    ----------
    parameters
        The type of the parameters of a formulation.
    kernels
        Its kernels.
    owner
        Name of the module that says so. The key of compiled code covers it too, unless `kernels` is a global of the module of
        `parameters`: then that module chose them, and the other may be edited without compiling anything anew.

    Raises
    ------
    TypeError
        If the type belongs to other kernels: one of two forms would be computed by the other's equations.
    """
    if _bound.setdefault(parameters, kernels) is not kernels:
        raise TypeError(f"{parameters.__qualname__} has kernels already: derive a class of its own from it")
    module = sys.modules.get(parameters.__module__)
    is_made_there = any(value is kernels for value in vars(module).values()) if module else False
    _owners.setdefault(parameters, parameters.__module__ if is_made_there else owner)


def stepper(method: type) -> Callable[[Kernel], Kernel]:
    """Register `function(method, par, t, dt, y) -> (status, tuple)`, one step of an integrator."""

    def decorate(function: Kernel) -> Kernel:
        _steps[method] = function
        return function

    return decorate


def kernels_for(numba_type: Any) -> Kernels:
    """The kernels of the formulation whose parameters have this numba type; LookupError where there is none."""
    kernels = _bound.get(getattr(numba_type, "instance_class", type(None)))
    if kernels is None:
        raise LookupError(f"{numba_type} are no parameters of a formulation")
    return kernels


def step_for(method: type) -> Kernel | None:
    """The step that was registered for this type; None for a method with a loop of its own."""
    return _steps.get(method)


def modules_of(parameter_type: type) -> set[str]:
    """Return the names of the modules that a type of parameters, or of a method, picks kernels from."""
    functions = _bound[parameter_type].functions if parameter_type in _bound else ()
    steps = [_steps[parameter_type]] if parameter_type in _steps else []
    owner = _owners.get(parameter_type, parameter_type.__module__)
    return {parameter_type.__module__, owner, *(function.__module__ for function in (*functions, *steps))}


def _dispatched(field: str) -> Callable[[Kernel], Kernel]:
    """Let kernels call `stub(par, ...)`: they are given the kernel at this place in the `Kernels` of the form that `par`
    belongs to, and the stub itself where the form has none there."""
    find_kernel = attrgetter(field)

    def decorate(stub: Kernel) -> Kernel:
        overload(stub, strict=False)(lambda par, *_: find_kernel(kernels_for(par)) or stub)
        return stub

    return decorate


@_dispatched("rhs")
def rhs(par, t, y):
    """Derivative of the state `y` at time `t` [s] by the equations that `par` belongs to (kernels only)."""


@_dispatched("multiplier")
def multiplier(par, t, y):
    """Lambda [J] of the state `y`; NaN where a formulation has no multiplier (kernels only)."""
    return math.nan


@_dispatched("singularity")
def singularity(par, t, y):
    """Distance of `y` from a singularity, 1 where there is none anywhere (kernels only)."""
    return 1.0


@_dispatched("singularity_limit")
def singularity_limit(par, dt, y):
    """Smallest magnitude of `singularity` at which fixed steps of dt [s] follow the motion of `y`; 0 where a formulation sets no
    limit of its own (kernels only)."""
    return 0.0


@_dispatched("chart")
def chart(par, y):
    """`y` itself, or the same motion in better coordinates; called after every step (kernels only)."""
    return y


@_dispatched("projection")
def projection(par, rates, y):
    """`y` back on the constraint; called after every step of a lane that asks for it (kernels only)."""
    return y


@_dispatched("first_integrals")
def with_first_integrals(par, h, old, new):
    """`new` with the first integrals that the equations keep from `old` on; itself where no error of them grows (kernels only)."""
    return new


@_dispatched("index3.momenta")
def momenta(par, y):
    """`(p, g)` of the state `y`."""


@_dispatched("index3.velocity")
def velocity(par, p, g):
    """p' (4) for unit p and its momenta g."""


@_dispatched("index3.force")
def force(par, t, p, g):
    """g' (4) but for the constraint force, for unit p."""


@_dispatched("index3.state")
def state(par, p, g):
    """The state `y` of p and its momenta."""


@_dispatched("attitude")
def attitude(par, y):
    """`(p, omega)` of the state `y`."""


@_dispatched("group.with_attitude")
def with_attitude(par, y, p):
    """The state `y` with p in the place of its own."""


@_dispatched("momentum.momentum")
def momentum(par, y):
    """`(p, h)` of the state `y`, h [kg m^2/s, body]."""


@_dispatched("momentum.with_momentum")
def with_momentum(par, p, h):
    """The state of p and h."""


def step(method, par, t, dt, y):
    """`(status, y)` one step of `dt` [s] later, by the integrator that `method` belongs to (kernels only)."""


@overload(step)
def _step(method, par, t, dt, y):
    return _steps.get(getattr(method, "instance_class", type(None)))
