"""Fingerprint of a function: equal fingerprints mean that numba would compile the same machine code."""

import dis
import sys
from collections.abc import Hashable, Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

_IMMUTABLE_PACKAGES = {*sys.stdlib_module_names, "numpy", "numba", "quatviz"} - {"__main__"}
"""Packages whose contents do not change while the process runs."""
_PLAIN_TYPES = (type(None), bool, int, float, complex, str, bytes)
_FIXED_TYPES = (type, BuiltinFunctionType, np.ufunc, type(np.cross))
_MAX_ARRAY_BYTES = 1_000_000
"""Largest size [bytes] of an array whose content becomes part of a fingerprint."""


def fingerprint(function: Any) -> Hashable | None:
    """Return a hashable value that represents the bytecode of a function and all values to which the function refers
    and which numba compiles into the machine code.

    Parameters
    ----------
    function
        A Python function. Its file and line numbers do not matter.

    Returns
    -------
    Hashable or None
        The fingerprint, or None if a referenced value could change unnoticed, such as a list or a module of the
        user.

    Examples
    --------
    >>> first, again, other = (eval(f"lambda x: {factor} * x") for factor in (2, 2, 3))
    >>> fingerprint(first) == fingerprint(again), fingerprint(first) == fingerprint(other)
    (True, False)
    """
    try:
        return _function_fingerprint(function, ())
    except _NotFingerprintable:
        return None


class _NotFingerprintable(Exception):
    """Raised if a function refers to a value that could change unnoticed."""


def _function_fingerprint(function: FunctionType, enclosing: tuple[FunctionType, ...]) -> Hashable:
    if function in enclosing:  # a recursive call
        return "again", enclosing.index(function)
    enclosing = (*enclosing, function)
    referenced = {
        name: function.__globals__[name]
        for name in _global_names(function.__code__)
        if name in function.__globals__
    }
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            referenced[name] = cell.cell_contents
        except ValueError:
            raise _NotFingerprintable from None
    defaults = (function.__defaults__, tuple(sorted((function.__kwdefaults__ or {}).items())))
    values = tuple((name, _value_fingerprint(value, enclosing)) for name, value in sorted(referenced.items()))
    return _strip_locations(function.__code__), values, _value_fingerprint(defaults, enclosing)


def _global_names(code: CodeType) -> Iterator[str]:
    """Yield the global names that the code reads, including code nested in it."""
    yield from {
        item.argval for item in dis.get_instructions(code) if item.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    }
    for item in code.co_consts:
        if isinstance(item, CodeType):
            yield from _global_names(item)


def _strip_locations(code: CodeType) -> CodeType:
    """Return a copy of the code without file name and line numbers."""
    consts = tuple(
        _strip_locations(constant) if isinstance(constant, CodeType) else constant
        for constant in code.co_consts
    )
    return code.replace(co_filename="", co_firstlineno=1, co_linetable=b"", co_consts=consts)


def _value_fingerprint(value: Any, enclosing: tuple[FunctionType, ...]) -> Hashable:
    if type(value) in _PLAIN_TYPES:
        return type(value), repr(value)
    if type(value) is tuple:
        return tuple(_value_fingerprint(item, enclosing) for item in value)
    if (
        isinstance(value, np.ndarray | np.generic)
        and not value.dtype.hasobject
        and value.nbytes <= _MAX_ARRAY_BYTES
    ):
        return type(value), value.dtype.str, value.shape, value.strides, value.tobytes()
    if isinstance(value, _FIXED_TYPES):
        return value
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    is_immutable = isinstance(name, str) and name.partition(".")[0] in _IMMUTABLE_PACKAGES
    if is_immutable and isinstance(value, ModuleType | FunctionType):
        return value
    if isinstance(getattr(value, "py_func", None), FunctionType):  # a numba dispatcher
        return repr(value.targetoptions), _function_fingerprint(value.py_func, enclosing)
    if isinstance(value, FunctionType):
        return _function_fingerprint(value, enclosing)
    raise _NotFingerprintable
