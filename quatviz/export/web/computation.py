"""Data with which the page computes a run again in the browser after the user has changed numbers, or the reason why it
cannot."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from quatviz.base.errors import phrase, third_party_modules
from quatviz.base.formatting import humanize
from quatviz.base.parameters import parameters_of
from quatviz.base.translation import tr
from quatviz.files.preset import Preset, steps_per_sample
from quatviz.physics.formulations import lane_title
from quatviz.physics.formulations.euler_angles.kernel import STEPS_TO_SINGULARITY
from quatviz.physics.loads import bind
from quatviz.physics.mechanics.euler_sequences import LOCK_THRESHOLD, angles_from_p, p_from_angles
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation

MAX_STEPS = 1_000_000
"""Largest number of steps of a lane that a page computes. With this number, all lanes take about a minute."""

_FORMULATIONS = ("newton_euler", "hamilton", "euler_angles/321")
"""Formulations that `assets/web/compute.js` implements."""


def describe_computation(run: Simulation, lanes: Sequence[LaneRun], stride: int) -> dict[str, Any]:
    """Return initial state, body, loads and steps of a run, for `assets/web/compute.js`.

    Parameters
    ----------
    run
        The run.
    lanes
        The lanes that the page shows.
    stride
        Number of samples between two rows of the page.

    Returns
    -------
    dict
        `reason` is a sentence on why the page cannot compute the run, or "". If it is "", the other keys are
        `inertia` (3) [kg m^2], `omega` (3) [rad/s, body], `p` (4), `angles` (3) [rad, 3-2-1], `loads`, `dt` [s],
        the total number of `steps`, the number of steps per `row`, and `lanes` with formulations and titles. A load
        has a `frame`, a `vector` (3) [N or N m], a `point` (3) [m, body] (None for a torque), and a title.
    """
    preset = run.preset
    steps = round(run.duration / run.interval) * steps_per_sample(preset.run.dt, run.interval)
    if reason := _refusal(preset, lanes, steps):
        return {"reason": tr(reason)}
    p = preset.initial.p()
    angles = angles_from_p(p, "321")
    if p_from_angles(angles, "321") @ p < 0.0:
        angles[0] += 2.0 * np.pi
    return {
        "reason": "",
        "inertia": preset.body.inertia.diagonal().tolist(),
        "omega": preset.initial.omega(preset.body).tolist(),
        "p": p.tolist(),
        "angles": angles.tolist(),
        "loads": _describe_loads(preset),
        "dt": preset.run.dt,
        "steps": steps,
        "row": stride * steps_per_sample(preset.run.dt, run.interval),
        "lanes": [{"formulation": name, "name": lane_title(name)} for name in _FORMULATIONS],
        "lock": LOCK_THRESHOLD,
        "steps_to_lock": STEPS_TO_SINGULARITY,
    }


def _refusal(preset: Preset, lanes: Sequence[LaneRun], steps: int) -> str:
    """Return a sentence that says why the page cannot compute the run itself, or "" if it can.

    `steps` is the number of steps that the page would have to compute for each of the `lanes`.
    """
    if preset.body.has_inner_motion:
        return phrase(
            "Only quatviz can compute this run with other numbers: a ring or wheels turn in the body."
        )
    if not preset.body.is_principal:
        return phrase("Only quatviz can compute this run with other numbers: the inertia is a full matrix.")
    if preset.events:
        return phrase("Only quatviz can compute this run with other numbers: it has events.")
    for load in bind(preset.loads, preset.body):
        if load.constant is None:
            return phrase(
                "Only quatviz can compute this run with other numbers: the components of the load {load} vary.",
                load=humanize(load.name),
            )
    for lane in lanes:
        if lane.spec.loads:
            return phrase(
                "Only quatviz can compute this run with other numbers: the lane “{lane}” has its own load, {load}.",
                load=humanize(bind(lane.spec.loads, preset.body)[0].name),
                lane=lane_title(lane.name),
            )
        if lane.spec.equations is not None or third_party_modules([type(lane.formulation)]):
            return phrase(
                "Only quatviz can compute this run with other numbers: the lane “{lane}” has its own equations.",
                lane=lane_title(lane.name),
            )
    if steps > MAX_STEPS:
        return phrase(
            "Only quatviz can compute this run with other numbers: it has {steps:,} steps, but a page computes at most {limit:,}.",
            limit=MAX_STEPS,
            steps=steps,
        )
    return ""


def _describe_loads(preset: Preset) -> list[dict[str, Any]]:
    """Return the descriptions of those loads that have constant components, in the form of `describe_computation`."""
    described = []
    for load in bind(preset.loads, preset.body):
        constant = load.constant
        assert constant is not None
        parameters = parameters_of(type(load.load)).values()
        unit = next((parameter.unit for parameter in parameters if parameter.timed), "")
        described.append(
            {
                "title": humanize(load.name).capitalize(),
                "unit": unit,
                "frame": constant.frame,
                "vector": constant.vector.tolist(),
                "point": None if constant.point is None else constant.point.tolist(),
            }
        )
    return described
