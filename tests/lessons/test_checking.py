"""What a lesson measures where a run has no sample."""

from dataclasses import replace

import pytest

from quatviz.lessons import Check, Scene
from quatviz.lessons.checking import measured
from quatviz.lessons.runs import simulation_of


def check(measure: str, quantity: str, **more: object) -> Check:
    return Check(name="it", quantity=quantity, measure=measure, value=0.0, tolerance=1.0, **more)  # type: ignore[arg-type]


def test_between_samples_a_number_is_where_the_steps_of_its_lane_lead() -> None:
    """On the straight line between two of them it was off in the sixth digit, and unlike what the window showed."""
    scene = Scene(preset="torque_free", lanes=("newton_euler", "hamilton"), dt=0.01, duration=4.0)
    coarse, fine = (simulation_of(replace(scene, sample_interval=step)) for step in (0.1, 0.05))
    for quantity, more in (
        ("h_1", {}),
        ("p_0", {}),
        ("|omega|", {}),
        ("orientation_error", {"minus": "hamilton"}),
    ):
        at = check("at", quantity, time=2.05, **more)
        between, there = (measured(at, run, run.lanes[0]) for run in (coarse, fine))
        assert between == pytest.approx(there, rel=1e-9, abs=1e-9), quantity
        if quantity == "h_1":
            crossing = check("crossing", quantity, level=there, start=1.9, stop=2.2)
            assert measured(crossing, coarse, coarse.lanes[0]) == pytest.approx(2.05, abs=1e-9)
    with pytest.raises(LookupError, match="ended at 4"):
        measured(check("at", "h_1", time=4.1), coarse, coarse.lanes[0])
