"""The animation on a preset's card shows the motion of its run, up to the coarser steps of its ten frames per second."""

import numpy as np
import pytest

import quatviz as qv
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation.preview import PreviewMotion


@pytest.mark.parametrize(
    ("name", "pictures", "limit"),
    [
        ("torque_free", 20, 1e-4),
        ("heavy_top", 60, 1e-3),
        ("spring_disk", 20, 1e-3),
        ("body_on_spring", 20, 1e-2),
    ],
)
def test_card_animation_matches_its_run(name: str, pictures: int, limit: float) -> None:
    """A motion from rest plays in real time, others at 1.2 rad/s of the card."""
    preset = qv.load_preset(name)
    turning = PreviewMotion(preset)
    times, attitudes = [], []
    for _ in range(pictures):
        turning.advance(0.1)
        times.append(turning.time)
        attitudes.append(turning.p)
    interval = times[0]
    assert times == pytest.approx(interval * np.arange(1, pictures + 1), rel=1e-9)
    spin = float(np.linalg.norm(preset.initial.omega(preset.body)))
    assert interval == pytest.approx(0.1 * 1.2 / spin if spin else 0.1)
    lane = qv.simulate(
        preset,
        lanes=["newton_euler"],
        dt=interval / 64,
        sample_interval=interval,
        duration=pictures * interval,
    ).lanes[0]
    assert relative_angle(lane.p[1:], np.array(attitudes)).max() < limit


def test_finished_card_animation_restarts() -> None:
    preset = qv.load_preset("torque_free").with_run(duration=0.2)
    turning = PreviewMotion(preset)
    seen = []
    for _ in range(2000):
        turning.advance(0.1)
        seen.append(turning.time)
        assert turning.time <= 0.2
    assert 0.0 in seen
    assert np.array_equal(PreviewMotion(preset).p, preset.initial.p())
