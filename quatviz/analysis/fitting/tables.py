"""What a fit has found as rows of a table, and how its numbers go together."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from quatviz.analysis.fitting.result import CONFIDENCE_FACTOR, BodyFit, Residual
from quatviz.base.errors import Phrase, phrase
from quatviz.base.translation import tr
from quatviz.physics.formulations import formulation_class, lane_title, listed
from quatviz.physics.mechanics.rotations import (
    from_matrix,
    from_rotation_vector,
    multiply,
    normalize,
    to_rotation_vector,
)

_MAX_RATIO_DEVIATION, _MAX_ANGLE_DEVIATION, _MAX_FLIP_DEVIATION = 0.5, 60.0, 0.5
"""Standard deviations, of a ratio, of an angle [deg] and of the time between flips, of itself, from which on nothing is known."""
_DIFFERENCE_STEP = 1e-5
"""Of a turn [rad], for what it does to a rotation vector."""


class FitEstimate(NamedTuple):
    """One number that was found, with its standard deviation: 0 of one that is set, infinite of one that is not known."""

    symbol: str
    title: Phrase
    unit: str
    value: float
    deviation: float

    @property
    def interval(self) -> tuple[float, float]:
        """Where it lies 19 times in 20."""
        return (
            self.value - CONFIDENCE_FACTOR * self.deviation,
            self.value + CONFIDENCE_FACTOR * self.deviation,
        )

    @property
    def is_known(self) -> bool:
        """Whether the recording tells it."""
        return math.isfinite(self.deviation)

    @property
    def texts(self) -> tuple[str, str, str]:
        """Value, standard deviation and interval, to the digits that the deviation leaves."""
        if not self.is_known:
            return f"{self.value:.4g}", "unknown", "unknown"
        if self.deviation == 0.0:
            return f"{self.value:g}", "", "set"
        digits = min(max(1 - math.floor(math.log10(self.deviation)), 0), 12)
        low, high = (f"{end:.{digits}f}" for end in self.interval)
        return f"{self.value:.{digits}f}", f"{self.deviation:.2g}", f"{low} … {high}"


def estimates_of(fit: BodyFit) -> list[FitEstimate]:
    """Ratios of the moments, how the principal axes are turned, the start, the sensor, damping, and the time between flips."""
    return list(_iterate_estimates(fit))


def _iterate_estimates(fit: BodyFit) -> Iterator[FitEstimate]:
    for axis, (moment, deviation) in enumerate(zip(fit.moments, fit.deviations, strict=True)):
        title = phrase("moment about axis {axis}, of the largest", axis=axis + 1)
        yield FitEstimate(
            f"J{_SUBSCRIPTS[axis]}",
            title,
            "",
            float(moment),
            _known_deviation(float(deviation), _MAX_RATIO_DEVIATION),
        )
    if fit.options.axes:
        axes_rotation = from_matrix(fit.axes)
        vector = to_rotation_vector(axes_rotation)
        units = _DIFFERENCE_STEP * np.eye(3)
        ends = (
            to_rotation_vector(multiply(axes_rotation, from_rotation_vector(sign * units)))
            for sign in (1.0, -1.0)
        )
        derivatives = np.subtract(*ends).T / (2.0 * _DIFFERENCE_STEP)
        square = derivatives @ _covariance_block(fit, "axes") @ derivatives.T
        for axis, (angle, deviation) in enumerate(
            zip(np.degrees(vector), np.degrees(np.sqrt(np.diag(square))), strict=True)
        ):
            title = phrase("turn of the axes about axis {axis}", axis=axis + 1)
            yield FitEstimate(
                f"θ{_SUBSCRIPTS[axis]}",
                title,
                "deg",
                float(angle),
                _known_deviation(float(deviation), _MAX_ANGLE_DEVIATION),
            )
    for axis in range(3):
        title = phrase("rate at the start about axis {axis}", axis=axis + 1)
        omega_deviation = fit.standard_deviation(f"omega{axis + 1}")
        yield FitEstimate(
            f"ω{_SUBSCRIPTS[axis]}", title, "rad/s", float(fit.guess.omega[axis]), omega_deviation
        )
    yield from _initial_attitude_estimates(fit)
    yield from _sensor_estimates(fit)
    if math.isfinite(fit.flip):
        title = phrase("time between two flips")
        yield FitEstimate(
            "T", title, "s", fit.flip, _known_deviation(fit.flip_deviation, _MAX_FLIP_DEVIATION * fit.flip)
        )


_SUBSCRIPTS = "₁₂₃"


def _covariance_block(fit: BodyFit, prefix: str) -> np.ndarray:
    """The covariance (3, 3) of three numbers that are called alike."""
    first = fit.names.index(f"{prefix}1")
    return fit.covariance[first : first + 3, first : first + 3]


def _known_deviation(deviation: float, limit: float) -> float:
    return deviation if deviation < limit else math.inf


def _initial_attitude_estimates(fit: BodyFit) -> Iterator[FitEstimate]:
    if "turn1" not in fit.names:
        return
    e0, e1, e2, e3 = normalize(fit.guess.p)
    # p' = p (1, x/2) for a turn x of the body.
    slopes = 0.5 * np.array([[-e1, -e2, -e3], [e0, -e3, e2], [e3, e0, -e1], [-e2, e1, e0]])
    square = np.einsum("ij,jk,ik->i", slopes, _covariance_block(fit, "turn"), slopes)
    for number, (value, deviation) in enumerate(zip((e0, e1, e2, e3), np.sqrt(square), strict=True)):
        title = phrase("Euler parameter at the start")
        yield FitEstimate(f"e{'₀₁₂₃'[number]}", title, "", float(value), float(deviation))


def _sensor_estimates(fit: BodyFit) -> Iterator[FitEstimate]:
    guess = fit.guess
    for prefix, symbol, title_format, unit, values, size in (
        ("bias", "b", "bias of the rate about axis {axis}", "rad/s", guess.bias, 1.0),
        ("scale", "s", "scale of the rate about axis {axis}", "", guess.scale, 1.0),
        ("misalignment", "μ", "turn of the rates' axes about {axis}", "deg", guess.misalignment, math.degrees(1.0)),
    ):  # fmt: skip
        for axis in range(3):
            if f"{prefix}{axis + 1}" in fit.names:
                deviation = size * fit.standard_deviation(f"{prefix}{axis + 1}")
                yield FitEstimate(
                    f"{symbol}{_SUBSCRIPTS[axis]}", phrase(title_format, axis=axis + 1), unit, size * float(values[axis]), deviation
                )  # fmt: skip
    if "scale" in fit.names:
        yield FitEstimate(
            "s", phrase("scale of the rates"), "", float(guess.scale[0]), fit.standard_deviation("scale")
        )
    if fit.options.damping:
        title = phrase("viscous damping, of the trace of J")
        yield FitEstimate("c", title, "1/s", guess.damping, fit.standard_deviation("damping"))


STRONG_CORRELATION = 0.9
"""A correlation beyond which two numbers are hardly told apart."""


class Correlation(NamedTuple):
    """How far numbers that were found err together (k, k), from -1 to 1."""

    symbols: tuple[str, ...]
    matrix: np.ndarray

    def strongest(self, least: float = STRONG_CORRELATION) -> tuple[str, str, float] | None:
        """The two numbers that go together most, where that is more than `least`."""
        sizes = np.abs(np.triu(self.matrix, 1))
        row, column = np.unravel_index(int(sizes.argmax()), sizes.shape)
        if sizes[row, column] <= least:
            return None
        return self.symbols[row], self.symbols[column], float(self.matrix[row, column])

    @property
    def sentence(self) -> Phrase:
        """Which two numbers cannot be told apart well."""
        strongest = self.strongest()
        if strongest is None:
            return phrase("No two numbers have a correlation above 0.9")
        first, second, value = strongest
        return phrase(
            "{one} and {other} go together (correlation {value:+.2f}): what the one gains the other can take",
            one=first, other=second, value=value,
        )  # fmt: skip


def correlation_of(fit: BodyFit) -> Correlation:
    """Of the two moments that are not set, and all other numbers that were sought."""
    ratios = [axis for axis in range(3) if axis != int(fit.moment_fractions.argmax())]
    slopes = np.eye(len(fit.names))
    slopes[:2, :2] = fit.moment_derivatives[ratios]
    square = slopes @ fit.covariance @ slopes.T
    sizes = np.sqrt(np.maximum(np.diag(square), 1e-300))
    symbols = [*(f"J{_SUBSCRIPTS[axis]}" for axis in ratios), *map(_symbol, fit.names[2:])]
    return Correlation(tuple(symbols), np.clip(square / np.outer(sizes, sizes), -1.0, 1.0))


_SYMBOL_BY_PREFIX = {
    "axes": "θ",
    "omega": "ω",
    "turn": "φ",
    "bias": "b",
    "scale": "s",
    "misalignment": "μ",
    "damping": "c",
}


def _symbol(name: str) -> str:
    prefix = name.rstrip("123")
    return _SYMBOL_BY_PREFIX[prefix] + (_SUBSCRIPTS[int(name[-1]) - 1] if name != prefix else "")


TABLE_TITLES = (
    phrase("number"),
    phrase("found"),
    phrase("deviation"),
    phrase("19 times in 20"),
    phrase("unit"),
)
"""Heads of `table_rows`."""


def table_rows(fit: BodyFit) -> list[tuple[Phrase, str, str, str, str]]:
    """The estimates as texts: title with symbol, value, standard deviation, interval, unit."""
    return [
        (
            phrase("{title}, {symbol}", title=estimate.title, symbol=estimate.symbol),
            *estimate.texts,
            estimate.unit,
        )
        for estimate in estimates_of(fit)
    ]


def summary_sentences(fit: BodyFit) -> list[Phrase]:
    """What is to be said beside the numbers: how well the motion is followed, what is left over, what cannot be known."""
    phrases = [
        fit.noise_summary,
        fit.whiteness_summary,
        fit.outlier_summary,
        correlation_of(fit).sentence,
        *fit.unknown,
    ]
    return [sentence for sentence in phrases if str(sentence)]


def describe_residual(residual: Residual, white: bool) -> str:
    """How large a component is beside the noise, and whether it is white."""
    whiteness_text = tr("white") if white else tr("not white")
    return tr(
        "rms {rms:.2g}, noise {noise:.2g} {unit}; {said} ({statistic:.2f})",
        rms=residual.rms, noise=residual.noise, unit=residual.unit, said=whiteness_text, statistic=residual.whiteness.statistic,
    )  # fmt: skip


def available_formulations() -> dict[str, str]:
    """Formulations that a body without a recording can have, with what people read for them."""
    classes = {name: formulation_class(name) for name in listed()}
    return {
        name: lane_title(name)
        for name, formulation in classes.items()
        if formulation.yields_motion and not formulation.is_recorded
    }
