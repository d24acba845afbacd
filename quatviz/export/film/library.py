"""Import of PyAV, which writes films. It is an optional dependency because it is large."""

import importlib
import shlex
import sys
from typing import Any

from quatviz.base.errors import InputError, phrase

REQUIREMENT = "av>=14,<19"
"""Requirement specifier of PyAV, the same as in the extra `film` of pyproject.toml."""


def film_library() -> Any:
    """Return the module `av`.

    Raises
    ------
    InputError
        If the module cannot be imported. The remedy is the command that installs it.
    """
    try:
        return importlib.import_module("av")
    except ImportError as error:
        raise InputError(
            "writing a film",
            expected="PyAV, which film export needs",
            found="it is not installed"
            if isinstance(error, ModuleNotFoundError)
            else phrase("importing PyAV fails: {error}", error=error),
            remedy=phrase(
                '{python} -m pip install "{requirement}"',
                python=shlex.quote(sys.executable),
                requirement=REQUIREMENT,
            ),
            topic="errors#exports",
        ) from None
