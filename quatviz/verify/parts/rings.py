"""The ring damper: the consistent model against its reference, the printed one against what it breaks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from quatviz import resources
from quatviz.core.body import Body
from quatviz.core.initial import Initial
from quatviz.core.preset import Preset
from quatviz.core.ring import Ring
from quatviz.scripting import simulate
from quatviz.simulation.lane import LaneRun
from quatviz.verify.check import Check, compared, exceeding, vanishing
from quatviz.verify.parts.base import Part

DT, INTERVAL = 5e-5, 1e-3


class Rings(Part):
    """Reference states with gravity, with and without damping; energy and momentum of both models without gravity."""

    name = "rings"
    title = "Ring damper"

    def checks(self, full: bool) -> Iterator[Check]:
        reference = json.loads(resources.asset("reference/ring_damper.json").read_text("utf-8"))
        given = reference["input"]
        for case in ("conservative", "damped"):
            yield from _follows(given, case, reference[case])
        yield from _laws(given)


def _run(given: dict[str, Any], formulation: str, damping: float, gravity: float, duration: float) -> LaneRun:
    initial = given["initial"]
    ring = Ring(
        mass=given["mercury_mass"],
        mean_radius=given["mean_radius"],
        offset=given["offset"],
        arc_angle=given["arc_angle"],
        damping=damping,
        gravity=[0.0, 0.0, -gravity],
        beta=initial["beta"],
        spin=initial["omega_m3"],
    )
    preset = Preset(
        body=Body(inertia=given["rotor_inertia"], ring=ring),
        initial=Initial(
            euler_parameters=initial["euler_parameters"], angular_velocity=initial["angular_velocity"]
        ),
    )
    return simulate(preset, lanes=[formulation], dt=DT, duration=duration, sample_interval=INTERVAL).lanes[0]


def _follows(given: dict[str, Any], case: str, expected: dict[str, Any]) -> Iterator[Check]:
    lane = _run(given, "ring_damper", expected["C_d"], expected["g"], 2.0)
    rows = np.rint(np.array(expected["times"]) / INTERVAL).astype(int)
    described = f"ring damper {case}, ring_damper, rk4, dt = {DT:g} s"
    omega = np.abs(lane.omega[rows] - expected["omega"]).max() / 200.0
    yield vanishing("omega at the reference times, relative to the spin", omega, 1e-6, described)
    beta = np.abs(lane.ring_angle[rows] - np.degrees(expected["beta"])).max()
    yield vanishing("ring angle at the reference times [deg]", beta, 1e-2, described)
    energy = np.abs(lane.energy[rows] / expected["energy"] - 1.0).max()
    yield vanishing("energy at the reference times, relative", energy, 1e-8, described)


def _laws(given: dict[str, Any]) -> Iterator[Check]:
    described = f"ring damper, no gravity, C_d = 0, {{}}, rk4, dt = {DT:g} s"
    sound = _run(given, "ring_damper", 0.0, 0.0, 2.0)
    yield vanishing(
        "energy, relative", np.abs(sound.energy_drift).max(), 1e-9, described.format("ring_damper")
    )
    yield vanishing("h in space, relative", _wander(sound), 1e-9, described.format("ring_damper"))
    printed = _run(given, "ring_damper_as_printed", 0.0, 0.0, 2.0)
    name = described.format("ring_damper_as_printed")
    yield compared("as printed, energy falls by", -printed.energy_drift.min(), 0.0026, 5e-5, name)
    yield compared("as printed, momentum wanders by", _wander(printed), 0.021, 5e-4, name)
    damped = _run(given, "ring_damper_as_printed", 0.02, 0.0, 10.0)
    name = name.replace("C_d = 0", "C_d = 0.02")
    yield compared(
        "as printed and damped, energy has risen by, 2 s",
        damped.energy_drift[: round(2.0 / INTERVAL) + 1].max(),
        0.0089,
        5e-5,
        name,
    )
    yield exceeding(
        "as printed and damped, energy has risen by, 10 s", damped.energy_drift.max(), 0.025, name
    )


def _wander(lane: LaneRun) -> float:
    h = lane.h_space
    return float(np.linalg.norm(h - h[0], axis=1).max() / np.linalg.norm(h[0]))
