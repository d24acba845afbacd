"""The search for a body: stretches of a flight, each longer than the one before, then the weights by what is left over."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import least_squares

from quatviz.analysis.fitting import noise
from quatviz.analysis.fitting.data import TOPIC, Calm, Data
from quatviz.analysis.fitting.fit_parameters import Choice, Guess, Plain, Sensor, Steps, principal
from quatviz.analysis.fitting.flight import Flight
from quatviz.analysis.fitting.initial_guess import inertia_of, rate_at_start
from quatviz.analysis.fitting.result import BodyFit, Left
from quatviz.base.errors import InputError
from quatviz.physics.mechanics.rotations import conjugate, multiply, to_rotation_vector
from quatviz.physics.observables.recording import Recording

_FIRST_TURN = 6.0
"""Turn [rad] of the first stretch that is fitted: a guess that is off by a tenth is still in phase there."""
_LONGER = 3.0
_ROUNDS = 4
"""Of weights, and of the engine's step, by what is left over."""
_HELD = 0.1
"""Standard deviation of the body's coordinates, which are logarithms, beside a linear estimate of it."""
_DIFFERENCE = 1e-6
_CENTRAL = 1e-5
_CONVEX = "huber"
"""The loss for a second way from the first guess: what is far off pulls there too, where others let a guess stay."""
_ENDLESS = 2
"""Fits of all of the flight that come to no end, of which another would come to none."""
_NOTHING = 1e-14
"""Of the largest eigenvalue: what is told of a direction by rounding alone."""
_ANY = 1e100
"""Slopes beyond are none: a motion without bounds."""
_LEAST = 1e-13
"""Of a radian, and of the rates: less is rounding."""


class _Stage(NamedTuple):
    rows: int
    choice: Choice
    tolerance: float
    held: bool = False
    """Whether the body is held near the one that the stage begins with: a short stretch may tell it badly."""


class Way(NamedTuple):
    """How far a search has come."""

    steps: int
    """That were taken."""
    guess: Guess
    sigma_p: float
    """By which attitudes weigh [rad]."""
    sigma_omega: float
    """And rates [rad/s]."""
    converged: bool = False
    settled: bool = False
    """Whether no step is left to take."""
    endless: int = 0
    """Fits of all of the flight, one after the other, that came to no end."""
    share: float = 1.0
    """What its guess explains of a flight that is fitted as a whole,"""
    excess: float = 0.0
    """and how many times the noise it leaves over."""
    before: "Way | None" = None
    """The first way, where this is the second: more than noise was left over of where that had led."""


class Search:
    """One fit: what is left over of a guess, and the way to a better one, step by step. It keeps nothing of its way, so that each
    step may be taken in another process."""

    def __init__(self, data: Data, choice: Choice, first: Calm, start: np.ndarray) -> None:
        """`first` is what the first guess is made of, `start` (4,) its attitude where there is none."""
        self.data, self.choice = data, choice
        self._speed = first.speed
        self._floor = np.array([_LEAST, _LEAST * max(first.speed, 1e-300)])
        self._known_p = _known(data.p)
        self._known_omega = _known(data.omega)
        self._turned = _turned(data.t, first.omega)
        self._first, self._start = first, start
        self._plan = list(self._stages())

    @property
    def most(self) -> int:
        """How many steps it takes at most."""
        return len(self._plan) + _ROUNDS

    def run(self, told: Callable[[float], object]) -> BodyFit:
        """All steps; `told` hears of the share that is done."""
        way = self.begin()
        while not way.settled:
            way = self.after(way, told)
        return self.found(way)

    def begin(self) -> Way:
        """The first guess, from what a free body keeps."""
        first, data = self._first, self.data
        p = self._start if first.first is None else first.first
        inertia = inertia_of(data.t, first.p, first.omega, self.choice.axes)
        sigma = np.maximum([data.sigma_p, data.sigma_omega], self._floor)
        return Way(
            0,
            Guess.of(inertia, p, rate_at_start(data.t, first.omega)),
            float(sigma[0]),
            float(sigma[1]),
        )

    def after(self, way: Way, told: Callable[[float], object] = float) -> Way:
        """One step further: the next stretch, or, where all of the flight is fitted, other weights and the flight once more."""
        if way.steps < len(self._plan):
            stage = self._plan[way.steps]
            guess, converged = self._fitted(way, stage, told)
            endless = 0 if converged else 1
            way = way._replace(steps=way.steps + 1, guess=guess, converged=converged, endless=endless)
            if stage.rows == len(self._turned):
                way = self._judged(way)
                if not noise.explains(way.share, way.excess):
                    # Of what no body explains every further fit takes as long as it may.
                    return self._weighed(way)._replace(settled=True)
            return way
        weighed = self._weighed(way)
        pairs = (way.sigma_p, weighed.sigma_p), (way.sigma_omega, weighed.sigma_omega)
        if all(0.8 * old <= new <= 1.25 * old for old, new in pairs):
            return weighed._replace(settled=True)
        guess, converged = self._fitted(weighed, _Stage(len(self._turned), self.choice, 1e-10), told)
        steps, endless = way.steps + 1, 0 if converged else way.endless + 1
        settled = steps >= self.most or endless >= _ENDLESS
        return weighed._replace(
            steps=steps, guess=guess, converged=converged, settled=settled, endless=endless
        )

    def _judged(self, way: Way) -> Way:
        """The way from here, all of the flight being fitted. Where a loss that lets go of what is far off leaves more than noise
        over, a second way is gone from the first guess, and the better one taken."""
        turns, rates = self._over(self._flight(way), [way.guess], len(self.data.t))
        pairs = (turns, self.data.sigma_p), (rates, self.data.sigma_omega)
        excess = [
            noise.deviation(left, self.data.loss) / max(sigma, 1e-300)
            for left, sigma in pairs
            if left is not None
        ]
        way = way._replace(share=self._share(turns, rates), excess=max(excess))
        first = sum(stage.held for stage in self._plan)
        if not 0 < first == way.steps - 1 or self.data.loss == noise.LEAST_SQUARES:
            return way
        if way.before is None:
            return self.begin()._replace(before=way) if way.excess > noise.EXCESS else way
        return way if way.excess <= way.before.excess else way.before._replace(before=way.before)

    def _share(self, turns: np.ndarray | None, rates: np.ndarray | None) -> float:
        """What a guess explains of all, that leaves turns (1, m, 3) and rates (1, m, 3) over."""
        left = [None if each is None else each[0] for each in (turns, rates)]
        return noise.explained(left[0], left[1], self.data.omega)

    def _stages(self) -> list[_Stage]:
        """Longer and longer stretches; what is left of a sensor is told by the whole flight alone."""
        turned = self._turned
        plain = self.choice._replace(bias=False, scale="", misalignment=False, damping=False)
        found, turn = [], _FIRST_TURN
        while turn < 0.7 * turned[-1]:
            found.append(_Stage(int(np.searchsorted(turned, turn)) + 1, plain, 1e-3, True))
            turn *= _LONGER
        found = [stage for stage in found if stage.rows >= 12]
        whole = [_Stage(len(turned), plain, 1e-3)] if plain != self.choice else []
        return [*found, *whole, _Stage(len(turned), self.choice, 1e-9)]

    def _flight(self, way: Way) -> Flight:
        """In steps that are off by much less than the noise: the error of a step of x [rad] is some x^5/120."""
        sizes = [way.sigma_p] if self.data.p is not None else []
        sizes += [way.sigma_omega / self._speed] if self.data.omega is not None else []
        x = (0.1 * min(sizes) / max(float(self._turned[-1]), 1.0)) ** 0.25
        fastest = float(np.max(np.diff(self._turned) / np.diff(self.data.t)))
        return Flight(self.data.t, float(np.clip(x, 3e-3, 0.06)) / fastest)

    def _fitted(self, way: Way, stage: _Stage, told: Callable[[float], object]) -> tuple[Guess, bool]:
        flight, guess = self._flight(way), way.guess
        steps = Steps(Sensor(stage.choice, self._speed, float(self.data.t[-1])), guess)
        tried = 0
        shape = (
            np.eye(steps.count)[: 5 if self.choice.axes else 2] / _HELD
            if stage.held
            else np.empty((0, steps.count))
        )

        last = np.empty(0), np.empty(0)

        def left(x: np.ndarray) -> np.ndarray:
            nonlocal last
            last = x.copy(), self._left(flight, way, [steps.at(x)], stage.rows)[0]
            return np.concatenate([last[1], shape @ x])

        def slopes(x: np.ndarray) -> np.ndarray:
            nonlocal tried
            tried += 1
            done = way.steps + 1.0 - 0.7**tried
            told((done if way.before is None else max(done, way.before.steps)) / self.most)
            # Slopes are asked for where the search has just been.
            here = last[1] if np.array_equal(x, last[0]) else left(x)[: len(last[1])]
            near = [steps.at(x + _DIFFERENCE * unit) for unit in np.eye(len(x))]
            others = self._left(flight, way, near, stage.rows)
            return np.concatenate([(others - here).T / _DIFFERENCE, shape])

        found = least_squares(
            left,
            np.zeros(steps.count),
            slopes,
            ftol=stage.tolerance,
            xtol=1e-13,
            gtol=1e-14,
            max_nfev=40 if stage.held else 60,
            **_method(self.data.loss if way.before is None or stage is self._plan[-1] else _CONVEX),
        )
        return steps.at(found.x), bool(found.success)

    def _left(self, flight: Flight, way: Way, guesses: Sequence[Guess], rows: int) -> np.ndarray:
        """What is left over of each guess (m, k), in units of the noise."""
        turns, rates = self._over(flight, guesses, rows)
        parts = []
        if turns is not None:
            parts.append(turns.reshape(len(guesses), -1) / way.sigma_p)
        if rates is not None:
            parts.append(rates.reshape(len(guesses), -1) / way.sigma_omega)
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

    def _weighed(self, way: Way) -> Way:
        """Let attitudes and rates weigh by what is left over of each."""
        turns, rates = self._over(self._flight(way), [way.guess], len(self.data.t))
        size = sum(each.size for each in (turns, rates) if each is not None)
        count = Steps(Sensor(self.choice, 1.0, 1.0), way.guess).count
        free = float(np.sqrt(size / max(size - count, 1)))
        if turns is not None:
            sigma = max(free * noise.deviation(turns, self.data.loss), self._floor[0])
            way = way._replace(sigma_p=float(sigma))
        if rates is not None:
            sigma = max(free * noise.deviation(rates, self.data.loss), self._floor[1])
            way = way._replace(sigma_omega=float(sigma))
        return way

    def found(self, way: Way) -> BodyFit:
        """What a way has led to."""
        data, flight, guess = self.data, self._flight(way), way.guess
        moments, frame = principal(guess.inertia, self.choice.axes)
        plain = Plain(Sensor(self.choice, self._speed, float(data.t[-1])), guess, moments, frame)
        p, omega = flight.at([guess])
        turns, rates = self._over(flight, [guess], len(data.t))
        left = Left(
            data.first + data.t,
            p[0],
            omega[0],
            _spread(turns, self._known_p),
            _spread(rates, self._known_omega),
        )
        here = self._left(flight, way, [guess], len(data.t))[0]
        spread = noise.widened(here, data.loss) * covariance(self._slopes(flight, way, plain))
        return BodyFit(
            guess, self.choice, moments, frame, tuple(plain.names), spread, self._speed, left,
            Recording(left.t, p=data.p, omega=data.omega),
            way.sigma_p if data.p is not None else np.nan, way.sigma_omega if data.omega is not None else np.nan,
            (data.sigma_p, data.sigma_omega), way.converged, data.loss,
            self._share(turns, rates),
        )  # fmt: skip

    def _slopes(self, flight: Flight, way: Way, plain: Plain) -> np.ndarray:
        """(m, k), by central differences; a damping below nothing is none."""
        units = _CENTRAL * np.eye(len(plain.names))
        back = np.array([0.0 if name == "damping" else 1.0 for name in plain.names])
        near = [plain.at(unit) for unit in (*units, *(-back[:, None] * units))]
        left = self._left(flight, way, near, len(self.data.t))
        return (left[: len(units)] - left[len(units) :]).T / (_CENTRAL * (1.0 + back))


def _method(loss: str) -> dict[str, Any]:
    """Levenberg and Marquardt's, which knows least squares alone; else one that takes a loss."""
    if loss == noise.LEAST_SQUARES:
        return {"method": "lm"}
    return {"method": "trf", "x_scale": "jac", "loss": loss, "f_scale": noise.LOSSES[loss]}


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
    """(J^T J)^-1 (k, k) of slopes J (m, k) in units of the noise; what they do not tell has a variance beyond all bounds,
    as has a direction that leads at once to where there is no body, of which there are no slopes."""
    slopes = np.where(np.abs(slopes) < _ANY, slopes, 0.0)
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
    turned = np.concatenate([[0.0], np.cumsum(0.5 * (speed[1:] + speed[:-1]) * np.diff(t))])
    if not turned[-1] > _LEAST:
        raise InputError(
            "omega", expected="a motion that turns: one at rest tells nothing of its body", found="one that stands still",
            remedy="choose another stretch, of a turn or more", topic=TOPIC,
        )  # fmt: skip
    return turned
