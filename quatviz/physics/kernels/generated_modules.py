"""Modules of kernels that are generated from texts in a preset, so that their compiled kernels can be cached.

The name of a generated module contains a hash of its text. Every process that reads the preset creates the same module,
and so finds the kernels that another process has compiled.
"""

import hashlib
import sys
from collections.abc import Iterable
from types import ModuleType
from typing import NamedTuple


class GeneratedCode(NamedTuple):
    """Text and imports that determine the kernels of a generated module."""

    text: str
    """The complete generated text."""
    imports: tuple[str, ...]
    """Names of the modules with the functions that the generated code calls."""


_generated: dict[str, GeneratedCode] = {}


def create_module(prefix: str, text: str, imports: Iterable[str]) -> ModuleType:
    """Create the module of a generated text, or return it if it exists.

    Parameters
    ----------
    prefix
        Beginning of the name.
    text
        Everything that determines the code of the module.
    imports
        Names of the modules with the functions that the code calls.
    """
    name = f"{prefix}_{hashlib.sha256(text.encode()).hexdigest()[:40]}"
    if name not in _generated:
        sys.modules[name] = ModuleType(name)
        _generated[name] = GeneratedCode(text, tuple(sorted(set(imports))))
    return sys.modules[name]


def generated_code(name: str) -> GeneratedCode | None:
    """Return the generated code of the module `name`, or None if no such module was created."""
    return _generated.get(name)
