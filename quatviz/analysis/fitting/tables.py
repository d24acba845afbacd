"""What a fit has found as rows of a table, and how its numbers go together."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from quatviz.analysis.fitting.result import SURE, BodyFit, Residual
from quatviz.base.errors import Phrase, phrase
from quatviz.base.translation import tr
from quatviz.physics.formulations import kind_of, lane_title, listed
from quatviz.physics.mechanics.rotations import (
    from_matrix,
    from_rotation_vector,
    multiply,
    normalise,
    to_rotation_vector,
)

_UNKNOWN_RATIO, _UNKNOWN_TURN, _UNKNOWN_SHARE = 0.5, 60.0, 0.5
"""Standard deviations, of a ratio, of an angle [deg] and of the time between flips, of itself, from which on nothing is known."""
_STEP = 1e-5
"""Of a turn [rad], for what it does to a rotation vector."""


class Estimate(NamedTuple):
    """One number that was found, with its standard deviation: 0 of one that is set, infinite of one that is not known."""

    symbol: str
    title: Phrase
    unit: str
    value: float
    deviation: float

    @property
    def interval(self) -> tuple[float, float]:
        """Where it lies 19 times in 20."""
        return self.value - SURE * self.deviation, self.value + SURE * self.deviation

    @property
    def known(self) -> bool:
        """Whether the recording tells it."""
        return math.isfinite(self.deviation)

    @property
    def texts(self) -> tuple[str, str, str]:
        """Value, standard deviation and interval, to the digits that the deviation leaves."""
        if not self.known:
            return f"{self.value:.4g}", "unknown", "unknown"
        if self.deviation == 0.0:
            return f"{self.value:g}", "", "set"
        digits = min(max(1 - math.floor(math.log10(self.deviation)), 0), 12)
        low, high = (f"{end:.{digits}f}" for end in self.interval)
        return f"{self.value:.{digits}f}", f"{self.deviation:.2g}", f"{low} … {high}"


def estimates(fit: BodyFit) -> list[Estimate]:
    """Ratios of the moments, how the principal axes are turned, the start, the sensor, damping, and the time between flips."""
    return list(_estimates(fit))


def _estimates(fit: BodyFit) -> Iterator[Estimate]:
    for axis, (moment, deviation) in enumerate(zip(fit.moments, fit.deviations, strict=True)):
        title = phrase("moment about axis {axis}, of the largest", axis=axis + 1)
        yield Estimate(f"J{_BELOW[axis]}", title, "", float(moment), _told(float(deviation), _UNKNOWN_RATIO))
    if fit.choice.axes:
        turn = from_matrix(fit.axes)
        vector = to_rotation_vector(turn)
        units = _STEP * np.eye(3)
        ends = (to_rotation_vector(multiply(turn, from_rotation_vector(way * units))) for way in (1.0, -1.0))
        spread = np.subtract(*ends).T / (2.0 * _STEP)
        square = spread @ _block(fit, "axes") @ spread.T
        for axis, (angle, deviation) in enumerate(
            zip(np.degrees(vector), np.degrees(np.sqrt(np.diag(square))), strict=True)
        ):
            title = phrase("turn of the axes about axis {axis}", axis=axis + 1)
            yield Estimate(
                f"θ{_BELOW[axis]}", title, "deg", float(angle), _told(float(deviation), _UNKNOWN_TURN)
            )
    for axis in range(3):
        title = phrase("rate at the start about axis {axis}", axis=axis + 1)
        found = fit.deviation(f"omega{axis + 1}")
        yield Estimate(f"ω{_BELOW[axis]}", title, "rad/s", float(fit.guess.omega[axis]), found)
    yield from _of_start(fit)
    yield from _of_sensor(fit)
    if math.isfinite(fit.flip):
        title = phrase("time between two flips")
        yield Estimate("T", title, "s", fit.flip, _told(fit.flip_deviation, _UNKNOWN_SHARE * fit.flip))


_BELOW = "₁₂₃"


def _block(fit: BodyFit, stem: str) -> np.ndarray:
    """The covariance (3, 3) of three numbers that are called alike."""
    first = fit.names.index(f"{stem}1")
    return fit.covariance[first : first + 3, first : first + 3]


def _told(deviation: float, most: float) -> float:
    return deviation if deviation < most else math.inf


def _of_start(fit: BodyFit) -> Iterator[Estimate]:
    if "turn1" not in fit.names:
        return
    e0, e1, e2, e3 = normalise(fit.guess.p)
    # p' = p (1, x/2) for a turn x of the body.
    slopes = 0.5 * np.array([[-e1, -e2, -e3], [e0, -e3, e2], [e3, e0, -e1], [-e2, e1, e0]])
    square = np.einsum("ij,jk,ik->i", slopes, _block(fit, "turn"), slopes)
    for number, (value, found) in enumerate(zip((e0, e1, e2, e3), np.sqrt(square), strict=True)):
        title = phrase("Euler parameter at the start")
        yield Estimate(f"e{'₀₁₂₃'[number]}", title, "", float(value), float(found))


def _of_sensor(fit: BodyFit) -> Iterator[Estimate]:
    guess = fit.guess
    for stem, symbol, what, unit, values, size in (
        ("bias", "b", "bias of the rate about axis {axis}", "rad/s", guess.bias, 1.0),
        ("scale", "s", "scale of the rate about axis {axis}", "", guess.scale, 1.0),
        ("misalignment", "μ", "turn of the rates' axes about {axis}", "deg", guess.misalignment, math.degrees(1.0)),
    ):  # fmt: skip
        for axis in range(3):
            if f"{stem}{axis + 1}" in fit.names:
                found = size * fit.deviation(f"{stem}{axis + 1}")
                yield Estimate(
                    f"{symbol}{_BELOW[axis]}", phrase(what, axis=axis + 1), unit, size * float(values[axis]), found
                )  # fmt: skip
    if "scale" in fit.names:
        yield Estimate("s", phrase("scale of the rates"), "", float(guess.scale[0]), fit.deviation("scale"))
    if fit.choice.damping:
        title = phrase("viscous damping, of the trace of J")
        yield Estimate("c", title, "1/s", guess.damping, fit.deviation("damping"))


STRONG = 0.9
"""A correlation beyond which two numbers are hardly told apart."""


class Correlation(NamedTuple):
    """How far numbers that were found err together (k, k), from -1 to 1."""

    symbols: tuple[str, ...]
    matrix: np.ndarray

    def strongest(self, least: float = STRONG) -> tuple[str, str, float] | None:
        """The two numbers that go together most, where that is more than `least`."""
        sizes = np.abs(np.triu(self.matrix, 1))
        row, column = np.unravel_index(int(sizes.argmax()), sizes.shape)
        if sizes[row, column] <= least:
            return None
        return self.symbols[row], self.symbols[column], float(self.matrix[row, column])

    @property
    def sentence(self) -> Phrase:
        """Which two numbers cannot be told apart well."""
        found = self.strongest()
        if found is None:
            return phrase("No two numbers have a correlation above 0.9")
        one, other, value = found
        return phrase(
            "{one} and {other} go together (correlation {value:+.2f}): what the one gains the other can take",
            one=one, other=other, value=value,
        )  # fmt: skip


def correlation(fit: BodyFit) -> Correlation:
    """Of the two moments that are not set, and all other numbers that were sought."""
    ratios = [axis for axis in range(3) if axis != int(fit.shares.argmax())]
    slopes = np.eye(len(fit.names))
    slopes[:2, :2] = fit.slopes_of_moments[ratios]
    square = slopes @ fit.covariance @ slopes.T
    sizes = np.sqrt(np.maximum(np.diag(square), 1e-300))
    symbols = [*(f"J{_BELOW[axis]}" for axis in ratios), *map(_symbol, fit.names[2:])]
    return Correlation(tuple(symbols), np.clip(square / np.outer(sizes, sizes), -1.0, 1.0))


_SYMBOLS = {"axes": "θ", "omega": "ω", "turn": "φ", "bias": "b", "scale": "s", "misalignment": "μ", "damping": "c"}  # fmt: skip


def _symbol(name: str) -> str:
    stem = name.rstrip("123")
    return _SYMBOLS[stem] + (_BELOW[int(name[-1]) - 1] if name != stem else "")


TABLE = (
    phrase("number"),
    phrase("found"),
    phrase("deviation"),
    phrase("19 times in 20"),
    phrase("unit"),
)
"""Heads of `rows`."""


def rows(fit: BodyFit) -> list[tuple[Phrase, str, str, str, str]]:
    """The estimates as texts: title with symbol, value, standard deviation, interval, unit."""
    return [
        (phrase("{title}, {symbol}", title=one.title, symbol=one.symbol), *one.texts, one.unit)
        for one in estimates(fit)
    ]


def sentences(fit: BodyFit) -> list[Phrase]:
    """What is to be said beside the numbers: how well the motion is followed, what is left over, what cannot be known."""
    said = [fit.of_noise, fit.of_whiteness, fit.of_outliers, correlation(fit).sentence, *fit.unknown]
    return [each for each in said if str(each)]


def residual_words(one: Residual, white: bool) -> str:
    """How large a component is beside the noise, and whether it is white."""
    said = tr("white") if white else tr("not white")
    return tr(
        "rms {rms:.2g}, noise {noise:.2g} {unit}; {said} ({statistic:.2f})",
        rms=one.rms, noise=one.noise, unit=one.unit, said=said, statistic=one.whiteness.statistic,
    )  # fmt: skip


def forms() -> dict[str, str]:
    """Formulations that a body without a recording can have, with what people read for them."""
    kinds = {name: kind_of(name) for name in listed()}
    return {
        name: lane_title(name) for name, kind in kinds.items() if kind.yields_motion and not kind.recorded
    }
