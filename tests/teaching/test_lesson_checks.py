"""Measured values of a lesson at times without a sample."""

from dataclasses import replace

import numpy as np
import pytest

from quatviz.teaching.lessons import LessonCheck, Scene
from quatviz.teaching.lessons.checking import check_curve, measure_check
from quatviz.teaching.lessons.scene_runs import simulation_of


def check(measure: str, quantity: str, **more: object) -> LessonCheck:
    return LessonCheck(name="it", quantity=quantity, measure=measure, value=0.0, tolerance=1.0, **more)  # type: ignore[arg-type]


def test_value_between_samples_follows_the_integrator() -> None:
    """Linear interpolation was off in the sixth digit, and unlike what the window showed."""
    scene = Scene(preset="torque_free", lanes=("newton_euler", "hamilton"), dt=0.01, duration=4.0)
    coarse, fine = (simulation_of(replace(scene, sample_interval=step)) for step in (0.1, 0.05))
    for quantity, more in (
        ("h_1", {}),
        ("p_0", {}),
        ("|omega|", {}),
        ("orientation_error", {"minus": "hamilton"}),
    ):
        at = check("at", quantity, time=2.05, **more)
        between, fine_value = (measure_check(at, run, run.lanes[0]) for run in (coarse, fine))
        assert between == pytest.approx(fine_value, rel=1e-9, abs=1e-9), quantity
        if quantity == "h_1":
            crossing = check("crossing", quantity, level=fine_value, start=1.9, stop=2.2)
            assert measure_check(crossing, coarse, coarse.lanes[0]) == pytest.approx(2.05, abs=1e-9)
    with pytest.raises(LookupError, match="ended at 4"):
        measure_check(check("at", "h_1", time=4.1), coarse, coarse.lanes[0])


def test_wrapped_angle_has_no_crossing() -> None:
    """Every wrap from 180 to -180 degrees counted as another crossing of 0."""
    scene = Scene(preset="intermediate_axis", lanes=("newton_euler",), dt=0.01, duration=8.0)
    run = simulation_of(scene)
    t, psi = check_curve(check("at", "angles_213_1", time=0.0), run, run.lanes[0])
    turned = np.unwrap(psi, period=360.0)
    assert np.ptp(turned) > 2.0 * 360.0
    for level in (0.0, 170.0):
        first, second = (
            measure_check(check("crossing", "angles_213_1", level=level, count=count), run, run.lanes[0])
            for count in (1, 2)
        )
        values = np.interp((first, second), t, turned)
        assert np.mod(values - level + 180.0, 360.0) - 180.0 == pytest.approx(0.0, abs=0.05)
        assert abs(values[1] - values[0]) == pytest.approx(360.0, abs=0.1)


def test_sample_on_the_level_is_a_crossing() -> None:
    """A curve that reached the level exactly at a sample did not count as crossing."""
    scene = Scene(preset="torque_free", lanes=("newton_euler",), dt=0.01, duration=4.0)
    run = simulation_of(scene)
    t, values = check_curve(check("at", "h_1", time=0.0), run, run.lanes[0])
    row = int(np.argmax(np.abs(t - 2.0) < 1e-9))
    at = check("crossing", "h_1", level=float(values[row]), start=1.9, stop=2.1)
    assert measure_check(at, run, run.lanes[0]) == pytest.approx(2.0, abs=1e-7)
