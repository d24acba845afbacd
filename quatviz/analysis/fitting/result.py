"""What a fit has found, how well it is known, and what cannot be known."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from quatviz.analysis.fitting.fit_parameters import (
    CovarianceCoordinates,
    FitOptions,
    FitParameters,
    SharedCoordinates,
)
from quatviz.analysis.fitting.noise import (
    LEAST_SQUARES,
    MAX_NOISE_RATIO,
    Whiteness,
    compute_whiteness,
    count_far_off,
    is_explained,
)
from quatviz.base.deprecation import FormerName
from quatviz.base.errors import Phrase, join_phrases, phrase, plural_phrase
from quatviz.base.formatting import tick_decimals
from quatviz.files.preset import Lane, Preset, RunSettings, time_of_sample
from quatviz.physics.exact.torque_free import half_period
from quatviz.physics.loads.damping import Damping
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Initial
from quatviz.physics.mechanics.rotations import normalize
from quatviz.physics.observables.read_options import ReadOptions
from quatviz.physics.observables.recording import Recording

CONFIDENCE_FACTOR = 1.96
"""Standard deviations on either side: 19 times in 20 the truth lies within, if what is left over is noise."""
MAX_RELATIVE_DEVIATION = 0.05
"""Of a moment: with a larger standard deviation it is not known."""
_MAX_AXIS_DEVIATION = math.radians(10.0)
_MAX_FLIP_DEVIATION = 0.1
"""Of the time between flips: with a larger standard deviation nothing is predicted."""
_ROUNDING_LEVEL = 1e-7
"""Of a radian, and of the rates: what is left over is no noise."""
_DIFFERENCE_STEP = 1e-5
_MAX_TURN_PER_STEP = 0.01
"""Of a step of the preset [rad]."""


@dataclass(frozen=True)
class Residuals:
    """The motion that was found, beside what it leaves over."""

    t: np.ndarray
    """(n,) [s]"""
    p: np.ndarray
    """(n, 4), as integrated."""
    omega: np.ndarray
    """(n, 3) [rad/s, body]"""
    attitude: np.ndarray | None
    """(n, 3) [rad, body]: from the motion to the attitudes; None without attitudes, NaN where there is none."""
    rates: np.ndarray | None
    """(n, 3) [rad/s]: what the sensor shows less what it would show of the motion; None without rates."""

    turns = FormerName("turns", "attitude")


class Residual(NamedTuple):
    """One component of what is left over, (n,) over the times of `Residuals`, in the unit that people read."""

    name: str
    unit: str
    values: np.ndarray
    sigma: float
    """Usual size, by which it has counted."""
    noise: float
    """The same by differences from row to row alone."""
    whiteness: Whiteness

    @property
    def rms(self) -> float:
        """Root mean square."""
        return float(np.sqrt(np.nanmean(self.values**2)))


@dataclass(frozen=True, eq=False)
class BodyFit:
    """What `fit_body` found: a body, of which the largest principal moment is 1, and its start; print it.

    `moments` (3,) with their standard `deviations` and `intervals`, in the axes (3, 3) that stand as columns, in axes of the
    recording; `bias`, `scale`, `misalignment` of the sensor and `damping` in `guess`; `residual_components` is what is left
    over of each row. `flip` is the period of flips that it predicts, `preset` a run of it beside the recording, `unknown` what
    cannot be known.
    """

    guess: FitParameters
    options: FitOptions
    moment_fractions: np.ndarray
    """Principal moments (3,) of sum 1."""
    axes: np.ndarray
    names: tuple[str, ...]
    """Of the numbers that `covariance` (k, k) is about, in the units of `unknowns.Plain`."""
    covariance: np.ndarray
    speed: float
    """Usual |omega| [rad/s]."""
    residuals: Residuals
    recording: Recording
    sigma_p: float
    """What is left over of attitudes, about each axis [rad]; NaN without."""
    sigma_omega: float
    """And of rates, each component [rad/s]; NaN without."""
    noise: tuple[float, float]
    """The same by differences from row to row alone, whatever the motion."""
    converged: bool
    loss: str = LEAST_SQUARES
    """How much a sample far off has counted: one of `noise.LOSSES`."""
    explained_fraction: float = 1.0
    """The share of what was recorded that the motion explains."""

    @cached_property
    def moments(self) -> np.ndarray:
        """(3,), in the order of the axes of the recording to which their own are nearest."""
        moments: np.ndarray = self.moment_fractions / self.moment_fractions.max()
        return moments

    @cached_property
    def deviations(self) -> np.ndarray:
        """Standard deviations of the moments (3,); 0 of the largest, which is 1."""
        slopes = self.moment_derivatives
        square = np.einsum("ij,jk,ik->i", slopes, self.covariance[:2, :2], slopes)
        return np.sqrt(np.maximum(square, 0.0))

    @property
    def moment_derivatives(self) -> np.ndarray:
        """By the first two shares of the trace, which the covariance is about (3, 2)."""
        largest = int(self.moment_fractions.argmax())
        basis = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
        derivatives: np.ndarray = (basis - np.outer(self.moments, basis[largest])) / self.moment_fractions[
            largest
        ]
        return derivatives

    @property
    def intervals(self) -> np.ndarray:
        """Where the moments lie 19 times in 20 (3, 2)."""
        return self.moments[:, None] + CONFIDENCE_FACTOR * np.outer(self.deviations, [-1.0, 1.0])

    @cached_property
    def inertia(self) -> np.ndarray:
        """(3, 3), in the axes of the recording."""
        inertia: np.ndarray = self.guess.inertia / self.moment_fractions.max()
        return inertia

    def standard_deviation(self, name: str) -> float:
        """Standard deviation of one of `names`: `bias1` [rad/s], `scale` (relative), `misalignment1` [rad], `damping` [1/s],
        `omega1` [rad/s], `turn1` of the start and `axes1` of the principal axes [rad]."""
        deviation = float(np.sqrt(self.covariance[self.names.index(name), self.names.index(name)]))
        prefix = name.rstrip("123")
        return deviation * {"omega": self.speed, "bias": self.speed, "damping": 1.0 / self._duration}.get(
            prefix, 1.0
        )

    @cached_property
    def flip(self) -> float:
        """The time between two flips [s]: in which h goes half around in the body, and the component about the middle axis changes
        its sign. Infinite on the separatrix; NaN with damping."""
        return _flip_period(self.guess)

    @cached_property
    def flip_deviation(self) -> float:
        """Its standard deviation [s], by the covariance; infinite where the separatrix is within reach."""
        coordinates = CovarianceCoordinates(
            SharedCoordinates(self.options, self.speed, self._duration),
            self.guess,
            self.moment_fractions,
            self.axes,
        )
        steps = _DIFFERENCE_STEP * np.eye(len(self.names))
        slopes = np.array(
            [
                (
                    _flip_period(coordinates.parameters_at(step))
                    - _flip_period(coordinates.parameters_at(-step))
                )
                / (2.0 * _DIFFERENCE_STEP)
                for step in steps
            ]
        )
        if not np.isfinite(slopes).all():
            return math.nan if math.isnan(self.flip) else math.inf
        return float(np.sqrt(slopes @ self.covariance @ slopes))

    @property
    def noise_ratio(self) -> float:
        """How many times the noise from row to row is left over: 1 where the motion is that of a free body."""
        pairs = zip((self.sigma_p, self.sigma_omega), self.noise, strict=True)
        return max(
            (deviation / noise for deviation, noise in pairs if noise > 0.0 and math.isfinite(deviation)),
            default=1.0,
        )

    @property
    def is_explained(self) -> bool:
        """Whether the motion that was found has anything to do with what was recorded; else its numbers say nothing."""
        return is_explained(self.explained_fraction, self.noise_ratio)

    @cached_property
    def residual_components(self) -> tuple[Residual, ...]:
        """What is left over, component by component: turns about the body's axes [deg], then rates [rad/s]."""
        components = []
        for symbol, unit, size, values, sigma, noise in (
            ("δφ", "deg", math.degrees(1.0), self.residuals.attitude, self.sigma_p, self.noise[0]),
            ("δω", "rad/s", 1.0, self.residuals.rates, self.sigma_omega, self.noise[1]),
        ):
            for axis, column in enumerate([] if values is None else size * values.T):
                name = f"{symbol}{'₁₂₃'[axis]}"
                components.append(
                    Residual(name, unit, column, size * sigma, size * noise, compute_whiteness(column))
                )
        return tuple(components)

    @property
    def outlier_count(self) -> int:
        """How many rows are left over by more than five times the usual size."""
        pairs = (self.residuals.attitude, self.sigma_p), (self.residuals.rates, self.sigma_omega)
        return sum(count_far_off(values, sigma) for values, sigma in pairs if values is not None)

    @property
    def non_white_residuals(self) -> tuple[Residual, ...]:
        """Those of `residual_components` that are not white."""
        components = self.residual_components
        return tuple(
            component for component in components if not component.whiteness.is_white(len(components))
        )

    @cached_property
    def preset(self) -> Preset:
        """The body that was found, beside the recording."""
        interval = float(f"{np.median(np.diff(self.residuals.t)):.6g}")
        steps = max(1, math.ceil(interval * self.speed / _MAX_TURN_PER_STEP))
        start = normalize(self.guess.p)
        drag = self.guess.damping / self.moment_fractions.max()
        begin = self.residuals.t[0]
        recorded = Recording(
            self.recording.t - begin,
            p=self.recording.p,
            omega=self.recording.omega,
            source=self.recording.source,
        )
        return Preset(
            title="A body found from its motion",
            summary=f"Fitted to a recording: {self.sentence}. {self.unknown[0]}.",
            body=Body(inertia=self.inertia),
            initial=Initial(euler_parameters=start, angular_velocity=self.guess.omega),
            loads=[Damping(coefficient=drag)] if drag > 0.0 else [],
            run=RunSettings(
                time_of_sample(max(1, round(self._duration / interval)), interval), interval / steps, interval
            ),
            lanes=[Lane("newton_euler"), Lane("recording", recording=recorded)],
        )

    def preset_beside_recording(
        self, reading: ReadOptions, time_offset: float, formulation: str = "newton_euler"
    ) -> Preset:
        """The body that was found, in a `formulation` of the equations, beside the recording in a file, from the row at which
        the fit begins; `time_offset` is what times of the file are ahead of those of the recording [s]."""
        begin = float(f"{time_offset + float(self.residuals.t[0]):.12g}")
        read_options = replace(reading, start=begin, offset=None)
        if not self.options.attitudes:
            read_options = replace(read_options, start_attitude=self.guess.p)
        lanes = [Lane(formulation), Lane("recording", recording=read_options.in_folder(reading.folder))]
        return replace(self.preset, lanes=lanes)

    # --- in words

    @property
    def sentence(self) -> Phrase:
        """What was found."""
        if not self.is_explained:
            return phrase("no body explains it: what is left over is about as large as the motion itself")
        moment_texts = [
            phrase("1") if not deviation
            else phrase(
                "{moment} ± {deviation:.2g}",
                moment=f"{moment:.{min(tick_decimals(CONFIDENCE_FACTOR * deviation / 10), 6)}f}",  # those that mean something
                deviation=CONFIDENCE_FACTOR * deviation,
            ) if deviation < 0.5
            else phrase("unknown")
            for moment, deviation in zip(self.moments, self.deviations, strict=True)
        ]  # fmt: skip
        return phrase(
            "principal moments {moments}, of which the largest is 1", moments=join_phrases(moment_texts)
        )

    @property
    def noise_summary(self) -> Phrase:
        """How well the motion is followed."""
        parts = []
        if math.isfinite(self.sigma_p):
            parts.append(phrase("{turn:.2g} deg about each axis", turn=math.degrees(self.sigma_p)))
        if math.isfinite(self.sigma_omega):
            parts.append(phrase("{rate:.2g} rad/s of each rate", rate=self.sigma_omega))
        text = phrase("{sizes} is left over", sizes=join_phrases(parts, "and"))
        if not self.is_explained:
            return phrase(
                "{said}, about as much as the motion itself: no body explains it, and these numbers say nothing",
                said=text,
            )
        if not self.converged:
            return phrase("{said}; the search did not come to an end", said=text)
        if self.noise_ratio > MAX_NOISE_RATIO:
            return phrase(
                "{said}, {excess:.2g} times the noise from row to row: something else is at work, such as a torque, or a sensor "
                "that is not fitted",
                said=text, excess=self.noise_ratio,
            )  # fmt: skip
        return text

    @property
    def whiteness_summary(self) -> Phrase:
        """Whether what is left over knows of itself, which intervals take for granted that it does not."""
        non_white = self.non_white_residuals
        is_rounding = (self.sigma_p < _ROUNDING_LEVEL, self.sigma_omega < _ROUNDING_LEVEL * self.speed)
        if any(is_rounding):
            return phrase("what is left over is rounding and the engine's step, not noise")
        if not non_white:
            return phrase("what is left over is white: no sample knows of the one before (Durbin and Watson)")
        worst = max(non_white, key=lambda residual: abs(residual.whiteness.statistic - 2.0))
        text = phrase(
            "what is left over is not white: {names} ({name} has {statistic:.2g} by Durbin and Watson; white noise has 2)",
            names=join_phrases([residual.name for residual in non_white], "and"),
            name=worst.name,
            statistic=worst.whiteness.statistic,
        )
        if worst.whiteness.statistic > 2.0:
            return phrase("{said}; samples turn back on those before, and intervals are too wide", said=text)
        return phrase(
            "{said}; something is not fitted, or the sensor smooths, and intervals are too narrow", said=text
        )

    @property
    def outlier_summary(self) -> Phrase:
        """How many samples are far off, and what that does; empty where none is."""
        count = self.outlier_count
        if not count:
            return phrase("")
        if self.loss == LEAST_SQUARES:
            return plural_phrase(
                count,
                "{count} sample is more than five times as far off as is usual, and counts as much as all others: a robust loss "
                "would hold it back",
                "{count} samples are more than five times as far off as is usual, and count as much as all others: a robust loss "
                "would hold them back",
            )  # fmt: skip
        return plural_phrase(
            count,
            "{count} sample is more than five times as far off as is usual, and hardly counts",
            "{count} samples are more than five times as far off as is usual, and hardly count",
        )

    @property
    def flip_summary(self) -> Phrase:
        """What it predicts."""
        return phrase(
            "h goes half around in the body, a flip, every {time:.5g} ± {deviation:.2g} s",
            time=self.flip, deviation=CONFIDENCE_FACTOR * self.flip_deviation,
        )  # fmt: skip

    @property
    def unknown(self) -> tuple[Phrase, ...]:
        """What cannot be known, and why."""
        return tuple(self._unknown_sentences())

    def _unknown_sentences(self) -> list[Phrase]:
        sentences = [
            phrase(
                "The scale of the inertia cannot be known without a torque that is: moments that are all twice as large make the "
                "same motion"
            )
        ]
        uncertain_axes = [
            axis for axis in range(3) if self.deviations[axis] > MAX_RELATIVE_DEVIATION * self.moments[axis]
        ]
        if uncertain_axes:
            sentences.append(self._uncertain_moments_sentence(uncertain_axes))
        if self.options.axes:
            sentences += self._uncertain_axes_sentences(uncertain_axes)
        if not self.options.attitudes:
            sentences.append(
                phrase(
                    "The attitude in space cannot be known from rates alone: it begins where it was told to"
                )
            )
        return sentences

    def _uncertain_moments_sentence(self, uncertain_axes: list[int]) -> Phrase:
        principal_rates = self.residuals.omega @ self.axes
        sizes = np.sqrt(np.mean(principal_rates**2, axis=0))
        names = join_phrases([phrase("{axis}", axis=axis + 1) for axis in uncertain_axes], "and")
        slow_axes = [axis for axis in range(3) if sizes[axis] < MAX_RELATIVE_DEVIATION * sizes.max()]
        if len(slow_axes) == 2:
            return phrase(
                "The moments about axes {names} are not known: the body turns about one axis only",
                names=names,
            )
        if slow_axes:
            return phrase(
                "The moments about axes {names} are not known: the body hardly turns about axis {axis}",
                names=names,
                axis=slow_axes[0] + 1,
            )
        return phrase(
            "The moments about axes {names} are not known to a twentieth: too little of the motion depends on them beside "
            "what else is fitted",
            names=names,
        )

    def _uncertain_axes_sentences(self, uncertain_axes: list[int]) -> list[Phrase]:
        sentences = []
        for axis in range(3):
            angle_sigma = math.sqrt(self.covariance[2 + axis, 2 + axis])
            if angle_sigma < _MAX_AXIS_DEVIATION or uncertain_axes:
                continue
            others = [other + 1 for other in range(3) if other != axis]
            sentences.append(
                phrase(
                    "How the principal axes are turned about axis {axis} is not known: the moments about {one} and {two} are too "
                    "near to each other",
                    axis=axis + 1, one=others[0], two=others[1],
                )
            )  # fmt: skip
        return sentences

    def __repr__(self) -> str:
        lines = [str(self.sentence), str(self.noise_summary), str(self.whiteness_summary)]
        lines += [str(self.outlier_summary)] if self.outlier_count else []
        if math.isfinite(self.flip) and self.flip_deviation < _MAX_FLIP_DEVIATION * self.flip:
            lines.append(str(self.flip_summary))
        return "\n  ".join([*lines, *self.unknown])

    @property
    def _duration(self) -> float:
        return float(self.residuals.t[-1] - self.residuals.t[0])

    left = FormerName("left", "residuals")
    recorded = FormerName("recorded", "recording")
    explained = FormerName("explained", "explained_fraction")
    explains = FormerName("explains", "is_explained")
    excess = FormerName("excess", "noise_ratio")
    coloured = FormerName("coloured", "non_white_residuals")
    far_off = FormerName("far_off", "outlier_count")
    beside = FormerName("beside", "preset_beside_recording")
    deviation = FormerName("deviation", "standard_deviation")
    choice = FormerName("choice", "options")
    shares = FormerName("shares", "moment_fractions")


def _flip_period(guess: FitParameters) -> float:
    return math.nan if guess.damping else half_period(guess.inertia, guess.omega)
