"""PyAV, which writes films. It is large, and few need it: an extra."""

import importlib
import shlex
import sys
from typing import Any

from quatviz.base.errors import InputError, phrase

REQUIREMENT = "av>=14,<19"
"""As in the extra `film` of pyproject.toml."""


def film_library() -> Any:
    """The module `av`; an `InputError` that says which command adds it."""
    try:
        return importlib.import_module("av")
    except ImportError as error:
        raise InputError(
            "writing a film",
            expected="the library PyAV",
            found="it is not installed"
            if isinstance(error, ModuleNotFoundError)
            else phrase("it fails: {error}", error=error),
            remedy=phrase(
                '{python} -m pip install "{requirement}"',
                python=shlex.quote(sys.executable),
                requirement=REQUIREMENT,
            ),
            topic="errors#exports",
        ) from None
