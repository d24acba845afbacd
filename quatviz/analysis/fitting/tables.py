"""Result of a fit as table rows, and the correlation of its parameters."""

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
"""Standard deviations above which a value counts as unknown: of a ratio, of an angle [deg], and of the flip period
(relative)."""
_DIFFERENCE_STEP = 1e-5
"""Step of finite differences of a rotation vector [rad]."""


class FitEstimate(NamedTuple):
    """An estimated parameter with its standard deviation, which is 0 if the parameter is fixed and infinite if it is unknown."""

    symbol: str
    title: Phrase
    unit: str
    value: float
    deviation: float

    @property
    def interval(self) -> tuple[float, float]:
        """95 % confidence interval of the estimate."""
        return (
            self.value - CONFIDENCE_FACTOR * self.deviation,
            self.value + CONFIDENCE_FACTOR * self.deviation,
        )

    @property
    def is_known(self) -> bool:
        """True if the recording determines the parameter."""
        return math.isfinite(self.deviation)

    @property
    def texts(self) -> tuple[str, str, str]:
        """Value, standard deviation and interval as text, with digits according to the standard deviation."""
        if not self.is_known:
            return f"{self.value:.4g}", "unknown", "unknown"
        if self.deviation == 0.0:
            return f"{self.value:g}", "", "set"
        digits = min(max(1 - math.floor(math.log10(self.deviation)), 0), 12)
        low, high = (f"{end:.{digits}f}" for end in self.interval)
        return f"{self.value:.{digits}f}", f"{self.deviation:.2g}", f"{low} … {high}"


def estimates_of(fit: BodyFit) -> list[FitEstimate]:
    """Return the estimates: moment ratios, rotation of the principal axes, initial conditions, sensor, damping, flip period."""
    return list(_iterate_estimates(fit))


def _iterate_estimates(fit: BodyFit) -> Iterator[FitEstimate]:
    for axis, (moment, deviation) in enumerate(zip(fit.moments, fit.deviations, strict=True)):
        title = phrase("moment about axis {axis}, relative to the largest", axis=axis + 1)
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
            title = phrase("rotation of the axes about axis {axis}", axis=axis + 1)
            yield FitEstimate(
                f"θ{_SUBSCRIPTS[axis]}",
                title,
                "deg",
                float(angle),
                _known_deviation(float(deviation), _MAX_ANGLE_DEVIATION),
            )
    for axis in range(3):
        title = phrase("initial rate about axis {axis}", axis=axis + 1)
        omega_deviation = fit.standard_deviation(f"omega{axis + 1}")
        yield FitEstimate(
            f"ω{_SUBSCRIPTS[axis]}", title, "rad/s", float(fit.guess.omega[axis]), omega_deviation
        )
    yield from _initial_attitude_estimates(fit)
    yield from _sensor_estimates(fit)
    if math.isfinite(fit.flip):
        title = phrase("time between flips, half a period")
        yield FitEstimate(
            "T", title, "s", fit.flip, _known_deviation(fit.flip_deviation, _MAX_FLIP_DEVIATION * fit.flip)
        )


_SUBSCRIPTS = "₁₂₃"


def _covariance_block(fit: BodyFit, prefix: str) -> np.ndarray:
    """Return the covariance (3, 3) of the three parameters with this prefix."""
    first = fit.names.index(f"{prefix}1")
    return fit.covariance[first : first + 3, first : first + 3]


def _known_deviation(deviation: float, limit: float) -> float:
    return deviation if deviation < limit else math.inf


def _initial_attitude_estimates(fit: BodyFit) -> Iterator[FitEstimate]:
    if "turn1" not in fit.names:
        return
    e0, e1, e2, e3 = normalize(fit.guess.p)
    # The attitude after a rotation x of the body is p (1, x/2).
    slopes = 0.5 * np.array([[-e1, -e2, -e3], [e0, -e3, e2], [e3, e0, -e1], [-e2, e1, e0]])
    square = np.einsum("ij,jk,ik->i", slopes, _covariance_block(fit, "turn"), slopes)
    for number, (value, deviation) in enumerate(zip((e0, e1, e2, e3), np.sqrt(square), strict=True)):
        title = phrase("initial Euler parameter")
        yield FitEstimate(f"e{'₀₁₂₃'[number]}", title, "", float(value), float(deviation))


def _sensor_estimates(fit: BodyFit) -> Iterator[FitEstimate]:
    guess = fit.guess
    for prefix, symbol, title_format, unit, values, size in (
        ("bias", "b", "bias of the rate about axis {axis}", "rad/s", guess.bias, 1.0),
        ("scale", "s", "scale of the rate about axis {axis}", "", guess.scale, 1.0),
        ("misalignment", "μ", "misalignment of the rates about axis {axis}", "deg", guess.misalignment, math.degrees(1.0)),
    ):  # fmt: skip
        for axis in range(3):
            if f"{prefix}{axis + 1}" in fit.names:
                deviation = size * fit.standard_deviation(f"{prefix}{axis + 1}")
                yield FitEstimate(
                    f"{symbol}{_SUBSCRIPTS[axis]}", phrase(title_format, axis=axis + 1), unit, size * float(values[axis]), deviation
                )  # fmt: skip
    if "scale" in fit.names:
        yield FitEstimate(
            "s",
            phrase("scale factor of the rates"),
            "",
            float(guess.scale[0]),
            fit.standard_deviation("scale"),
        )
    if fit.options.damping:
        title = phrase("viscous damping, relative to the trace of J")
        yield FitEstimate("c", title, "1/s", guess.damping, fit.standard_deviation("damping"))


STRONG_CORRELATION = 0.9
"""Correlation above which two parameters can hardly be distinguished."""


class Correlation(NamedTuple):
    """Correlation matrix (k, k) of the estimated parameters, with their names."""

    symbols: tuple[str, ...]
    matrix: np.ndarray

    def strongest(self, least: float = STRONG_CORRELATION) -> tuple[str, str, float] | None:
        """Return the two parameters with the largest absolute correlation, and this correlation; None if it does
        not exceed `least`."""
        sizes = np.abs(np.triu(self.matrix, 1))
        row, column = np.unravel_index(int(sizes.argmax()), sizes.shape)
        if sizes[row, column] <= least:
            return None
        return self.symbols[row], self.symbols[column], float(self.matrix[row, column])

    @property
    def sentence(self) -> Phrase:
        """Sentence about the two parameters with the strongest correlation."""
        strongest = self.strongest()
        if strongest is None:
            return phrase("No two parameters have a correlation above 0.9")
        first, second, value = strongest
        return phrase(
            "{first} and {second} can hardly be distinguished (correlation {value:+.2f})",
            first=first, second=second, value=value,
        )  # fmt: skip


def correlation_of(fit: BodyFit) -> Correlation:
    """Return the correlation matrix of all fitted parameters. It contains two of the three moments, because one is
    fixed."""
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
    phrase("parameter"),
    phrase("estimate"),
    phrase("std. error"),
    phrase("95 % interval"),
    phrase("unit"),
)
"""Column titles of `table_rows`."""


def table_rows(fit: BodyFit) -> list[tuple[Phrase, str, str, str, str]]:
    """Return the estimates as texts: title with symbol, value, standard deviation, interval, unit."""
    return [
        (
            phrase("{title}, {symbol}", title=estimate.title, symbol=estimate.symbol),
            *estimate.texts,
            estimate.unit,
        )
        for estimate in estimates_of(fit)
    ]


def summary_sentences(fit: BodyFit) -> list[Phrase]:
    """Return the sentences below the table: residuals, whiteness, outliers, correlation, and what cannot be determined."""
    phrases = [
        fit.noise_summary,
        fit.whiteness_summary,
        fit.outlier_summary,
        correlation_of(fit).sentence,
        *fit.unknown,
    ]
    return [sentence for sentence in phrases if str(sentence)]


def describe_residual(residual: Residual, white: bool) -> str:
    """Describe the size of a residual component relative to the noise, and whether it is white."""
    return tr(
        "rms {rms:.2g}, noise {noise:.2g} {unit}; {whiteness}",
        rms=residual.rms, noise=residual.noise, unit=residual.unit,
        whiteness=tr("white noise") if white else tr("not white noise"),
    )  # fmt: skip


def available_formulations() -> dict[str, str]:
    """Return a map from name to title for the formulations that compute a motion instead of replaying a recording."""
    classes = {name: formulation_class(name) for name in listed()}
    return {
        name: lane_title(name)
        for name, formulation in classes.items()
        if formulation.yields_motion and not formulation.is_recorded
    }
