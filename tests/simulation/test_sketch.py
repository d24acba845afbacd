"""Coarser runs while a number is dragged: their cost limits."""

from dataclasses import replace

import numpy as np

import quatviz as qv
from quatviz.files.preset import Preset
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation.simulation import CostEstimate, Simulation, coarsened


def costly(preset: Preset) -> Simulation:
    """A run whose lanes have measured a high cost per step."""
    run = Simulation(preset)
    for lane in run:
        lane.solver.steps, lane.solver.seconds = 1, 1e-4
    return run


def sketched_step(preset: Preset) -> float:
    lanes = coarsened(preset, CostEstimate.from_run(costly(preset))).lanes
    return lanes[0].dt or preset.run.dt


def test_sketch_of_a_damped_spin_is_accurate() -> None:
    preset = qv.load_preset("explorer").with_run(lanes=["newton_euler"])
    preset = preset.with_run(duration=120.0)
    sketch = coarsened(preset, CostEstimate.from_run(costly(preset)))
    assert sketched_step(preset) > preset.run.dt, "it is sketched at all"
    (whole,), (coarse,) = (complete(run) for run in (preset, sketch))
    assert np.max(relative_angle(whole, coarse)) < 0.01


def complete(preset: Preset) -> list[np.ndarray]:
    run = Simulation(preset)
    run.complete(jobs=1)
    return [lane.p for lane in run]


def test_sketch_steps_resolve_the_fastest_previous_rotation() -> None:
    preset = qv.load_preset("torque_free")
    fast = replace(preset.initial, angular_momentum=100.0 * preset.initial.angular_momentum)
    preset = replace(preset, lanes=preset.lanes[:1], initial=fast, run=replace(preset.run, dt=1e-4))
    at_rest = replace(preset, initial=replace(preset.initial, angular_momentum=np.zeros(3)))
    assert sketched_step(preset) < sketched_step(at_rest)
    before = costly(preset)
    dt = coarsened(at_rest, CostEstimate.from_run(before)).lanes[0].dt
    assert dt == sketched_step(preset), "what begins at rest may turn as fast as it did a moment ago"


def test_diverged_lane_gives_no_rate_for_sketches() -> None:
    run = Simulation(
        qv.load_preset("heavy_top").with_run(
            lanes=["newton_euler,integrator=euler"], dt=0.1, sample_interval=0.1
        )
    )
    run.complete(jobs=1)
    (lane,) = run
    assert np.max(lane.omega) > 1e160, "its square is none"
    assert np.isfinite(CostEstimate.from_run(run).fastest_rate)
