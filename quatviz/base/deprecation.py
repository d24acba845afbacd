"""Former names of public classes, attributes and arguments. They work for one release, with a `DeprecationWarning`."""

import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
ResultT = TypeVar("ResultT")


def warn_renamed(old: str, new: str, stacklevel: int = 3) -> None:
    """Warn that a public name was renamed. `stacklevel` selects the reported line, as in `warnings.warn`."""
    warnings.warn(
        f"{old} was renamed to {new}; the former name will be removed in the next release",
        DeprecationWarning,
        stacklevel=stacklevel,
    )


class FormerName:
    """Class attribute that warns and returns the attribute `new`, which may be a method, property, field or class method.

    >>> class Circle:
    ...     radius = 2.0
    ...     size = FormerName("size", "radius")
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     print(Circle().size, caught[0].message)
    2.0 Circle.size was renamed to Circle.radius; the former name will be removed in the next release
    """

    def __init__(self, old: str, new: str) -> None:
        self.old, self.new = old, new

    def __get__(self, instance: Any, owner: type) -> Any:
        warn_renamed(f"{owner.__name__}.{self.old}", f"{owner.__name__}.{self.new}")
        return getattr(owner if instance is None else instance, self.new)


def former_arguments(**renames: str) -> Callable[[Callable[P, ResultT]], Callable[P, ResultT]]:
    """Return a decorator that accepts keyword arguments by their former names; `renames` maps former to present names.

    >>> @former_arguments(size="radius")
    ... def area(radius):
    ...     return 3 * radius**2
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     area(size=2)
    12
    """

    def decorate(function: Callable[P, ResultT]) -> Callable[P, ResultT]:
        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> ResultT:
            for old, new in renames.items():
                if old in kwargs:
                    warn_renamed(f"the argument {old} of {function.__name__}", new)
                    kwargs[new] = kwargs.pop(old)
            return function(*args, **kwargs)

        return call

    return decorate


def former_module_name(module: str, renames: dict[str, str], namespace: dict[str, Any], name: str) -> Any:
    """Return the object that a module offered under a former name and warn, for use in the module's `__getattr__`.

    Raises
    ------
    AttributeError
        If `name` is not a former name.
    """
    if name not in renames:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    warn_renamed(f"{module}.{name}", renames[name])
    return namespace[renames[name]]
