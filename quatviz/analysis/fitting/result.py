"""Result of a fit: estimates, their uncertainties, and statements about what the recording does not determine."""

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
"""Half-width of a 95 % confidence interval in standard deviations."""
MAX_RELATIVE_DEVIATION = 0.05
"""Largest relative standard deviation of a moment that counts as known."""
_MAX_AXIS_DEVIATION = math.radians(10.0)
"""Standard deviation [rad] above which the rotation of an axis counts as unknown."""
_MAX_FLIP_DEVIATION = 0.1
"""Relative standard deviation of the flip period above which the period is not reported."""
_ROUNDING_LEVEL = 1e-7
"""Size of residuals [rad, or relative to the rates] below which they are rounding errors, not noise."""
_DIFFERENCE_STEP = 1e-5
"""Step of the finite differences that give the derivatives of the flip period."""
_MAX_TURN_PER_STEP = 0.01
"""Largest rotation of the body in one step of the preset made from a fit [rad]."""


@dataclass(frozen=True)
class Residuals:
    """The fitted motion at the times of the data, and the residuals of the data."""

    t: np.ndarray
    """Times (n,) [s]."""
    p: np.ndarray
    """Euler parameters (n, 4) of the fitted motion, as integrated."""
    omega: np.ndarray
    """Angular velocity (n, 3) of the fitted motion [rad/s, body]."""
    attitude: np.ndarray | None
    """Rotations (n, 3) from the fitted to the recorded attitudes [rad, body]; None without attitudes, NaN in missing rows."""
    rates: np.ndarray | None
    """Recorded minus predicted sensor rates (n, 3) [rad/s]; None without rates."""

    turns = FormerName("turns", "attitude")


class Residual(NamedTuple):
    """One component of the residuals, in the unit that is displayed."""

    name: str
    """Symbol and axis."""
    unit: str
    values: np.ndarray
    """Values (n,) at the times of `Residuals`."""
    sigma: float
    """Standard deviation by which the component was weighted."""
    noise: float
    """Noise estimated from differences between neighboring rows."""
    whiteness: Whiteness

    @property
    def rms(self) -> float:
        """Root mean square of the residuals."""
        return float(np.sqrt(np.nanmean(self.values**2)))


@dataclass(frozen=True, eq=False)
class BodyFit:
    """Result of `fit_body`: a body whose largest principal moment is 1, and its initial conditions. Print it
    for a summary.

    `moments` have standard `deviations` and `intervals`, and refer to the principal `axes`. `guess` contains
    `bias`, `scale` and `misalignment` of the sensor, and `damping`. `residual_components` are the residuals, and
    `flip` is the predicted flip period. `preset` runs the body beside the recording. `unknown` lists what the
    recording does not determine.
    """

    guess: FitParameters
    """Fitted parameters."""
    options: FitOptions
    """Parameters that were fitted, and available data."""
    moment_fractions: np.ndarray
    """Principal moments (3,) with sum 1."""
    axes: np.ndarray
    """Principal axes as columns (3, 3), in the axes of the recording."""
    names: tuple[str, ...]
    """Names of the parameters in `covariance` (k, k): the coordinates of `fit_parameters.CovarianceCoordinates`."""
    covariance: np.ndarray
    speed: float
    """Root mean square of |omega| [rad/s]."""
    residuals: Residuals
    recording: Recording
    """Recording that was fitted."""
    sigma_p: float
    """Standard deviation of the attitude residuals about each axis [rad]; NaN without attitudes."""
    sigma_omega: float
    """Standard deviation of the rate residuals per component [rad/s]; NaN without rates."""
    noise: tuple[float, float]
    """Noise of attitudes [rad] and rates [rad/s], estimated from differences between rows, independent of the fit."""
    converged: bool
    """True if the search converged."""
    loss: str = LEAST_SQUARES
    """Name of the loss function that weights outliers, one of `noise.LOSSES`."""
    explained_fraction: float = 1.0
    """Fraction of the recorded motion that the fit explains."""

    @cached_property
    def moments(self) -> np.ndarray:
        """Principal moments (3,), scaled to a maximum of 1. Axis i is the principal axis closest to axis i of the recording."""
        moments: np.ndarray = self.moment_fractions / self.moment_fractions.max()
        return moments

    @cached_property
    def deviations(self) -> np.ndarray:
        """Standard deviations of the moments (3,); 0 for the largest moment, which is fixed at 1."""
        slopes = self.moment_derivatives
        square = np.einsum("ij,jk,ik->i", slopes, self.covariance[:2, :2], slopes)
        return np.sqrt(np.maximum(square, 0.0))

    @property
    def moment_derivatives(self) -> np.ndarray:
        """Derivatives (3, 2) of `moments` with respect to the first two of `moment_fractions`, as used in `covariance`."""
        largest = int(self.moment_fractions.argmax())
        basis = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
        derivatives: np.ndarray = (basis - np.outer(self.moments, basis[largest])) / self.moment_fractions[
            largest
        ]
        return derivatives

    @property
    def intervals(self) -> np.ndarray:
        """95 % confidence intervals of the moments (3, 2)."""
        return self.moments[:, None] + CONFIDENCE_FACTOR * np.outer(self.deviations, [-1.0, 1.0])

    @cached_property
    def inertia(self) -> np.ndarray:
        """Inertia (3, 3), in the axes of the recording, with largest principal moment 1."""
        inertia: np.ndarray = self.guess.inertia / self.moment_fractions.max()
        return inertia

    @property
    def rounded_inertia(self) -> np.ndarray:
        """Inertia (3, 3) rounded to one digit beyond the smallest standard deviation of a moment.

        It is not rounded if the rounded inertia would not be physically possible.
        """
        return self._rounded_inertia(1.0)

    def _rounded_inertia(self, factor: float) -> np.ndarray:
        """Return `factor` times `inertia`, rounded as `rounded_inertia` is."""
        inertia, deviations = factor * self.inertia, factor * self.deviations[self.deviations > 0.0]
        if not len(deviations):
            return inertia
        rounded: np.ndarray = np.round(inertia, 1 - math.floor(math.log10(deviations.min()))) + 0.0
        first, second, third = np.linalg.eigvalsh(rounded)
        return rounded if first > 0.0 and first + second >= third else inertia

    def body_in_place_of(self, known_body: Body | None) -> Body:
        """Return the fitted body, in the axes of the recording.

        Parameters
        ----------
        known_body
            Body that was assumed for the recording. Its mass, its shape and the sum of its principal moments are
            kept, since a free motion determines the inertia only up to a factor. If None, the largest moment is 1
            kg m^2.
        """
        inertia = self._rounded_inertia(self._inertia_factor(known_body))
        if known_body is None:
            return Body(inertia=inertia)
        fitted = replace(
            known_body, inertia=inertia, about="centre_of_mass", centre_of_mass=None, ring=None, rotors=()
        )
        return fitted.with_folder(known_body.folder)

    def _inertia_factor(self, known_body: Body | None) -> float:
        """Return the factor [kg m^2] by which `inertia` is multiplied to give the inertia of `body_in_place_of`."""
        if known_body is None:
            return 1.0
        return float(np.trace(known_body.inertia_about_center) / np.trace(self.inertia))

    def standard_deviation(self, name: str) -> float:
        """Return the standard deviation of a parameter.

        Parameters
        ----------
        name
            One of `names`, such as `bias1` [rad/s], `scale` (relative), `misalignment1` [rad], `damping` [1/s],
            `omega1` [rad/s], `turn1` (initial attitude) [rad] or `axes1` (principal axes) [rad].
        """
        deviation = float(np.sqrt(self.covariance[self.names.index(name), self.names.index(name)]))
        prefix = name.rstrip("123")
        return deviation * {"omega": self.speed, "bias": self.speed, "damping": 1.0 / self._duration}.get(
            prefix, 1.0
        )

    @cached_property
    def flip(self) -> float:
        """Time between flips [s]: half the period of h in the body.

        At each flip the component of h along the intermediate axis changes its sign. Infinite on the separatrix;
        NaN with damping.
        """
        return _flip_period(self.guess)

    @cached_property
    def flip_deviation(self) -> float:
        """Standard deviation of `flip` [s] from the covariance; infinite if the separatrix is close."""
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
        """Ratio of the residuals of the fit to the noise estimated from neighboring rows. It is about 1 if
        the motion is that of a free body."""
        pairs = zip((self.sigma_p, self.sigma_omega), self.noise, strict=True)
        return max(
            (deviation / noise for deviation, noise in pairs if noise > 0.0 and math.isfinite(deviation)),
            default=1.0,
        )

    @property
    def is_explained(self) -> bool:
        """True if the fitted motion explains the recording; otherwise the numbers of the fit are
        meaningless."""
        return is_explained(self.explained_fraction, self.noise_ratio)

    @cached_property
    def residual_components(self) -> tuple[Residual, ...]:
        """Residuals by component: rotations about the body axes [deg], then rates [rad/s]."""
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
        """Number of rows whose residual exceeds five times the usual size."""
        pairs = (self.residuals.attitude, self.sigma_p), (self.residuals.rates, self.sigma_omega)
        return sum(count_far_off(values, sigma) for values, sigma in pairs if values is not None)

    @property
    def non_white_residuals(self) -> tuple[Residual, ...]:
        """The residual components that are not white."""
        components = self.residual_components
        return tuple(
            component for component in components if not component.whiteness.is_white(len(components))
        )

    @cached_property
    def preset(self) -> Preset:
        """Preset that runs the fitted body, with largest moment 1, beside the recording."""
        return self.preset_with_body(None)

    def preset_with_body(self, known_body: Body | None) -> Preset:
        """Return a preset that runs the body of `body_in_place_of(known_body)` beside the recording."""
        interval = float(f"{np.median(np.diff(self.residuals.t)):.6g}")
        steps = max(1, math.ceil(interval * self.speed / _MAX_TURN_PER_STEP))
        start = normalize(self.guess.p)
        drag = self._inertia_factor(known_body) * self.guess.damping / self.moment_fractions.max()
        begin = self.residuals.t[0]
        recorded = Recording(
            self.recording.t - begin,
            p=self.recording.p,
            omega=self.recording.omega,
            source=self.recording.source,
        )
        return Preset(
            title="A body found from its motion",
            summary=f"Fitted to a recording: {self.sentence}. {self.scale_sentence(known_body)}.",
            body=self.body_in_place_of(known_body),
            initial=Initial(euler_parameters=start, angular_velocity=self.guess.omega),
            loads=[Damping(coefficient=drag)] if drag > 0.0 else [],
            run=RunSettings(
                time_of_sample(max(1, round(self._duration / interval)), interval), interval / steps, interval
            ),
            lanes=[Lane("newton_euler"), Lane("recording", recording=recorded)],
        )

    def preset_beside_recording(
        self,
        reading: ReadOptions,
        time_offset: float,
        formulation: str = "newton_euler",
        known_body: Body | None = None,
    ) -> Preset:
        """Return a preset of the fitted body beside a recording in a file.

        Parameters
        ----------
        reading
            Options for reading the file.
        time_offset
            Time in the file minus time in the recording [s].
        formulation
            Name of the formulation that computes the body.
        known_body
            Body that gives mass, shape and scale of the inertia; see `body_in_place_of`.

        Returns
        -------
        Preset
            A run that begins at the first row of the fit.
        """
        begin = float(f"{time_offset + float(self.residuals.t[0]):.12g}")
        read_options = replace(reading, start=begin, offset=None)
        if not self.options.attitudes:
            read_options = replace(read_options, start_attitude=self.guess.p)
        lanes = [Lane(formulation), Lane("recording", recording=read_options.in_folder(reading.folder))]
        return replace(self.preset_with_body(known_body), lanes=lanes)

    # --- in words

    @property
    def sentence(self) -> Phrase:
        """Sentence that states the result of the fit."""
        if not self.is_explained:
            return phrase(
                "no body explains the motion: the residuals are about as large as the motion itself"
            )
        moment_texts = [
            phrase("1") if not deviation
            else phrase(
                "{moment} ± {deviation:.2g}",
                moment=f"{moment:.{min(tick_decimals(CONFIDENCE_FACTOR * deviation / 10), 6)}f}",  # significant decimals
                deviation=CONFIDENCE_FACTOR * deviation,
            ) if deviation < 0.5
            else phrase("unknown")
            for moment, deviation in zip(self.moments, self.deviations, strict=True)
        ]  # fmt: skip
        if any(0.0 < deviation < 0.5 for deviation in self.deviations):
            return phrase(
                "principal moments relative to the largest, with 95 % intervals: {moments}",
                moments=join_phrases(moment_texts),
            )
        return phrase(
            "principal moments relative to the largest: {moments}", moments=join_phrases(moment_texts)
        )

    @property
    def noise_summary(self) -> Phrase:
        """Sentence about the size of the residuals."""
        parts = []
        if math.isfinite(self.sigma_p):
            parts.append(phrase("{turn:.2g} deg in attitude (per axis)", turn=math.degrees(self.sigma_p)))
        if math.isfinite(self.sigma_omega):
            parts.append(phrase("{rate:.2g} rad/s in rate (per axis)", rate=self.sigma_omega))
        text = phrase("residuals: {sizes}", sizes=join_phrases(parts, "and"))
        if not self.is_explained:
            return phrase(
                "{statement}, as large as the motion itself: no body explains the motion, and the estimates are meaningless",
                statement=text,
            )
        if not self.converged:
            return phrase("{statement}; the search did not converge", statement=text)
        if self.noise_ratio > MAX_NOISE_RATIO:
            return phrase(
                "{statement}, {excess:.2g} times the noise: the model lacks an effect, such as a torque or a sensor error",
                statement=text, excess=self.noise_ratio,
            )  # fmt: skip
        return text

    @property
    def whiteness_summary(self) -> Phrase:
        """Sentence about the whiteness of the residuals, which the confidence intervals assume."""
        non_white = self.non_white_residuals
        is_rounding = (self.sigma_p < _ROUNDING_LEVEL, self.sigma_omega < _ROUNDING_LEVEL * self.speed)
        if any(is_rounding):
            return phrase("the residuals are rounding and discretization errors, not noise")
        if not non_white:
            return phrase("the residuals are white noise (uncorrelated, by Durbin and Watson)")
        worst = max(non_white, key=lambda residual: abs(residual.whiteness.statistic - 2.0))
        text = phrase(
            "the residuals are not white: {names} (Durbin-Watson statistic of {name}: {statistic:.2g}; white noise has 2)",
            names=join_phrases([residual.name for residual in non_white], "and"),
            name=worst.name,
            statistic=worst.whiteness.statistic,
        )
        if worst.whiteness.statistic > 2.0:
            return phrase(
                "{statement}; neighboring samples are negatively correlated, so the confidence intervals are too wide",
                statement=text,
            )
        return phrase(
            "{statement}; the model lacks an effect or the sensor smooths its data, so the confidence intervals are too narrow",
            statement=text,
        )

    @property
    def outlier_summary(self) -> Phrase:
        """Sentence about the number of outliers and their effect, or ""."""
        count = self.outlier_count
        if not count:
            return phrase("")
        if self.loss == LEAST_SQUARES:
            return plural_phrase(
                count,
                "{count} sample has more than five times the usual residual and full weight: a robust loss "
                "would reduce its influence",
                "{count} samples have more than five times the usual residual and full weight: a robust loss "
                "would reduce their influence",
            )  # fmt: skip
        return plural_phrase(
            count,
            "{count} sample has more than five times the usual residual, and little weight",
            "{count} samples have more than five times the usual residual, and little weight",
        )

    @property
    def flip_summary(self) -> Phrase:
        """Sentence with the predicted flip period."""
        return phrase(
            "the body flips every {time:.5g} s (95 % interval: ± {deviation:.2g} s)",
            time=self.flip, deviation=CONFIDENCE_FACTOR * self.flip_deviation,
        )  # fmt: skip

    @property
    def unknown(self) -> tuple[Phrase, ...]:
        """Sentences that state what the recording does not determine, and why."""
        return tuple(self._unknown_sentences())

    def scale_sentence(self, known_body: Body | None = None) -> Phrase:
        """Return a sentence about the scale of the inertia of `body_in_place_of(known_body)`."""
        if known_body is None:
            return phrase(
                "The scale of the inertia cannot be determined without a known torque: doubling all moments gives the same "
                "motion"
            )
        moment_sum = float(np.trace(known_body.inertia_about_center))
        if known_body.mass is None:
            return phrase(
                "The sum of the principal moments, {moment_sum:.4g} kg m², is kept from the previous body, because free motion "
                "determines only their ratios",
                moment_sum=moment_sum,
            )
        return phrase(
            "The mass, {mass:.4g} kg, and the sum of the principal moments, {moment_sum:.4g} kg m², are kept from the previous "
            "body, because free motion determines only the ratios of the moments",
            mass=known_body.mass,
            moment_sum=moment_sum,
        )

    def _unknown_sentences(self) -> list[Phrase]:
        sentences = [self.scale_sentence()]
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
                    "The attitude in space cannot be determined from rates alone: the initial attitude is not fitted and keeps "
                    "the value that was set"
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
                "The moments about axes {names} are unknown: the body turns about one axis only",
                names=names,
            )
        if slow_axes:
            return phrase(
                "The moments about axes {names} are unknown: the body hardly turns about axis {axis}",
                names=names,
                axis=slow_axes[0] + 1,
            )
        return phrase(
            "The moments about axes {names} are not known to within 5 %: they have too little influence on the motion compared "
            "with the other fitted parameters",
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
                    "The rotation of the principal axes about axis {axis} is unknown: the moments about axes {first} and {second} "
                    "are too similar",
                    axis=axis + 1, first=others[0], second=others[1],
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
