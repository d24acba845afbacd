"""What a sweep is to compute, settled before any work: the preset, its axes, what is measured, and the order of the points."""

import hashlib
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from quatviz.analysis.sweeps.axes import Axis, random_points
from quatviz.analysis.sweeps.measures import MEASURES
from quatviz.analysis.sweeps.order import CoarseToFine
from quatviz.base.errors import InputError, phrase
from quatviz.base.formatting import as_list
from quatviz.base.parameters import quote_value
from quatviz.files.addresses import unit_at, with_number, with_numbers
from quatviz.files.preset import LaneLike, Preset
from quatviz.files.preset_reading import format_preset
from quatviz.simulation.load_effects import short_change_remark
from quatviz.simulation.simulation import Simulation, lane_names, run_remarks

MAX_RUNS = 100_000_000
"""Of one sweep, in all its lanes: a week or more, and a gigabyte for each thing measured."""
MAX_AXES = 8
_TRIAL_POINTS = 64
"""Points at which it is tried, before work, whether there are runs."""
POINT_DIMENSION = "point"
"""The dimension of random axes."""
_TOPIC = "sweeps#axes"


@dataclass(frozen=True, eq=False)
class SweepPlan:
    """What every process that computes for a sweep is given; it pickles. Points are counted in the order in which they are
    computed, coarse ones first, from 0 to `point_count`; a point is a run in each lane of the preset."""

    preset: Preset
    """With the lanes, duration and steps of the sweep; its own numbers stand where no axis gives others."""
    addresses: tuple[str, ...]
    axes: tuple[Axis, ...]
    measures: tuple[str, ...]
    seed: int = 0

    @classmethod
    def create(
        cls,
        preset: Preset,
        over: Mapping[str, Any],
        *,
        lanes: Sequence[LaneLike] | LaneLike | None = None,
        measure: str | Sequence[str] = "flips",
        seed: int = 0,
        **settings: Any,
    ) -> "SweepPlan":
        """A plan for `preset`; `over` maps addresses of numbers to axes or lists, `measure` names what is measured,
        `settings` are those of `RunSettings`. `InputError` for what no sweep can do, before any work."""
        chosen = preset.with_run(lanes=lanes, **settings)
        lane_names(chosen.lanes)
        if not isinstance(over, Mapping) or not over or not all(isinstance(key, str) for key in over):
            raise InputError(
                "over", expected="addresses of numbers, each with its values", found=quote_value(over),
                remedy='write for example over={"body.inertia[2]": numpy.linspace(1, 3, 41)}', topic=_TOPIC,
            )  # fmt: skip
        axes = tuple(_checked_axis(chosen, address, values) for address, values in over.items())
        plan = cls(chosen, tuple(over), axes, tuple(dict.fromkeys(as_list(measure))), seed)
        _check_size(plan)
        _check_measures(plan)
        return plan

    @classmethod
    def from_preset_map(cls, preset: Preset) -> "SweepPlan":
        """The plan of the preset's own map, of its first lane; `InputError` where it has none, or one that cannot be made."""
        if preset.map is None:
            raise InputError(
                "over", expected="addresses of numbers, or a preset with a map of its own", found="none",
                remedy='write for example over={"body.inertia[2]": numpy.linspace(1, 3, 41)}', topic=_TOPIC,
            )  # fmt: skip
        over = {axis.number: Axis.from_map_axis(axis) for axis in preset.map.axes}
        return cls.create(single_lane_preset(preset, 0), over, measure=preset.map.measure)

    @cached_property
    def lanes(self) -> tuple[str, ...]:
        """The names of the lanes."""
        return tuple(lane_names(self.preset.lanes))

    @cached_property
    def grid_axes(self) -> tuple[int, ...]:
        """The places in `axes` of those that make the grid."""
        return tuple(index for index, axis in enumerate(self.axes) if not axis.is_random)

    @cached_property
    def random_axes(self) -> tuple[int, ...]:
        """The places in `axes` of those that make points."""
        return tuple(index for index, axis in enumerate(self.axes) if axis.is_random)

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The names of the dimensions of what is found, beside that of the lanes."""
        return (
            *(self.addresses[index] for index in self.grid_axes),
            *([POINT_DIMENSION] if self.random_axes else []),
        )

    @property
    def shape(self) -> tuple[int, ...]:
        """How many points there are along each dimension."""
        counts = tuple(self.axes[index].count for index in self.grid_axes)
        return (*counts, *([self.axes[self.random_axes[0]].count] if self.random_axes else []))

    @property
    def point_count(self) -> int:
        """How many points there are."""
        return math.prod(self.shape)

    @property
    def run_count(self) -> int:
        """How many runs that is, in all lanes."""
        return self.point_count * len(self.preset.lanes)

    @cached_property
    def order(self) -> CoarseToFine:
        """That of the grid. Random points follow as they are drawn, for a Sobol sequence is coarse to fine by itself."""
        return CoarseToFine([self.axes[index].count for index in self.grid_axes])

    @cached_property
    def _random_values(self) -> np.ndarray:
        return random_points([self.axes[index] for index in self.random_axes], self.seed)

    def grid_indices(self, start: int, stop: int) -> np.ndarray:
        """The numbers (n, d) along the dimensions of the points from place `start` to `stop` of the order."""
        if not self.random_axes:
            return self.order.grid_indices(start, stop)
        if not self.grid_axes:
            return np.arange(start, stop)[:, None]
        # Every point of the grid with the first random one, then with the second.
        parts, cells = [np.empty((0, len(self.grid_axes) + 1), dtype=np.int64)], self.order.count
        for draw in range(start // cells, -(-stop // cells)):
            rows = self.order.grid_indices(max(start - draw * cells, 0), min(stop - draw * cells, cells))
            parts.append(np.column_stack([rows, np.full(len(rows), draw)]))
        return np.concatenate(parts)

    def values_at(self, numbers: np.ndarray) -> np.ndarray:
        """The values (n, k) of the axes at these points (n, d)."""
        values = np.empty((len(numbers), len(self.axes)))
        for column, index in enumerate(self.grid_axes):
            values[:, index] = self.axes[index].values[numbers[:, column]]
        if self.random_axes:
            values[:, self.random_axes] = self._random_values[numbers[:, -1]]
        return values

    def with_axes(self, axes: Mapping[int, Axis]) -> "SweepPlan":
        """The same sweep over other values of its axes, by their places."""
        return replace(self, axes=tuple(axes.get(index, axis) for index, axis in enumerate(self.axes)))

    def preset_at(self, values: np.ndarray, lane: int | None = None) -> Preset:
        """The preset of a point, whose values (k,) these are; with one lane alone. Body, loads and lanes come before the
        start, which may be said by momenta. `InputError` for what no preset may be."""
        preset = with_numbers(self.preset, dict(zip(self.addresses, map(float, values), strict=True)))
        return preset if lane is None else single_lane_preset(preset, lane)

    @cached_property
    def remarks(self) -> tuple[str, ...]:
        """What has no effect on the runs or contradicts itself, and loads that change in less time than a step; a sentence each."""
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
        """What a file is known by that is to be gone on with: SHA-256 of all that decides what is found."""
        hasher = hashlib.sha256(self.preset_text.encode())
        hasher.update(repr((self.addresses, self.measures, self.seed)).encode())
        for axis in self.axes:
            hasher.update(repr((axis.sampling, axis.scale, axis.count)).encode() + axis.values.tobytes())
        return hasher.hexdigest()

    @cached_property
    def preset_text(self) -> str:
        """The preset as text; empty where a script has made a load, of which no text can tell."""
        try:
            return format_preset(self.preset)
        except InputError:
            return ""

    def unit(self, address: str) -> str:
        """The unit of an axis."""
        return unit_at(self.preset, address)


def single_lane_preset(preset: Preset, lane: int) -> Preset:
    """The preset with one of its lanes, by the name that it has among them all."""
    name = lane_names(preset.lanes)[lane]
    return preset.with_lane_loads(replace(preset.lanes[lane], name=name))


def _checked_axis(preset: Preset, address: str, values: Any) -> Axis:
    """The axis, refused where the preset has no such number, or it is a whole number."""
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
            "over", expected="as many points of each random axis", found=", ".join(map(str, sorted(counts))),
            remedy="give all of them the same number", topic=_TOPIC,
        )  # fmt: skip
    if len(plan.axes) > MAX_AXES and len(plan.grid_axes) > MAX_AXES:
        raise InputError(
            "over", expected=phrase("at most {most} axes of a grid", most=MAX_AXES), found=str(len(plan.grid_axes)),
            remedy="make them random: points of many axes need no grid", topic=_TOPIC,
        )  # fmt: skip
    if plan.run_count > MAX_RUNS:
        raise InputError(
            "over", expected=phrase("at most {most:g} runs", most=MAX_RUNS), found=f"{plan.run_count:.3g}",
            remedy="give the axes fewer values, or make them random", topic=_TOPIC,
        )  # fmt: skip


def _corners(plan: SweepPlan) -> np.ndarray:
    """The numbers (n, d) of the corners of the grid, or of some of them where there are many."""
    ends = [sorted({0, count - 1}) for count in plan.shape]
    return np.array(list(itertools.islice(itertools.product(*ends), _TRIAL_POINTS)), dtype=np.int64)


def _check_measures(plan: SweepPlan) -> None:
    """Refuse a sweep that is refused wherever it is tried, at its corners and at coarse points of the grid, and measures that its
    motions cannot have."""
    for name in plan.measures:
        numbers = math.prod(MEASURES.find(name, "measure").shape)
        if numbers * plan.run_count > MAX_RUNS:
            raise InputError(
                phrase("the measure {name}", name=name), expected=phrase("at most {most:g} numbers", most=MAX_RUNS),
                found=phrase("{numbers} of each of {runs} runs", numbers=numbers, runs=plan.run_count),
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
        for name in plan.measures:
            reason = MEASURES[name].unsupported_reason(simulation.preset, simulation.lanes[0])
            if reason:
                raise InputError(
                    phrase("the measure {name}", name=name), expected=phrase("a motion that has it"), found=reason,
                    remedy="leave this measure out, or change the preset", key="measure", topic="sweeps#measures",
                )  # fmt: skip
