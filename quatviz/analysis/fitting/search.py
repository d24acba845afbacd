"""Search for a body: fits of successively longer parts of a flight, then reweighting by the residuals."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import least_squares

from quatviz.analysis.fitting import noise
from quatviz.analysis.fitting.data import TOPIC, CleanedData, FitData
from quatviz.analysis.fitting.fit_parameters import (
    CovarianceCoordinates,
    FitOptions,
    FitParameters,
    SearchCoordinates,
    SharedCoordinates,
    principal_inertia,
)
from quatviz.analysis.fitting.flight import FreeMotionModel
from quatviz.analysis.fitting.initial_guess import estimate_inertia, initial_rate
from quatviz.analysis.fitting.result import BodyFit, Residuals
from quatviz.base.errors import InputError
from quatviz.physics.mechanics.rotations import conjugate, multiply, to_rotation_vector
from quatviz.physics.observables.recording import Recording

_FIRST_STAGE_TURN = 6.0
"""Rotation angle [rad] of the body in the first fitted part of the flight. A guess with an error of 10 % is
still in phase at the end of this part."""
_STAGE_GROWTH = 3.0
"""Ratio of the rotation angles of two consecutive fitted parts of the flight."""
_REWEIGHTING_ROUNDS = 4
"""Largest number of final steps of the search. Each adapts the weights, and the step length of the integration, to the
residuals."""
_INERTIA_PRIOR_SIGMA = 0.1
"""Standard deviation of the prior that keeps the inertia coordinates (logarithms) near their linear estimate."""
_DIFFERENCE_STEP = 1e-6
"""Step of the forward differences that give the Jacobian during the search."""
_CENTRAL_STEP = 1e-5
"""Step of the central differences that give the Jacobian for the covariance."""
_CONVEX_LOSS = "huber"
"""Convex loss function of the second attempt at a fit. With a convex loss, the search cannot get stuck in a
local minimum, but outliers influence the result."""
_MAX_UNFINISHED_FITS = 2
"""Number of consecutive fits of the whole flight without convergence with which the search ends."""
_MIN_RELATIVE_EIGENVALUE = 1e-14
"""Lower limit of the eigenvalues of J^T J in the covariance, relative to the largest one. Smaller
eigenvalues are rounding errors."""
_MAX_SLOPE = 1e100
"""Absolute value above which entries of the Jacobian are replaced by 0, because the motion diverges."""
_ROUNDING = 1e-13
"""Smallest accepted noise [rad, or relative to the rates]. Smaller values are rounding errors."""


class _Stage(NamedTuple):
    """One stage of the search: a fit of the first `rows` rows of the data with `options`."""

    rows: int
    options: FitOptions
    tolerance: float
    has_inertia_prior: bool = False
    """True to keep the inertia near that of the previous stage, because a short part of the flight may not
    determine it."""


class SearchState(NamedTuple):
    """State of a search between two steps: the current guess, the weights, and the progress."""

    steps: int
    """Number of completed steps."""
    guess: FitParameters
    """Current parameters."""
    sigma_p: float
    """Standard deviation of the attitude noise by which residuals are weighted [rad]."""
    sigma_omega: float
    """Standard deviation of the rate noise by which residuals are weighted [rad/s]."""
    converged: bool = False
    """True if the last fit converged."""
    settled: bool = False
    """True if the search is finished, so that no step remains."""
    endless: int = 0
    """Number of consecutive fits of the whole flight without convergence."""
    share: float = 1.0
    """Fraction of the recorded motion that the guess explains, computed once the whole flight is fitted."""
    excess: float = 0.0
    """Ratio of the residuals to the noise, computed once the whole flight is fitted."""
    before: "SearchState | None" = None
    """Final state of the first attempt while the second one runs, otherwise None. See `Search._assess`."""


class Search:
    """Search for the body that fits the data best. It computes the residuals of a guess, and the step to a better
    guess.

    An instance stores no state, so that each step may run in another process.
    """

    def __init__(self, data: FitData, options: FitOptions, cleaned: CleanedData, start: np.ndarray) -> None:
        """Create a search.

        The first guess is computed from `cleaned`. `start` (4,) is its attitude if the data have no attitudes.
        """
        self.data, self.options = data, options
        self._speed = cleaned.speed
        self._floor = np.array([_ROUNDING, _ROUNDING * max(cleaned.speed, 1e-300)])
        self._known_p = _known_rows(data.p)
        self._known_omega = _known_rows(data.omega)
        self._turn_so_far = _integrate_turn(data.t, cleaned.omega)
        self._cleaned, self._start = cleaned, start
        self._stage_list = list(self._make_stages())

    @property
    def max_steps(self) -> int:
        """Largest number of steps that the search may take."""
        return len(self._stage_list) + _REWEIGHTING_ROUNDS

    def run(self, progress: Callable[[float], object]) -> BodyFit:
        """Run all steps and return the fit. `progress` is called with the completed fraction (0 to 1)."""
        state = self.initial_state()
        while not state.settled:
            state = self.next_state(state, progress)
        return self.make_fit(state)

    def initial_state(self) -> SearchState:
        """Return the state before the first step. Its guess is the first guess, computed from conservation of the
        angular momentum."""
        cleaned, data = self._cleaned, self.data
        p = self._start if cleaned.first_attitude is None else cleaned.first_attitude
        inertia = estimate_inertia(data.t, cleaned.p, cleaned.omega, self.options.axes)
        sigma = np.maximum([data.sigma_p, data.sigma_omega], self._floor)
        return SearchState(
            0,
            FitParameters.with_ideal_sensor(inertia, p, initial_rate(data.t, cleaned.omega)),
            float(sigma[0]),
            float(sigma[1]),
        )

    def next_state(self, state: SearchState, progress: Callable[[float], object] = float) -> SearchState:
        """Return the state after the next step, which fits a longer part of the flight. Once the whole flight
        is fitted, a step repeats this fit with new weights."""
        if state.steps < len(self._stage_list):
            stage = self._stage_list[state.steps]
            guess, converged = self._fit_stage(state, stage, progress)
            endless = 0 if converged else 1
            state = state._replace(steps=state.steps + 1, guess=guess, converged=converged, endless=endless)
            if stage.rows == len(self._turn_so_far):
                state = self._assess(state)
                if not noise.is_explained(state.share, state.excess):
                    # If no body explains the motion, every further fit takes the maximum time.
                    return self._reweight(state)._replace(settled=True)
            return state
        reweighted = self._reweight(state)
        pairs = (state.sigma_p, reweighted.sigma_p), (state.sigma_omega, reweighted.sigma_omega)
        if all(0.8 * old <= new <= 1.25 * old for old, new in pairs):
            return reweighted._replace(settled=True)
        guess, converged = self._fit_stage(
            reweighted, _Stage(len(self._turn_so_far), self.options, 1e-10), progress
        )
        steps, endless = state.steps + 1, 0 if converged else state.endless + 1
        settled = steps >= self.max_steps or endless >= _MAX_UNFINISHED_FITS
        return reweighted._replace(
            steps=steps, guess=guess, converged=converged, settled=settled, endless=endless
        )

    def _assess(self, state: SearchState) -> SearchState:
        """Return the state with which the search continues once the whole flight is fitted: the better of the attempts
        so far, or the start of a second attempt.

        A second attempt is made if the loss is robust and the residuals of the first attempt exceed the noise. It has a
        convex loss and stores the first attempt as `before`.
        """
        attitude_residuals, rate_residuals = self._compute_residuals(
            self._motion_model(state), [state.guess], len(self.data.t)
        )
        pairs = (attitude_residuals, self.data.sigma_p), (rate_residuals, self.data.sigma_omega)
        excess = [
            noise.standard_deviation(residual, self.data.loss) / max(sigma, 1e-300)
            for residual, sigma in pairs
            if residual is not None
        ]
        state = state._replace(
            share=self._explained_fraction(attitude_residuals, rate_residuals), excess=max(excess)
        )
        prior_stages = sum(stage.has_inertia_prior for stage in self._stage_list)
        if not 0 < prior_stages == state.steps - 1 or self.data.loss == noise.LEAST_SQUARES:
            return state
        if state.before is None:
            return (
                self.initial_state()._replace(before=state) if state.excess > noise.MAX_NOISE_RATIO else state
            )
        return state if state.excess <= state.before.excess else state.before._replace(before=state.before)

    def _explained_fraction(
        self, attitude_residuals: np.ndarray | None, rate_residuals: np.ndarray | None
    ) -> float:
        """Return the fraction of the data that a guess explains.

        The residuals are angles (1, m, 3) [rad] and rates (1, m, 3) [rad/s], or None.
        """
        residuals = [
            None if residual is None else residual[0] for residual in (attitude_residuals, rate_residuals)
        ]
        return noise.explained_fraction(residuals[0], residuals[1], self.data.omega)

    def _make_stages(self) -> list[_Stage]:
        """Return the stages of the search, with increasing numbers of rows. Sensor parameters are fitted in
        the last stage only, which has all rows."""
        turn_so_far = self._turn_so_far
        reduced_options = self.options._replace(bias=False, scale="", misalignment=False, damping=False)
        stages, turn = [], _FIRST_STAGE_TURN
        while turn < 0.7 * turn_so_far[-1]:
            stages.append(_Stage(int(np.searchsorted(turn_so_far, turn)) + 1, reduced_options, 1e-3, True))
            turn *= _STAGE_GROWTH
        stages = [stage for stage in stages if stage.rows >= 12]
        full_stage = (
            [_Stage(len(turn_so_far), reduced_options, 1e-3)] if reduced_options != self.options else []
        )
        return [*stages, *full_stage, _Stage(len(turn_so_far), self.options, 1e-9)]

    def _motion_model(self, state: SearchState) -> FreeMotionModel:
        """Return a model whose error is much smaller than the noise. The error of a step of x [rad] is about x^5/120."""
        sizes = [state.sigma_p] if self.data.p is not None else []
        sizes += [state.sigma_omega / self._speed] if self.data.omega is not None else []
        x = (0.1 * min(sizes) / max(float(self._turn_so_far[-1]), 1.0)) ** 0.25
        fastest = float(np.max(np.diff(self._turn_so_far) / np.diff(self.data.t)))
        return FreeMotionModel(self.data.t, float(np.clip(x, 3e-3, 0.06)) / fastest)

    def _fit_stage(
        self, state: SearchState, stage: _Stage, progress: Callable[[float], object]
    ) -> tuple[FitParameters, bool]:
        model, guess = self._motion_model(state), state.guess
        coordinates = SearchCoordinates(
            SharedCoordinates(stage.options, self._speed, float(self.data.t[-1])), guess
        )
        evaluations = 0
        prior_rows = (
            np.eye(coordinates.count)[: 5 if self.options.axes else 2] / _INERTIA_PRIOR_SIGMA
            if stage.has_inertia_prior
            else np.empty((0, coordinates.count))
        )

        last = np.empty(0), np.empty(0)

        def residual_vector(x: np.ndarray) -> np.ndarray:
            nonlocal last
            last = (
                x.copy(),
                self._scaled_residuals(model, state, [coordinates.parameters_at(x)], stage.rows)[0],
            )
            return np.concatenate([last[1], prior_rows @ x])

        def jacobian(x: np.ndarray) -> np.ndarray:
            nonlocal evaluations
            evaluations += 1
            steps_done = state.steps + 1.0 - 0.7**evaluations
            progress(
                (steps_done if state.before is None else max(steps_done, state.before.steps)) / self.max_steps
            )
            # The Jacobian is requested at the point of the last residuals.
            current = last[1] if np.array_equal(x, last[0]) else residual_vector(x)[: len(last[1])]
            neighbors = [coordinates.parameters_at(x + _DIFFERENCE_STEP * unit) for unit in np.eye(len(x))]
            neighbor_residuals = self._scaled_residuals(model, state, neighbors, stage.rows)
            return np.concatenate([(neighbor_residuals - current).T / _DIFFERENCE_STEP, prior_rows])

        solution = least_squares(
            residual_vector,
            np.zeros(coordinates.count),
            jacobian,
            ftol=stage.tolerance,
            xtol=1e-13,
            gtol=1e-14,
            max_nfev=40 if stage.has_inertia_prior else 60,
            **_solver_options(
                self.data.loss if state.before is None or stage is self._stage_list[-1] else _CONVEX_LOSS
            ),
        )
        return coordinates.parameters_at(solution.x), bool(solution.success)

    def _scaled_residuals(
        self, model: FreeMotionModel, state: SearchState, guesses: Sequence[FitParameters], rows: int
    ) -> np.ndarray:
        """Return the residuals (m, k) of m guesses, divided by the standard deviation of the noise."""
        attitude_residuals, rate_residuals = self._compute_residuals(model, guesses, rows)
        parts = []
        if attitude_residuals is not None:
            parts.append(attitude_residuals.reshape(len(guesses), -1) / state.sigma_p)
        if rate_residuals is not None:
            parts.append(rate_residuals.reshape(len(guesses), -1) / state.sigma_omega)
        return np.concatenate(parts, axis=1)

    def _compute_residuals(
        self, model: FreeMotionModel, guesses: Sequence[FitParameters], rows: int
    ) -> tuple[np.ndarray | None, np.ndarray | None]:
        """Return the residuals of m guesses at the k rows with data: angles (m, k, 3) [rad] and rates (m, k, 3) [rad/s].

        Either is None if the data have no attitudes or no rates.
        """
        p, omega = model.simulate(guesses, rows)
        attitude_residuals = rate_residuals = None
        if self.data.p is not None:
            known = self._known_p[:rows]
            attitude_residuals = to_rotation_vector(
                multiply(conjugate(p[:, known]), self.data.p[:rows][known])
            )
        if self.data.omega is not None:
            known = self._known_omega[:rows]
            sensed = [
                guess.sensed_rates(model_rates)
                for guess, model_rates in zip(guesses, omega[:, known], strict=True)
            ]
            rate_residuals = self.data.omega[:rows][known] - np.array(sensed)
        return attitude_residuals, rate_residuals

    def _reweight(self, state: SearchState) -> SearchState:
        """Return the state in which the standard deviations of the noise are those of the current residuals."""
        attitude_residuals, rate_residuals = self._compute_residuals(
            self._motion_model(state), [state.guess], len(self.data.t)
        )
        size = sum(residual.size for residual in (attitude_residuals, rate_residuals) if residual is not None)
        count = SearchCoordinates(SharedCoordinates(self.options, 1.0, 1.0), state.guess).count
        dof_factor = float(np.sqrt(size / max(size - count, 1)))
        if attitude_residuals is not None:
            sigma = max(
                dof_factor * noise.standard_deviation(attitude_residuals, self.data.loss), self._floor[0]
            )
            state = state._replace(sigma_p=float(sigma))
        if rate_residuals is not None:
            sigma = max(dof_factor * noise.standard_deviation(rate_residuals, self.data.loss), self._floor[1])
            state = state._replace(sigma_omega=float(sigma))
        return state

    def make_fit(self, state: SearchState) -> BodyFit:
        """Return the fit for the final state of a search."""
        data, model, guess = self.data, self._motion_model(state), state.guess
        moments, frame = principal_inertia(guess.inertia, self.options.axes)
        coordinates = CovarianceCoordinates(
            SharedCoordinates(self.options, self._speed, float(data.t[-1])), guess, moments, frame
        )
        p, omega = model.simulate([guess])
        attitude_residuals, rate_residuals = self._compute_residuals(model, [guess], len(data.t))
        residuals = Residuals(
            data.first_time + data.t,
            p[0],
            omega[0],
            _expand_rows(attitude_residuals, self._known_p),
            _expand_rows(rate_residuals, self._known_omega),
        )
        scaled = self._scaled_residuals(model, state, [guess], len(data.t))[0]
        covariance_matrix = noise.covariance_factor(scaled, data.loss) * covariance_from_jacobian(
            self._jacobian(model, state, coordinates)
        )
        return BodyFit(
            guess, self.options, moments, frame, tuple(coordinates.names), covariance_matrix, self._speed, residuals,
            Recording(residuals.t, p=data.p, omega=data.omega),
            state.sigma_p if data.p is not None else np.nan, state.sigma_omega if data.omega is not None else np.nan,
            (data.sigma_p, data.sigma_omega), state.converged, data.loss,
            self._explained_fraction(attitude_residuals, rate_residuals),
        )  # fmt: skip

    def _jacobian(
        self, model: FreeMotionModel, state: SearchState, coordinates: CovarianceCoordinates
    ) -> np.ndarray:
        """Return the Jacobian (m, k) of the m residuals with respect to the k parameters, by central differences. The
        derivative with respect to the damping is one-sided, since negative damping is not allowed."""
        units = _CENTRAL_STEP * np.eye(len(coordinates.names))
        backward_weights = np.array([0.0 if name == "damping" else 1.0 for name in coordinates.names])
        neighbors = [
            coordinates.parameters_at(unit) for unit in (*units, *(-backward_weights[:, None] * units))
        ]
        residuals = self._scaled_residuals(model, state, neighbors, len(self.data.t))
        return (residuals[: len(units)] - residuals[len(units) :]).T / (
            _CENTRAL_STEP * (1.0 + backward_weights)
        )


def _solver_options(loss: str) -> dict[str, Any]:
    """Return solver options: Levenberg-Marquardt for least squares, otherwise a method that supports a loss."""
    if loss == noise.LEAST_SQUARES:
        return {"method": "lm"}
    return {"method": "trf", "x_scale": "jac", "loss": loss, "f_scale": noise.LOSSES[loss]}


def _known_rows(values: np.ndarray | None) -> np.ndarray:
    return np.arange(0) if values is None else np.isfinite(values).all(axis=1)


def _expand_rows(values: np.ndarray | None, known: np.ndarray) -> np.ndarray | None:
    """Return an array (n, 3) that contains the given values (1, m, 3) in the m rows selected by the mask `known`, and
    NaN in the other rows."""
    if values is None:
        return None
    expanded = np.full((len(known), 3), np.nan)
    expanded[known] = values[0]
    return expanded


def covariance_from_jacobian(slopes: np.ndarray) -> np.ndarray:
    """Return the covariance (J^T J)^-1 (k, k) of the parameters.

    Parameters
    ----------
    slopes
        Jacobian J (m, k) in units of the noise. Non-finite and huge entries count as 0.

    Returns
    -------
    ndarray
        The covariance, with very large variances in directions that the data do not determine.
    """
    slopes = np.where(np.abs(slopes) < _MAX_SLOPE, slopes, 0.0)
    sizes = np.linalg.norm(slopes, axis=0)
    scaled = slopes / np.where(sizes > 0.0, sizes, 1.0)
    values, vectors = np.linalg.eigh(scaled.T @ scaled)
    factor = (
        vectors
        / np.sqrt(np.maximum(values, _MIN_RELATIVE_EIGENVALUE * values[-1]))
        / np.where(sizes > 0.0, sizes, 1.0)[:, None]
    )
    matrix: np.ndarray = factor @ factor.T
    return matrix


def _integrate_turn(t: np.ndarray, omega: np.ndarray) -> np.ndarray:
    """Return the accumulated rotation angle (n,) [rad]. Missing rates are interpolated."""
    speed = np.linalg.norm(omega, axis=1)
    known = np.isfinite(speed)
    if not known.any():
        raise InputError(
            "p", expected="attitudes close enough in time to compute rates", found="none",
            remedy="record more often, or choose another interval", topic=TOPIC,
        )  # fmt: skip
    speed = np.interp(t, t[known], speed[known])
    turn_so_far = np.concatenate([[0.0], np.cumsum(0.5 * (speed[1:] + speed[:-1]) * np.diff(t))])
    if not turn_so_far[-1] > _ROUNDING:
        raise InputError(
            "omega", expected="a rotating body; a body at rest reveals nothing about its inertia", found="a body at rest",
            remedy="choose another interval of at least one turn", topic=TOPIC,
        )  # fmt: skip
    return turn_so_far
