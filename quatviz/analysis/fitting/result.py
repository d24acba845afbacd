"""What a fit has found, how well it is known, and what cannot be known."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from quatviz.analysis.fitting.fit_parameters import Choice, Guess, Plain, Sensor
from quatviz.analysis.fitting.noise import EXCESS, LEAST_SQUARES, Whiteness, explains, far_off, whiteness
from quatviz.base.errors import Phrase, counted, listed, phrase
from quatviz.base.formatting import decimals_for
from quatviz.files.preset import Lane, Preset, RunSettings, time_of
from quatviz.physics.exact.torque_free import half_period
from quatviz.physics.loads.damping import Damping
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Initial
from quatviz.physics.mechanics.rotations import normalise
from quatviz.physics.observables.read_options import Reading
from quatviz.physics.observables.recording import Recording

SURE = 1.96
"""Standard deviations on either side: 19 times in 20 the truth lies within, if what is left over is noise."""
UNKNOWN = 0.05
"""Of a moment: with a larger standard deviation it is not known."""
_TURN = math.radians(10.0)
_VAGUE = 0.1
"""Of the time between flips: with a larger standard deviation nothing is predicted."""
_TINY = 1e-7
"""Of a radian, and of the rates: what is left over is no noise."""
_STEP = 1e-5
_ANGLE = 0.01
"""Of a step of the preset [rad]."""


@dataclass(frozen=True)
class Left:
    """The motion that was found, beside what it leaves over."""

    t: np.ndarray
    """(n,) [s]"""
    p: np.ndarray
    """(n, 4), as integrated."""
    omega: np.ndarray
    """(n, 3) [rad/s, body]"""
    turns: np.ndarray | None
    """(n, 3) [rad, body]: from the motion to the attitudes; None without attitudes, NaN where there is none."""
    rates: np.ndarray | None
    """(n, 3) [rad/s]: what the sensor shows less what it would show of the motion; None without rates."""


class Residual(NamedTuple):
    """One component of what is left over, (n,) over the times of `Left`, in the unit that people read."""

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
    recording; `bias`, `scale`, `misalignment` of the sensor and `damping` in `guess`; `left` is what is left over of each row.
    `flip` is the period of flips that it predicts, `preset` a run of it beside the recording, `unknown` what cannot be known.
    """

    guess: Guess
    choice: Choice
    shares: np.ndarray
    """Principal moments (3,) of sum 1."""
    axes: np.ndarray
    names: tuple[str, ...]
    """Of the numbers that `covariance` (k, k) is about, in the units of `unknowns.Plain`."""
    covariance: np.ndarray
    speed: float
    """Usual |omega| [rad/s]."""
    left: Left
    recorded: Recording
    sigma_p: float
    """What is left over of attitudes, about each axis [rad]; NaN without."""
    sigma_omega: float
    """And of rates, each component [rad/s]; NaN without."""
    noise: tuple[float, float]
    """The same by differences from row to row alone, whatever the motion."""
    converged: bool
    loss: str = LEAST_SQUARES
    """How much a sample far off has counted: one of `noise.LOSSES`."""
    explained: float = 1.0
    """The share of what was recorded that the motion explains."""

    @cached_property
    def moments(self) -> np.ndarray:
        """(3,), in the order of the axes of the recording to which their own are nearest."""
        found: np.ndarray = self.shares / self.shares.max()
        return found

    @cached_property
    def deviations(self) -> np.ndarray:
        """Standard deviations of the moments (3,); 0 of the largest, which is 1."""
        slopes = self.slopes_of_moments
        square = np.einsum("ij,jk,ik->i", slopes, self.covariance[:2, :2], slopes)
        return np.sqrt(np.maximum(square, 0.0))

    @property
    def slopes_of_moments(self) -> np.ndarray:
        """By the first two shares of the trace, which the covariance is about (3, 2)."""
        largest = int(self.shares.argmax())
        by_two = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
        found: np.ndarray = (by_two - np.outer(self.moments, by_two[largest])) / self.shares[largest]
        return found

    @property
    def intervals(self) -> np.ndarray:
        """Where the moments lie 19 times in 20 (3, 2)."""
        return self.moments[:, None] + SURE * np.outer(self.deviations, [-1.0, 1.0])

    @cached_property
    def inertia(self) -> np.ndarray:
        """(3, 3), in the axes of the recording."""
        found: np.ndarray = self.guess.inertia / self.shares.max()
        return found

    def deviation(self, name: str) -> float:
        """Standard deviation of one of `names`: `bias1` [rad/s], `scale` (relative), `misalignment1` [rad], `damping` [1/s],
        `omega1` [rad/s], `turn1` of the start and `axes1` of the principal axes [rad]."""
        found = float(np.sqrt(self.covariance[self.names.index(name), self.names.index(name)]))
        stem = name.rstrip("123")
        return found * {"omega": self.speed, "bias": self.speed, "damping": 1.0 / self._duration}.get(
            stem, 1.0
        )

    @cached_property
    def flip(self) -> float:
        """The time between two flips [s]: in which h goes half around in the body, and the component about the middle axis changes
        its sign. Infinite on the separatrix; NaN with damping."""
        return _flip(self.guess)

    @cached_property
    def flip_deviation(self) -> float:
        """Its standard deviation [s], by the covariance; infinite where the separatrix is within reach."""
        plain = Plain(Sensor(self.choice, self.speed, self._duration), self.guess, self.shares, self.axes)
        steps = _STEP * np.eye(len(self.names))
        slopes = np.array(
            [(_flip(plain.at(step)) - _flip(plain.at(-step))) / (2.0 * _STEP) for step in steps]
        )
        if not np.isfinite(slopes).all():
            return math.nan if math.isnan(self.flip) else math.inf
        return float(np.sqrt(slopes @ self.covariance @ slopes))

    @property
    def excess(self) -> float:
        """How many times the noise from row to row is left over: 1 where the motion is that of a free body."""
        pairs = zip((self.sigma_p, self.sigma_omega), self.noise, strict=True)
        return max(
            (left / noise for left, noise in pairs if noise > 0.0 and math.isfinite(left)), default=1.0
        )

    @property
    def explains(self) -> bool:
        """Whether the motion that was found has anything to do with what was recorded; else its numbers say nothing."""
        return explains(self.explained, self.excess)

    @cached_property
    def residuals(self) -> tuple[Residual, ...]:
        """What is left over, component by component: turns about the body's axes [deg], then rates [rad/s]."""
        found = []
        for stem, unit, size, values, sigma, noise in (
            ("δφ", "deg", math.degrees(1.0), self.left.turns, self.sigma_p, self.noise[0]),
            ("δω", "rad/s", 1.0, self.left.rates, self.sigma_omega, self.noise[1]),
        ):
            for axis, column in enumerate([] if values is None else size * values.T):
                name = f"{stem}{'₁₂₃'[axis]}"
                found.append(Residual(name, unit, column, size * sigma, size * noise, whiteness(column)))
        return tuple(found)

    @property
    def far_off(self) -> int:
        """How many rows are left over by more than five times the usual size."""
        pairs = (self.left.turns, self.sigma_p), (self.left.rates, self.sigma_omega)
        return sum(far_off(values, sigma) for values, sigma in pairs if values is not None)

    @property
    def coloured(self) -> tuple[Residual, ...]:
        """Those of `residuals` that are not white."""
        every = self.residuals
        return tuple(each for each in every if not each.whiteness.is_white(len(every)))

    @cached_property
    def preset(self) -> Preset:
        """The body that was found, beside the recording."""
        interval = float(f"{np.median(np.diff(self.left.t)):.6g}")
        steps = max(1, math.ceil(interval * self.speed / _ANGLE))
        start = normalise(self.guess.p)
        drag = self.guess.damping / self.shares.max()
        begin = self.left.t[0]
        recorded = Recording(
            self.recorded.t - begin, p=self.recorded.p, omega=self.recorded.omega, source=self.recorded.source
        )
        return Preset(
            title="A body found from its motion",
            summary=f"Fitted to a recording: {self.sentence}. {self.unknown[0]}.",
            body=Body(inertia=self.inertia),
            initial=Initial(euler_parameters=start, angular_velocity=self.guess.omega),
            loads=[Damping(coefficient=drag)] if drag > 0.0 else [],
            run=RunSettings(
                time_of(max(1, round(self._duration / interval)), interval), interval / steps, interval
            ),
            lanes=[Lane("newton_euler"), Lane("recording", recording=recorded)],
        )

    def beside(self, reading: Reading, ahead: float, form: str = "newton_euler") -> Preset:
        """The body that was found, in a `form` of the equations, beside the recording in a file, from the row at which the fit
        begins; `ahead` is what times of the file are ahead of those of the recording [s]."""
        begin = float(f"{ahead + float(self.left.t[0]):.12g}")
        used = replace(reading, start=begin, offset=None)
        if not self.choice.attitudes:
            used = replace(used, start_attitude=self.guess.p)
        lanes = [Lane(form), Lane("recording", recording=used.beside(reading.folder))]
        return replace(self.preset, lanes=lanes)

    # --- in words

    @property
    def sentence(self) -> Phrase:
        """What was found."""
        if not self.explains:
            return phrase("no body explains it: what is left over is about as large as the motion itself")
        known = [
            phrase("1") if not deviation
            else phrase(
                "{moment} ± {deviation:.2g}",
                moment=f"{moment:.{min(decimals_for(SURE * deviation / 10), 6)}f}",  # those that mean something
                deviation=SURE * deviation,
            ) if deviation < 0.5
            else phrase("unknown")
            for moment, deviation in zip(self.moments, self.deviations, strict=True)
        ]  # fmt: skip
        return phrase("principal moments {moments}, of which the largest is 1", moments=listed(known))

    @property
    def of_noise(self) -> Phrase:
        """How well the motion is followed."""
        parts = []
        if math.isfinite(self.sigma_p):
            parts.append(phrase("{turn:.2g} deg about each axis", turn=math.degrees(self.sigma_p)))
        if math.isfinite(self.sigma_omega):
            parts.append(phrase("{rate:.2g} rad/s of each rate", rate=self.sigma_omega))
        said = phrase("{sizes} is left over", sizes=listed(parts, "and"))
        if not self.explains:
            return phrase(
                "{said}, about as much as the motion itself: no body explains it, and these numbers say nothing",
                said=said,
            )
        if not self.converged:
            return phrase("{said}; the search did not come to an end", said=said)
        if self.excess > EXCESS:
            return phrase(
                "{said}, {excess:.2g} times the noise from row to row: something else is at work, such as a torque, or a sensor "
                "that is not fitted",
                said=said, excess=self.excess,
            )  # fmt: skip
        return said

    @property
    def of_whiteness(self) -> Phrase:
        """Whether what is left over knows of itself, which intervals take for granted that it does not."""
        coloured = self.coloured
        tiny = (self.sigma_p < _TINY, self.sigma_omega < _TINY * self.speed)
        if any(tiny):
            return phrase("what is left over is rounding and the engine's step, not noise")
        if not coloured:
            return phrase("what is left over is white: no sample knows of the one before (Durbin and Watson)")
        worst = max(coloured, key=lambda each: abs(each.whiteness.statistic - 2.0))
        said = phrase(
            "what is left over is not white: {names} ({name} has {statistic:.2g} by Durbin and Watson; white noise has 2)",
            names=listed([each.name for each in coloured], "and"), name=worst.name, statistic=worst.whiteness.statistic,
        )  # fmt: skip
        if worst.whiteness.statistic > 2.0:
            return phrase("{said}; samples turn back on those before, and intervals are too wide", said=said)
        return phrase(
            "{said}; something is not fitted, or the sensor smooths, and intervals are too narrow", said=said
        )

    @property
    def of_outliers(self) -> Phrase:
        """How many samples are far off, and what that does; empty where none is."""
        count = self.far_off
        if not count:
            return phrase("")
        if self.loss == LEAST_SQUARES:
            return counted(
                count,
                "{count} sample is more than five times as far off as is usual, and counts as much as all others: a robust loss "
                "would hold it back",
                "{count} samples are more than five times as far off as is usual, and count as much as all others: a robust loss "
                "would hold them back",
            )  # fmt: skip
        return counted(
            count,
            "{count} sample is more than five times as far off as is usual, and hardly counts",
            "{count} samples are more than five times as far off as is usual, and hardly count",
        )

    @property
    def of_flips(self) -> Phrase:
        """What it predicts."""
        return phrase(
            "h goes half around in the body, a flip, every {time:.5g} ± {deviation:.2g} s",
            time=self.flip, deviation=SURE * self.flip_deviation,
        )  # fmt: skip

    @property
    def unknown(self) -> tuple[Phrase, ...]:
        """What cannot be known, and why."""
        return tuple(self._unknown())

    def _unknown(self) -> list[Phrase]:
        said = [
            phrase(
                "The scale of the inertia cannot be known without a torque that is: moments that are all twice as large make the "
                "same motion"
            )
        ]
        loose = [axis for axis in range(3) if self.deviations[axis] > UNKNOWN * self.moments[axis]]
        if loose:
            said.append(self._of_loose(loose))
        if self.choice.axes:
            said += self._of_axes(loose)
        if not self.choice.attitudes:
            said.append(
                phrase(
                    "The attitude in space cannot be known from rates alone: it begins where it was told to"
                )
            )
        return said

    def _of_loose(self, loose: list[int]) -> Phrase:
        along = self.left.omega @ self.axes
        sizes = np.sqrt(np.mean(along**2, axis=0))
        names = listed([phrase("{axis}", axis=axis + 1) for axis in loose], "and")
        idle = [axis for axis in range(3) if sizes[axis] < UNKNOWN * sizes.max()]
        if len(idle) == 2:
            return phrase(
                "The moments about axes {names} are not known: the body turns about one axis only",
                names=names,
            )
        if idle:
            return phrase(
                "The moments about axes {names} are not known: the body hardly turns about axis {axis}",
                names=names,
                axis=idle[0] + 1,
            )
        return phrase(
            "The moments about axes {names} are not known to a twentieth: too little of the motion depends on them beside "
            "what else is fitted",
            names=names,
        )

    def _of_axes(self, loose: list[int]) -> list[Phrase]:
        said = []
        for axis in range(3):
            turn = math.sqrt(self.covariance[2 + axis, 2 + axis])
            if turn < _TURN or loose:
                continue
            others = [other + 1 for other in range(3) if other != axis]
            said.append(
                phrase(
                    "How the principal axes are turned about axis {axis} is not known: the moments about {one} and {two} are too "
                    "near to each other",
                    axis=axis + 1, one=others[0], two=others[1],
                )
            )  # fmt: skip
        return said

    def __repr__(self) -> str:
        lines = [str(self.sentence), str(self.of_noise), str(self.of_whiteness)]
        lines += [str(self.of_outliers)] if self.far_off else []
        if math.isfinite(self.flip) and self.flip_deviation < _VAGUE * self.flip:
            lines.append(str(self.of_flips))
        return "\n  ".join([*lines, *self.unknown])

    @property
    def _duration(self) -> float:
        return float(self.left.t[-1] - self.left.t[0])


def _flip(guess: Guess) -> float:
    return math.nan if guess.damping else half_period(guess.inertia, guess.omega)
