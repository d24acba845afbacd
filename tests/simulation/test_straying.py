"""A lane that reaches the end with numbers that are no motion says so; one that is off by little, or on purpose, does not."""

from dataclasses import replace

import numpy as np
import pytest

import quatviz as qv
from quatviz.base.translation import tr
from quatviz.files.preset import Lane
from quatviz.physics.loads.gravity import Gravity
from quatviz.physics.observables.plausibility import MAX_RELATIVE_ERROR, divergence_warning
from quatviz.physics.observables.quantities import Motion
from quatviz.simulation.simulation import Simulation


def story(norm: float, rate: float, keeps_energy: bool = True) -> str:
    """Of a body about a principal axis whose |p|² and rate go to these in 2 s, from 1."""
    t = np.linspace(0.0, 2.0, 21)
    p = np.outer(np.sqrt(np.linspace(1.0, norm, 21)), [1.0, 0.0, 0.0, 0.0])
    omega = np.outer(np.linspace(1.0, rate, 21), [0.0, 0.0, 1.0])
    motion = Motion(
        t, p, omega, body=qv.Body(inertia=[1.0, 2.0, 3.0]), loads=(), constraint_rate=np.zeros(21),
        measures=lambda: np.zeros((21, 2)),
    )  # fmt: skip
    return tr(divergence_warning("coarse", motion, keeps_energy, "Try it finer"))


def test_it_says_when_and_by_how_much() -> None:
    assert story(0.06, 1.0).startswith(
        "coarse is not to be trusted from t = 0.3 s on: |p|² − 1, which is 0 in every motion, comes to −0.94. Try it finer"
    )
    assert "its energy, which nothing changes, is −91 % off" in story(1.0, 0.3)
    both = story(0.06, 0.3)
    assert "−0.94" in both
    assert "−91 %" in both


def test_little_is_not_told_and_no_energy_where_a_load_changes_it() -> None:
    assert story(1.0, 1.0) == ""
    assert story(1.0 - 0.9 * MAX_RELATIVE_ERROR, 1.0 + 0.4 * MAX_RELATIVE_ERROR) == ""
    assert story(1.0, 0.3, keeps_energy=False) == ""


@pytest.mark.parametrize(
    ("lane", "dt", "tells", "tries"),
    [
        (Lane("newton_euler"), 0.05, True, "Try a stabilisation, or a smaller dt than 0.05 s"),
        (Lane("newton_euler", stabilisation="renormalise"), 0.05, False, ""),
        (Lane("newton_euler"), 0.001, False, ""),
    ],
)
def test_a_top_in_long_steps_is_complete_and_tells(lane: Lane, dt: float, tells: bool, tries: str) -> None:
    run = Simulation(
        qv.load_preset("heavy_top").with_run(dt=dt, sample_interval=0.05, duration=5.0, lanes=(lane,))
    )
    run.complete()
    (made,) = run
    assert made.status == "ok"
    assert ("is not to be trusted" in made.status_text) == tells, made.status_text
    assert made.status_text.endswith(tries)
    assert not made.message, "a script reads what ended it"


def test_a_form_that_is_known_not_to_follow_the_body_is_not_told_of() -> None:
    run = Simulation(
        qv.load_preset("unconstrained").with_run(duration=3.0, lanes=(Lane("udwadia_schutte_unconstrained"),))
    )
    run.complete()
    (made,) = run
    assert made.motion().p[-1] @ made.motion().p[-1] > 1.0 + MAX_RELATIVE_ERROR
    assert made.status_text == ""


class Scripted(Gravity):
    """A weight that a script has written, as far as a run can tell."""


def test_a_load_of_a_script_is_not_asked_for_more_than_the_run_asks() -> None:
    """It may fail where the window only shows, and take the frame with it."""
    preset = qv.load_preset("heavy_top")
    (weight,) = preset.loads
    assert isinstance(weight, Gravity)
    own = replace(preset, loads=(Scripted(weight=weight.weight, centre=weight.centre),))
    run = Simulation(own.with_run(dt=0.05, sample_interval=0.05, duration=5.0, lanes=(Lane("newton_euler"),)))
    run.complete()
    (made,) = run
    assert made.status == "ok"
    assert made.status_text == ""


@pytest.mark.parametrize(("interval", "told_of"), [(0.1, "5 rad"), (0.02, "")])
def test_a_body_that_outruns_its_samples_says_so_and_what_to_try(interval: float, told_of: str) -> None:
    """Its unwrapped angles ran the wrong way round, and nothing said so."""
    preset = qv.load_preset("heavy_top").with_run(
        lanes=["newton_euler"], duration=1.0, sample_interval=interval
    )
    run = Simulation(preset)
    assert run.lanes[0].all_remarks == ()
    run.complete(jobs=1)
    said = " ".join(map(tr, run.lanes[0].all_remarks))
    assert told_of in said
    assert ("a sample interval of 0.02 s" in said) == bool(told_of)
