"""What a function is compiled from: functions with the same content are the same machine code, wherever they stand."""

import dis
import sys
from collections.abc import Hashable, Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

_SETTLED = {*sys.stdlib_module_names, "numpy", "numba", "quatviz"} - {"__main__"}
"""Packages whose names mean the same as long as the process lives."""
_PLAIN = (type(None), bool, int, float, complex, str, bytes)
_FIXED = (type, BuiltinFunctionType, np.ufunc, type(np.cross))
_LARGEST = 1_000_000
"""Bytes of an array that is compared."""


def content_of(function: Any) -> Hashable | None:
    """The text of a function as Python has it, without file and line, and the values of what it names, which numba compiles in.
    None where one of them is such that it could change unseen, as a list or a module of a person's own.

    >>> first, again, other = (eval(f"lambda x: {factor} * x") for factor in (2, 2, 3))
    >>> content_of(first) == content_of(again), content_of(first) == content_of(other)
    (True, False)
    """
    try:
        return _of_function(function, ())
    except _Unsettled:
        return None


class _Unsettled(Exception):
    """A value that could change unseen."""


def _of_function(function: FunctionType, outer: tuple[FunctionType, ...]) -> Hashable:
    if function in outer:  # it calls itself
        return "again", outer.index(function)
    outer = (*outer, function)
    named = {
        name: function.__globals__[name]
        for name in _globals(function.__code__)
        if name in function.__globals__
    }
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            named[name] = cell.cell_contents
        except ValueError:
            raise _Unsettled from None
    defaults = (function.__defaults__, tuple(sorted((function.__kwdefaults__ or {}).items())))
    values = tuple((name, _of(value, outer)) for name, value in sorted(named.items()))
    return _bare(function.__code__), values, _of(defaults, outer)


def _globals(code: CodeType) -> Iterator[str]:
    """The names that it looks up outside itself, in what is defined inside it as well."""
    yield from {
        each.argval for each in dis.get_instructions(code) if each.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    }
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _globals(each)


def _bare(code: CodeType) -> CodeType:
    """Without file and lines."""
    consts = tuple(_bare(each) if isinstance(each, CodeType) else each for each in code.co_consts)
    return code.replace(co_filename="", co_firstlineno=1, co_linetable=b"", co_consts=consts)


def _of(value: Any, outer: tuple[FunctionType, ...]) -> Hashable:
    if type(value) in _PLAIN:
        return type(value), repr(value)
    if type(value) is tuple:
        return tuple(_of(each, outer) for each in value)
    if isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject and value.nbytes <= _LARGEST:
        return type(value), value.dtype.str, value.shape, value.strides, value.tobytes()
    if isinstance(value, _FIXED):
        return value
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    settled = isinstance(name, str) and name.partition(".")[0] in _SETTLED
    if settled and isinstance(value, ModuleType | FunctionType):
        return value
    if isinstance(getattr(value, "py_func", None), FunctionType):  # numba's own, around a function
        return repr(value.targetoptions), _of_function(value.py_func, outer)
    if isinstance(value, FunctionType):
        return _of_function(value, outer)
    raise _Unsettled
