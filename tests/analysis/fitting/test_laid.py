"""Alignment of recordings with lanes in scripts."""

import numpy as np
import pytest

import quatviz as qv
from quatviz.base.errors import InputError
from quatviz.physics.mechanics.rotations import from_rotation_vector, multiply, relative_angle, rotate_back


@pytest.fixture(scope="module")
def lane():
    return qv.simulate(qv.load_preset("tumbling_brick"), lanes=["newton_euler"], duration=6.0)["newton_euler"]


def test_recording_is_aligned_with_a_lane(lane) -> None:
    """The recording has another clock, sampling rate, space frame and sensor frame."""
    space, body = from_rotation_vector([1.0, -2.0, 0.5]), from_rotation_vector([0.2, 0.1, -0.4])
    rows = slice(40, 400, 3)
    p = multiply(multiply(space, lane.p[rows]), body)
    omega = rotate_back(np.broadcast_to(body, p.shape), lane.omega[rows])
    alignment = qv.align(qv.Recording(lane.t[rows] + 11.0, p=p, omega=omega), lane, side="both")
    assert alignment.offset is not None
    assert alignment.offset.seconds == pytest.approx(-11.0, abs=1e-3)
    assert alignment.turns is not None
    assert alignment.turns.is_determined
    assert relative_angle(alignment.recording.p, lane.p[rows]).max() < 0.01
    exactly = qv.align(qv.Recording(lane.t[rows] + 11.0, p=p, omega=omega), lane, offset=-11.0, side="both")
    assert relative_angle(exactly.recording.p, lane.p[rows]).max() < 1e-6
    assert np.allclose(exactly.recording.omega, lane.omega[rows], atol=1e-6)
    assert exactly.offset is None


def test_rates_are_aligned_with_a_lane(lane) -> None:
    alignment = qv.align(qv.Recording(lane.t, omega=lane.omega), lane, offset=0.0)
    assert relative_angle(alignment.recording.p, lane.p).max() < 1e-3
    untouched = qv.align(qv.Recording(lane.t, p=lane.p), lane, offset=1.0, side="")
    assert untouched.turns is None
    assert untouched.sentence == "not aligned"


def test_invariants_of_a_lane_detect_free_flight(lane) -> None:
    body = qv.load_preset("tumbling_brick").body
    assert qv.invariants(lane, body).is_free
    assert qv.invariants(qv.Recording(lane.t, p=lane.p), body).h.scatter < 1e-3
    assert not qv.invariants(lane, qv.Body(inertia=[1.0, 1.1, 1.2])).is_free
    with pytest.raises(InputError, match="a recording, or a lane"):
        qv.invariants("lane", body)  # type: ignore[arg-type]
