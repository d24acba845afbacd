"""What a caller gives: numbers, and values for a preset's keys."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import Parameter, all_numbers, coerced, shown
from quatviz.files.preset import Preset

_JOBS = Parameter(
    name="jobs", title="Jobs", kind=int, minimum=1, optional=True, default=None,
    explanation="how many compute at once, one for each processor where it is left out",
)  # fmt: skip


def jobs_of(given: int | None) -> int | None:
    """How many are to compute at once, None for one on each processor; `InputError` for what is no whole number from 1."""
    found: int | None = coerced(_JOBS, given)
    return found


def numbers(given: ArrayLike, what: str, width: int | None = None) -> np.ndarray:
    """A copy of the numbers that were given, `width` of them in a row where that is said; `InputError` for what is none, such as
    a text, a time with a unit of its own, and what a mask hides."""
    try:
        known = all_numbers(given) or all_numbers(np.asarray(given))
        found = np.array(given if known and not np.ma.is_masked(given) else None, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        known, found = False, np.array(np.nan)
    if not known or np.ma.is_masked(given) or (width is not None and found.shape[-1:] != (width,)):
        raise InputError(
            what,
            expected="numbers"
            if width is None
            else phrase("{width} numbers, or rows of as many", width=width),
            found=shown(given),
            remedy="correct the values",
            topic="scripting#what-a-lane-knows",
        )
    return found


def time(given: ArrayLike) -> float:
    """One time [s]; `InputError` for what is none."""
    found = numbers(given, "the time")
    if found.ndim or not np.isfinite(found):
        raise InputError(
            "the time", expected="a number [s]", found=shown(given), remedy="give one time", topic="scripting#what-a-lane-knows"
        )  # fmt: skip
    return float(found)


def a_path(given: Any, what: str) -> str | Path:
    """A path as a text or a `Path`; `InputError` for what is none."""
    if isinstance(given, (str, Path)):
        return given
    if isinstance(given, os.PathLike) and isinstance(path := os.fspath(given), str):
        return path
    raise InputError(
        what, expected="a path: a text or a Path", found=shown(given), remedy="write it in quotes", topic="scripting#tables"
    )  # fmt: skip


def listed_values(values: Any) -> dict[str, list[Any]]:
    """As many values for each key of a preset; `InputError` for what is none such."""
    named = dict(values.items()) if hasattr(values, "items") and not isinstance(values, Preset) else {}
    wrong = [
        key for key, each in named.items()
        if not isinstance(key, str) or isinstance(each, (str, Mapping)) or not np.iterable(each)
    ]  # fmt: skip
    found = {} if wrong else {key: list(each) for key, each in named.items()}
    if len({len(each) for each in found.values()}) == 1:
        return found
    counts = {key: "one value" if key in wrong else len(found.get(key, ())) for key in named}
    raise InputError(
        "the values", expected="as many for each key", found=shown(counts if named else values),
        remedy="give one for each run", topic="scripting#run-a-preset",
    )  # fmt: skip
