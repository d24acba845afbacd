"""What a sweep found as a data set: dimensions for lanes and axes, units, and the whole preset in its attributes."""

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from quatviz.analysis.sweeps.chunk import SweepResults
from quatviz.analysis.sweeps.measures import MEASURES
from quatviz.analysis.sweeps.plan import POINT_DIMENSION, SweepPlan
from quatviz.analysis.sweeps.runs import STATUSES
from quatviz.base.translation import tr
from quatviz.export.table import versions
from quatviz.files.files import import_library

if TYPE_CHECKING:
    import xarray

MAX_REASONS = 1000
"""Sentences that are kept for holes; what is beyond them is told by its status in a word."""


class Variable(NamedTuple):
    """An array whose axes have names, and what is said of it."""

    dimensions: tuple[str, ...]
    values: np.ndarray
    notes: dict[str, Any]


class SweepDataset(NamedTuple):
    """A data set as plain arrays: what xarray makes its own of, and a table takes its columns from without any library."""

    variables: dict[str, Variable]
    coordinates: dict[str, Variable]
    attributes: dict[str, Any]

    def as_xarray(self) -> "xarray.Dataset":
        """The same as xarray has it."""
        xarray = import_library("xarray", "sweeps#files")  # late: half a second of imports
        return xarray.Dataset(*self)


def make_dataset(plan: SweepPlan, results: SweepResults, fault: str = "") -> SweepDataset:
    """The data set of what was found so far (`status` is -1 where nothing was), and by what `fault` that is not all. Values of
    axes are coordinates by their addresses; those of random axes stand along `point`. `reason` is a number in the list of sentences
    in its attribute `reasons`, from 1 on."""
    dimensions = ("lane", *plan.dimensions)
    codes, reasons = encode_reasons(results.reason, results.status)
    flags = {
        "flag_values": list(range(-1, len(STATUSES))),
        "flag_meanings": " ".join(("not_computed", *STATUSES)),
    }
    reason_attributes = {"long_name": "Why", "reasons": json.dumps(reasons, ensure_ascii=False)}
    variables = {
        "status": Variable(dimensions, results.status, {"long_name": "How the run ended", **flags}),
        "ended": Variable(dimensions, results.ended, {"long_name": "When the run ended early", "units": "s"}),
        "reason": Variable(dimensions, codes, reason_attributes),
    }
    for name, array in results.measured.items():
        measure = MEASURES[name]
        extra_dimensions = tuple(f"{name}_{index}" for index in range(len(measure.shape)))
        notes: dict[str, Any] = {
            "long_name": measure.title,
            **({"units": measure.unit} if measure.unit else {}),
        }
        if measure.category_titles:
            notes["flag_values"] = list(range(len(measure.category_titles)))
            notes["flag_meanings"] = " ".join(title.replace(" ", "_") for title in measure.category_titles)
        variables[name] = Variable((*dimensions, *extra_dimensions), array, notes)
    fault_attribute = {"fault": fault} if fault else {}
    return SweepDataset(
        variables, make_coordinates(plan), {**make_attributes(plan, results), **fault_attribute}
    )


def make_coordinates(plan: SweepPlan) -> dict[str, Variable]:
    """Names of lanes, values of axes with their units, parts of what is measured."""
    variables = {"lane": Variable(("lane",), np.array(plan.lanes), {})}
    scattered = None
    if plan.random_axes:
        draws = np.zeros((plan.shape[-1], len(plan.shape)), dtype=np.int64)
        draws[:, -1] = np.arange(len(draws))
        scattered = plan.values_at(draws)
    for index, address in enumerate(plan.addresses):
        axis, unit = plan.axes[index], plan.unit(address)
        notes = {**({"units": unit} if unit else {}), "scale": axis.scale}
        if axis.is_random:
            assert scattered is not None
            variables[address] = Variable((POINT_DIMENSION,), scattered[:, index], notes)
        else:
            variables[address] = Variable((address,), axis.values, notes)
    for name in plan.measures:
        if MEASURES[name].component_names:
            part = f"{name}_{len(MEASURES[name].shape) - 1}"
            variables[part] = Variable((part,), np.array(MEASURES[name].component_names), {})
    return variables


def make_attributes(plan: SweepPlan, results: SweepResults) -> dict[str, Any]:
    """What repeats the sweep."""
    return {
        "title": plan.preset.title,
        "preset": plan.preset_text,
        "axes": json.dumps(list(plan.addresses)),
        "measures": json.dumps(list(plan.measures)),
        "seed": plan.seed,
        "digest": plan.digest,
        "complete": int((results.status >= 0).all()),
        "versions": json.dumps(versions(plan.preset)),
        "warnings": json.dumps([tr(remark) for remark in plan.remarks], ensure_ascii=False),
    }


def encode_reasons(reason: np.ndarray, status: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Numbers of sentences, from 1 on, 0 for none; and the sentences, of which there are few."""
    codes = np.zeros(reason.shape, dtype=np.int16)
    numbers: dict[str, int] = {}
    for index in np.flatnonzero(reason != ""):
        sentence = reason.flat[index]
        if sentence not in numbers and len(numbers) >= MAX_REASONS:
            sentence = STATUSES[status.flat[index]].replace("_", " ")
        codes.flat[index] = numbers.setdefault(sentence, len(numbers) + 1)
    return codes, list(numbers)
