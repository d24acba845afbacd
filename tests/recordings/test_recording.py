"""A recording as a value: used and skipped rows, gaps, and interpolation."""

import numpy as np
import pytest

import quatviz as qv
from quatviz.physics.mechanics.rotations import from_rotation_vector, multiply, relative_angle
from quatviz.physics.observables.recording import Recording
from quatviz.recordings.resampling import Track

START = np.array([1.0, 0.0, 0.0, 0.0])


@pytest.fixture(scope="module")
def motion() -> qv.Solution:
    """The torque-free body of the documents, in closed form, at every millisecond."""
    preset = qv.load_preset("torque_free")
    return qv.simulate(preset, lanes=["exact"], duration=4.0, dt=1e-3, sample_interval=1e-3)["exact"]


def turning(count: int) -> tuple[np.ndarray, np.ndarray]:
    """A body that turns about the third axis with 1 rad/s, sampled at 10 Hz."""
    t = 0.1 * np.arange(count)
    return t, np.stack([np.cos(0.5 * t), 0 * t, 0 * t, np.sin(0.5 * t)], axis=1)


def test_arrays_are_stored_read_only() -> None:
    t, p = turning(20)
    recording = Recording(t, p=p, omega=np.tile([0, 0, 1], (20, 1)), source="here")
    np.testing.assert_array_equal(recording.t, t)
    np.testing.assert_allclose(recording.p, p, rtol=0, atol=2e-16)
    assert (len(recording), recording.remarks, recording.source) == (20, (), "here")
    with pytest.raises(ValueError, match="read-only"):
        recording.p[0] = 0.0
    p[:] = 7.0
    assert recording.p[0, 0] == 1.0, "a copy"


def test_recordings_are_equal_by_value() -> None:
    t, p = turning(20)
    first, same, other = Recording(t, p=p), Recording(t, p=p), Recording(t, p=-p[::-1])
    assert first == same
    assert hash(first) == hash(same)
    assert first != other
    assert qv.Lane("recording", recording=first) == qv.Lane("recording", recording=same)


@pytest.mark.parametrize(
    ("given", "key", "message"),
    [
        ({"t": [0, 1]}, "p", "neither"),
        ({"t": [0, 1], "p": [[1, 0, 0, 0]]}, "p", "1"),
        ({"t": [[0, 1]], "p": [[1, 0, 0, 0]]}, "t", "(1, 2)"),
        ({"t": [0, 1], "p": [[1, 0, 0], [1, 0, 0]]}, "p", "(2, 3)"),
        ({"t": ["a", "b"], "p": [[1, 0, 0, 0]] * 2}, "t", "'a'"),
        ({"t": [np.nan, np.inf], "p": [[1, 0, 0, 0]] * 2}, "t", "2 rows without a valid time"),
        ({"t": [0, 1], "p": np.zeros((2, 4))}, "t", "2 quaternions of length 0"),
        ({"t": [], "omega": np.zeros((0, 3))}, "t", "none"),
        ({"t": [0, 1], "omega": np.zeros((2, 3)), "gap": 0.0}, "gap", "0.0"),
    ],
)
def test_invalid_recording_is_refused(given: dict[str, object], key: str, message: str) -> None:
    with pytest.raises(qv.InputError) as refusal:
        Recording(**given)  # type: ignore[arg-type]
    assert refusal.value.key == key
    assert message in refusal.value.found


def test_decreasing_times_are_skipped_and_counted() -> None:
    t, p = turning(10)
    t[4] = 0.05
    recording = Recording(t, p=p)
    assert recording.t.tolist() == [*t[:4], *t[5:]]
    assert list(recording.remarks) == ["1 row with an earlier time than the row before was left out"]


def test_single_late_time_skips_only_itself() -> None:
    t, p = turning(100)
    t[10] = 1e6
    recording = Recording(t, p=p)
    assert (len(recording), recording.t[-1]) == (99, t[-1])


def test_quaternions_of_wrong_length_are_gaps() -> None:
    t, p = turning(50)
    p[5] = 0.0
    p[9] *= 1.3
    p[20, 2] = np.nan
    p[30] *= 1.01
    recording = Recording(t, p=p)
    assert np.flatnonzero(~recording.is_known).tolist() == [5, 9, 20]
    remarks = "\n".join(recording.remarks)
    assert "1 row without an attitude" in remarks
    assert "1 quaternion of length 0" in remarks
    assert "1 quaternion, of length 1.3 instead of 1, is a gap" in remarks
    assert "1 quaternion, of length 1.01, was normalized" in remarks
    lengths = np.linalg.norm(recording.p[recording.is_known], axis=1)
    np.testing.assert_allclose(lengths, 1.0, atol=1e-15)


def test_consistent_quaternion_length_is_normalized() -> None:
    t, p = turning(50)
    recording = Recording(t, p=1.3 * p)
    assert recording.is_known.all()
    assert list(recording.remarks) == ["50 quaternions, of length 1.3, were normalized"]
    np.testing.assert_allclose(recording.p, p, atol=1e-15)


def test_repeated_times_are_skipped_or_gaps() -> None:
    t, p = turning(10)
    t, p = np.repeat(t, 2), np.repeat(p, 2, axis=0)
    p[7] = [0, 1, 0, 0]  # not what row 6 says
    recording = Recording(t, p=p)
    assert len(recording) == 10
    assert np.flatnonzero(~recording.is_known).tolist() == [3]
    remarks = [
        "10 rows that repeat a time were left out",
        "1 time at which rows contradict each other is a gap",
    ]
    assert list(recording.remarks) == remarks
    assert recording.gaps.round(9).tolist() == [[0.2, 0.4]]


def test_lost_sample_is_a_gap_but_late_one_is_not() -> None:
    t, p = turning(30)
    kept = np.ones(30, dtype=bool)
    kept[10:12] = False
    t[20] += 0.04
    assert Recording(t[kept], p=p[kept]).gaps.round(9).tolist() == [[0.9, 1.2]]
    assert Recording(t[kept], p=p[kept], gap=0.5).gaps.tolist() == []


def test_quarter_turn_between_samples_is_a_gap() -> None:
    t = np.arange(6.0)
    p = np.stack([np.cos(0.4 * t), 0 * t, 0 * t, np.sin(0.4 * t)], axis=1)
    assert len(Recording(t, p=p).gaps) == 0, "0.8 rad"
    fast = Recording(t, p=p, omega=np.tile([0, 0, 2.0], (6, 1)))
    assert len(fast.gaps) == 5, "with 2 rad/s nobody knows which way it went"


def test_samples_are_exact_and_interpolation_is_of_fourth_order(motion: qv.Solution) -> None:
    errors = []
    for step in (200, 100, 50):
        track = Track.from_recording(
            Recording(motion.t[::step], p=motion.p[::step], omega=motion.omega[::step])
        )
        p, omega = track.at(motion.t)
        np.testing.assert_array_equal(omega[::step], motion.omega[::step])
        assert relative_angle(p[::step], motion.p[::step]).max() < 1e-15
        errors.append((relative_angle(p, motion.p).max(), np.abs(omega - motion.omega).max()))
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert (orders > 3.7).all(), orders
    assert errors[-1][0] < 1e-8


def test_no_values_in_gaps_or_outside_the_recording() -> None:
    t, p = turning(40)
    kept = np.ones(40, dtype=bool)
    kept[10:15] = False
    track = Track.from_recording(Recording(t[kept], p=p[kept], omega=np.tile([0, 0, 1.0], (35, 1))))
    times = np.arange(-0.5, 5.0, 0.01)
    known = np.isfinite(track.at(times)[0]).all(axis=1)
    inside = (times > -1e-6) & (times < 3.9 + 1e-6) & ~((times > 0.9 + 1e-6) & (times < 1.5 - 1e-6))
    np.testing.assert_array_equal(known, inside)
    assert track.last_known_time == pytest.approx(3.9)


def test_missing_rates_are_differentiated_and_attitudes_integrated(motion: qv.Solution) -> None:
    t, p, omega = motion.t[::10], motion.p[::10], motion.omega[::10]
    differentiated = Track.from_recording(Recording(t, p=p))
    assert np.abs(differentiated.omega - omega).max() < 1e-7
    assert "rates computed from attitudes" in differentiated.remarks[0]
    integrated = Track.from_recording(Recording(t, omega=omega), start=p[0])
    assert relative_angle(integrated.p, p).max() < 1e-8
    assert "attitudes computed from rates" in integrated.remarks[0]


def test_times_near_samples_give_samples() -> None:
    """A product may be rounded differently from a sum of the same value."""
    t, p = turning(50)
    lonely = Recording(t[::10], p=p[::10], gap=0.5)
    rotation = Track.from_recording(lonely).at(np.arange(50) * 0.1 + 1e-12)[0]
    assert np.isfinite(rotation[::10]).all()
    assert np.isnan(rotation[1:10]).all()


def test_end_of_a_track_is_searched_once() -> None:
    """A lane needs the end before each block, and a million rows have thousands of blocks."""
    t, p = np.arange(5.0), np.tile([1.0, 0.0, 0.0, 0.0], (5, 1))
    track = Track(t, p, np.zeros((5, 3)), np.ones(4, dtype=bool))
    assert track.last_known_time == 4.0
    p[3:] = np.nan
    assert track.last_known_time == 4.0


def test_single_spike_is_a_gap() -> None:
    t = np.arange(200) * 0.01
    p = from_rotation_vector(np.outer(t, [0.0, 0.0, 1.0]))
    p[100] = multiply(p[100], from_rotation_vector([2.5, 0.0, 0.0]))
    spiked = qv.Recording(t, p=p)
    assert spiked.remarks == ("1 attitude, a quarter turn or more from its two neighbors, is a gap",)
    assert spiked.gaps.tolist() == [[0.99, 1.01]]
    omega = Track.from_recording(spiked).omega
    known = np.arange(200) != 100
    assert np.abs(omega[known] - [0.0, 0.0, 1.0]).max() < 1e-9, "the rates beside it do not know of it"
    assert np.isnan(omega[100]).all()
    rates = np.tile([0.0, 0.0, 1.0], (200, 1))
    rates[100, 0] = 500.0
    integrated = Track.from_recording(qv.Recording(t, omega=rates))
    assert np.isnan(integrated.p[100:]).all(), "nobody knows the turn in it"


def test_rates_of_distant_rows_are_not_spikes() -> None:
    """For example in a table that gives a motion at a few times, with a valid rate at each."""
    omega = np.array([[0.0, 0.0, w] for w in (-0.95, -0.96, 0.94, 0.92, -1.01)])
    recording = qv.Recording([0.5, 1.0, 2.0, 5.0, 10.0], omega=omega)
    assert recording.remarks == ()
    np.testing.assert_array_equal(recording.omega, omega)


def test_fast_rotation_has_no_spikes() -> None:
    t = np.arange(50) * 0.01
    for step in (100.0, 175.0, 179.0):
        turns = from_rotation_vector(np.outer(np.arange(50), [0.0, 0.0, np.radians(step)]))
        assert (
            qv.Recording(t, p=turns, omega=np.tile([0.0, 0.0, np.radians(step) / 0.01], (50, 1))).remarks
            == ()
        )
