"""Fit the body: least squares on the compiled engine, over longer and longer stretches of a flight."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import least_squares

from quatviz.base.errors import InputError, phrase
from quatviz.fitting.flight import Flight
from quatviz.fitting.result import BodyFit, Left
from quatviz.fitting.start import inertia_of, rate_at_start
from quatviz.fitting.unknowns import Choice, Guess, Plain, Sensor, Steps, principal
from quatviz.mechanics.rotations import conjugate, multiply, normalise, to_rotation_vector
from quatviz.motion.recording import Recording
from quatviz.recordings.calculus import rates_of

Progress = Callable[[float], object]
"""Hears the share that is done, 0 to 1; what it raises ends the fit."""

TOPIC = "fit#what-it-takes"
_FIRST_TURN = 6.0
"""Turn [rad] of the first stretch that is fitted: a guess that is off by a tenth is still in phase there."""
_LONGER = 3.0
_ROUNDS = 4
"""Of weights, and of the engine's step, by what is left over."""
_HELD = 0.1
"""Standard deviation of the body's coordinates, which are logarithms, beside a linear estimate of it."""
_DIFFERENCE = 1e-6
_CENTRAL = 1e-5
_NOTHING = 1e-14
"""Of the largest eigenvalue: what is told of a direction by rounding alone."""
_LEAST = 1e-13
"""Of a radian, and of the rates: less is rounding."""


def fit_body(
    t: ArrayLike,
    p: ArrayLike | None = None,
    omega: ArrayLike | None = None,
    *,
    axes: bool = True,
    bias: bool = True,
    scale: str = "",
    misalignment: bool = False,
    damping: bool = False,
    start: ArrayLike = (1.0, 0.0, 0.0, 0.0),
    progress: Progress | None = None,
) -> BodyFit:
    """The free body whose motion this is: attitudes p (n, 4), rates omega (n, 3) [rad/s, body], or both, at times t (n,) [s].

    Sought are the principal moments, as ratios, and the start; with `axes` how the principal axes are turned in the axes of the
    recording; of rates a constant `bias`, a `scale` ("common" to the three axes, or "each" its own, which takes attitudes
    to tell), and with attitudes beside them the `misalignment` of their axes with those; a viscous `damping`. Rates alone
    begin at the attitude `start` (4,), for they tell none. Rows with a NaN in them do not count: a gap is flown through.

    A linear estimate from conserved momentum begins; then stretches of the flight are fitted, each three times as long, so that a
    turn is never mistaken for another. Attitudes and rates weigh by the noise that is left over. `InputError` where too little is
    there.

    >>> from quatviz.exact import solve
    >>> from quatviz.mechanics.body import Body
    >>> t = np.linspace(0.0, 5.0, 251)
    >>> p, rates = solve(Body(inertia=[1.0, 2.0, 2.5]), [], np.array([1.0, 0, 0, 0]), np.array([0.3, 2.0, 0.5])).at(t)
    >>> fit = fit_body(t, p, rates, axes=False)
    >>> fit.moments.round(6).tolist()  # the largest is 1
    [0.4, 0.8, 1.0]
    """
    data = _data(t, p, omega)
    choice = Choice(
        axes, bias and data.omega is not None, scale if data.omega is not None else "",
        misalignment and data.p is not None and data.omega is not None, damping, data.p is not None, data.omega is not None,
    )  # fmt: skip
    _refuse_untold(data, choice, scale)
    rates = rates_of(data.t, data.p).omega if data.omega is None and data.p is not None else data.omega
    assert rates is not None
    data = replace(data, speed=float(np.sqrt(np.nanmean(np.sum(rates**2, axis=1)))))
    search = _Search(data, choice, progress or (lambda share: None))
    first = (
        data.p[np.isfinite(data.p).all(axis=1)][0]
        if data.p is not None
        else normalise(np.asarray(start, float))
    )
    guess = Guess.of(inertia_of(data.t, data.p, rates, axes), first, rate_at_start(data.t, rates))
    return search.run(guess, _turned(data.t, rates))


@dataclass(frozen=True, eq=False)
class Data:
    """What is fitted to: times from 0 on, attitudes and rates, with NaN where there is none, and their noise."""

    t: np.ndarray
    p: np.ndarray | None
    omega: np.ndarray | None
    first: float
    """What was the first time [s]."""
    sigma_p: float
    """[rad]"""
    sigma_omega: float
    """[rad/s]"""
    speed: float = 0.0


def _data(t: ArrayLike, p: ArrayLike | None, omega: ArrayLike | None) -> Data:
    times = np.asarray(t, dtype=np.float64)
    columns = []
    for name, values, width in (("p", p, 4), ("omega", omega, 3)):
        array = None if values is None else np.array(values, dtype=np.float64)
        if array is not None and array.shape != (len(times), width):
            raise InputError(
                name, expected=phrase("numbers of the shape ({rows}, {width})", rows=len(times), width=width),
                found=phrase("the shape {shape}", shape=array.shape), remedy="give a row for each time", topic=TOPIC,
            )  # fmt: skip
        columns.append(array)
    known = np.isfinite(times)
    several = [np.isfinite(column).all(axis=1) for column in columns if column is not None]
    rows = np.flatnonzero(known & np.any(several, axis=0)) if several else np.arange(0)
    if len(rows) < 10:
        raise InputError(
            "t", expected="ten rows or more with an attitude or a rate", found=f"{len(rows)}",
            remedy="give p, omega or both, of a flight of a turn or more", topic=TOPIC,
        )  # fmt: skip
    times = times[rows]
    if (np.diff(times) <= 0.0).any():
        raise InputError(
            "t", expected="times that increase from row to row", found="one that does not",
            remedy="sort the rows, and leave out those that repeat a time", topic=TOPIC,
        )  # fmt: skip
    attitudes, rates = (None if column is None else column[rows] for column in columns)
    if attitudes is not None:
        attitudes = normalise(attitudes)
    return Data(
        times - times[0], attitudes, rates, float(times[0]),
        0.0 if attitudes is None else _noise_of_turns(attitudes),
        0.0 if rates is None else _noise(rates, 4, 70.0),
    )  # fmt: skip


def _noise(values: np.ndarray, order: int, square: float) -> float:
    """Standard deviation of noise, from differences of this order, which a smooth motion has little of."""
    found = np.diff(values, order, axis=0)
    found = found[np.isfinite(found).all(axis=1)]
    return float(np.sqrt(np.mean(found**2) / square)) if len(found) else 0.0


def _noise_of_turns(p: np.ndarray) -> float:
    # The turns from row to row are first differences already.
    return _noise(to_rotation_vector(multiply(conjugate(p[:-1]), p[1:])), 3, 70.0)


def _refuse_untold(data: Data, choice: Choice, scale: str) -> None:
    if scale not in ("", "common", "each"):
        raise InputError(
            "scale", expected='"", "common" or "each"', found=repr(scale), remedy='leave it out, or write "common"', topic=TOPIC
        )  # fmt: skip
    if choice.scale == "each" and data.p is None:
        raise InputError(
            "scale", expected="attitudes beside the rates: with rates alone a scale of each axis, and the ratios of the moments, "
            "make the same motion", found="rates alone", remedy='write scale = "common", or add attitudes', topic=TOPIC,
        )  # fmt: skip


def _turned(t: np.ndarray, omega: np.ndarray) -> np.ndarray:
    """The turn so far (n,) [rad]; a row without a rate turns as the one before."""
    speed = np.linalg.norm(omega, axis=1)
    known = np.isfinite(speed)
    if not known.any():
        raise InputError(
            "p", expected="attitudes near enough to each other for rates", found="none that are",
            remedy="record more often, or choose another stretch", topic=TOPIC,
        )  # fmt: skip
    speed = np.interp(t, t[known], speed[known])
    return np.concatenate([[0.0], np.cumsum(0.5 * (speed[1:] + speed[:-1]) * np.diff(t))])


class _Stage(NamedTuple):
    rows: int
    choice: Choice
    tolerance: float
    held: bool = False
    """Whether the body is held near the one that the stage begins with: a short stretch may tell it badly."""


class _Search:
    """One fit: what is left over of a guess, and the way to a better one."""

    def __init__(self, data: Data, choice: Choice, told: Progress) -> None:
        self.data, self.choice, self._told = data, choice, told
        floor = np.array([_LEAST, _LEAST * max(data.speed, 1e-300)])
        sigma = np.maximum([data.sigma_p, data.sigma_omega], floor)
        self._floor, self.sigma_p, self.sigma_omega = floor, float(sigma[0]), float(sigma[1])
        self._known_p = _known(data.p)
        self._known_omega = _known(data.omega)

    def run(self, guess: Guess, turned: np.ndarray) -> BodyFit:
        stages = list(self._stages(turned))
        for number, stage in enumerate(stages):
            guess, converged = self._fitted(guess, stage, turned, number, len(stages) + _ROUNDS)
        for number in range(_ROUNDS):
            before = self.sigma_p, self.sigma_omega
            self._weigh(guess, turned)
            after = self.sigma_p, self.sigma_omega
            if all(0.8 * old <= new <= 1.25 * old for old, new in zip(before, after, strict=True)):
                break
            place = len(stages) + number
            guess, converged = self._fitted(
                guess, _Stage(len(turned), self.choice, 1e-10), turned, place, len(stages) + _ROUNDS
            )
        return self._result(guess, turned, converged)

    def _stages(self, turned: np.ndarray) -> list[_Stage]:
        """Longer and longer stretches; what is left of a sensor is told by the whole flight alone."""
        plain = self.choice._replace(bias=False, scale="", misalignment=False, damping=False)
        found, turn = [], _FIRST_TURN
        while turn < 0.7 * turned[-1]:
            found.append(_Stage(int(np.searchsorted(turned, turn)) + 1, plain, 1e-3, True))
            turn *= _LONGER
        found = [stage for stage in found if stage.rows >= 12]
        whole = [_Stage(len(turned), plain, 1e-3)] if plain != self.choice else []
        return [*found, *whole, _Stage(len(turned), self.choice, 1e-9)]

    def _flight(self, turned: np.ndarray) -> Flight:
        """In steps that are off by much less than the noise: the error of a step of x [rad] is some x^5/120."""
        noise = [self.sigma_p] if self.data.p is not None else []
        noise += [self.sigma_omega / self.data.speed] if self.data.omega is not None else []
        x = (0.1 * min(noise) / max(float(turned[-1]), 1.0)) ** 0.25
        return Flight(self.data.t, float(np.clip(x, 3e-3, 0.06)) / self._fastest(turned))

    def _fastest(self, turned: np.ndarray) -> float:
        return float(np.max(np.diff(turned) / np.diff(self.data.t)))

    def _fitted(
        self, guess: Guess, stage: _Stage, turned: np.ndarray, number: int, of: int
    ) -> tuple[Guess, bool]:
        flight = self._flight(turned)
        steps = Steps(Sensor(stage.choice, self.data.speed, float(self.data.t[-1])), guess)
        tried = 0
        shape = (
            np.eye(steps.count)[: 5 if self.choice.axes else 2] / _HELD
            if stage.held
            else np.empty((0, steps.count))
        )

        last = np.empty(0), np.empty(0)

        def left(x: np.ndarray) -> np.ndarray:
            nonlocal last
            last = x.copy(), self._left(flight, [steps.at(x)], stage.rows)[0]
            return np.concatenate([last[1], shape @ x])

        def slopes(x: np.ndarray) -> np.ndarray:
            nonlocal tried
            tried += 1
            self._told((number + 1.0 - 0.7**tried) / of)
            # Slopes are asked for where the search has just been.
            here = last[1] if np.array_equal(x, last[0]) else left(x)[: len(last[1])]
            near = [steps.at(x + _DIFFERENCE * unit) for unit in np.eye(len(x))]
            others = self._left(flight, near, stage.rows)
            return np.concatenate([(others - here).T / _DIFFERENCE, shape])

        found = least_squares(
            left,
            np.zeros(steps.count),
            slopes,
            ftol=stage.tolerance,
            xtol=1e-13,
            gtol=1e-14,
            max_nfev=60,
            method="lm",
        )
        return steps.at(found.x), bool(found.success)

    def _left(self, flight: Flight, guesses: Sequence[Guess], rows: int) -> np.ndarray:
        """What is left over of each guess (m, k), in units of the noise."""
        turns, rates = self._over(flight, guesses, rows)
        parts = []
        if turns is not None:
            parts.append(turns.reshape(len(guesses), -1) / self.sigma_p)
        if rates is not None:
            parts.append(rates.reshape(len(guesses), -1) / self.sigma_omega)
        return np.concatenate(parts, axis=1)

    def _over(
        self, flight: Flight, guesses: Sequence[Guess], rows: int
    ) -> tuple[np.ndarray | None, np.ndarray | None]:
        """The turns (m, k, 3) [rad] and rates (m, k, 3) [rad/s] by which known rows differ from guesses."""
        p, omega = flight.at(guesses, rows)
        turns = rates = None
        if self.data.p is not None:
            known = self._known_p[:rows]
            turns = to_rotation_vector(multiply(conjugate(p[:, known]), self.data.p[:rows][known]))
        if self.data.omega is not None:
            known = self._known_omega[:rows]
            shown = [guess.shown(each) for guess, each in zip(guesses, omega[:, known], strict=True)]
            rates = self.data.omega[:rows][known] - np.array(shown)
        return turns, rates

    def _weigh(self, guess: Guess, turned: np.ndarray) -> None:
        """Let attitudes and rates weigh by what is left over of each."""
        turns, rates = self._over(self._flight(turned), [guess], len(turned))
        size = sum(each.size for each in (turns, rates) if each is not None)
        count = Steps(Sensor(self.choice, 1.0, 1.0), guess).count
        free = np.sqrt(size / max(size - count, 1))
        if turns is not None:
            self.sigma_p = max(float(free * np.sqrt(np.mean(turns**2))), self._floor[0])
        if rates is not None:
            self.sigma_omega = max(float(free * np.sqrt(np.mean(rates**2))), self._floor[1])

    def _result(self, guess: Guess, turned: np.ndarray, converged: bool) -> BodyFit:
        data, flight = self.data, self._flight(turned)
        moments, frame = principal(guess.inertia, self.choice.axes)
        plain = Plain(Sensor(self.choice, data.speed, float(data.t[-1])), guess, moments, frame)
        p, omega = flight.at([guess])
        turns, rates = self._over(flight, [guess], len(data.t))
        left = Left(
            data.first + data.t,
            p[0],
            omega[0],
            _spread(turns, self._known_p),
            _spread(rates, self._known_omega),
        )
        return BodyFit(
            guess, self.choice, moments, frame, tuple(plain.names), covariance(self._slopes(flight, plain)), data.speed, left,
            Recording(left.t, p=data.p, omega=data.omega),
            self.sigma_p if data.p is not None else np.nan, self.sigma_omega if data.omega is not None else np.nan,
            (data.sigma_p, data.sigma_omega), converged,
        )  # fmt: skip

    def _slopes(self, flight: Flight, plain: Plain) -> np.ndarray:
        """(m, k), by central differences; a damping below nothing is none."""
        units = _CENTRAL * np.eye(len(plain.names))
        back = np.array([0.0 if name == "damping" else 1.0 for name in plain.names])
        near = [plain.at(unit) for unit in (*units, *(-back[:, None] * units))]
        left = self._left(flight, near, len(self.data.t))
        return (left[: len(units)] - left[len(units) :]).T / (_CENTRAL * (1.0 + back))


def _known(values: np.ndarray | None) -> np.ndarray:
    return np.arange(0) if values is None else np.isfinite(values).all(axis=1)


def _spread(values: np.ndarray | None, known: np.ndarray) -> np.ndarray | None:
    """Values (1, m, 3) of known rows at all of them (n, 3), NaN elsewhere."""
    if values is None:
        return None
    found = np.full((len(known), 3), np.nan)
    found[known] = values[0]
    return found


def covariance(slopes: np.ndarray) -> np.ndarray:
    """(J^T J)^-1 (k, k) of slopes J (m, k) in units of the noise; what they do not tell has a variance beyond all bounds."""
    sizes = np.linalg.norm(slopes, axis=0)
    scaled = slopes / np.where(sizes > 0.0, sizes, 1.0)
    values, vectors = np.linalg.eigh(scaled.T @ scaled)
    half = (
        vectors
        / np.sqrt(np.maximum(values, _NOTHING * values[-1]))
        / np.where(sizes > 0.0, sizes, 1.0)[:, None]
    )
    found: np.ndarray = half @ half.T
    return found
