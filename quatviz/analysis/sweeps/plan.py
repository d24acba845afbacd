"""Plan of a sweep, checked before any computation: the preset, its axes, the measures and the order of the points."""

import hashlib
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from quatviz.analysis.sweeps.axes import Axis, random_points
from quatviz.analysis.sweeps.measures import MEASURES
from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.order import CoarseToFine
from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import quote_value
from quatviz.files.addresses import full_address, unit_at, with_number, with_numbers
from quatviz.files.preset import LaneLike, Preset
from quatviz.files.preset_reading import format_preset
from quatviz.simulation.load_effects import short_change_remark
from quatviz.simulation.simulation import Simulation, lane_names, run_remarks

MAX_RUNS = 100_000_000
"""Largest number of runs of a sweep, summed over all lanes. So many runs take a week or more, and one gigabyte per
measure."""
MAX_AXES = 8
"""Largest number of axes of a grid."""
_TRIAL_POINTS = 64
"""Largest number of corners of the grid, and of its coarsest points, that are tried when the plan is checked."""
POINT_DIMENSION = "point"
"""Name of the dimension that all random axes share."""
_TOPIC = "sweeps#axes"

MeasureLike: TypeAlias = str | type[SweepMeasure]
"""Name of a registered measure, or the class of one of your own."""


@dataclass(frozen=True, eq=False)
class SweepPlan:
    """All inputs of a sweep; picklable, so that every worker receives the same plan.

    Points are numbered from 0 to `point_count` - 1 in the order in which they are computed, coarse before fine. Each
    point is one run in each lane of the preset.
    """

    preset: Preset
    """Preset with the lanes, duration and steps of the sweep. Axes replace some of its numbers."""
    addresses: tuple[str, ...]
    """Addresses of the numbers that the axes vary."""
    axes: tuple[Axis, ...]
    measures: tuple[str, ...]
    """Names of the measures that are computed for each run."""
    seed: int = 0
    """Seed that scrambles the Sobol sequence of the random axes."""
    short_names: tuple[str, ...] = ()
    """Short names of the axes for the results; empty if the results use the addresses as names."""
    own_measures: tuple[type[SweepMeasure], ...] = ()
    """Classes of measures that are not registered, such as functions of a script."""

    @classmethod
    def create(
        cls,
        preset: Preset,
        over: Mapping[str, Any],
        *,
        lanes: Sequence[LaneLike] | LaneLike | None = None,
        measure: MeasureLike | Sequence[MeasureLike] = "flips",
        seed: int = 0,
        **settings: Any,
    ) -> "SweepPlan":
        """Return a plan for a preset.

        Parameters
        ----------
        preset
            Preset to vary.
        over
            Maps the address of each number of the preset that varies to its axis or to a list of values. The
            last part of an address, such as `weight`, suffices if no other number has the same last part.
        lanes
            Lanes or formulation names; by default those of the preset.
        measure
            Names of the measures, or classes of your own.
        seed
            Seed of the random axes.
        **settings
            Settings of `RunSettings`, such as duration and dt.

        Returns
        -------
        SweepPlan
            The plan.

        Raises
        ------
        InputError
            If the sweep cannot be computed.
        """
        chosen = preset.with_run(lanes=lanes, **settings)
        lane_names(chosen.lanes)
        if not isinstance(over, Mapping) or not over or not all(isinstance(key, str) for key in over):
            raise InputError(
                "over", expected="addresses of numbers, each with its values", found=quote_value(over),
                remedy='write for example over={"body.inertia[2]": numpy.linspace(1, 3, 41)}', topic=_TOPIC,
            )  # fmt: skip
        addresses = tuple(full_address(chosen, name) for name in over)
        axes = tuple(map(_checked_axis, itertools.repeat(chosen), addresses, over.values()))
        measures = [measure] if isinstance(measure, str | type) else list(measure)
        own = tuple(item for item in measures if isinstance(item, type))
        names = dict.fromkeys(item.name if isinstance(item, type) else item for item in measures)
        plan = cls(chosen, addresses, axes, tuple(names), seed, tuple(over), own)
        _check_size(plan)
        _check_measures(plan)
        return plan

    @classmethod
    def from_preset_map(cls, preset: Preset) -> "SweepPlan":
        """Return the plan of the map that a preset defines, for its first lane. Raises `InputError` if it defines none."""
        if preset.map is None:
            raise InputError(
                "over", expected="addresses of numbers, or a preset that defines a map", found="none",
                remedy='write for example over={"body.inertia[2]": numpy.linspace(1, 3, 41)}', topic=_TOPIC,
            )  # fmt: skip
        over = {axis.number: Axis.from_map_axis(axis) for axis in preset.map.axes}
        return cls.create(single_lane_preset(preset, 0), over, measure=preset.map.measure)

    @cached_property
    def lanes(self) -> tuple[str, ...]:
        """Names of the lanes in which every point is computed."""
        return tuple(lane_names(self.preset.lanes))

    @cached_property
    def grid_axes(self) -> tuple[int, ...]:
        """Indices of the axes that form the grid."""
        return tuple(index for index, axis in enumerate(self.axes) if not axis.is_random)

    @cached_property
    def random_axes(self) -> tuple[int, ...]:
        """Indices of the random axes."""
        return tuple(index for index, axis in enumerate(self.axes) if axis.is_random)

    @property
    def axis_names(self) -> tuple[str, ...]:
        """Names of the axes in the results: their addresses, unless shorter names were given."""
        return self.short_names or self.addresses

    @cached_property
    def measure_classes(self) -> dict[str, type[SweepMeasure]]:
        """Classes of the measures by name. Raises `InputError` for an unknown name."""
        own = {measure.name: measure for measure in self.own_measures}
        return {name: own.get(name) or MEASURES.find(name, "measure") for name in self.measures}

    @property
    def dimensions(self) -> tuple[str, ...]:
        """Names of the dimensions of the results, without that of the lanes."""
        return (
            *(self.axis_names[index] for index in self.grid_axes),
            *([POINT_DIMENSION] if self.random_axes else []),
        )

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of points along each dimension."""
        counts = tuple(self.axes[index].count for index in self.grid_axes)
        return (*counts, *([self.axes[self.random_axes[0]].count] if self.random_axes else []))

    @property
    def point_count(self) -> int:
        """Number of points."""
        return math.prod(self.shape)

    @property
    def run_count(self) -> int:
        """Number of runs in all lanes."""
        return self.point_count * len(self.preset.lanes)

    @cached_property
    def order(self) -> CoarseToFine:
        """Order of the grid points. Random points are computed as drawn, because a Sobol sequence is coarse to fine
        by itself.
        """
        return CoarseToFine([self.axes[index].count for index in self.grid_axes])

    @cached_property
    def _random_values(self) -> np.ndarray:
        return random_points([self.axes[index] for index in self.random_axes], self.seed)

    def grid_indices(self, start: int, stop: int) -> np.ndarray:
        """Return the indices (n, d) along each dimension of the points from position `start` to `stop` of the order."""
        if not self.random_axes:
            return self.order.grid_indices(start, stop)
        if not self.grid_axes:
            return np.arange(start, stop)[:, None]
        # All grid points with the first random point, then with the second, and so on.
        parts, cells = [np.empty((0, len(self.grid_axes) + 1), dtype=np.int64)], self.order.count
        for draw in range(start // cells, -(-stop // cells)):
            rows = self.order.grid_indices(max(start - draw * cells, 0), min(stop - draw * cells, cells))
            parts.append(np.column_stack([rows, np.full(len(rows), draw)]))
        return np.concatenate(parts)

    def values_at(self, numbers: np.ndarray) -> np.ndarray:
        """Return the axis values (n, k) at points that are given by their indices (n, d)."""
        values = np.empty((len(numbers), len(self.axes)))
        for column, index in enumerate(self.grid_axes):
            values[:, index] = self.axes[index].values[numbers[:, column]]
        if self.random_axes:
            values[:, self.random_axes] = self._random_values[numbers[:, -1]]
        return values

    def with_axes(self, axes: Mapping[int, Axis]) -> "SweepPlan":
        """Return a copy of the plan in which some axes are replaced, given by index."""
        return replace(self, axes=tuple(axes.get(index, axis) for index, axis in enumerate(self.axes)))

    def preset_at(self, values: np.ndarray, lane: int | None = None) -> Preset:
        """Return the preset of a point with the given axis values (k,), with all lanes or only one.

        Raises `InputError` for values that a preset must not have. Body, loads and lanes are set before the initial
        conditions, which may be given by momenta.
        """
        preset = with_numbers(self.preset, dict(zip(self.addresses, map(float, values), strict=True)))
        return preset if lane is None else single_lane_preset(preset, lane)

    @cached_property
    def remarks(self) -> tuple[str, ...]:
        """Remarks about settings that have no effect or contradict each other, and about loads that change within one step."""
        remarks = list(run_remarks(self.preset))
        values = self.values_at(_corners(self))
        for lane in range(len(self.preset.lanes)):
            remarks.append(
                next(filter(None, (self._short_change_remark(point, lane) for point in values)), "")
            )
        return tuple(dict.fromkeys(filter(None, remarks)))

    def _short_change_remark(self, values: np.ndarray, lane: int) -> str:
        try:
            return short_change_remark(Simulation(self.preset_at(values, lane)).lanes[0].problem)
        except InputError:  # a point without a run
            return ""

    @cached_property
    def digest(self) -> str:
        """SHA-256 of everything that determines the results. It identifies the file of a sweep that is to be resumed."""
        hasher = hashlib.sha256(self.preset_text.encode())
        hasher.update(repr((self.addresses, self.measures, self.seed)).encode())
        if self.axis_names != self.addresses:
            hasher.update(repr(self.axis_names).encode())
        for measure in self.own_measures:
            hasher.update(measure.source_digest().encode())
        for axis in self.axes:
            hasher.update(repr((axis.sampling, axis.scale, axis.count)).encode() + axis.values.tobytes())
        return hasher.hexdigest()

    @cached_property
    def preset_text(self) -> str:
        """The preset as text; "" if a script defined one of its loads, which has no text."""
        try:
            return format_preset(self.preset)
        except InputError:
            return ""

    def unit(self, address: str) -> str:
        """Return the unit of an axis."""
        return unit_at(self.preset, address)


def single_lane_preset(preset: Preset, lane: int) -> Preset:
    """Return the preset with only one of its lanes. The lane keeps the name that it has among all lanes."""
    name = lane_names(preset.lanes)[lane]
    return preset.with_lane_loads(replace(preset.lanes[lane], name=name))


def _checked_axis(preset: Preset, address: str, values: Any) -> Axis:
    """Return the axis that varies the number at `address` over `values`. Raises `InputError` if the preset
    has no such number, or if the number is an integer."""
    try:
        axis = Axis.from_values(values)
    except InputError as refusal:
        raise refusal.with_place(phrase("the axis {address}", address=address), address) from None
    try:
        with_number(preset, address, float(axis.values[0]))
    except InputError as refusal:
        if refusal.topic == _TOPIC:
            raise
    return axis


def _check_size(plan: SweepPlan) -> None:
    counts = {axis.count for axis in plan.axes if axis.is_random}
    if len(counts) > 1:
        raise InputError(
            "over", expected="the same number of points on all random axes", found=", ".join(map(str, sorted(counts))),
            remedy="give all of them the same number", topic=_TOPIC,
        )  # fmt: skip
    if len(plan.axes) > MAX_AXES and len(plan.grid_axes) > MAX_AXES:
        raise InputError(
            "over", expected=phrase("at most {most} axes of a grid", most=MAX_AXES), found=str(len(plan.grid_axes)),
            remedy="make the axes random; random points need no grid", topic=_TOPIC,
        )  # fmt: skip
    if plan.run_count > MAX_RUNS:
        raise InputError(
            "over", expected=phrase("at most {most:g} runs", most=MAX_RUNS), found=f"{plan.run_count:.3g}",
            remedy="give the axes fewer values, or make them random", topic=_TOPIC,
        )  # fmt: skip


def _corners(plan: SweepPlan) -> np.ndarray:
    """Return the indices (n, d) of the corners of the grid. If the grid has many corners, return a selection
    of them."""
    ends = [sorted({0, count - 1}) for count in plan.shape]
    return np.array(list(itertools.islice(itertools.product(*ends), _TRIAL_POINTS)), dtype=np.int64)


def _check_measures(plan: SweepPlan) -> None:
    """Raise `InputError` if the presets of all tried points are refused, or if the motions do not have a measure.

    The tried points are the corners of the grid and its coarsest points.
    """
    for name, measure in plan.measure_classes.items():
        numbers = math.prod(measure.shape)
        if numbers * plan.run_count > MAX_RUNS:
            raise InputError(
                phrase("the measure {name}", name=name), expected=phrase("at most {most:g} numbers", most=MAX_RUNS),
                found=phrase("{numbers} from each of {runs} runs", numbers=numbers, runs=plan.run_count),
                remedy="give the axes fewer values, or make them random", key="measure", topic=_TOPIC,
            )  # fmt: skip
    trials = plan.values_at(
        np.concatenate([_corners(plan), plan.grid_indices(0, min(_TRIAL_POINTS, plan.point_count))])
    )
    for lane in range(len(plan.preset.lanes)):
        refusal, simulation = None, None
        for values in trials:
            try:
                simulation = Simulation(plan.preset_at(values, lane))
                break
            except InputError as refused:
                refusal = refusal or refused
        if simulation is None:
            assert refusal is not None
            raise refusal
        for name, measure in plan.measure_classes.items():
            reason = measure.unsupported_reason(simulation.preset, simulation.lanes[0])
            if reason:
                raise InputError(
                    phrase("the measure {name}", name=name), found=reason,
                    expected=phrase("a motion for which the measure is defined"),
                    remedy="remove this measure, or change the preset", key="measure", topic="sweeps#measures",
                )  # fmt: skip
