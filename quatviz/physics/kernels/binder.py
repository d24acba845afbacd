"""Binding of kernels: how functions become kernels, and which kernel a call selects.

Kernels receive a state as a tuple of floats and the parameters of a formulation as a `NamedTuple` type of its own. This
type selects the formulation at compile time, so that each pair of formulation and integrator becomes one specialized
machine-code loop, which the next process loads from the cache.

A formulation lists its kernels in one value, `kernels = Kernels(rhs=..., ...)`, and an integrator registers its step
with `@stepper(Method)`. Functions that they call are decorated with `@inline`. The options below apply everywhere: a
division by zero gives inf instead of raising an error (the lane checks that values are finite), and a multiplication
may be fused with an addition, as C compilers do; operations are not reordered otherwise.

numba takes longer to import than all other modules that a list of formulations needs. It is imported when a kernel is
first called or requested. Until then this module only records what to register with numba.
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
"""Options of functions that only kernels call.

These functions have no entry points for Python and C, which would double the compile time.
"""
INLINE_OPTIONS: Any = {**INTERNAL_OPTIONS, "forceinline": True}

_CACHE_MODULE = "quatviz.physics.kernels.cache"
"""Name of the cache's module.

It is imported dynamically: the cache key of a kernel covers all modules that import statements refer to, and
should not cover the code that stores kernels.
"""

_deferred: list[Callable[[Any], None]] | None = []
"""Registrations that wait until `physics.kernels.compiler` has imported numba. None after that."""
_lock = threading.RLock()


def compiler() -> Any:
    """Import numba, register all kernels with it, and return the module `physics.kernels.compiler`.

    If the main thread calls this, the import runs in another thread: Ctrl-C may interrupt the main thread anywhere
    and would leave numba partly imported and unusable.
    """
    if _deferred is not None and threading.current_thread() is threading.main_thread():
        helper = threading.Thread(target=_import_quietly, name="imports numba", daemon=True)
        helper.start()
        helper.join()
    return _import_compiler()


def _import_quietly() -> None:
    """Import the compiler in another thread and suppress its errors: the caller repeats the import and raises
    them.
    """
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
    """Run a registration now if numba is imported, otherwise when the compiler is first needed."""
    with _lock:
        if _deferred is not None and sys.modules.get("numba") is None:
            _deferred.append(register)
            return
    register(compiler())


def inline(function: Kernel) -> Any:
    """Mark a function as one that kernels call, so that numba compiles it into its caller.

    In Python it remains a plain function.
    """
    _register(lambda compiler: compiler.register_jitable(**INLINE_OPTIONS)(function))
    return function


def overload(stub: Kernel, strict: bool = True) -> Callable[[Kernel], Kernel]:
    """Return a decorator that defines what a call of `stub` does in kernels.

    The decorated function receives the numba types of the arguments and returns the implementation, which is
    inlined.
    """

    def decorate(implementation: Kernel) -> Kernel:
        _register(
            lambda compiler: compiler.overload(stub, jit_options=INLINE_OPTIONS, strict=strict)(
                implementation
            )
        )
        return implementation

    return decorate


class LazyDispatcher:
    """A function that numba compiles for each combination of argument types. Its dispatcher is created at the first
    call, from Python or from a kernel.
    """

    def __init__(self, function: Kernel, make: Callable[[Any, Kernel], Any]) -> None:
        self._make = make
        self._dispatcher: Any = None
        self._entry_points: dict[Any, Kernel] = {}
        """Compiled functions by the types of their arguments. A call uses them without numba's dispatch."""
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        return (self._dispatcher or self.dispatcher)(*arguments)

    @property
    def dispatcher(self) -> Any:
        """numba's dispatcher of the function."""
        if self._dispatcher is None:
            compiler_module = compiler()
            with _lock:
                self._dispatcher = self._dispatcher or self._make(compiler_module, vars(self)["__wrapped__"])
        return self._dispatcher

    def entry_point(self, *arguments: Any) -> Kernel:
        """Return the compiled function for the types of the given arguments.

        numba's own dispatch is not used: it examines the type of each number in long tuples, which takes as long as
        some thousand steps.
        """
        shape = _type_key(arguments)
        if shape not in self._entry_points:
            types = tuple(map(self.dispatcher.typeof_pyval, arguments))
            if types not in self.dispatcher.overloads:
                self.dispatcher.compile(types)
            self._entry_points[shape] = self.dispatcher.overloads[types].entry_point
        return self._entry_points[shape]

    @property
    def is_loaded(self) -> bool:
        """True if the function is compiled or loaded for any argument types."""
        return self._dispatcher is not None and bool(self._dispatcher.overloads)

    @property
    def _numba_type_(self) -> Any:
        return self.dispatcher._numba_type_


_NUMBERS = float, int, np.generic
_NUMBER_TYPES = frozenset((float, int, bool))
"""Number types that `_type_key` uses as keys: they determine numba's type, independently of the value."""


def _type_key(value: Any) -> Any:
    """Return a key that is equal for two values if numba has the same type for both, such as for all floats.

    For a value other than a number, an array or a tuple, the key is its attribute `_numba_type_` if it has one,
    otherwise the value itself.
    """
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
    """A function that only kernels can call.

    It is compiled without an entry point for Python; a call from Python would crash the process.
    """

    def __call__(self, *arguments: Any) -> Any:
        raise TypeError(f"{vars(self)['__wrapped__'].__qualname__} can be called by kernels only")


def noinline(function: Kernel) -> Any:
    """Mark a large function that kernels call from several places.

    It is compiled once and called there, instead of being inlined.
    """
    return InternalDispatcher(
        function, lambda compiler, function: compiler.njit(**INTERNAL_OPTIONS)(function)
    )


def compiled(
    function: Kernel, modules: Iterable[str] = (), by_address: bool = False, names: Iterable[str] = ()
) -> Any:
    """Compile a function that Python calls. It is cached on disk and runs without the GIL.

    Parameters
    ----------
    function
        The function.
    modules
        Names of modules with kernels that the function uses but its own module does not import.
    by_address
        True if kernels call the function by its address. It then needs an entry point for C, which takes longer to
        compile.
    names
        Names of the kernels in `modules` that the function uses. They are part of the cache key, so that the same function
        with other kernels is cached separately.
    """
    options: Any = {**OPTIONS, "nogil": True, "no_cfunc_wrapper": not by_address}

    def make_dispatcher(compiler: Any, function: Kernel) -> Any:
        dispatcher = compiler.njit(**options)(function)
        dispatcher._cache = import_module(_CACHE_MODULE).KernelCache(function, modules_of, modules, names)
        return dispatcher

    return LazyDispatcher(function, make_dispatcher)


def kernel_path(kernel: LazyDispatcher, *arguments: Any) -> Path | None:
    """Return the cache file of a function made by `compiled`, for the types of the given arguments; None if
    the function cannot be cached."""
    dispatcher = kernel.dispatcher
    return dispatcher._cache.path_of(tuple(map(dispatcher.typeof_pyval, arguments)))


def is_cached(kernel: LazyDispatcher, *arguments: Any) -> bool:
    """Return True if a function made by `compiled` is cached for the types of the given arguments, so that a
    call loads the function and compiles nothing."""
    path = kernel_path(kernel, *arguments)
    return path is not None and path.exists()


def compile_source(name: str, signature: str, lines: Iterable[str], **scope: Any) -> Kernel:
    """Return the function `name` whose body are the source `lines`.

    quatviz generates the lines from indices and numbers, never from user input. Generated code without loops makes
    steps of fourteen components 3.4 times as fast as loops over tuples. For states of up to eight components both are
    equally fast. The compile times are equal.
    """
    exec(f"def {name}({signature}):\n" + "".join(f"    {line}\n" for line in lines), scope)
    return scope[name]


class Index3Kernels(NamedTuple):
    """Kernels of the index-3 problem p' = v(p, g), g' = f(t, p, g) - p lambda, p.p = 1, with momenta g conjugate to p.

    p' must depend on all four components of g, so that lambda follows from the constraint. A component of f along p
    changes the multiplier, not the motion.
    """

    momenta: Kernel
    """Kernel `f(par, y) -> (p, g)` that returns p (4) and the momenta g (4) of a state."""
    velocity: Kernel
    """Kernel `f(par, p, g) -> p'` that returns p' (4) [1/s] for unit p."""
    force: Kernel
    """Kernel `f(par, t, p, g) -> g'` (4) for unit p, without the constraint force -p lambda."""
    state: Kernel
    """Kernel `f(par, p, g) -> y` that returns the state with the given p and g."""


class AttitudeKernels(NamedTuple):
    """Kernels of a state that consists of p and of components in a vector space."""

    attitude: Kernel
    """Kernel `f(par, y) -> (p, omega)` that returns p (4) and omega (3) [rad/s, body] of a state."""
    with_attitude: Kernel
    """Kernel `f(par, y, p) -> y` that returns a state with its Euler parameters replaced by p."""


class MomentumKernels(NamedTuple):
    """Kernels of a state that consists of p and of a quantity from which the angular momentum h of the body
    follows. The parameters have the fields of `physics.formulations._kernels.body.BodyParameters`.
    """

    momentum: Kernel
    """Kernel `f(par, y) -> (p, h)` that returns p (4) and h (3) [kg m^2/s, body] of a state."""
    with_momentum: Kernel
    """Kernel `f(par, p, h) -> y` that returns the state with the given p and h."""


@dataclass(frozen=True)
class Kernels:
    """The kernels of a formulation. `par` are its parameters and `y` is its state.

    An optional kernel is None if the formulation does not support the feature that needs the kernel.
    """

    rhs: Kernel
    """Kernel `f(par, t, y) -> tuple` that returns the derivative of the state at t [s]."""
    multiplier: Kernel | None = None
    """Kernel `f(par, t, y) -> float` that returns lambda [J] from the same linear solve that yields the
    derivative.
    """
    singularity: Kernel | None = None
    """Kernel `f(par, t, y) -> float` that returns the singularity measure, which tends to 0 where the
    formulation is singular.
    """
    singularity_limit: Kernel | None = None
    """Kernel `f(par, dt, y) -> float` that returns the smallest magnitude of `singularity` at which fixed
    steps of dt [s] still follow the motion of the state y.
    """
    chart: Kernel | None = None
    """Kernel `f(par, y) -> tuple` that returns the same state in the best-suited coordinates.

    It is called after every step.
    """
    projection: Kernel | None = None
    """Kernel `f(par, rates, y) -> tuple` that returns the state with p normalized.

    If `rates` is True, it also projects p' or g onto the tangent space of the sphere.
    """
    first_integrals: Kernel | None = None
    """Kernel `f(par, h, old, new) -> tuple` that returns the state `new` with the first integrals of `old`, from which
    a step of h [s] led to `new`.

    It is for equations in which an error of the first integrals grows with time. Adaptive methods call it after each
    step.
    """
    index3: Index3Kernels | None = None
    """Kernels for integrators that determine the multiplier in each step."""
    group: AttitudeKernels | None = None
    """Kernels for integrators that advance the attitude by exponentials."""
    observed: Kernel | None = None
    """Kernel `f(par, y) -> (p, omega)`, omega [rad/s, body], for formulations without `group`.

    Extensions of the formulation, such as rotors, need one of the two.
    """
    momentum: MomentumKernels | None = None
    """Kernels for integrators of a rigid body that advance h and p by their own rules instead of the derivative."""

    @property
    def attitude(self) -> Kernel | None:
        """Kernel `f(par, y) -> (p, omega)`, omega [rad/s, body], from `group` or `observed`; None without both."""
        return self.observed if self.group is None else self.group.attitude

    @property
    def functions(self) -> tuple[Kernel, ...]:
        """All kernels of the formulation, as the Python functions from which they are compiled."""
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
    """Bind kernels to a type of parameters: numba selects them by this type when it compiles.

    Parameters
    ----------
    parameters
        Type of the parameters of a formulation.
    kernels
        The kernels of the formulation.
    owner
        Name of the module that binds them. The cache key covers this module, with one exception: if `kernels` is a global
        of the module of `parameters`, that module selects the kernels, and the owner may be edited without recompiling
        anything.

    Raises
    ------
    TypeError
        If the type is bound to other kernels already: one of the two formulations would otherwise be computed with
        the equations of the other.
    """
    if _bound.setdefault(parameters, kernels) is not kernels:
        raise TypeError(f"{parameters.__qualname__} has kernels already: derive a class of its own from it")
    module = sys.modules.get(parameters.__module__)
    is_made_there = any(value is kernels for value in vars(module).values()) if module else False
    _owners.setdefault(parameters, parameters.__module__ if is_made_there else owner)


def stepper(method: type) -> Callable[[Kernel], Kernel]:
    """Return a decorator that registers a function as one step of the integrator whose data have the type
    `method`. The function has the form `f(method, par, t, dt, y) -> (status, y)`.
    """

    def decorate(function: Kernel) -> Kernel:
        _steps[method] = function
        return function

    return decorate


def kernels_for(numba_type: Any) -> Kernels:
    """Return the kernels of the formulation whose parameters have this numba type. Raise LookupError if there is
    none."""
    kernels = _bound.get(getattr(numba_type, "instance_class", type(None)))
    if kernels is None:
        raise LookupError(f"{numba_type} are no parameters of a formulation")
    return kernels


def step_for(method: type) -> Kernel | None:
    """Return the step that is registered for the data type `method`, or None for an integrator with its own
    loop.
    """
    return _steps.get(method)


def modules_of(parameter_type: type) -> set[str]:
    """Return the names of the modules of the kernels that are registered for the parameter type of a formulation or for
    the data type of an integrator."""
    functions = _bound[parameter_type].functions if parameter_type in _bound else ()
    steps = [_steps[parameter_type]] if parameter_type in _steps else []
    owner = _owners.get(parameter_type, parameter_type.__module__)
    return {parameter_type.__module__, owner, *(function.__module__ for function in (*functions, *steps))}


def _dispatched(field: str) -> Callable[[Kernel], Kernel]:
    """Return a decorator for a stub `stub(par, ...)` that stands for the kernel `field` of a formulation.

    If a kernel calls the stub, the kernel `field` of the formulation to which `par` belongs runs in its place. If this
    formulation has no such kernel, the stub's own code runs.
    """
    find_kernel = attrgetter(field)

    def decorate(stub: Kernel) -> Kernel:
        overload(stub, strict=False)(lambda par, *_: find_kernel(kernels_for(par)) or stub)
        return stub

    return decorate


@_dispatched("rhs")
def rhs(par, t, y):
    """Return the derivative of the state `y` at time `t` [s] by the equations that `par` belongs to.

    Callable only from kernels.
    """


@_dispatched("multiplier")
def multiplier(par, t, y):
    """Return lambda [J] of the state `y`; NaN if the formulation has no multiplier.

    Callable only from kernels.
    """
    return math.nan


@_dispatched("singularity")
def singularity(par, t, y):
    """Return the singularity measure of `y`, which tends to 0 at a singularity; 1 if the formulation has none.

    Callable only from kernels.
    """
    return 1.0


@_dispatched("singularity_limit")
def singularity_limit(par, dt, y):
    """Return the smallest magnitude of `singularity` at which fixed steps of dt [s] are short enough for `y`;
    0 if the formulation sets no limit. Callable only from kernels.
    """
    return 0.0


@_dispatched("chart")
def chart(par, y):
    """Return the state of the same motion in the best-suited coordinates, or `y` itself if they are
    unchanged. Integrators call this function after every step. Callable only from kernels.
    """
    return y


@_dispatched("projection")
def projection(par, rates, y):
    """Return `y` projected onto the constraint.

    If the stabilization of a lane projects, this is called after every step. Callable only from kernels.
    """
    return y


@_dispatched("first_integrals")
def with_first_integrals(par, h, old, new):
    """Return `new` with the first integrals of `old`, or `new` itself if the formulation has no kernel
    `first_integrals`.

    Callable only from kernels.
    """
    return new


@_dispatched("index3.momenta")
def momenta(par, y):
    """Return p (4) and its conjugate momenta g (4) of the state `y`. Callable only from kernels."""


@_dispatched("index3.velocity")
def velocity(par, p, g):
    """Return p' (4) [1/s] for unit p and its conjugate momenta g (4). Callable only from kernels."""


@_dispatched("index3.force")
def force(par, t, p, g):
    """Return g' (4) [J] for unit p, without the constraint force -p lambda. Callable only from kernels."""


@_dispatched("index3.state")
def state(par, p, g):
    """Return the state `y` composed of p and its conjugate momenta g. Callable only from kernels."""


@_dispatched("attitude")
def attitude(par, y):
    """Return `(p, omega)` of the state `y`. Callable only from kernels."""


@_dispatched("group.with_attitude")
def with_attitude(par, y, p):
    """Return the state `y` with its Euler parameters replaced by `p` (4). Callable only from kernels."""


@_dispatched("momentum.momentum")
def momentum(par, y):
    """Return `(p, h)` of the state `y`, h [kg m^2/s, body]. Callable only from kernels."""


@_dispatched("momentum.with_momentum")
def with_momentum(par, p, h):
    """Return the state with the Euler parameters `p` (4) and the momentum `h` (3) [kg m^2/s, body].

    Callable only from kernels.
    """


def step(method, par, t, dt, y):
    """Return `(status, y)` after one step of `dt` [s] by the integrator that `method` belongs to.

    Callable only from kernels.
    """


@overload(step)
def _step(method, par, t, dt, y):
    return _steps.get(getattr(method, "instance_class", type(None)))
