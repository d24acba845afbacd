"""Results of a sweep as a data set: dimensions for lanes and axes, units, and the complete preset in the attributes."""

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from quatviz.analysis.sweeps.chunk import SweepResults
from quatviz.analysis.sweeps.plan import POINT_DIMENSION, SweepPlan
from quatviz.analysis.sweeps.runs import STATUSES
from quatviz.base.translation import tr
from quatviz.export.table import versions
from quatviz.files.addresses import label_at
from quatviz.files.files import import_library
from quatviz.files.preset_edits import shown_title

if TYPE_CHECKING:
    import xarray

MAX_REASONS = 1000
"""Largest number of different reasons for early ends that are stored. Further reasons are replaced by the
name of the status."""


class Variable(NamedTuple):
    """An array with named dimensions and attributes."""

    dimensions: tuple[str, ...]
    """Names of the axes of `values`."""
    values: np.ndarray
    notes: dict[str, Any]
    """Attributes of the variable, such as long_name and units."""


class SweepDataset(NamedTuple):
    """A data set of plain arrays, which becomes an xarray.Dataset or, without any library, the columns of a table."""

    variables: dict[str, Variable]
    coordinates: dict[str, Variable]
    attributes: dict[str, Any]

    def as_xarray(self) -> "xarray.Dataset":
        """Return the data set as an xarray.Dataset."""
        xarray = import_library("xarray", "sweeps#files")  # a slow import
        return xarray.Dataset(*self)


def make_dataset(plan: SweepPlan, results: SweepResults, fault: str = "") -> SweepDataset:
    """Return the results so far as a data set.

    Parameters
    ----------
    plan
        Plan of the sweep.
    results
        Results so far.
    fault
        Message that says why the sweep ended early, or "".

    Returns
    -------
    SweepDataset
        `status` is -1 for points that are not computed. Axis values are coordinates with the names of `plan.axis_names`;
        random axes share the dimension `point`. `reason` is an index, starting at 1, into the list of sentences in its
        attribute `reasons`.
    """
    dimensions = ("lane", *plan.dimensions)
    codes, reasons = encode_reasons(results.reason, results.status)
    flags = {
        # of the type of `status`, as the CF conventions demand
        "flag_values": np.arange(-1, len(STATUSES), dtype=results.status.dtype),
        "flag_meanings": " ".join(("not_computed", *STATUSES)),
    }
    reason_attributes = {"long_name": "Why", "reasons": json.dumps(reasons, ensure_ascii=False)}
    variables = {
        "status": Variable(dimensions, results.status, {"long_name": "How the run ended", **flags}),
        "ended": Variable(dimensions, results.ended, {"long_name": "When the run ended early", "units": "s"}),
        "reason": Variable(dimensions, codes, reason_attributes),
    }
    for name, array in results.measured.items():
        measure = plan.measure_classes[name]
        extra_dimensions = tuple(f"{name}_{index}" for index in range(len(measure.shape)))
        notes: dict[str, Any] = {
            "long_name": measure.title,
            **({"units": measure.unit} if measure.unit else {}),
        }
        if measure.category_titles:
            notes["flag_values"] = np.arange(len(measure.category_titles), dtype=array.dtype)
            notes["flag_meanings"] = " ".join(title.replace(" ", "_") for title in measure.category_titles)
        variables[name] = Variable((*dimensions, *extra_dimensions), array, notes)
    fault_attribute = {"fault": fault} if fault else {}
    return SweepDataset(
        variables, make_coordinates(plan), {**make_attributes(plan, results), **fault_attribute}
    )


def make_coordinates(plan: SweepPlan) -> dict[str, Variable]:
    """Return the coordinates: names of lanes, values of axes with units, and components of measures."""
    variables = {"lane": Variable(("lane",), np.array(plan.lanes), {})}
    scattered = None
    if plan.random_axes:
        draws = np.zeros((plan.shape[-1], len(plan.shape)), dtype=np.int64)
        draws[:, -1] = np.arange(len(draws))
        scattered = plan.values_at(draws)
    for index, (name, address) in enumerate(zip(plan.axis_names, plan.addresses, strict=True)):
        axis, unit = plan.axes[index], plan.unit(address)
        notes = {
            "long_name": label_at(plan.preset, address), "address": address,
            **({"units": unit} if unit else {}), "scale": axis.scale,
        }  # fmt: skip
        if axis.is_random:
            assert scattered is not None
            variables[name] = Variable((POINT_DIMENSION,), scattered[:, index], notes)
        else:
            variables[name] = Variable((name,), axis.values, notes)
    for name, measure in plan.measure_classes.items():
        if measure.component_names:
            part = f"{name}_{len(measure.shape) - 1}"
            variables[part] = Variable((part,), np.array(measure.component_names), {})
    return variables


def make_attributes(plan: SweepPlan, results: SweepResults) -> dict[str, Any]:
    """Return the attributes, which suffice to repeat the sweep."""
    return {
        "title": shown_title(plan.preset),
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
    """Return an array that contains a number for the reason of each run, and the list of the different sentences. The
    number k stands for the k-th sentence, counted from 1, and 0 for no reason."""
    codes = np.zeros(reason.shape, dtype=np.int16)
    numbers: dict[str, int] = {}
    for index in np.flatnonzero(reason != ""):
        sentence = reason.flat[index]
        if sentence not in numbers and len(numbers) >= MAX_REASONS:
            sentence = STATUSES[status.flat[index]].replace("_", " ")
        codes.flat[index] = numbers.setdefault(sentence, len(numbers) + 1)
    return codes, list(numbers)
