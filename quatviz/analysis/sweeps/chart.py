"""What is drawn of a sweep: a map over two axes, or a diagram over one. Windows, figures and pages draw it; nothing here does."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from quatviz.analysis.sweeps.axes import Axis
from quatviz.analysis.sweeps.chunk import Found
from quatviz.analysis.sweeps.measures import MEASURES
from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.analysis.sweeps.runs import STATUSES
from quatviz.base.formatting import four_digits, nice_step, short_number, ticks, unit_text
from quatviz.base.translation import told, tr
from quatviz.files.addresses import words_at

COLOURS = "viridis"
"""Even steps of it look like even steps, to eyes that lack a kind of cones too, and on grey paper."""
KINDS = ("#56b4e9", "#e69f00", "#d55e00", "#cc79a7", "#f0e442", "#7f7f7f", "#000000", "#0072b2", "#009e73")
"""Of kinds, by their numbers: told apart by eyes that lack a kind of cones, too (Okabe and Ito 2008)."""
CONTOURS = 6
"""How many steps contours cut the values into, about."""
MOST_POINTS = 200_000
"""Of a section that are drawn: more would fill it."""
_LISTED = 12
"""Values of a list that are written beside it, at most."""
_DECADES = 2.0
"""Positive values that span more of them are shown by their logarithms."""
_OK = STATUSES.index("ok")


@dataclass(frozen=True)
class Span:
    """An axis as it is drawn: coordinates are its values, or their decades. Cells are as wide as the steps between values; values
    that do not rise by even steps are drawn by their numbers, and stand beside them."""

    title: str
    low: float
    high: float
    count: int
    log: bool
    listed: tuple[float, ...] = ()

    @classmethod
    def of(cls, plan: SweepPlan, place: int) -> "Span":
        """That of one axis of a plan."""
        address, axis = plan.addresses[place], plan.axes[place]
        unit = unit_text(plan.unit(address))
        words = words_at(plan.preset, address)
        title = f"{words} [{unit}]" if unit else words
        low, high = sorted(float(axis.values[end]) for end in (0, -1))
        rises = axis.is_random or (axis.kind != "list" and axis.values[-1] > axis.values[0])
        scale = axis.scale if rises else _scale_of(axis.values)
        if not scale:
            return cls(title, 0.0, axis.count - 1.0, axis.count, False, tuple(axis.values.tolist()))
        log = scale == "log"
        ends = (math.log10(low), math.log10(high)) if log else (low, high)
        return cls(title, *ends, axis.count, log)

    @property
    def step(self) -> float:
        """From one value to the next."""
        return (self.high - self.low) / (self.count - 1) if self.count > 1 else 1.0

    @property
    def edges(self) -> tuple[float, float]:
        """Where the first cell begins and the last one ends."""
        return self.low - self.step / 2, self.high + self.step / 2

    @property
    def places(self) -> np.ndarray:
        """The coordinates of all values (n,)."""
        return np.linspace(self.low, self.high, self.count)

    def number(self, coordinate: float) -> int:
        """The number of the value that is nearest to a coordinate."""
        if self.step == 0.0:
            return 0
        return min(max(round((coordinate - self.low) / self.step), 0), self.count - 1)

    def value(self, coordinate: float) -> float:
        """What the axis says at a coordinate."""
        if self.listed:
            return float(np.interp(coordinate, range(self.count), self.listed))
        return 10.0**coordinate if self.log else coordinate

    def between(self, start: float, stop: float) -> Axis:
        """As many values between two coordinates; of a list, those that lie there."""
        if self.listed:
            first, last = sorted((self.number(start), self.number(stop)))
            return Axis.of(self.listed[first : last + 1])
        low, high = sorted((self.value(start), self.value(stop)))
        return Axis.spaced(low, high, self.count, "log" if self.log else "linear")

    @property
    def named(self) -> list[tuple[float, str]] | None:
        """Coordinates of a list and what is written there, of so many as have room; None where the axis chooses."""
        stride = -(-self.count // _LISTED)
        places = range(0, self.count, stride)
        return [(float(place), f"{self.listed[place]:.4g}") for place in places] if self.listed else None


@dataclass(frozen=True)
class Scale:
    """How values become colours: from `low` to `high`, by their decades if `log`, in whole numbers if `whole`. Where values are
    numbers of `kinds`, coordinates are the places of those that there are."""

    low: float
    high: float
    log: bool = False
    whole: bool = False
    kinds: tuple[tuple[int, str], ...] = ()
    """The number and the title of each."""

    @classmethod
    def of(cls, values: np.ndarray, whole: bool, kinds: Sequence[str] = ()) -> "Scale":
        """One that shows all of these values, as far as they are finite; of `kinds`, if these are titles of them."""
        finite = values[np.isfinite(values)]
        if not len(finite):
            return cls(0.0, 1.0)
        if kinds:
            there = tuple((number, kinds[number]) for number in np.unique(finite).astype(int).tolist())
            return cls(-0.5, len(there) - 0.5, whole=True, kinds=there)
        low, high = float(finite.min()), float(finite.max())
        log = not whole and low > 0 and math.log10(high / low) > _DECADES
        if log:
            low, high = math.log10(low), math.log10(high)
        if low == high:
            return cls(low - 0.5, high + 0.5, log, whole)
        return cls(low - 0.5, high + 0.5, whole=True) if whole else cls(low, high, log)

    def shares(self, values: np.ndarray) -> np.ndarray:
        """Where between the ends they are, from 0 to 1; NaN stays NaN."""
        if self.kinds:
            places = np.searchsorted([number for number, _ in self.kinds], values)
            return np.where(np.isfinite(values), (places - self.low) / (self.high - self.low), np.nan)
        with np.errstate(all="ignore"):
            found = (np.log10(values) if self.log else values) - self.low
        return found / (self.high - self.low)

    def heights(self, values: np.ndarray) -> np.ndarray:
        """Their coordinates; NaN stays NaN."""
        return self.low + self.shares(values) * (self.high - self.low)

    @property
    def ramp(self) -> np.ndarray:
        """Where between the ends the colours of its key are (256,), from below to above."""
        coordinates = np.linspace(self.low, self.high, 256)
        coordinates = np.round(coordinates) if self.whole else coordinates
        return (coordinates - self.low) / (self.high - self.low)

    @property
    def steps(self) -> list[float]:
        """Coordinates between which contours and ticks lie: whole numbers, or few digits."""
        step = nice_step(self.high - self.low, CONTOURS)
        return ticks(self.low, self.high, max(step, 1.0) if self.whole else step)

    @property
    def named(self) -> list[tuple[float, str]] | None:
        """Coordinates and what is written there: of kinds and whole numbers; None where the axis chooses."""
        if self.kinds:
            return [(float(place), tr(title)) for place, (_, title) in enumerate(self.kinds)]
        return [(step, f"{step:.0f}") for step in self.steps] if self.whole else None

    @property
    def colours(self) -> list[str] | None:
        """Those of its kinds, `#rrggbb`; None where it is a ramp."""
        return [KINDS[number % len(KINDS)] for number, _ in self.kinds] or None

    def said(self, coordinate: float) -> float:
        """The value at a coordinate."""
        return 10.0**coordinate if self.log else coordinate


@dataclass(frozen=True, eq=False)
class Chart:
    """One measure of one lane of a sweep, as far as it is computed. `part` counts what the measure finds of a run, where that is
    more than a number."""

    plan: SweepPlan
    found: Found
    measure: str
    lane: int = 0
    part: int = 0

    @property
    def kind(self) -> type[SweepMeasure]:
        """What is measured."""
        return MEASURES[self.measure]

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """Its axes: across, and up; of random ones, where there are no others."""
        return tuple(Span.of(self.plan, place) for place in self.plan.grid or self.plan.scattered)

    @cached_property
    def known(self) -> np.ndarray:
        """Which points are computed."""
        return self.found.status[self.lane] >= 0

    @property
    def is_map(self) -> bool:
        """Whether it is colours over two axes."""
        return len(self.plan.grid) == 2 and not self.is_section

    @property
    def is_section(self) -> bool:
        """Whether it is points of all runs in one plane."""
        return bool(self.kind.plane)

    @property
    def is_points(self) -> bool:
        """Whether it is points: of a section, or each a run whose values are random."""
        return self.is_section or not self.plan.grid

    @property
    def plane(self) -> tuple[tuple[str, bool], tuple[str, bool]]:
        """The titles of the axes of points, and whether coordinates are decades."""
        if self.is_section:
            along, across = (f"{tr(title)} [{unit_text(self.kind.unit)}]" for title in self.kind.plane)
            return (along, False), (across, False)
        first, *others = ((span.title, span.log) for span in self.spans)
        return first, others[0] if others else (self.kind.axis(), self.scale.log)

    @cached_property
    def points(self) -> np.ndarray:
        """The coordinates (k, 2) of points: of a section, or of runs by their one or two random values; what one alone has found
        is the second, then."""
        if self.is_section:
            return self._crossings[:, :2]
        values = self.plan.values(self.cells)[:, :2]
        found = [np.log10(one) if span.log else one for span, one in zip(self.spans, values.T, strict=False)]
        if len(found) < 2:
            found.append(self.scale.low + self._shares * (self.scale.high - self.scale.low))
        return np.stack(found, axis=-1)

    @property
    def times(self) -> np.ndarray | None:
        """When each of them was passed (k,) [s]; None where the measure does not tell."""
        return self._crossings[:, 2] if self.is_section and self._crossings.shape[1] > 2 else None

    @cached_property
    def _crossings(self) -> np.ndarray:
        whole: np.ndarray = self.found.measured[self.measure][self.lane]
        return whole[self._owners]

    @cached_property
    def cells(self) -> np.ndarray:
        """Whose each of them is: the numbers (k, d) of its run."""
        return np.stack(self._owners[:-1], axis=-1)

    @cached_property
    def _owners(self) -> tuple[np.ndarray, ...]:
        if self.is_section:
            finite = np.isfinite(self.found.measured[self.measure][self.lane]).all(axis=-1)
            places = np.nonzero(finite & self.known[..., None])
        else:
            holes = self.holes & (len(self.spans) > 1)  # over one axis they would have no place
            places = *np.nonzero(np.isfinite(self.values) | holes), np.empty(0, dtype=int)
        stride = -(-len(places[0]) // MOST_POINTS) or 1
        return tuple(each[::stride] for each in places)

    @property
    def _shares(self) -> np.ndarray:
        """Where in the scale the value of each point is (k,)."""
        cells = tuple(self.cells.T)
        return self.scale.shares(np.where(self.holes[cells], np.nan, self.values[cells]))

    @property
    def shades(self) -> np.ndarray:
        """From 0 to 1 (k,): where on the first axis the run of each point of a section is, or its value in the scale, NaN for a
        hole."""
        if not self.is_section:
            return self._shares
        span, values = self.spans[0], self.plan.values(self.cells)[:, 0]
        if span.listed:
            return np.asarray(self.cells[:, 0] / max(span.count - 1, 1))
        return ((np.log10(values) if span.log else values) - span.low) / (span.high - span.low or 1.0)

    @property
    def shaded(self) -> str:
        """What the colours of points say."""
        span, scale = self.spans[0], self.scale
        if scale.kinds:
            return tr("Colours: {title}", title=tr(self.kind.title))
        title, low, high = (
            (span.title, span.value(span.low), span.value(span.high))
            if self.is_section
            else (self.kind.axis(), scale.said(scale.low), scale.said(scale.high))
        )
        return tr("Colours: {axis}, from {low:.4g} (dark) to {high:.4g}", axis=title, low=low, high=high)

    @cached_property
    def values(self) -> np.ndarray:
        """What was found of each point; NaN where that is nothing, and where nothing is computed yet. Of a section, how many
        points there are."""
        whole = self.found.measured[self.measure][self.lane]
        if self.is_section:
            return np.where(self.known, np.isfinite(whole).all(axis=-1).sum(axis=-1), np.nan)
        values: np.ndarray = whole[..., self.part] if self.kind.shape else whole
        return np.where(self.known, values, np.nan)

    @cached_property
    def holes(self) -> np.ndarray:
        """Which points have no run, or one that ended early, unless the measure tells of just that."""
        status = self.found.status[self.lane]
        holes: np.ndarray = (status >= 0) & (status != _OK)
        return holes & ~np.isfinite(self.values) if self.kind.of_ends else holes

    @cached_property
    def scale(self) -> Scale:
        """That of the colours."""
        return Scale.of(self.values, self.kind.whole, self.kind.kinds)

    @cached_property
    def stand_ins(self) -> tuple[np.ndarray, ...]:
        """For each point, along each axis, the number of the one that stands for it: itself, or the nearest of a coarser grid
        whose points are computed; what is far from all of them keeps its own."""
        shape, missing = self.known.shape, ~self.known
        numbers: list[np.ndarray] = [*np.indices(shape)]
        stride = 2
        while missing.any() and stride < 2 * max(shape):
            coarse = [_nearest(size, stride) for size in shape]
            there = self.known[np.ix_(*coarse)] & missing
            for number, near in zip(numbers, np.meshgrid(*coarse, indexing="ij"), strict=True):
                number[there] = near[there]
            missing &= ~there
            stride *= 2
        return tuple(numbers)

    @property
    def filled(self) -> np.ndarray:
        """The values, those of coarser grids in the places of those that are yet to come."""
        return self.values[self.stand_ins]

    def contours(self) -> list[np.ndarray]:
        """Lines (n, 2) along which the values are `scale.steps`, in coordinates of the spans; none of whole numbers, whose steps
        are seen, and none before all is computed."""
        if self.kind.whole or not self.is_map or not self.known.all() or min(self.values.shape) < 2:
            return []
        from contourpy import contour_generator  # late: only maps need it

        across, up = self.spans
        heights = self.scale.heights(self.values)
        maker = contour_generator(across.places, up.places, np.ma.masked_invalid(heights.T))
        inner = [step for step in self.scale.steps if self.scale.low < step < self.scale.high]
        return [np.asarray(line) for step in inner for line in maker.lines(step)]

    def words(self, cell: Sequence[int]) -> list[str]:
        """What a person reads of a point: where it is, what was found there, or why nothing was."""
        lines = [
            f"{words_at(self.plan.preset, self.plan.addresses[place])} = {_said(value, self.plan.unit(self.plan.addresses[place]))}"
            for place, value in enumerate(self.point(cell).tolist())
        ]
        place = (self.lane, *cell)
        status = int(self.found.status[place])
        if status < 0:
            return [*lines, tr("not computed yet")]
        value = float(self.values[tuple(cell)])
        title = tr(self.kind.title)
        if math.isfinite(value):
            counted = self.kind.whole or self.is_section
            number = f"{value:.0f}" if counted else four_digits(value)
            number = tr(self.kind.kinds[int(value)]) if self.kind.kinds else number
            unit = "" if counted else unit_text(self.kind.unit)
            lines.append(f"{title}: {number} {unit}".rstrip())
        elif status == _OK:
            lines.append(tr("{title}: none in this run", title=title))
        if status != _OK:
            lines.append(told(self.found.reason[place]))
        return lines

    def words_of(self, number: int) -> list[str]:
        """The same of the run of a point of its points; of a section, where and when that was passed, too."""
        words = self.words(self.cells[number].tolist())
        if self.is_section:
            along, across = self.points[number]
            words.append(
                tr("here: {along}, {across}", along=short_number(along), across=short_number(across))
            )
        time = self.time_of(number)
        return words if time is None else [*words, tr("at t = {time:.6g} s", time=time)]

    def time_of(self, number: int) -> float | None:
        """When one of its points was passed [s], where the measure tells."""
        return None if self.times is None else float(self.times[number])

    def run_words(self, cell: Sequence[int], time: float | None = None) -> str:
        """Which run is that of a point, and which moment of it."""
        run = ", ".join(self.words(cell)[: len(self.spans)])
        return run if time is None else tr("{run}, at t = {time:.6g} s", run=run, time=time)

    def point(self, cell: Sequence[int]) -> np.ndarray:
        """The values (k,) of the axes at a point."""
        return self.plan.values(np.array([cell], dtype=np.int64))[0]


def box_of(across: Span, up: Span) -> tuple[float, float, float, float]:
    """Left, bottom, width and height of all cells of two axes."""
    (left, right), (low, high) = across.edges, up.edges
    return left, low, right - left, high - low


def joined(lines: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates of lines (n, 2) as one, with a gap after each."""
    gap = np.full((1, 2), np.nan)
    whole = np.concatenate([np.empty((0, 2)), *(part for line in lines for part in (line, gap))])
    return whole[:, 0], whole[:, 1]


def _scale_of(values: np.ndarray) -> str:
    """How a list is drawn: `linear` or `log` where its values rise by even steps or even multiples; empty where they do neither."""
    steps = np.diff(values)
    if len(values) < 3 or not (steps > 0.0).all():
        return "" if (steps <= 0.0).any() else "linear"
    if np.allclose(steps, steps.mean(), rtol=1e-6, atol=0.0):
        return "linear"
    ratios = values[1:] / values[:-1] if values[0] > 0.0 else steps
    return "log" if np.allclose(ratios, ratios.mean(), rtol=1e-6, atol=0.0) else ""


def _nearest(size: int, stride: int) -> np.ndarray:
    """For each number below `size` the nearest multiple of a stride that is below it, too."""
    found: np.ndarray = np.minimum((np.arange(size) + stride // 2) // stride, (size - 1) // stride) * stride
    return found


def _said(value: float, unit: str) -> str:
    return f"{value:.6g} {unit_text(unit)}".rstrip()
