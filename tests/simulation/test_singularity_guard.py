"""A fixed-step lane ends where its steps are too long for a nearby singularity."""

from dataclasses import replace

import numpy as np
import pytest

import quatviz as qv
from quatviz.files.preset import Preset
from quatviz.physics.formulations import FORMULATIONS, make_formulation
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation

SINGULAR_FORMS = ("euler_angles/321", "euler_angles/313", "reduced_euler_parameters", "rotation_vector")
MAX_ERROR = 0.05
"""Largest error of attitude [rad] of a lane that may end as `ok` without a word."""


def preset_of(p: np.ndarray, omega: np.ndarray, inertia: tuple[float, ...] = (1.0, 2.0, 3.0)) -> Preset:
    return qv.Preset(
        body=qv.Body(inertia=inertia), initial=qv.Initial(euler_parameters=p, angular_velocity=omega)
    )


def lane_of(preset: Preset, form: str, dt: float, duration: float, steps: int = 1) -> LaneRun:
    """A complete lane with a sample every dt [s] and the given steps per sample."""
    run = Simulation(preset.with_run(lanes=[form], dt=dt / steps, sample_interval=dt, duration=duration))
    run.complete(jobs=1)
    return run.lanes[0]


def random_start(random: np.random.Generator, rate: float) -> tuple[np.ndarray, np.ndarray]:
    p, omega = random.normal(size=4), random.normal(size=3)
    return p / np.linalg.norm(p), omega * rate / np.linalg.norm(omega)


@pytest.mark.parametrize("rate", [6.0, 20.0, 50.0])
def test_random_starts_near_a_singularity_are_accurate_or_end(rate: float) -> None:
    """Steps above a fifth of a radian are excluded, because every formulation is inaccurate with them."""
    random = np.random.default_rng(int(rate))
    ended = 0
    for dt in (step for step in (1e-3, 5e-3, 1e-2) if rate * step <= 0.2):
        for _ in range(12):
            p, omega = random_start(random, rate)
            preset = preset_of(p, omega)
            fine = lane_of(preset, "newton_euler", dt, 3.0, int(np.ceil(rate * dt / 0.02)))
            for form in SINGULAR_FORMS:
                lane = lane_of(preset, form, dt, 3.0)
                error = relative_angle(lane.p, fine.p[: lane.samples])
                assert lane.status in ("ok", "singular")
                ended += lane.status == "singular"
                assert error.max() < MAX_ERROR, (form, dt, p, omega, lane.status, lane.ended_at)
    assert ended > 12


def test_kicked_motion_ends_like_the_equal_initial_motion() -> None:
    random = np.random.default_rng(3)
    for form in SINGULAR_FORMS:
        for dt in (1e-3, 5e-3):
            p, omega = random_start(random, 20.0)
            begun = lane_of(preset_of(p, omega), form, dt, 1.0)
            at_rest = preset_of(p, np.zeros(3))
            for event in (
                qv.Kick(at=0.1, impulse=np.array([1.0, 2.0, 3.0]) * omega, frame="body"),
                qv.SetState(at=0.1, euler_parameters=p, angular_velocity=omega),
            ):
                kicked = lane_of(replace(at_rest, events=(event,)), form, dt, 1.1)
                assert (kicked.status, kicked.samples) == (begun.status, begun.samples + round(0.1 / dt))
                if begun.ended_at is not None:
                    assert kicked.ended_at == pytest.approx(begun.ended_at + 0.1, abs=1e-9)
                    assert kicked.message.partition(": ")[2] == begun.message.partition(": ")[2]


@pytest.mark.parametrize("form", SINGULAR_FORMS[:3])
def test_singularity_limit_follows_the_current_velocity(form: str) -> None:
    """The body is spun up from rest. The lane ends at the first state within the limit of its current velocity."""
    preset = replace(
        preset_of(np.array([0.9, 0.3, 0.3, 0.1]), np.array([0.2, 0.1, 0.3])),
        loads=(qv.Torque(torque=[5.0, 30.0, 9.0]),),
    )
    lane = lane_of(preset, form, 5e-3, 20.0)
    assert lane.status == "singular"
    formulation, parameters = lane.formulation, lane.problem.segments[0].parameters
    limits = [
        formulation.singularity_limit(state, parameters, lane.solver.segment.dt)
        for state in lane.history.rows
    ]
    assert (np.abs(lane.singularity) > limits).all()
    assert limits[-1] > 10.0 * limits[0]
    assert limits[-1] > formulation.threshold


def test_initial_state_within_the_limit_ends_at_once() -> None:
    preset = preset_of(np.array([1.0, 0.0, 0.0, 0.0]), np.array([1.0, 30.0, 2.0]))
    lane = lane_of(preset, "euler_angles/313", 1e-3, 1.0)
    assert (lane.status, lane.ended_at, lane.samples) == ("singular", 0.0, 1)


def test_message_distinguishes_singularity_from_long_steps() -> None:
    spin = np.array([0.0, 1.0, 0.0])
    locked = lane_of(preset_of(np.array([1.0, 0.0, 0.0, 0.0]), spin), "euler_angles/321", 1e-3, 3.0)
    assert "are locked" in locked.message
    assert "steps of this length" not in locked.message
    passing = lane_of(
        preset_of(np.array([1.0, 0.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.2])), "euler_angles/321", 0.05, 3.0
    )
    assert "steps of this length" in passing.message


def test_suggested_step_passes_the_singularity() -> None:
    random = np.random.default_rng(11)
    suggested = passed = 0
    while suggested < 20:
        p, omega = random_start(random, 10.0)
        form = ("euler_angles/321", "euler_angles/313", "rotation_vector")[suggested % 3]
        preset = preset_of(p, omega)
        lane = lane_of(preset, form, 1e-2, 1.0)
        _, suggests, text = lane.message.partition("dt = ")
        if not suggests:
            continue
        suggested += 1
        finer = preset.with_run(
            lanes=[form], dt=1e-2 / np.ceil(1e-2 / float(text.split()[0])), sample_interval=1e-2, duration=1.0
        )
        run = Simulation(finer)
        run.complete(jobs=1)
        assert lane.ended_at is not None
        later = run.lanes[0]
        passed += later.ended_at is None or later.ended_at > lane.ended_at + 0.1
    assert passed >= 17


def test_class_with_the_removed_hook_is_refused() -> None:
    with pytest.raises(TypeError, match="singularity_limit"):
        type(
            "Old",
            (Formulation,),
            {"name": "old", "title": "Old", "threshold_at": lambda self, dt, omega: 0.1},
        )


def test_formulation_without_singularity_has_no_limit() -> None:
    for name, family in FORMULATIONS.items():
        if family.kernels is not None and family.kernels.singularity is None:
            form = make_formulation(name)
            assert (
                form.singularity_limit(np.ones(len(form.component_names)), None, 0.1) == form.threshold < 0.0
            )
