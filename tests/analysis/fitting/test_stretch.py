"""Detection of the free flight in a recording by constant h alone."""

from pathlib import Path

import numpy as np
import pytest

from quatviz.analysis.fitting.free_flight import find_free_flight, free_flight_in_file
from quatviz.physics.exact import solve
from quatviz.physics.mechanics.body import Body
from quatviz.physics.observables.read_options import ReadOptions
from quatviz.physics.observables.recording import Recording
from quatviz.recordings.importing import propose_import
from quatviz.recordings.loading import load

PRESETS = Path(__file__).resolve().parents[3] / "presets"
BEGIN = 1.0


def make_throw(seed: int, length: float, noise: float = 0.02) -> Recording:
    """Return rates of a random body that is swung, released at 1 s, and caught after `length` [s]."""
    rng = np.random.default_rng(seed)
    t = np.arange(0.0, 5.0, 0.01)
    low, middle = np.sort(rng.uniform(0.45, 1.0, 2))
    body = Body(inertia=[max(low, 1.05 - middle), middle, 1.0])
    omega = rng.standard_normal(3)
    omega *= rng.uniform(5.0, 9.0) / np.linalg.norm(omega)
    _, rates = solve(body, [], np.array([1.0, 0.0, 0.0, 0.0]), omega).evaluate(t)
    before, after = t < BEGIN, t > BEGIN + length
    begun = rates[np.searchsorted(t, BEGIN)]
    swing = np.sin(7.0 * t[before]) * (1.0 - t[before])
    rates[before] = begun * (t[before] ** 2)[:, None] + 0.5 * swing[:, None]
    rates[after] *= np.exp(-6.0 * (t[after] - BEGIN - length))[:, None]
    return Recording(t, omega=rates + noise * rng.standard_normal(rates.shape))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("length", [1.2, 3.0])
def test_flight_between_throw_and_catch_is_detected(seed: int, length: float) -> None:
    flight = find_free_flight(make_throw(seed, length))
    assert not flight.is_entire
    assert flight.start == pytest.approx(BEGIN, abs=0.06)
    assert flight.stop == pytest.approx(BEGIN + length, abs=0.06)


def test_flight_is_detected_from_rates_in_file_times(tmp_path: Path) -> None:
    recording = make_throw(1, 1.2)
    rows = np.column_stack([recording.t + 60.0, recording.omega])
    np.savetxt(tmp_path / "throw.csv", rows, delimiter=",", header="t,gyr_x,gyr_y,gyr_z", comments="")
    flight = free_flight_in_file(load(ReadOptions(file="throw.csv").in_folder(tmp_path)))
    assert flight is not None
    assert (flight.start, flight.stop) == pytest.approx((60.0 + BEGIN, 60.0 + BEGIN + 1.2), abs=0.06)
    assert "Free flight from 6" in flight.sentence
    assert "longest interval with constant h" in flight.sentence


def test_outlying_sample_does_not_end_the_flight() -> None:
    recording = make_throw(0, 3.0)
    omega = recording.omega.copy()
    omega[::50] = 30.0
    flight = find_free_flight(Recording(recording.t, omega=omega))
    assert flight.start == pytest.approx(BEGIN, abs=0.1)
    assert flight.stop == pytest.approx(BEGIN + 3.0, abs=0.1)


@pytest.mark.parametrize("what", ["p", "omega"])
def test_entirely_free_recording_is_not_cut(what: str) -> None:
    t = np.linspace(0.0, 10.0, 1001)
    p, omega = solve(
        Body(inertia=[1.0, 2.0, 2.7]), [], np.array([1.0, 0, 0, 0]), np.array([0.3, 4.0, 1.0])
    ).evaluate(t)
    omega += 0.04 * np.random.default_rng(1).standard_normal(omega.shape)
    flight = find_free_flight(Recording(t, p=p) if what == "p" else Recording(t, omega=omega))
    assert flight.is_entire
    assert (flight.start, flight.stop) == (0.0, 10.0)
    assert "The whole recording" in flight.sentence


def test_noise_is_not_detected_as_free_flight() -> None:
    rates = np.random.default_rng(1).standard_normal((600, 3))
    flight = find_free_flight(Recording(0.01 * np.arange(600), omega=3.0 * rates))
    assert flight.is_entire
    assert "No free-flight segment" in flight.sentence


def test_missing_free_flight_is_reported() -> None:
    rng = np.random.default_rng(2)
    t = np.arange(0.0, 10.0, 0.01)
    tones = np.sin(np.outer(t, rng.uniform(4.0, 9.0, 3)) + rng.uniform(0.0, 6.0, 3))
    flight = find_free_flight(Recording(t, omega=6.0 * tones * (1.0 + 0.9 * np.sin(3.0 * t))[:, None]))
    assert flight.is_entire
    assert "by hand" in flight.sentence


@pytest.mark.parametrize("what", ["p", "omega", "both"])
def test_body_at_rest_has_no_free_flight(what: str) -> None:
    t = np.concatenate(
        (np.arange(0.0, 5.0, 0.1), np.arange(12.0, 20.0, 0.1))
    )  # with a gap: two parts with zero mean rate
    p, omega = np.tile([0.5, 0.5, -0.5, 0.5], (len(t), 1)), np.zeros((len(t), 3))
    flight = find_free_flight(
        Recording(t, p=p if what != "omega" else None, omega=omega if what != "p" else None)
    )
    assert (flight.start, flight.stop, flight.is_entire) == (t[0], t[-1], True)
    assert "by hand" in flight.sentence


def test_flight_of_the_thrown_phone_matches_its_preset() -> None:
    """The file states free flight from 0.9 s to 2.1 s."""
    loaded = propose_import(ReadOptions(file="thrown_phone.csv").in_folder(PRESETS)).loaded
    flight = find_free_flight(loaded.recording, loaded)
    assert flight.start == pytest.approx(0.9, abs=0.04)
    assert flight.stop == pytest.approx(2.1, abs=0.04)


def tumbling() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return times, attitudes and rates of a free body without noise."""
    t = 0.01 * np.arange(501)
    body = Body(inertia=[1.0, 2.0, 2.6])
    p, omega = solve(body, [], np.array([0.8, 0.2, -0.4, 0.4]), np.array([0.3, 2.5, 0.2])).evaluate(t)
    return t, p, omega


@pytest.mark.parametrize("has_attitudes", [False, True])
def test_noise_free_motion_is_entirely_free(has_attitudes: bool) -> None:
    t, p, omega = tumbling()
    flight = find_free_flight(Recording(t, p=p if has_attitudes else None, omega=omega))
    assert flight.is_entire
    assert flight.sentence.startswith("The whole recording is free")


def test_deviations_beyond_noise_are_not_free_flight() -> None:
    """With revolutions per minute read as rad/s, h of some other body is nearly conserved."""
    t, _, omega = tumbling()
    flight = find_free_flight(Recording(t, omega=omega * 30.0 / np.pi))
    assert not flight.sentence.startswith(("The whole recording is free", "Free flight from"))
    assert "but noise explains" in flight.sentence
