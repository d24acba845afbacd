"""The axes of a sweep: which number of a preset takes which values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from quatviz.base.array_equality import ArrayEquality
from quatviz.base.errors import InputError, phrase
from quatviz.base.formatting import number
from quatviz.base.parameters import LARGEST, all_numbers, shown
from quatviz.files.addresses import number_at, numbers_of
from quatviz.files.preset import MapAxis, Preset

MOST_VALUES = 10_000_000
"""Of one axis."""
RANDOM = "random"
_EXAMPLE = "write for example body.inertia[2]=1:3:41, loads[0].weight=1:100:41:log or lanes[0].dt=1e-3,2e-3"
_TOPIC = "sweeps#axes"


@dataclass(frozen=True, eq=False)
class Axis(ArrayEquality):
    """Values of one number of a preset: `linear` or `logarithmic` between two ends, a list `of` values, or `random` ones.

    Several axes make a grid. Those that are random make points instead, by one Sobol sequence for all of them (Joe and Kuo 2008,
    scrambled by the seed of the sweep), which fill the box between their ends more evenly than chance; they have as many
    points each.

    >>> Axis.linear(-1.0, 1.0, 5).values.tolist(), Axis.logarithmic(1e-3, 1e-1, 3).values.round(12).tolist()
    ([-1.0, -0.5, 0.0, 0.5, 1.0], [0.001, 0.01, 0.1])
    """

    values: np.ndarray
    """(n,), as the sweep takes them; of a random axis the two ends between which they lie."""
    count: int
    scale: str = "linear"
    """`linear` or `log`: how values lie between the ends, and how a window draws them."""
    kind: str = "list"
    """`list`, `range` or `random`."""

    @classmethod
    def linear(cls, start: float, stop: float, count: int) -> "Axis":
        """`count` values from `start` to `stop`, both included."""
        start, stop = _ends(start, stop)
        return cls._made(np.linspace(start, stop, _counted(count)), count, "linear", "range")

    @classmethod
    def logarithmic(cls, start: float, stop: float, count: int) -> "Axis":
        """`count` values from `start` to `stop`, both included, each the same multiple of the one before."""
        start, stop = _above_zero(*_ends(start, stop))
        return cls._made(np.geomspace(start, stop, _counted(count)), count, "log", "range")

    @classmethod
    def random(cls, start: float, stop: float, count: int, *, scale: str = "linear") -> "Axis":
        """`count` points of a Sobol sequence between `start` and `stop`; their logarithms with `scale="log"`."""
        ends = _above_zero(*_ends(start, stop)) if scale == "log" else _ends(start, stop)
        if scale not in ("linear", "log"):
            raise _refusal("linear or log", repr(scale), "choose one of these")
        return cls._made(np.array(ends), _counted(count), scale, RANDOM)

    @classmethod
    def of(cls, values: Any) -> "Axis":
        """These values: a list or an array (n,), or an axis as it is."""
        if isinstance(values, Axis):
            return values
        if not all_numbers(values) or np.ma.is_masked(values):
            values = (
                np.asarray(values)
                if not isinstance(values, str | Mapping) and np.iterable(values)
                else values
            )
        if isinstance(values, str) or not np.iterable(values) or not all_numbers(values):
            raise _refusal(
                "numbers in a list or an array, or an Axis",
                shown(values),
                "write for example numpy.linspace(-1, 1, 41)",
            )
        try:
            found = np.array(values, dtype=np.float64)
        except ValueError:
            found = np.empty((0, 0))
        if found.ndim != 1 or not len(found) >= 1:
            raise _refusal(
                "numbers in one row",
                shown(values),
                "name each component, such as initial.angular_velocity[1]",
            )
        if not (np.abs(found) <= LARGEST).all():
            raise _refusal("finite numbers", shown(values), "leave out what is none")
        _counted(len(found))
        return cls._made(found, len(found), "linear", "list")

    @classmethod
    def listed(cls, text: str) -> "Axis":
        """The values of a text as a person writes them, with commas between them."""
        values = [number(part.strip()) for part in text.split(",")]
        if None in values:
            raise _refusal("numbers with commas between them", repr(text), "write for example 1, 2, 5")
        return cls.of(values)

    @classmethod
    def spaced(cls, start: float, stop: float, count: int, scale: str) -> "Axis":
        """`count` values from `start` to `stop`: `linear` or `log`."""
        return (cls.logarithmic if scale == "log" else cls.linear)(start, stop, count)

    @classmethod
    def of_map(cls, said: MapAxis) -> "Axis":
        """That of the map of a preset."""
        return cls.spaced(said.start, said.stop, said.count, said.scale)

    @classmethod
    def from_text(cls, text: str) -> tuple[str, "Axis"]:
        """Address and axis of a text as a command line has it: `PATH=FROM:TO:COUNT`, with `:log` or `:random` behind it, or
        both, or `PATH=A,B,C`.

        >>> address, axis = Axis.from_text("body.inertia[2]=1:3:5")
        >>> address, axis.values.tolist()
        ('body.inertia[2]', [1.0, 1.5, 2.0, 2.5, 3.0])
        """
        address, equals, said = text.partition("=")
        address, (first, *rest) = address.strip(), said.split(":")
        words = [word.strip() for word in rest[2:]]
        try:
            if not equals or not address or len(rest) == 1 or not set(words) <= {"log", RANDOM}:
                raise ValueError
            listed = [float(part) for part in first.split(",")] if not rest else []
            start, stop, count = (float(first), float(rest[0]), int(rest[1])) if rest else (0.0, 0.0, 0)
        except ValueError:
            raise InputError(
                phrase("the axis {text}", text=shown(text)),
                expected="PATH=FROM:TO:COUNT, with :log or :random behind it, or PATH=A,B,C",
                found=shown(text), remedy=_EXAMPLE, topic=_TOPIC,
            ) from None  # fmt: skip
        scale = "log" if "log" in words else "linear"
        try:
            if not rest:
                return address, cls.of(listed)
            if RANDOM in words:
                return address, cls.random(start, stop, count, scale=scale)
            return address, cls.spaced(start, stop, count, scale)
        except InputError as refusal:
            raise refusal.at(phrase("the axis {address}", address=address), address) from None

    @classmethod
    def _made(cls, values: np.ndarray, count: int, scale: str, kind: str) -> "Axis":
        values.setflags(write=False)
        return cls(values, int(count), scale, kind)

    @property
    def is_random(self) -> bool:
        return self.kind == RANDOM

    def between(self, shares: np.ndarray) -> np.ndarray:
        """The values of a random axis at shares (n,) from 0 to 1 of the way between its ends."""
        start, stop = self.values.tolist()
        return start * (stop / start) ** shares if self.scale == "log" else start + (stop - start) * shares


def filled(ends: Mapping[str, Axis], count: int, at_random: bool) -> dict[str, Axis]:
    """Axes by address, as `ends` have them: a list as it is, others with `count` values between their two; of which, `at_random`,
    there are as many as a grid would have. `InputError` for lists beside random ones."""
    found = {}
    for address, axis in ends.items():
        if axis.kind == "list":
            found[address] = axis
            continue
        low, high = axis.values.tolist()
        if at_random:
            found[address] = Axis.random(low, high, count ** len(ends), scale=axis.scale)
        else:
            found[address] = Axis.spaced(low, high, count, axis.scale)
    if at_random and len({axis.is_random for axis in found.values()}) > 1:
        raise InputError(
            "the axes", expected="ends of both, between which points are random", found="a list",
            remedy="leave the list out, or compute on a grid", topic=_TOPIC,
        )  # fmt: skip
    return found


def points_of(axes: Sequence[Axis], seed: int) -> np.ndarray:
    """The values (n, k) of random axes."""
    from scipy.stats import qmc  # late: half a second of imports that a grid has no need of

    count = axes[0].count
    shares = qmc.Sobol(len(axes), seed=seed).random_base2(max(count - 1, 0).bit_length())[:count]
    return np.stack([axis.between(shares[:, place]) for place, axis in enumerate(axes)], axis=1)


def _ends(start: Any, stop: Any) -> tuple[float, float]:
    good = [all_numbers(end) and np.ndim(end) == 0 and abs(end) <= LARGEST for end in (start, stop)]
    if not all(good):
        raise _refusal("two finite numbers as ends", shown([start, stop]), "correct them")
    return float(start), float(stop)


def _above_zero(start: float, stop: float) -> tuple[float, float]:
    if not (start > 0 and stop > 0):
        raise _refusal(
            "ends above 0 of a logarithmic axis",
            f"{start:g}, {stop:g}",
            "choose a linear axis, or other ends",
        )
    return start, stop


def _counted(count: Any) -> int:
    whole = isinstance(count, int | np.integer) and not isinstance(count, bool)
    if not whole or not 1 <= count <= MOST_VALUES:
        raise _refusal(
            phrase("from 1 to {most} values", most=MOST_VALUES),
            shown(count),
            "choose fewer, and zoom in later",
        )
    return int(count)


def _refusal(expected: str, found: str, remedy: str) -> InputError:
    return InputError("the axis", expected=expected, found=found, remedy=remedy, topic=_TOPIC)


def likely_range(preset: Preset, address: str) -> tuple[float, float]:
    """Ends of an axis that nobody has chosen: both ways for a component of a start, else about the preset's number."""
    own = number_at(preset, address) or 0.0
    if address.startswith("initial."):
        whole = address.rpartition("[")[0]
        parts = [
            number_at(preset, each) or 0.0 for each in numbers_of(preset) if each.startswith(f"{whole}[")
        ]
        most = max(map(abs, parts), default=0.0) or 1.0
        return -most, most
    return (0.5 * own, 1.5 * own) if own else (-1.0, 1.0)
