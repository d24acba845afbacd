"""Checks of the arguments that scripts pass to the functions of the api."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import Parameter, coerce, is_numeric, quote_value
from quatviz.files.preset import Preset

_JOBS_PARAMETER = Parameter(
    name="jobs", title="Jobs", value_type=int, minimum=1, optional=True, default=None,
    explanation="number of parallel computations; by default one for each processor",
)  # fmt: skip


def checked_jobs(value: int | None) -> int | None:
    """Return `value` if it is a valid number of parallel computations. None is also valid, and means one computation
    per processor.

    Raise an `InputError` for anything but a positive integer or None.
    """
    jobs: int | None = coerce(_JOBS_PARAMETER, value)
    return jobs


def checked_numbers(values: ArrayLike, name: str, width: int | None = None) -> np.ndarray:
    """Return a float64 copy of numeric values.

    Parameters
    ----------
    values
        Numbers. Texts, quantities with their own unit and masked values are rejected.
    name
        Name in the error.
    width
        Required length of the last axis, or None.

    Raises
    ------
    InputError
        If the values are not numbers or have another shape.
    """
    try:
        known = is_numeric(values) or is_numeric(np.asarray(values))
        array = np.array(values if known and not np.ma.is_masked(values) else None, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        known, array = False, np.array(np.nan)
    if not known or np.ma.is_masked(values) or (width is not None and array.shape[-1:] != (width,)):
        raise InputError(
            name,
            expected="numbers"
            if width is None
            else phrase("{width} numbers, or rows of {width} numbers", width=width),
            found=quote_value(values),
            remedy="correct the values",
            topic="scripting#results-of-a-lane",
        )
    return array


def checked_time(value: ArrayLike) -> float:
    """Return `value` as one finite time [s], or raise an `InputError`."""
    array = checked_numbers(value, "the time")
    if array.ndim or not np.isfinite(array):
        raise InputError(
            "the time",
            expected="a number [s]",
            found=quote_value(value),
            remedy="give one time",
            topic="scripting#results-of-a-lane",
        )
    return float(array)


def checked_path(value: Any, name: str) -> str | Path:
    """Return a path as text or `Path`. Raise an `InputError` if `value` is not a path."""
    if isinstance(value, (str, Path)):
        return value
    if isinstance(value, os.PathLike) and isinstance(path := os.fspath(value), str):
        return path
    raise InputError(
        name, expected="a path, as a text or a pathlib.Path", found=quote_value(value), remedy="write it in quotes",
        topic="scripting#tables",
    )  # fmt: skip


def checked_value_lists(values: Any) -> dict[str, list[Any]]:
    """Return the argument `values` of `simulate_many`: one list per key of a preset, all of equal length.
    Raise an `InputError` for anything else."""
    values_by_key = (
        dict(values.items()) if hasattr(values, "items") and not isinstance(values, Preset) else {}
    )
    invalid_keys = [
        key for key, items in values_by_key.items()
        if not isinstance(key, str) or isinstance(items, (str, Mapping)) or not np.iterable(items)
    ]  # fmt: skip
    lists = {} if invalid_keys else {key: list(items) for key, items in values_by_key.items()}
    if len({len(items) for items in lists.values()}) == 1:
        return lists
    counts = {key: "one value" if key in invalid_keys else len(lists.get(key, ())) for key in values_by_key}
    raise InputError(
        "the values", expected="the same number of values for every key", found=quote_value(counts if values_by_key else values),
        remedy="give one value for each run", topic="scripting#run-a-preset",
    )  # fmt: skip
