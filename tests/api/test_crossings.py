"""Times at which a quantity of a lane crosses zero: complete, however sparse the samples are."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import quatviz as qv

TUMBLING = replace(
    qv.load_preset("torque_free"),
    body=qv.Body(inertia=[1.0, 2.0, 3.0]),
    initial=qv.Initial(euler_parameters=[1.0, 0.0, 0.0, 0.0], angular_velocity=[0.1, 2.0, 0.2]),
)


def solution(lane: str, interval: float, duration: float, **settings: Any) -> qv.Solution:
    return qv.simulate(TUMBLING, lanes=[lane], sample_interval=interval, duration=duration, **settings).lanes[
        0
    ]


def rate(at: Any) -> np.ndarray:
    return np.asarray(at.omega[..., 1])


def angle(at: Any) -> np.ndarray:
    return np.asarray(at.angles_313[..., 0])


@pytest.mark.parametrize("interval", [1.0, 10.0, 50.0])
@pytest.mark.parametrize("lane", ["exact", "newton_euler", "newton_euler,integrator=dop853"])
@pytest.mark.parametrize("condition", [rate, angle])
def test_crossings_do_not_depend_on_the_sample_interval(lane: str, interval: float, condition: Any) -> None:
    """At a sample interval of 10 s, 3 of 17 were found; at 50 s the search took more than ten minutes."""
    dense = solution("exact", 0.01, 100.0).crossings(condition)
    sparse = solution(lane, interval, 100.0, dt=0.005).crossings(condition)
    assert len(dense) >= (17 if condition is rate else 3)
    assert sparse == pytest.approx(dense, abs=1e-6)


def test_crossing_before_an_event_is_found_but_its_jump_is_not() -> None:
    plain = solution("newton_euler", 0.01, 20.0, dt=0.01)
    (first, *_) = plain.crossings(rate)
    event_time = float(np.ceil(first / 0.01)) * 0.01
    after = rate(plain.at(event_time))
    kick = qv.Kick(at=event_time, impulse=[0.0, -2.0 * 2.0 * float(after), 0.0], frame="body")
    kicked = qv.simulate(
        replace(TUMBLING, events=[kick]), lanes=["newton_euler"], sample_interval=0.01, dt=0.01, duration=event_time
    ).lanes[0]  # fmt: skip
    assert rate(kicked)[-2] * rate(kicked)[-1] > 0.0, "the samples beside it have one sign"
    assert kicked.crossings(rate) == pytest.approx([first], abs=1e-9)


def test_zero_at_a_sample_is_a_crossing() -> None:
    assert solution("exact", 0.5, 5.0).crossings(lambda at: at.t - 2.0).tolist() == [2.0]


def test_ring_quantities_have_crossings() -> None:
    preset = qv.load_preset("ring_damper")
    counts = [
        len(qv.simulate(preset, lanes=["ring_damper"], sample_interval=interval, duration=4.0, dt=1e-3)
            .lanes[0].crossings(lambda at: at.omega[..., 0]))
        for interval in (0.001, 1.0)
    ]  # fmt: skip
    assert counts[0] == counts[1] > 0
