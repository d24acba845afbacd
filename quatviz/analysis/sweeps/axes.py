"""Axes of a sweep: the numbers of a preset that vary, and their values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from quatviz.base.array_equality import ArrayEquality
from quatviz.base.deprecation import FormerName
from quatviz.base.errors import InputError, phrase
from quatviz.base.formatting import parse_number
from quatviz.base.parameters import MAX_MAGNITUDE, is_numeric, quote_value
from quatviz.files.addresses import number_addresses, number_at
from quatviz.files.preset import MapAxis, Preset

MAX_AXIS_VALUES = 10_000_000
"""Largest accepted number of values of an axis."""
RANDOM = "random"
_AXIS_EXAMPLE = (
    "write for example body.inertia[2]=1:3:41, loads[0].weight=1:100:41:log or lanes[0].dt=1e-3,2e-3"
)
_TOPIC = "sweeps#axes"


@dataclass(frozen=True, eq=False)
class Axis(ArrayEquality):
    """Values of one number of a preset: evenly or logarithmically spaced, listed, or random.

    Several axes form a grid. Random axes share one Sobol sequence instead, scrambled with the seed of the sweep (Joe
    and Kuo 2008). It fills the box between their ends more evenly than independent random numbers. All random axes have
    the same number of points.

    >>> Axis.linear(-1.0, 1.0, 5).values.tolist(), Axis.logarithmic(1e-3, 1e-1, 3).values.round(12).tolist()
    ([-1.0, -0.5, 0.0, 0.5, 1.0], [0.001, 0.01, 0.1])
    """

    values: np.ndarray
    """Values (n,) in the order of the sweep; for a random axis its two ends."""
    count: int
    """Number of values."""
    scale: str = "linear"
    """Spacing of the values, and scale of the axis in plots: `linear` or `log`."""
    sampling: str = "list"
    """How the values were given: `list`, `range` (evenly spaced on `scale`) or `random`."""

    @classmethod
    def linear(cls, start: float, stop: float, count: int) -> "Axis":
        """Return an axis of `count` evenly spaced values from `start` to `stop`, both included."""
        start, stop = _checked_ends(start, stop)
        return cls._create(np.linspace(start, stop, _checked_count(count)), count, "linear", "range")

    @classmethod
    def logarithmic(cls, start: float, stop: float, count: int) -> "Axis":
        """Return an axis of `count` logarithmically spaced values from `start` to `stop`, both included."""
        start, stop = _require_positive_ends(*_checked_ends(start, stop))
        return cls._create(np.geomspace(start, stop, _checked_count(count)), count, "log", "range")

    @classmethod
    def random(cls, start: float, stop: float, count: int, *, scale: str = "linear") -> "Axis":
        """Return an axis of `count` Sobol points between `start` and `stop`; with `scale="log"` their logarithms are
        evenly spread.
        """
        ends = (
            _require_positive_ends(*_checked_ends(start, stop))
            if scale == "log"
            else _checked_ends(start, stop)
        )
        if scale not in ("linear", "log"):
            raise _axis_error("linear or log", repr(scale), "choose one of these")
        return cls._create(np.array(ends), _checked_count(count), scale, RANDOM)

    @classmethod
    def from_values(cls, values: Any) -> "Axis":
        """Return an axis of the given values: a list or an array (n,). An axis is returned unchanged."""
        if isinstance(values, Axis):
            return values
        if not is_numeric(values) or np.ma.is_masked(values):
            values = (
                np.asarray(values)
                if not isinstance(values, str | Mapping) and np.iterable(values)
                else values
            )
        if isinstance(values, str) or not np.iterable(values) or not is_numeric(values):
            raise _axis_error(
                "numbers in a list or an array, or an Axis",
                quote_value(values),
                "write for example numpy.linspace(-1, 1, 41)",
            )
        try:
            array = np.array(values, dtype=np.float64)
        except ValueError:
            array = np.empty((0, 0))
        if array.ndim != 1 or not len(array) >= 1:
            raise _axis_error(
                "a one-dimensional list of numbers",
                quote_value(values),
                "name each component, such as initial.angular_velocity[1]",
            )
        if not (np.abs(array) <= MAX_MAGNITUDE).all():
            raise _axis_error(
                "finite numbers",
                quote_value(values),
                "remove numbers that are infinite, not a number, or too large",
            )
        _checked_count(len(array))
        return cls._create(array, len(array), "linear", "list")

    @classmethod
    def parse_list(cls, text: str) -> "Axis":
        """Return an axis of the comma-separated numbers in a text."""
        values = [parse_number(item.strip()) for item in text.split(",")]
        if None in values:
            raise _axis_error("numbers separated by commas", quote_value(text), "write for example 1, 2, 5")
        return cls.from_values(values)

    @classmethod
    def between_ends(cls, start: float, stop: float, count: int, scale: str) -> "Axis":
        """Return an axis of `count` values from `start` to `stop`, spaced by `scale` "linear" or "log"."""
        return (cls.logarithmic if scale == "log" else cls.linear)(start, stop, count)

    @classmethod
    def from_map_axis(cls, map_axis: MapAxis) -> "Axis":
        """Return an axis of the map that a preset defines."""
        return cls.between_ends(map_axis.start, map_axis.stop, map_axis.count, map_axis.scale)

    @classmethod
    def from_text(cls, text: str) -> tuple[str, "Axis"]:
        """Parse the address and the axis of a command-line argument.

        The forms are `PATH=FROM:TO:COUNT`, optionally followed by `:log`, `:random` or both, and `PATH=A,B,C`.

        >>> address, axis = Axis.from_text("body.inertia[2]=1:3:5")
        >>> address, axis.values.tolist()
        ('body.inertia[2]', [1.0, 1.5, 2.0, 2.5, 3.0])
        """
        address, separator, spec = text.partition("=")
        address, (first, *fields) = address.strip(), spec.split(":")
        flags = [word.strip() for word in fields[2:]]
        try:
            if not separator or not address or len(fields) == 1 or not set(flags) <= {"log", RANDOM}:
                raise ValueError
            values = [float(item) for item in first.split(",")] if not fields else []
            start, stop, count = (float(first), float(fields[0]), int(fields[1])) if fields else (0.0, 0.0, 0)
        except ValueError:
            raise InputError(
                phrase("the axis {text}", text=quote_value(text)),
                expected="PATH=FROM:TO:COUNT, optionally followed by :log or :random, or PATH=A,B,C",
                found=quote_value(text), remedy=_AXIS_EXAMPLE, topic=_TOPIC,
            ) from None  # fmt: skip
        scale = "log" if "log" in flags else "linear"
        try:
            if not fields:
                return address, cls.from_values(values)
            if RANDOM in flags:
                return address, cls.random(start, stop, count, scale=scale)
            return address, cls.between_ends(start, stop, count, scale)
        except InputError as refusal:
            raise refusal.with_place(phrase("the axis {address}", address=address), address) from None

    @classmethod
    def _create(cls, values: np.ndarray, count: int, scale: str, sampling: str) -> "Axis":
        values.setflags(write=False)
        return cls(values, int(count), scale, sampling)

    @property
    def is_random(self) -> bool:
        return self.sampling == RANDOM

    def values_at(self, fractions: np.ndarray) -> np.ndarray:
        """Return the values of a random axis at fractions (n,) from 0 to 1 between its ends."""
        start, stop = self.values.tolist()
        return (
            start * (stop / start) ** fractions if self.scale == "log" else start + (stop - start) * fractions
        )

    of = FormerName("of", "from_values")
    spaced = FormerName("spaced", "between_ends")
    listed = FormerName("listed", "parse_list")
    kind = FormerName("kind", "sampling")


def axes_between_ends(end_axes: Mapping[str, Axis], count: int, at_random: bool) -> dict[str, Axis]:
    """Return axes with `count` values each between the ends of `end_axes`. Axes of listed values are returned
    unchanged.

    If `at_random` is True, the axes are random, with as many points as the grid would have. An `InputError` is then
    raised for an axis of listed values.
    """
    axes = {}
    for address, axis in end_axes.items():
        if axis.sampling == "list":
            axes[address] = axis
            continue
        low, high = axis.values.tolist()
        if at_random:
            axes[address] = Axis.random(low, high, count ** len(end_axes), scale=axis.scale)
        else:
            axes[address] = Axis.between_ends(low, high, count, axis.scale)
    if at_random and len({axis.is_random for axis in axes.values()}) > 1:
        raise InputError(
            "the axes", expected="two ends for every axis, because points are random", found="a list",
            remedy="remove the list, or compute on a grid", topic=_TOPIC,
        )  # fmt: skip
    return axes


def random_points(axes: Sequence[Axis], seed: int) -> np.ndarray:
    """Return the values (n, k) of random axes."""
    from scipy.stats import qmc  # a slow import that grids do not need

    count = axes[0].count
    fractions = qmc.Sobol(len(axes), seed=seed).random_base2(max(count - 1, 0).bit_length())[:count]
    return np.stack([axis.values_at(fractions[:, index]) for index, axis in enumerate(axes)], axis=1)


def _checked_ends(start: Any, stop: Any) -> tuple[float, float]:
    valid = [is_numeric(end) and np.ndim(end) == 0 and abs(end) <= MAX_MAGNITUDE for end in (start, stop)]
    if not all(valid):
        raise _axis_error(
            "two finite numbers as ends", quote_value([start, stop]), "write two finite numbers"
        )
    return float(start), float(stop)


def _require_positive_ends(start: float, stop: float) -> tuple[float, float]:
    if not (start > 0 and stop > 0):
        raise _axis_error(
            "positive ends for a logarithmic axis",
            f"{start:g}, {stop:g}",
            "choose a linear axis, or other ends",
        )
    return start, stop


def _checked_count(count: Any) -> int:
    is_integer = isinstance(count, int | np.integer) and not isinstance(count, bool)
    if not is_integer or not 1 <= count <= MAX_AXIS_VALUES:
        raise _axis_error(
            phrase("a number of values from 1 to {most}", most=MAX_AXIS_VALUES),
            quote_value(count),
            "choose fewer, and zoom in later",
        )
    return int(count)


def _axis_error(expected: str, found: str, remedy: str) -> InputError:
    return InputError("the axis", expected=expected, found=found, remedy=remedy, topic=_TOPIC)


def default_range(preset: Preset, address: str) -> tuple[float, float]:
    """Return default ends of an axis: symmetric about zero for a component of the initial conditions, otherwise around
    the preset's value."""
    value = number_at(preset, address) or 0.0
    if address.startswith("initial."):
        vector_address = address.rpartition("[")[0]
        components = [
            number_at(preset, component_address) or 0.0
            for component_address in number_addresses(preset)
            if component_address.startswith(f"{vector_address}[")
        ]
        largest = max(map(abs, components), default=0.0) or 1.0
        return -largest, largest
    return (0.5 * value, 1.5 * value) if value else (-1.0, 1.0)
