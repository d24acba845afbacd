"""Chart of a sweep, independent of the drawing library: a map over two axes, or a diagram over one.

Window, figures and web pages draw it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from quatviz.analysis.sweeps.axes import Axis
from quatviz.analysis.sweeps.chunk import SweepResults
from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.analysis.sweeps.runs import STATUSES
from quatviz.base.formatting import format_four_digits, format_short, format_unit, nice_step, tick_values
from quatviz.base.translation import tr
from quatviz.files.addresses import label_at

COLORMAP = "viridis"
"""Perceptually uniform color map, suitable for color-blind readers and grayscale prints."""
CATEGORY_COLORS = (
    "#56b4e9",
    "#e69f00",
    "#d55e00",
    "#cc79a7",
    "#f0e442",
    "#7f7f7f",
    "#000000",
    "#0072b2",
    "#009e73",
)
"""Colors of categories, by index; color-blind safe (Okabe and Ito 2008)."""
CONTOUR_COUNT = 6
"""Approximate number of contour intervals."""
MAX_POINTS = 200_000
"""Largest number of drawn points of a section. More points would fill the plot."""
_MAX_LIST_LABELS = 12
"""Largest number of tick labels of an axis with listed values."""
_MAX_LINEAR_DECADES = 2.0
"""Ratio [decades] of the largest to the smallest value above which positive values are drawn on a logarithmic axis."""
_OK = STATUSES.index("ok")


@dataclass(frozen=True)
class AxisSpan:
    """An axis of the sweep as it is drawn. Its coordinates are its values, or their decimal logarithms if the
    axis is logarithmic.

    Cells are as wide as the spacing of the values. Values without even spacing are drawn at integer
    coordinates, their indices, with the values as tick labels.
    """

    title: str
    low: float
    high: float
    count: int
    log: bool
    listed_values: tuple[float, ...] = ()
    """Values of an axis that is drawn by index; () for other axes."""

    @classmethod
    def from_plan(cls, plan: SweepPlan, axis_index: int) -> "AxisSpan":
        """Return the span of axis `axis_index` of `plan`, on its drawn scale (linear, log or by index)."""
        address, axis = plan.addresses[axis_index], plan.axes[axis_index]
        unit = format_unit(plan.unit(address))
        axis_name = label_at(plan.preset, address)
        title = f"{axis_name} [{unit}]" if unit else axis_name
        low, high = sorted(float(axis.values[end]) for end in (0, -1))
        is_increasing = axis.is_random or (axis.sampling != "list" and axis.values[-1] > axis.values[0])
        scale = axis.scale if is_increasing else _detect_scale(axis.values)
        if not scale:
            return cls(title, 0.0, axis.count - 1.0, axis.count, False, tuple(axis.values.tolist()))
        log = scale == "log"
        ends = (math.log10(low), math.log10(high)) if log else (low, high)
        return cls(title, *ends, axis.count, log)

    @property
    def step(self) -> float:
        """Distance between neighboring values of the axis, in the coordinates in which the axis is drawn."""
        return (self.high - self.low) / (self.count - 1) if self.count > 1 else 1.0

    @property
    def edges(self) -> tuple[float, float]:
        """Outer edges of the first and the last cell, in the coordinates in which the axis is drawn."""
        return self.low - self.step / 2, self.high + self.step / 2

    @property
    def coordinates(self) -> np.ndarray:
        """Coordinates (n,) at which all values of the axis are drawn."""
        return np.linspace(self.low, self.high, self.count)

    def nearest_index(self, coordinate: float) -> int:
        """Return the index of the value nearest to a coordinate."""
        if self.step == 0.0:
            return 0
        return min(max(round((coordinate - self.low) / self.step), 0), self.count - 1)

    def value(self, coordinate: float) -> float:
        """Return the value of the axis at a coordinate, which may be a decimal logarithm or an index."""
        if self.listed_values:
            return float(np.interp(coordinate, range(self.count), self.listed_values))
        return 10.0**coordinate if self.log else coordinate

    def subrange(self, start: float, stop: float) -> Axis:
        """Return an axis with the same number of values between two coordinates. An axis of listed values keeps those
        between the coordinates."""
        if self.listed_values:
            first, last = sorted((self.nearest_index(start), self.nearest_index(stop)))
            return Axis.from_values(self.listed_values[first : last + 1])
        low, high = sorted((self.value(start), self.value(stop)))
        return Axis.between_ends(low, high, self.count, "log" if self.log else "linear")

    @property
    def tick_labels(self) -> list[tuple[float, str]] | None:
        """Coordinates and labels of listed values, thinned to fit; None if the plot chooses the ticks."""
        stride = -(-self.count // _MAX_LIST_LABELS)
        indices = range(0, self.count, stride)
        return (
            [(float(index), f"{self.listed_values[index]:.4g}") for index in indices]
            if self.listed_values
            else None
        )


@dataclass(frozen=True)
class ColorScale:
    """Mapping from values to colors.

    Values from `low` to `high` are mapped linearly, by decades if `log` is True, or in integer steps if
    `is_integer` is True. If the values are indices of categories, the coordinate of a category is its
    position among the categories that occur.
    """

    low: float
    high: float
    log: bool = False
    is_integer: bool = False
    categories: tuple[tuple[int, str], ...] = ()
    """Index and title of each category that is present."""

    @classmethod
    def from_values(
        cls, values: np.ndarray, is_integer: bool, category_titles: Sequence[str] = ()
    ) -> "ColorScale":
        """Return the color scale that covers all finite values. If `category_titles` is not empty, the values are
        indices of categories, and the scale has one color for each category."""
        finite = values[np.isfinite(values)]
        if not len(finite):
            return cls(0.0, 1.0)
        if category_titles:
            categories = tuple(
                (number, category_titles[number]) for number in np.unique(finite).astype(int).tolist()
            )
            return cls(-0.5, len(categories) - 0.5, is_integer=True, categories=categories)
        low, high = float(finite.min()), float(finite.max())
        log = not is_integer and low > 0 and math.log10(high / low) > _MAX_LINEAR_DECADES
        if log:
            low, high = math.log10(low), math.log10(high)
        if low == high:
            return cls(low - 0.5, high + 0.5, log, is_integer)
        return cls(low - 0.5, high + 0.5, is_integer=True) if is_integer else cls(low, high, log)

    def normalize(self, values: np.ndarray) -> np.ndarray:
        """Return the positions of `values` (any shape) on the color scale, from 0 at its lower end to 1 at its upper
        end. NaN stays NaN."""
        if self.categories:
            indices = np.searchsorted([number for number, _ in self.categories], values)
            return np.where(np.isfinite(values), (indices - self.low) / (self.high - self.low), np.nan)
        with np.errstate(all="ignore"):
            offsets = (np.log10(values) if self.log else values) - self.low
        return offsets / (self.high - self.low)

    def coordinates(self, values: np.ndarray) -> np.ndarray:
        """Return the coordinates of `values` (any shape) on the color scale: the values themselves, their decimal
        logarithms, or positions of categories. NaN stays NaN."""
        return self.low + self.normalize(values) * (self.high - self.low)

    @property
    def key_colors(self) -> np.ndarray:
        """Positions (256,) on the color scale, from 0 to 1, of the colors in the color bar from bottom to top."""
        coordinates = np.linspace(self.low, self.high, 256)
        coordinates = np.round(coordinates) if self.is_integer else coordinates
        return (coordinates - self.low) / (self.high - self.low)

    @property
    def inner_levels(self) -> list[float]:
        """Levels between the ends of the color scale, at which contours are drawn."""
        return [level for level in self.levels if self.low < level < self.high]

    @property
    def levels(self) -> list[float]:
        """Coordinates of contours and ticks: integers, or numbers with few digits."""
        step = nice_step(self.high - self.low, CONTOUR_COUNT)
        return tick_values(self.low, self.high, max(step, 1.0) if self.is_integer else step)

    @property
    def tick_labels(self) -> list[tuple[float, str]] | None:
        """Coordinates and labels of ticks for categories and integers; None if the plot chooses the ticks."""
        if self.categories:
            return [(float(index), tr(title)) for index, (_, title) in enumerate(self.categories)]
        return [(level, f"{level:.0f}") for level in self.levels] if self.is_integer else None

    @property
    def category_colors(self) -> list[str] | None:
        """Colors of the categories as `#rrggbb`, or None for a continuous scale."""
        return [CATEGORY_COLORS[number % len(CATEGORY_COLORS)] for number, _ in self.categories] or None

    def value_at(self, coordinate: float) -> float:
        """Return the value at a coordinate of the color scale."""
        return 10.0**coordinate if self.log else coordinate


@dataclass(frozen=True, eq=False)
class Chart:
    """One measure of one lane of a sweep, with the points computed so far.

    If the measure has several numbers per run, `component` is the index of the number to draw.
    """

    plan: SweepPlan
    results: SweepResults
    measure: str
    lane: int = 0
    component: int = 0

    @property
    def measure_class(self) -> type[SweepMeasure]:
        """Class of the measure that the chart shows."""
        return self.plan.measure_classes[self.measure]

    @cached_property
    def spans(self) -> tuple[AxisSpan, ...]:
        """Axes of the chart, the horizontal one first: the grid axes of the sweep or, if it has none, its random axes."""
        return tuple(
            AxisSpan.from_plan(self.plan, axis_index)
            for axis_index in self.plan.grid_axes or self.plan.random_axes
        )

    @cached_property
    def computed(self) -> np.ndarray:
        """Mask, with the shape of the sweep, of the points that have been computed."""
        return self.results.status[self.lane] >= 0

    @property
    def is_map(self) -> bool:
        """True if the chart is a color map over two axes."""
        return len(self.plan.grid_axes) == 2 and not self.is_section

    @property
    def is_section(self) -> bool:
        """True if the chart is a Poincaré section, with the points of all runs in one plane."""
        return bool(self.measure_class.plane_titles)

    @property
    def is_points(self) -> bool:
        """True if the chart is a scatter plot: a section, or one point per run with random values."""
        return self.is_section or not self.plan.grid_axes

    @property
    def plot_axes(self) -> tuple[tuple[str, bool], tuple[str, bool]]:
        """For each axis of a scatter plot, its title, and True if its coordinates are decimal logarithms."""
        if self.is_section:
            along, across = (
                f"{tr(title)} [{format_unit(self.measure_class.unit)}]"
                for title in self.measure_class.plane_titles
            )
            return (along, False), (across, False)
        first, *others = ((span.title, span.log) for span in self.spans)
        return first, others[0] if others else (self.measure_class.axis_label(), self.scale.log)

    @cached_property
    def point_coordinates(self) -> np.ndarray:
        """Coordinates (k, 2) of the points of a scatter plot: the points of a section, or the random values of each
        run.

        With a single random axis, the second coordinate is the measured value.
        """
        if self.is_section:
            return self._section_points[:, :2]
        values = self.plan.values_at(self.point_cells)[:, :2]
        columns = [
            np.log10(column) if span.log else column
            for span, column in zip(self.spans, values.T, strict=False)
        ]
        if len(columns) < 2:
            columns.append(self.scale.low + self._point_colors * (self.scale.high - self.scale.low))
        return np.stack(columns, axis=-1)

    @property
    def crossing_times(self) -> np.ndarray | None:
        """Crossing times (k,) [s] of the points of a section, or None if the measure does not provide them."""
        return self._section_points[:, 2] if self.is_section and self._section_points.shape[1] > 2 else None

    @cached_property
    def _section_points(self) -> np.ndarray:
        section_points: np.ndarray = self.results.measured[self.measure][self.lane]
        return section_points[self._point_indices]

    @cached_property
    def point_cells(self) -> np.ndarray:
        """Indices (k, d) of the runs to which the k drawn points belong, along the d axes of the sweep."""
        return np.stack(self._point_indices[:-1], axis=-1)

    @cached_property
    def _point_indices(self) -> tuple[np.ndarray, ...]:
        if self.is_section:
            finite = np.isfinite(self.results.measured[self.measure][self.lane]).all(axis=-1)
            indices = np.nonzero(finite & self.computed[..., None])
        else:
            holes = self.holes & (len(self.spans) > 1)  # With a single axis, holes have no second coordinate.
            indices = *np.nonzero(np.isfinite(self.values) | holes), np.empty(0, dtype=int)
        stride = -(-len(indices[0]) // MAX_POINTS) or 1
        return tuple(axis_indices[::stride] for axis_indices in indices)

    @property
    def _point_colors(self) -> np.ndarray:
        """Position (k,) on the color scale, from 0 to 1, of the value measured at each drawn point; NaN for points that
        are left blank."""
        cells = tuple(self.point_cells.T)
        return self.scale.normalize(np.where(self.holes[cells], np.nan, self.values[cells]))

    @property
    def point_shades(self) -> np.ndarray:
        """Shade (k,) of each point from 0 to 1.

        For a Poincaré section, the shade is the position of the run on the first axis of the sweep. Otherwise
        it is the position of the measured value in the color scale, and NaN for points that are left blank.
        """
        if not self.is_section:
            return self._point_colors
        span, values = self.spans[0], self.plan.values_at(self.point_cells)[:, 0]
        if span.listed_values:
            return np.asarray(self.point_cells[:, 0] / max(span.count - 1, 1))
        return ((np.log10(values) if span.log else values) - span.low) / (span.high - span.low or 1.0)

    @property
    def color_legend(self) -> str:
        """Text that explains the colors of the points."""
        span, scale = self.spans[0], self.scale
        if scale.categories:
            return tr("Colors: {title}", title=tr(self.measure_class.title))
        title, low, high = (
            (span.title, span.value(span.low), span.value(span.high))
            if self.is_section
            else (self.measure_class.axis_label(), scale.value_at(scale.low), scale.value_at(scale.high))
        )
        return tr(
            "Colors: {axis}, from {low} (dark) to {high}",
            axis=title,
            low=format_short(low),
            high=format_short(high),
        )

    @cached_property
    def values(self) -> np.ndarray:
        """Measured value of each point, in an array with the shape of the sweep. It is NaN if the point has no value or
        is not computed yet. For a Poincaré section, it is the number of crossings in the run of the point."""
        measured = self.results.measured[self.measure][self.lane]
        if self.is_section:
            return np.where(self.computed, np.isfinite(measured).all(axis=-1).sum(axis=-1), np.nan)
        values: np.ndarray = measured[..., self.component] if self.measure_class.shape else measured
        return np.where(self.computed, values, np.nan)

    @cached_property
    def holes(self) -> np.ndarray:
        """Mask of the points that are left blank, because their run was refused or ended early. If the measure
        describes the end of runs, only those of them without a value are left blank."""
        status = self.results.status[self.lane]
        holes: np.ndarray = (status >= 0) & (status != _OK)
        return holes & ~np.isfinite(self.values) if self.measure_class.measures_end else holes

    @cached_property
    def scale(self) -> ColorScale:
        """Color scale of the chart."""
        return ColorScale.from_values(
            self.values, self.measure_class.is_count, self.measure_class.category_titles
        )

    @cached_property
    def nearest_computed(self) -> tuple[np.ndarray, ...]:
        """Indices, along each axis, of the point whose value is displayed at each point.

        This is the point itself or, if the point is not computed yet, the nearest computed point of a coarser grid.
        Points far from all computed ones keep their own indices.
        """
        shape, missing = self.computed.shape, ~self.computed
        index_grids: list[np.ndarray] = [*np.indices(shape)]
        stride = 2
        while missing.any() and stride < 2 * max(shape):
            coarse = [_nearest_multiples(size, stride) for size in shape]
            available = self.computed[np.ix_(*coarse)] & missing
            for indices, nearest in zip(index_grids, np.meshgrid(*coarse, indexing="ij"), strict=True):
                indices[available] = nearest[available]
            missing &= ~available
            stride *= 2
        return tuple(index_grids)

    @property
    def filled_values(self) -> np.ndarray:
        """The array `values`, in which points that are not computed yet have the values of the nearest
        computed points of coarser grids."""
        return self.values[self.nearest_computed]

    def contours(self) -> list[np.ndarray]:
        """Return contour lines (n, 2) at `scale.levels`, in coordinates of the axes.

        Empty for counts, whose steps are visible without contours, and until all points are computed.
        """
        if (
            self.measure_class.is_count
            or not self.is_map
            or not self.computed.all()
            or min(self.values.shape) < 2
        ):
            return []
        from contourpy import contour_generator  # needed only for maps

        x_span, y_span = self.spans
        coordinates = self.scale.coordinates(self.values)
        generator = contour_generator(
            x_span.coordinates, y_span.coordinates, np.ma.masked_invalid(coordinates.T)
        )
        return [np.asarray(line) for level in self.scale.inner_levels for line in generator.lines(level)]

    def contour_marks(self) -> list[np.ndarray]:
        """Return lines (2, 2) across a color bar of width 1 at the values of the contours."""
        levels = self.scale.inner_levels if self.contours() else []
        return [np.array([[0.0, level], [1.0, level]]) for level in levels]

    def describe_cell(self, cell: Sequence[int]) -> list[str]:
        """Return lines of text about a point: its axis values, and its result or why there is none."""
        lines = [
            f"{label_at(self.plan.preset, self.plan.addresses[index])} = "
            f"{_format_value(value, self.plan.unit(self.plan.addresses[index]))}"
            for index, value in enumerate(self.axis_values(cell).tolist())
        ]
        index = (self.lane, *cell)
        status = int(self.results.status[index])
        if status < 0:
            return [*lines, tr("not computed yet")]
        value = float(self.values[tuple(cell)])
        title = tr(self.measure_class.title)
        if math.isfinite(value):
            is_integer = self.measure_class.is_count or self.is_section
            number = f"{value:.0f}" if is_integer else format_four_digits(value)
            number = (
                tr(self.measure_class.category_titles[int(value)])
                if self.measure_class.category_titles
                else number
            )
            unit = "" if is_integer else format_unit(self.measure_class.unit)
            lines.append(f"{title}: {number} {unit}".rstrip())
        elif status == _OK:
            lines.append(tr("{title}: no value for this run", title=title))
        if status != _OK:
            lines.append(tr(self.results.reason[index]))
        return lines

    def describe_point(self, number: int) -> list[str]:
        """Return lines of text about the run of a point of a scatter plot; for a section also position and time of
        the crossing.
        """
        lines = self.describe_cell(self.point_cells[number].tolist())
        if self.is_section:
            along, across = self.point_coordinates[number]
            lines.append(
                tr("at this point: {along}, {across}", along=format_short(along), across=format_short(across))
            )
        time = self.crossing_time(number)
        return lines if time is None else [*lines, tr("at t = {time:.6g} s", time=time)]

    def crossing_time(self, number: int) -> float | None:
        """Return the crossing time [s] of a point of a section, or None if the measure does not provide it."""
        return None if self.crossing_times is None else float(self.crossing_times[number])

    def describe_run(self, cell: Sequence[int], time: float | None = None) -> str:
        """Describe the run of a point by its axis values. If `time` [s] is given, it is added to the text."""
        description = ", ".join(self.describe_cell(cell)[: len(self.spans)])
        return description if time is None else tr("{run}, at t = {time:.6g} s", run=description, time=time)

    def axis_values(self, cell: Sequence[int]) -> np.ndarray:
        """Return the values (k,) of the axes at a point of the sweep."""
        return self.plan.values_at(np.array([cell], dtype=np.int64))[0]


def cell_bounds(across: AxisSpan, up: AxisSpan) -> tuple[float, float, float, float]:
    """Return left, bottom, width and height of the area that the cells of two axes cover."""
    (x_min, x_max), (low, high) = across.edges, up.edges
    return x_min, low, x_max - x_min, high - low


def join_lines(lines: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return the x and y coordinates of several lines (n, 2) as one, with a NaN after each."""
    gap = np.full((1, 2), np.nan)
    points = np.concatenate([np.empty((0, 2)), *(part for line in lines for part in (line, gap))])
    return points[:, 0], points[:, 1]


def _detect_scale(values: np.ndarray) -> str:
    """Return the scale of a list of values: "linear" or "log" if the steps or ratios are even, otherwise ""."""
    steps = np.diff(values)
    if len(values) < 3 or not (steps > 0.0).all():
        return "" if (steps <= 0.0).any() else "linear"
    if np.allclose(steps, steps.mean(), rtol=1e-6, atol=0.0):
        return "linear"
    ratios = values[1:] / values[:-1] if values[0] > 0.0 else steps
    return "log" if np.allclose(ratios, ratios.mean(), rtol=1e-6, atol=0.0) else ""


def _nearest_multiples(size: int, stride: int) -> np.ndarray:
    """Return an array (size,) that contains, for each integer below `size`, the nearest multiple of `stride` that is
    below `size`."""
    multiples: np.ndarray = (
        np.minimum((np.arange(size) + stride // 2) // stride, (size - 1) // stride) * stride
    )
    return multiples


def _format_value(value: float, unit: str) -> str:
    return f"{value:.6g} {format_unit(unit)}".rstrip()
