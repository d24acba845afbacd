"""What a sweep found as a data set: dimensions for lanes and axes, units, and the whole preset in its attributes."""

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from quatviz.analysis.sweeps.chunk import Found
from quatviz.analysis.sweeps.measures import MEASURES
from quatviz.analysis.sweeps.plan import POINT, SweepPlan
from quatviz.analysis.sweeps.runs import STATUSES
from quatviz.export.table import versions
from quatviz.files.files import file_library

if TYPE_CHECKING:
    import xarray

MOST_REASONS = 1000
"""Sentences that are kept for holes; what is beyond them is told by its status in a word."""


class Variable(NamedTuple):
    """An array whose axes have names, and what is said of it."""

    dimensions: tuple[str, ...]
    values: np.ndarray
    notes: dict[str, Any]


class Contents(NamedTuple):
    """A data set as plain arrays: what xarray makes its own of, and a table takes its columns from without any library."""

    variables: dict[str, Variable]
    coordinates: dict[str, Variable]
    attributes: dict[str, Any]

    def as_xarray(self) -> "xarray.Dataset":
        """The same as xarray has it."""
        xarray = file_library("xarray", "sweeps#files")  # late: half a second of imports
        return xarray.Dataset(*self)


def contents(plan: SweepPlan, found: Found, fault: str = "") -> Contents:
    """The data set of what was found so far (`status` is -1 where nothing was), and by what `fault` that is not all. Values of
    axes are coordinates by their addresses; those of random axes stand along `point`. `reason` is a number in the list of sentences
    in its attribute `reasons`, from 1 on."""
    dimensions = ("lane", *plan.dimensions)
    codes, reasons = coded(found.reason, found.status)
    flags = {
        "flag_values": list(range(-1, len(STATUSES))),
        "flag_meanings": " ".join(("not_computed", *STATUSES)),
    }
    why = {"long_name": "Why", "reasons": json.dumps(reasons, ensure_ascii=False)}
    variables = {
        "status": Variable(dimensions, found.status, {"long_name": "How the run ended", **flags}),
        "ended": Variable(dimensions, found.ended, {"long_name": "When the run ended early", "units": "s"}),
        "reason": Variable(dimensions, codes, why),
    }
    for name, array in found.measured.items():
        kind = MEASURES[name]
        own = tuple(f"{name}_{place}" for place in range(len(kind.shape)))
        said: dict[str, Any] = {"long_name": kind.title, **({"units": kind.unit} if kind.unit else {})}
        if kind.kinds:
            said["flag_values"] = list(range(len(kind.kinds)))
            said["flag_meanings"] = " ".join(title.replace(" ", "_") for title in kind.kinds)
        variables[name] = Variable((*dimensions, *own), array, said)
    lack = {"fault": fault} if fault else {}
    return Contents(variables, coordinates(plan), {**attributes(plan, found), **lack})


def coordinates(plan: SweepPlan) -> dict[str, Variable]:
    """Names of lanes, values of axes with their units, parts of what is measured."""
    found = {"lane": Variable(("lane",), np.array(plan.lanes), {})}
    scattered = None
    if plan.scattered:
        draws = np.zeros((plan.shape[-1], len(plan.shape)), dtype=np.int64)
        draws[:, -1] = np.arange(len(draws))
        scattered = plan.values(draws)
    for place, address in enumerate(plan.addresses):
        axis, unit = plan.axes[place], plan.unit(address)
        said = {**({"units": unit} if unit else {}), "scale": axis.scale}
        if axis.is_random:
            assert scattered is not None
            found[address] = Variable((POINT,), scattered[:, place], said)
        else:
            found[address] = Variable((address,), axis.values, said)
    for name in plan.measures:
        if MEASURES[name].parts:
            part = f"{name}_{len(MEASURES[name].shape) - 1}"
            found[part] = Variable((part,), np.array(MEASURES[name].parts), {})
    return found


def attributes(plan: SweepPlan, found: Found) -> dict[str, Any]:
    """What repeats the sweep."""
    return {
        "title": plan.preset.title,
        "preset": plan.text,
        "axes": json.dumps(list(plan.addresses)),
        "measures": json.dumps(list(plan.measures)),
        "seed": plan.seed,
        "digest": plan.digest,
        "complete": int((found.status >= 0).all()),
        "versions": json.dumps(versions(plan.preset)),
    }


def coded(reason: np.ndarray, status: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Numbers of sentences, from 1 on, 0 for none; and the sentences, of which there are few."""
    codes = np.zeros(reason.shape, dtype=np.int16)
    numbers: dict[str, int] = {}
    for place in np.flatnonzero(reason != ""):
        said = reason.flat[place]
        if said not in numbers and len(numbers) >= MOST_REASONS:
            said = STATUSES[status.flat[place]].replace("_", " ")
        codes.flat[place] = numbers.setdefault(said, len(numbers) + 1)
    return codes, list(numbers)
