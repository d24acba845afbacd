"""Differentiation and integration of attitudes: orders for exact motions, error bounds, gaps that stay gaps."""

from pathlib import Path

import numpy as np
import pytest

from quatviz.base.errors import InputError
from quatviz.physics.exact import solve
from quatviz.physics.exact.base import ExactSolution
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.euler_sequences import angles_from_p
from quatviz.physics.mechanics.rotations import (
    conjugate,
    from_rotation_vector,
    multiply,
    relative_angle,
    rotate,
    rotate_back,
    to_rotation_vector,
)
from quatviz.physics.observables.read_options import ReadOptions
from quatviz.physics.observables.recording import Recording
from quatviz.recordings.kinematics import (
    GAP_FACTOR,
    STANDARD_GRAVITY,
    WIDTHS,
    attitude_from_gravity,
    contiguous_slices,
    differentiate_attitudes,
    find_rest,
    integrate_rates,
)
from quatviz.recordings.loading import compile_kernels, load
from quatviz.recordings.resampling import Track
from quatviz.recordings.rotation_kernels import accumulate_rotations, fit_windows
from quatviz.recordings.writing import write_recording

SEEDS = range(6)


def tumbling(inertia=(1.0, 2.0, 2.7), omega=(0.3, 4.0, 1.0)) -> ExactSolution:
    return solve(Body(inertia=inertia), [], np.array([0.6, 0.0, 0.8, 0.0]), np.array(omega))


def noisy(p: np.ndarray, sigma: float, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return multiply(p, from_rotation_vector(sigma * rng.standard_normal((len(p), 3))))


def uneven(n: int, end: float, seed: int) -> np.ndarray:
    t = np.linspace(0.0, end, n + 1)
    t[1:-1] += np.random.default_rng(seed).uniform(-0.3, 0.3, n - 1) * end / n
    return t


@pytest.mark.parametrize(("degree", "width"), [(2, 3), (4, 5), (4, 9), (6, 7)])
@pytest.mark.parametrize("even", [True, False])
def test_rates_converge_with_the_polynomial_degree(degree: int, width: int, even: bool) -> None:
    errors = []
    for n in (100, 200, 400):
        t = np.linspace(0.0, 4.0, n + 1) if even else uneven(n, 4.0, 5)
        p, omega = tumbling().evaluate(t)
        errors.append(np.abs(differentiate_attitudes(t, p, degree=degree, width=width).omega - omega).max())
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert (orders > degree - (0.15 if even else 0.5)).all()


def test_steady_spin_does_not_affect_rate_accuracy() -> None:
    """A window may span several turns, which a rotation vector cannot represent."""
    t = np.linspace(0.0, 2.0, 101)
    p = from_rotation_vector(np.outer(t, [0.0, 0.0, 70.0]))
    derivatives = differentiate_attitudes(t, p, degree=4, width=15)
    assert np.allclose(derivatives.omega, [0.0, 0.0, 70.0], atol=1e-9)
    assert derivatives.turn == pytest.approx(1.4)


@pytest.mark.parametrize("sigma", [0.0, 1e-5, 1e-3, 1e-2])
@pytest.mark.parametrize("n", [400, 1000])
def test_stated_rate_error_matches_the_error(n: int, sigma: float) -> None:
    t = np.linspace(0.0, 10.0, n + 1)
    p, omega = tumbling().evaluate(t)
    derivatives = differentiate_attitudes(t, noisy(p, sigma, 1))
    true = float(np.sqrt(np.mean((derivatives.omega - omega) ** 2)))
    assert 0.6 * true < derivatives.error < 2.0 * true
    if sigma:
        assert derivatives.sigma == pytest.approx(sigma, rel=0.1)


@pytest.mark.parametrize(
    ("degree", "width", "sigma"), [(2, 3, 1e-3), (4, 9, 0.3), (6, 25, 0.0), (4, 113, 0.02)]
)
def test_rates_equal_least_squares_polynomials(degree: int, width: int, sigma: float) -> None:
    """Compared with `numpy.polyfit` and central differences of the attitude."""
    t = uneven(300, 6.0, 1)
    p = noisy(tumbling(omega=(3.0, 9.0, -2.0)).evaluate(t)[0], sigma, 3)
    derivatives = differentiate_attitudes(t, p, degree=degree, width=width)
    reach = max(1, min(width // 4, int(1.0 / (derivatives.turn + 1e-9))))
    for row in (0, 1, 57, 150, 298, 300):
        start = min(max(row - width // 2, 0), 301 - width)
        window, low, high = slice(start, start + width), max(row - reach, 0), min(row + reach, 300)
        steady = to_rotation_vector(multiply(conjugate(p[low]), p[high])) / (t[high] - t[low])
        tau = t[window] - t[row]
        away = multiply(multiply(conjugate(p[row]), p[window]), from_rotation_vector(-np.outer(tau, steady)))
        fitted = np.polyfit(tau, to_rotation_vector(away), degree)

        def way(moment: float, fitted: np.ndarray = fitted, steady: np.ndarray = steady) -> np.ndarray:
            turned = from_rotation_vector([np.polyval(coefficients, moment) for coefficients in fitted.T])
            return multiply(turned, from_rotation_vector(moment * steady))

        omega = to_rotation_vector(multiply(conjugate(way(-1e-6)), way(1e-6))) / 2e-6
        np.testing.assert_allclose(derivatives.omega[row], omega, rtol=1e-7, atol=1e-7)
        assert relative_angle(derivatives.p[row], multiply(p[row], way(0.0))) < 1e-10


@pytest.mark.parametrize(("rows", "widest"), [(10_000, max(WIDTHS)), (2_500_000, min(WIDTHS))])
def test_many_rows_use_narrower_windows(rows: int, widest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A million rows would take seconds; a thousand rows with a lower limit replace them."""
    monkeypatch.setattr("quatviz.recordings.kinematics.MAX_WINDOW_ROWS", 20_000_000 * 1000 // rows)
    t = 0.001 * np.arange(1000)
    assert (
        differentiate_attitudes(
            t, noisy(from_rotation_vector(np.outer(t, [1.0, 0.0, 0.0])), 0.01, 1), degree=2
        ).width
        == widest
    )


def test_smoothing_reduces_differentiation_noise() -> None:
    t = np.linspace(0.0, 10.0, 1001)
    p, omega = tumbling().evaluate(t)
    plain = differentiate_attitudes(t, noisy(p, 0.01, 2), degree=2, width=3)
    derivatives = differentiate_attitudes(t, noisy(p, 0.01, 2))
    assert np.std(plain.omega - omega) > 15.0 * np.std(derivatives.omega - omega)


def test_rates_do_not_use_rows_across_a_gap() -> None:
    t = np.concatenate([np.linspace(0.0, 1.0, 101), np.linspace(2.0, 3.0, 101)])
    p, omega = tumbling().evaluate(t)
    whole = differentiate_attitudes(t, p, degree=4, width=9).omega
    p[101:] = p[0]
    p[40] = np.nan
    broken = differentiate_attitudes(t, p, degree=4, width=9).omega
    assert np.allclose(whole[50:101], broken[50:101], rtol=0.0, atol=1e-12)
    assert np.isnan(broken[40]).all()
    assert np.allclose(broken[:40], omega[:40], atol=1e-4)
    assert np.allclose(broken[101:], 0.0, atol=1e-12)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 12])
def test_rates_from_few_rows(n: int) -> None:
    t = 0.01 * np.arange(n)
    p = from_rotation_vector(np.outer(t, [1.0, 2.0, -0.5]))
    derivatives = differentiate_attitudes(t, p)
    assert np.isnan(derivatives.omega).all() if n == 1 else np.allclose(derivatives.omega, [1.0, 2.0, -0.5])
    assert derivatives.sentence


@pytest.mark.parametrize("even", [True, False])
def test_integrated_attitudes_are_of_fourth_order(even: bool) -> None:
    errors = []
    for n in (50, 100, 200, 400):
        t = np.linspace(0.0, 4.0, n + 1) if even else uneven(n, 4.0, 3)
        p, omega = tumbling().evaluate(t)
        integrated = integrate_rates(t, omega, p[7], 7)
        error = float(relative_angle(integrated.p, p).max())
        assert 0.5 * error < integrated.truncation < 2.0 * error
        errors.append(error)
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert (orders > 3.5).all()
    assert orders[-1] == pytest.approx(4.0, abs=0.2)


@pytest.mark.parametrize("near", [1e-5, 1e-30, 5e-324])
def test_nearly_equal_times_do_not_amplify_noise(near: float) -> None:
    t = np.linspace(0.0, 1.0, 101)
    t = np.sort(np.r_[t, near if near < 1e-9 else 0.5 + near])
    omega = np.tile([1.0, 0.0, 0.0], (len(t), 1)) + np.random.default_rng(4).normal(0.0, 0.01, (len(t), 3))
    attitudes = integrate_rates(t, omega, np.array([1.0, 0.0, 0.0, 0.0])).p
    exact = from_rotation_vector(np.outer(t, [1.0, 0.0, 0.0]))
    assert relative_angle(attitudes, exact).max() < 0.005
    for recording in (Recording(t, p=exact, omega=omega), Recording(t, omega=omega)):
        p, rates = Track.from_recording(recording).at(np.linspace(0.0, 1.0, 1999))
        assert np.abs(rates - [1.0, 0.0, 0.0]).max() < 0.06
        assert np.isfinite(p).all()


def test_integrated_attitudes_end_at_a_gap() -> None:
    t = np.concatenate([np.linspace(0.0, 1.0, 101), np.linspace(2.0, 3.0, 101)])
    p, omega = tumbling().evaluate(t)
    for row, known in ((0, slice(0, 101)), (150, slice(101, 202))):
        attitudes = integrate_rates(t, omega, p[row], row).p
        assert relative_angle(attitudes[known], p[known]).max() < 1e-6
        assert np.isnan(attitudes).any(axis=1).sum() == 101


def test_differentiated_attitudes_restore_the_rates() -> None:
    """Differentiating the integrated rates gives the rates."""
    t = np.linspace(0.0, 2.0, 401)
    omega = np.stack([np.sin(3.0 * t), 2.0 * np.cos(t), t], axis=1)
    again = differentiate_attitudes(t, integrate_rates(t, omega, np.array([1.0, 0.0, 0.0, 0.0])).p)
    assert np.abs(again.omega - omega).max() < 1e-5


def test_segments_end_at_late_and_non_finite_rows() -> None:
    t = np.arange(10.0)
    t[5:] += GAP_FACTOR
    values = np.zeros((10, 2))
    values[8, 1] = np.nan
    assert contiguous_slices(t, values) == [slice(0, 5), slice(5, 8), slice(9, 10)]
    assert contiguous_slices(t[:0]) == []


def test_decreasing_times_are_refused() -> None:
    with pytest.raises(InputError, match=r"1.5 s in the row after 2 s"):
        contiguous_slices(np.array([0.0, 1.0, 2.0, 1.5]))


@pytest.mark.parametrize("seed", SEEDS)
def test_gravity_gives_roll_and_pitch(seed: int) -> None:
    p = from_rotation_vector(np.random.default_rng(seed).standard_normal(3))
    up = rotate_back(p, np.array([0.0, 0.0, STANDARD_GRAVITY]))
    attitude = attitude_from_gravity(up)
    assert np.allclose(rotate(attitude, up), [0.0, 0.0, STANDARD_GRAVITY], atol=1e-12)
    assert angles_from_p(attitude, "321")[0] == pytest.approx(0.0, abs=1e-12)


def test_rest_is_detected_by_constant_gravity() -> None:
    t = 0.01 * np.arange(300)
    rng = np.random.default_rng(6)
    force = np.tile([0.0, 6.0, 7.757], (300, 1)) + 0.02 * rng.standard_normal((300, 3))
    force[:20] *= 1.3
    force[150:] *= 0.02
    interval = find_rest(t, force)
    assert interval is not None
    assert interval.rows == slice(20, 150)
    assert np.allclose(rotate(interval.p, [0.0, 6.0, 7.757]) / STANDARD_GRAVITY, [0.0, 0.0, 1.0], atol=3e-3)
    assert "unknown heading" in interval.sentence
    assert find_rest(t, 0.5 * force) is None
    assert find_rest(t, force, np.tile([0.0, 0.0, 2.0], (300, 1))) is None


def test_set_up_compiles_the_kernels_that_recordings_use(tmp_path: Path) -> None:
    """Each kernel is compiled for one array type, although arrays of a recording are read-only and have any layout."""
    compile_kernels()
    t = 0.01 * np.arange(20)
    p = from_rotation_vector(np.outer(t, [1.0, 2.0, 3.0]))
    attitude, rates = Recording(t, p=p), Recording(t, omega=np.tile([1.0, 2.0, 3.0], (20, 1)))
    for file, recording in (("a.csv", attitude), ("a.aem", attitude), ("b.csv", rates)):
        write_recording(recording, tmp_path / file)
        load(ReadOptions(file=file).in_folder(tmp_path))
    differentiate_attitudes(t[::2], p[::2])
    integrate_rates(t[::2], np.asfortranarray(p[::2, 1:]), p[0])
    for kernel in (fit_windows, accumulate_rotations):
        assert len(kernel.dispatcher.signatures) == 1


def test_three_rows_give_no_estimate_of_rate_errors() -> None:
    t = np.arange(3.0)
    derivatives = differentiate_attitudes(t, from_rotation_vector(np.outer(t, [0.0, 0.0, 0.5]))).sentence
    assert "too few rows to estimate the error" in derivatives
    assert "nan" not in derivatives
