"""Fits of a body: accuracy of the estimates and their intervals, and reports of what cannot be determined."""

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from quatviz.analysis.fitting.fit import FitJob, fit_body
from quatviz.analysis.fitting.fit_parameters import (
    FitOptions,
    FitParameters,
    SearchCoordinates,
    SharedCoordinates,
    principal_inertia,
)
from quatviz.analysis.fitting.flight import FreeMotionModel
from quatviz.analysis.fitting.initial_guess import estimate_inertia
from quatviz.analysis.fitting.result import BodyFit
from quatviz.analysis.fitting.tables import correlation_of, estimates_of
from quatviz.base.errors import InputError
from quatviz.physics.exact import solve
from quatviz.physics.exact.torque_free import half_period
from quatviz.physics.loads.damping import Damping
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import (
    from_rotation_vector,
    multiply,
    norm,
    normalize,
    orientation_matrix,
    relative_angle,
)
from quatviz.simulation.simulation import Simulation

NOISE = 0.01
TURN = orientation_matrix(from_rotation_vector([0.2, -0.1, 0.3]))
J = np.array([1.0, 2.0, 2.7])
OMEGA = np.array([0.3, 4.0, 1.0])


@cache
def exact(J: tuple[float, ...], omega: tuple[float, ...], end: float, n: int, turned: bool = False) -> Any:
    frame = TURN if turned else np.eye(3)
    t = np.linspace(0.0, end, n)
    p = normalize(np.array([0.6, 0.1, -0.5, 0.3]))
    return t, *solve(Body(inertia=frame @ np.diag(J) @ frame.T), [], p, np.array(omega)).evaluate(t)


def noisy(p: np.ndarray, omega: np.ndarray, seed: int, share: float = NOISE) -> tuple[np.ndarray, np.ndarray]:
    """Add noise: 0.01 rad to attitudes, 1 % to rates."""
    rng = np.random.default_rng(seed)
    speed = float(np.sqrt(np.mean(np.sum(omega**2, axis=1))))
    return (
        multiply(p, from_rotation_vector(share * rng.standard_normal(omega.shape))),
        omega + share * speed * rng.standard_normal(omega.shape),
    )


def a_flight(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return ten seconds at 100 Hz of a random tumbling body, and its moments scaled to a largest moment of 1."""
    rng = np.random.default_rng(seed)
    while True:
        low, middle, high = sorted(rng.uniform(1.0, 3.0, 3))
        omega = rng.standard_normal(3)
        omega *= rng.uniform(3.0, 8.0) / np.linalg.norm(omega)
        if high < 0.97 * (low + middle) and middle > 1.08 * low and high > 1.08 * middle:
            break
    moments = rng.permutation([low, middle, high])
    t = np.linspace(0.0, 10.0, 1001)
    form = FitParameters.with_ideal_sensor(np.diag(moments), normalize(rng.standard_normal(4)), omega)
    p, rates = FreeMotionModel(t, 0.002).simulate([form])
    return moments / moments.max(), t, normalize(p[0]), rates[0]


def covered(fit: BodyFit, moments: np.ndarray) -> np.ndarray:
    low, high = fit.intervals.T
    return (low <= moments) & (moments <= high)


def test_moment_ratios_are_accurate_with_valid_intervals() -> None:
    """Fits use rates only and estimate bias and axes too. Nearly steady spins give larger errors and wider intervals."""
    near, within = [], []
    for seed in range(100):
        moments, t, p, omega = a_flight(seed)
        fit = fit_body(t, omega=noisy(p, omega, seed)[1])
        near.append(bool((np.abs(fit.moments - moments) < 0.01).all()))
        within += covered(fit, moments)[moments < 1.0].tolist()
        assert fit.is_explained
    assert np.mean(near) >= 0.9
    assert 0.9 <= np.mean(within) <= 0.99


@pytest.mark.parametrize("what", ["p", "p and omega"])
def test_body_is_fitted_from_attitudes(what: str) -> None:
    near, within = [], []
    for seed in range(12):
        moments, t, p, omega = a_flight(seed)
        p, omega = noisy(p, omega, seed)
        fit = fit_body(t, p, omega if "omega" in what else None)
        near.append(bool((np.abs(fit.moments - moments) < 0.01).all()))
        within += covered(fit, moments)[moments < 1.0].tolist()
    assert all(near)
    assert np.mean(within) >= 0.8


@pytest.mark.parametrize("what", ["p", "omega", "p and omega"])
def test_fit_without_noise_is_exact(what: str) -> None:
    t, p, omega = exact(tuple(J), tuple(OMEGA), 10.0, 1001, True)
    fit = fit_body(t, p if "p" in what.split() else None, omega if "omega" in what else None)
    assert np.abs(fit.moments - J / 2.7).max() < 1e-8
    assert np.abs(fit.axes - TURN).max() < 1e-8
    assert np.abs(fit.guess.omega - OMEGA).max() < 1e-7
    assert fit.converged


def test_fit_accepts_uneven_times_and_gaps() -> None:
    rng = np.random.default_rng(1)
    t = np.sort(rng.uniform(0.0, 10.0, 700))
    t = t[(t < 4.0) | (t > 5.5)]
    p, omega = solve(Body(inertia=J), [], np.array([1.0, 0.0, 0.0, 0.0]), OMEGA).evaluate(t)
    omega[100:120] = np.nan
    fit = fit_body(t, p, omega, axes=False)
    assert np.abs(fit.moments - J / 2.7).max() < 1e-8
    assert fit.residuals.rates is not None
    assert np.isnan(fit.residuals.rates).any(axis=1).sum() == 20


def test_fit_estimates_all_sensor_errors() -> None:
    t, p, omega = exact(tuple(J), tuple(OMEGA), 10.0, 1001, True)
    bias, scale, turn = np.array([0.1, -0.2, 0.05]), np.array([1.03, 0.98, 1.01]), np.array([0.1, 0.05, -0.2])
    p, omega = noisy(p, omega, 3)
    shown = scale * (omega @ orientation_matrix(from_rotation_vector(turn)).T) + bias
    fit = fit_body(t, p, shown, scale="each", misalignment=True)
    for axis in range(3):
        for name, estimate, true in (
            ("bias", fit.guess.bias, bias),
            ("scale", np.log(fit.guess.scale), np.log(scale)),
            ("misalignment", fit.guess.misalignment, turn),
        ):
            deviation = fit.standard_deviation(f"{name}{axis + 1}")
            assert deviation < 0.01
            assert abs(estimate[axis] - true[axis]) < 4.0 * deviation
    assert covered(fit, J / 2.7).all()


def test_rates_alone_determine_a_common_scale_but_not_one_per_axis() -> None:
    t, p, omega = exact(tuple(J), tuple(OMEGA), 10.0, 1001)
    shown = 1.05 * noisy(p, omega, 4)[1]
    fit = fit_body(t, omega=shown, scale="common")
    assert fit.guess.scale[0] == pytest.approx(1.05, abs=4.0 * fit.standard_deviation("scale"))
    assert fit.standard_deviation("scale") < 0.02
    with pytest.raises(InputError, match="attitudes in addition to the rates"):
        fit_body(t, omega=shown, scale="each")


def test_damping_is_estimated() -> None:
    t = np.linspace(0.0, 10.0, 501)
    truth = replace(
        FitParameters.with_ideal_sensor(np.diag(J), np.array([1.0, 0.0, 0.0, 0.0]), OMEGA), damping=0.01
    )
    p, omega = FreeMotionModel(t, 0.002).simulate([truth])
    shown = noisy(normalize(p[0]), omega[0], 5)[1]
    fit = fit_body(t, omega=shown, damping=True)
    assert fit.guess.damping == pytest.approx(0.01, abs=4.0 * fit.standard_deviation("damping"))
    assert fit.standard_deviation("damping") < 1e-3
    assert fit.preset.loads[0].name == "damping"
    scaled = fit.preset_with_body(Body(inertia=1e-4 * J))
    factor = 1e-4 * J.sum() / fit.moments.sum()
    before, after = fit.preset.loads[0], scaled.loads[0]
    assert isinstance(before, Damping)
    assert isinstance(after, Damping)
    assert after.coefficient == pytest.approx(factor * before.coefficient)
    assert math.isnan(fit.flip)
    # A parameter that is not fitted shows in the residuals.
    free = fit_body(t, omega=shown)
    assert free.noise_ratio > 1.5
    assert "the model lacks an effect" in free.noise_summary


def test_flip_time_equals_time_between_sign_changes() -> None:
    t, p, omega = exact((1.0, 2.0, 2.7), (0.1, 5.0, 0.05), 10.0, 1001)
    fit = fit_body(t, omega=noisy(p, omega, 6)[1], axes=False)
    fine = np.linspace(0.0, 40.0, 400_001)
    _, rates = solve(Body(inertia=J), [], p[0], omega[0]).evaluate(fine)
    flips = fine[:-1][np.diff(np.sign(rates[:, 1])) != 0.0]
    true = float(np.diff(flips).mean())
    assert half_period(np.diag(J), omega[0]) == pytest.approx(true, abs=1e-4)
    assert fit.flip == pytest.approx(true, abs=4.0 * fit.flip_deviation)
    assert fit.flip_deviation < 0.01 * true
    assert f"flips every {fit.flip:.5g} s (95 % interval: ± {1.96 * fit.flip_deviation:.2g} s)" in repr(fit)


def test_intervals_of_the_moments_are_labeled_in_the_headline() -> None:
    """The table beside it gives standard errors, which are about half as large."""
    t, p, omega = exact((1.0, 2.0, 2.7), (0.1, 5.0, 0.05), 10.0, 1001)
    fit = fit_body(t, omega=noisy(p, omega, 6)[1], axes=False)
    assert "with 95 % intervals: " in str(fit.sentence)
    assert f"± {1.96 * fit.deviations[0]:.2g}" in str(fit.sentence)
    unknown = replace(fit, guess=replace(fit.guess, inertia=np.eye(3)), covariance=1e6 * fit.covariance)
    assert "unknown" in str(unknown.sentence)
    assert "95 %" not in str(unknown.sentence), "there is no interval to label"


def test_flip_time_is_unknown_on_the_separatrix() -> None:
    t, p, omega = exact((1.0, 2.0, 2.7), (0.1, 5.0, 0.05), 10.0, 1001)
    fit = fit_body(t, omega=noisy(p, omega, 6)[1], axes=False)
    middle = replace(fit.guess, inertia=np.diag(J), omega=np.array([0.0, 5.0, 0.0]))
    at_middle = replace(fit, guess=middle)
    assert at_middle.flip == at_middle.flip_deviation == math.inf
    assert "flips every" not in repr(at_middle)


@pytest.mark.parametrize(
    ("inertia", "omega", "half"),
    [
        ([400.0, 307.808385, 200.0], [346.4101616 / 400.0, 0.0, -1.0], 9.3393),
        ([1.0, 2.0, 3.0], [0.001, 2.0, 0.0], 31.132561 / 2.0),
        ([1.0, 2.0, 3.0], [0.0, 2.0, 0.0], math.inf),
    ],
)
def test_half_periods_match_published_values(inertia: list[float], omega: list[float], half: float) -> None:
    assert half_period(np.diag(inertia), np.array(omega)) == pytest.approx(half, abs=5e-5)


def test_steady_spin_leaves_other_moments_undetermined() -> None:
    t = np.linspace(0.0, 10.0, 501)
    p = from_rotation_vector(np.outer(t, [0.0, 0.0, 3.0]))
    p, omega = noisy(p, np.tile([0.0, 0.0, 3.0], (501, 1)), 7)
    fit = fit_body(t, p, omega)
    assert fit.deviations.max() > 0.05
    assert any("turns about one axis only" in reason for reason in fit.unknown)


def test_body_of_revolution_has_two_indistinguishable_axes() -> None:
    t, p, omega = exact((1.0, 1.0, 1.7), (1.0, 2.0, 3.0), 10.0, 501)
    fit = fit_body(t, *noisy(p, omega, 8))
    assert fit.moments == pytest.approx([1.0 / 1.7, 1.0 / 1.7, 1.0], abs=0.01)
    assert any("axes about axis 3 is unknown" in reason for reason in fit.unknown)


def test_scale_and_attitude_are_undetermined_from_rates() -> None:
    t, p, omega = exact(tuple(J), tuple(OMEGA), 10.0, 1001)
    both, rates = fit_body(t, p, omega), fit_body(t, omega=omega)
    assert "scale of the inertia" in both.unknown[0]
    assert len(both.unknown) == 1
    assert any("attitude in space" in reason for reason in rates.unknown)


def test_flat_body_satisfies_the_triangle_inequality() -> None:
    t, p, omega = exact((1.0, 2.0, 3.0), (1.0, 8.0, 1.0), 2.0, 201)
    for seed in range(3):
        fit = fit_body(t, omega=noisy(p, omega, seed)[1])
        moments = np.linalg.eigvalsh(fit.inertia)
        assert moments[2] <= moments[0] + moments[1]
        assert fit.preset.body.inertia is not None
        assert fit.moments == pytest.approx([1.0 / 3.0, 2.0 / 3.0, 1.0], abs=0.02)


def test_every_search_step_is_a_valid_body() -> None:
    choice = FitOptions(True, True, "", False, False, True, True)
    rng = np.random.default_rng(9)
    guess = FitParameters.with_ideal_sensor(TURN @ np.diag(J) @ TURN.T, np.array([1.0, 0.0, 0.0, 0.0]), OMEGA)
    steps = SearchCoordinates(SharedCoordinates(choice, 4.0, 10.0), guess)
    assert np.allclose(steps.parameters_at(np.zeros(steps.count)).inertia, guess.inertia, atol=1e-15)
    for _ in range(50):
        parameters = steps.parameters_at(3.0 * rng.standard_normal(steps.count))
        moments, axes = principal_inertia(parameters.inertia, True)
        assert moments.min() > 0.0
        assert 2.0 * moments.max() <= moments.sum() * (1.0 + 1e-12)
        assert np.allclose((axes * moments) @ axes.T, parameters.inertia, atol=1e-12)
        assert np.linalg.det(axes) == pytest.approx(1.0)


@pytest.mark.parametrize("turned", [False, True])
def test_noise_does_not_bias_the_initial_guess(turned: bool) -> None:
    """Noise biases plain least squares: the smaller moments look larger, and off-diagonal elements count
    twice."""
    guesses = []
    frame = TURN if turned else np.eye(3)
    t, p, omega = exact(tuple(J), tuple(OMEGA), 10.0, 1001, turned)
    for seed in range(20):
        guesses.append(estimate_inertia(t, p, noisy(p, omega, seed, 0.5)[1], turned))
    true = frame @ np.diag(J / J.sum()) @ frame.T
    assert np.abs(np.mean(guesses, axis=0) - true).max() < 0.005


def test_fitted_preset_runs_with_the_recording() -> None:
    t, p, omega = exact(tuple(J), tuple(OMEGA), 2.0, 201, True)
    fit = fit_body(t + 7.0, p, omega)
    run = Simulation(fit.preset)
    run.complete()
    lane, recorded = (run.lanes[index].motion() for index in (0, 1))
    assert relative_angle(lane.p, recorded.p).max() < 1e-6
    assert lane.t[-1] == pytest.approx(2.0)
    assert fit.residuals.attitude is not None
    assert norm(fit.residuals.attitude).max() < 1e-8
    assert fit.residuals.t[0] == 7.0


def test_body_with_known_scale_keeps_the_sum_of_its_moments() -> None:
    t, p, omega = exact(tuple(J), tuple(OMEGA), 2.0, 201, True)
    fit = fit_body(t, p, omega)
    known = Body(
        inertia=[4e-4, 5e-4, 6e-4], mass=0.3, about="pivot", centre_of_mass=[0.0, 0.0, 0.02], shape="book"
    )
    body = fit.body_in_place_of(known)
    assert (body.mass, body.shape, body.about, body.centre_of_mass) == (0.3, "book", "centre_of_mass", None)
    about_center = 15e-4 - 2 * 0.3 * 0.02**2
    assert np.trace(body.inertia) == pytest.approx(about_center, rel=1e-6)
    assert "0.00126 kg m²" in fit.preset_with_body(known).summary


def test_progress_is_reported_and_can_cancel() -> None:
    t, _, omega = exact(tuple(J), tuple(OMEGA), 10.0, 1001)
    progress = list[float]()
    fit_body(t, omega=omega, progress=progress.append)
    assert progress == sorted(progress)
    assert progress[0] > 0.0
    assert progress[-1] <= 1.0

    def stop(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit_body(t, omega=omega, progress=stop)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"p": np.ones((3, 4))}, "ten rows"),
        ({}, "ten rows"),
        ({"omega": np.ones((20, 4))}, r"shape \(20, 3\)"),
        ({"omega": np.ones((20, 3)), "scale": "all"}, '"common"'),
    ],
)
def test_recordings_that_cannot_be_fitted_are_refused(arguments: dict[str, Any], message: str) -> None:
    rows = len(next(iter(arguments.values()), np.ones(20)))
    with pytest.raises(InputError, match=message):
        fit_body(np.arange(float(rows)), **arguments)


def with_errors(p: np.ndarray, omega: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Replace two of a hundred samples by random values in the range of the sensor."""
    rng = np.random.default_rng(seed)
    rows = rng.choice(len(omega), len(omega) // 50, replace=False)
    p, omega = p.copy(), omega.copy()
    omega[rows] = rng.uniform(-35.0, 35.0, (len(rows), 3))
    p[rows] = normalize(rng.standard_normal((len(rows), 4)))
    return p, omega


@pytest.mark.parametrize("loss", ["huber", "soft_l1", "cauchy"])
def test_outlying_samples_are_downweighted(loss: str) -> None:
    within = []
    for seed in (0, 1, 4):
        moments, t, p, omega = a_flight(seed)
        fit = fit_body(t, omega=with_errors(*noisy(p, omega, seed), seed)[1], loss=loss)
        assert np.abs(fit.moments - moments).max() < 0.01
        assert fit.noise_ratio < 1.2
        assert 15 <= fit.outlier_count <= 20
        assert "little weight" in fit.outlier_summary
        within += covered(fit, moments)[moments < 1.0].tolist()
    assert np.mean(within) >= 0.6
    # Least squares are biased and only give wide intervals.
    plain = fit_body(t, omega=with_errors(*noisy(p, omega, seed), seed)[1])
    assert plain.deviations.max() > 10.0 * fit.deviations.max()
    assert "a robust loss" in plain.outlier_summary


@pytest.mark.parametrize("seed", [5, 16])
def test_outlying_attitudes_are_downweighted(seed: int) -> None:
    """Includes the second attitude, and one whose own difference is small by chance."""
    t, p, omega = exact(tuple(J), tuple(OMEGA), 10.0, 1001)
    fit = fit_body(t, with_errors(*noisy(p, omega, seed), seed)[0], loss="cauchy")
    assert np.abs(fit.moments - J / 2.7).max() < 0.003
    assert covered(fit, J / 2.7).all()


def test_unknown_loss_is_refused() -> None:
    with pytest.raises(InputError, match="cauchy"):
        fit_body(np.arange(20.0), omega=np.ones((20, 3)), loss="square")


def test_robust_loss_is_efficient_for_normal_noise() -> None:
    """Intervals are wider only by the 5 % of information that the loss gives up."""
    t, p, omega = exact(tuple(J), tuple(OMEGA), 10.0, 1001)
    shown = noisy(p, omega, 11)[1]
    plain, robust = fit_body(t, omega=shown), fit_body(t, omega=shown, loss="huber")
    assert np.abs(plain.moments - robust.moments).max() < plain.deviations.max()
    ratio = (robust.deviations[:2] / plain.deviations[:2]).mean()
    assert 0.97 < ratio < 1.1


def test_residuals_are_white_only_for_a_complete_model() -> None:
    t, p, omega = exact(tuple(J), tuple(OMEGA), 10.0, 1001, True)
    white = [fit_body(t, omega=noisy(p, omega, seed)[1]).non_white_residuals for seed in range(10)]
    assert sum(map(bool, white)) <= 1
    shown = noisy(p, omega, 3)[1]
    turned = fit_body(t, omega=shown, axes=False)
    assert [residual.name for residual in turned.non_white_residuals] == ["δω₁", "δω₂", "δω₃"]
    assert "not white" in turned.whiteness_summary
    assert "too narrow" in turned.whiteness_summary
    assert "rounding" in fit_body(t, omega=omega).whiteness_summary


def test_estimates_are_within_their_intervals() -> None:
    """All estimates in displayed coordinates, including those of a rotated frame."""
    bias = np.array([0.1, -0.2, 0.05])
    within = list[bool]()
    t, p, omega = exact(tuple(J), tuple(OMEGA), 10.0, 1001, True)
    truth = {
        **dict(zip(("J₁", "J₂", "J₃"), J / 2.7, strict=True)),
        **dict(zip(("θ₁", "θ₂", "θ₃"), np.degrees([0.2, -0.1, 0.3]), strict=True)),
        **dict(zip(("ω₁", "ω₂", "ω₃"), OMEGA, strict=True)),
        **dict(zip(("e₀", "e₁", "e₂", "e₃"), p[0], strict=True)),
        **dict(zip(("b₁", "b₂", "b₃"), bias, strict=True)),
        "T": half_period(TURN @ np.diag(J) @ TURN.T, OMEGA),
    }
    for seed in range(6):
        q, shown = noisy(p, omega, seed)
        estimates = estimates_of(fit_body(t, q, shown + bias))
        assert [estimate.symbol for estimate in estimates] == list(truth)
        for estimate in estimates:
            low, high = estimate.interval
            within.append(low <= truth[estimate.symbol] <= high)
    assert 0.88 <= np.mean(within) <= 0.99


@pytest.mark.parametrize("what", ["p", "omega", "smooth omega"])
def test_pure_noise_is_quickly_reported(what: str) -> None:
    rng = np.random.default_rng(3)
    t = np.linspace(0.0, 10.0, 1001)
    rates = 3.0 * rng.standard_normal((1001, 3))
    if "smooth" in what:
        bell = np.exp(-(np.linspace(-3.0, 3.0, 31) ** 2))
        rates = np.stack([np.convolve(column, bell / bell.max(), "same") for column in rates.T], axis=1)
    tried: list[float] = []
    fit = fit_body(
        t,
        normalize(rng.standard_normal((1001, 4))) if what == "p" else None,
        None if what == "p" else rates,
        progress=tried.append,
    )
    assert not fit.is_explained
    assert "no body explains the motion" in fit.sentence
    assert "meaningless" in fit.noise_summary
    assert len(tried) < 100, "it gives up where more steps find nothing either"


def test_correlated_parameters_are_reported() -> None:
    """From rates alone, a bias along the axis of a body of revolution compensates a change of the ratio."""
    t, p, omega = exact((1.0, 1.0, 1.7), (0.5, 0.2, 3.0), 10.0, 501)
    fit = fit_body(t, omega=noisy(p, omega, 8)[1], axes=False)
    matrix = correlation_of(fit).matrix
    assert matrix.shape == (len(fit.names), len(fit.names))
    assert np.allclose(np.diag(matrix), 1.0)
    strongest = correlation_of(fit).strongest()
    assert strongest is not None
    assert "b₃" in strongest[:2]
    assert "can hardly be distinguished" in correlation_of(fit).sentence


def test_fit_in_steps_in_another_process_is_equal() -> None:
    t, p, omega = exact(tuple(J), tuple(OMEGA), 10.0, 1001)
    shown = noisy(p, omega, 4)[1]
    with FitJob({"t": t, "omega": shown}, "threads") as fitting:
        seen = list[int]()
        fitting.finish(lambda fitting: seen.append(fitting.steps))
        assert fitting.fit is not None
        assert seen == sorted(seen)
        assert 0 < seen[-1] <= fitting.max_steps
        assert np.array_equal(fitting.fit.moments, fit_body(t, omega=shown).moments)
    with FitJob({"t": t, "omega": shown}, "threads") as fitting:
        fitting.cancel()
        assert fitting.done
        assert fitting.fit is None


@pytest.mark.parametrize(
    "choice", [{}, {"axes": False}, {"scale": "each", "misalignment": True, "damping": True}]
)
def test_rotation_about_one_axis_gives_finite_moments(choice: dict[str, Any]) -> None:
    """The other moments are undetermined, but the numbers stay finite."""
    t = 0.02 * np.arange(150)
    turned = 0.01 * np.arange(150)
    p = np.round(np.column_stack((np.cos(turned), 0.0 * t, 0.0 * t, np.sin(turned))), 6)
    fit = fit_body(t, p, np.tile([0.0, 0.0, 1.0], (150, 1)), **choice)
    assert np.linalg.eigvalsh(fit.inertia).min() > -1e-12
    assert fit.guess.omega == pytest.approx([0.0, 0.0, 1.0], abs=0.01)
    assert fit.sentence


@pytest.mark.parametrize("rates", [True, False])
def test_recording_at_rest_is_refused(rates: bool) -> None:
    p = np.tile([0.5, 0.5, -0.5, 0.5], (50, 1))
    with pytest.raises(InputError, match="a body at rest"):
        fit_body(np.arange(50) / 10.0, p, np.zeros((50, 3)) if rates else None)
