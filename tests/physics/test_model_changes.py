"""Changes of the body during a run: which quantities stay, in every formulation, with and without a ring."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from helpers import LANES, random_preset

import quatviz as qv
from quatviz.files.preset import Preset
from quatviz.physics.events.base import Event
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.mechanics.rotations import relative_angle

RING_LANES = sorted(name for name, family in FORMULATIONS.items() if family.carries_ring)
CHANGED_BODY = qv.Body(inertia=[[1.0, 0.1, 0.0], [0.1, 1.5, 0.05], [0.0, 0.05, 0.8]])
KEPT = {"angular_velocity": "omega", "angular_momentum": "h_space"}
AT = 20
"""Sample of the change."""


def states_about(preset: Preset, lane: str, *events: Event) -> tuple[Any, Any]:
    """The motion before the last event and after it, one row each."""
    run = qv.simulate(replace(preset, events=events).with_run(lanes=[lane], duration=0.3))
    engine = run[lane].engine
    assert run[lane].status == "ok"
    return engine.state_before_event(AT), engine.motion(AT, AT + 1)


@pytest.mark.parametrize("keeps", sorted(KEPT))
@pytest.mark.parametrize("lane", LANES)
def test_changed_body_keeps_the_declared_quantity(lane: str, keeps: str) -> None:
    preset = random_preset(4, False).with_run(dt=2e-3, sample_interval=0.01)
    for events in ((), (qv.Perturb(at=0.1, length=1.02, rate=0.01),)):
        change = qv.ChangeModel(at=AT * 0.01, body=CHANGED_BODY, keeps=keeps)
        before, after = states_about(preset, lane, *events, change)
        kept = [getattr(motion, KEPT[keeps])[0] for motion in (before, after)]
        assert kept[1] == pytest.approx(kept[0], rel=1e-12, abs=1e-12)
        assert relative_angle(before.p[0], after.p[0]) < 1e-14
        assert after.h[0] == pytest.approx(CHANGED_BODY.inertia @ after.omega[0], rel=1e-12, abs=1e-12)
        assert abs(after.constraint[0]) < 1e-14
        assert abs(after.constraint_rate[0]) < 1e-14


def ring_bodies() -> dict[str, qv.Body]:
    """The preset's body with another rotor, with another ring, and with both."""
    body = qv.load_preset("ring_damper").body
    ring = replace(body.ring, mass=2.5 * body.ring.mass, offset=body.ring.offset + 0.05, spin=7.0, beta=1.0)
    inertia = body.inertia * np.diag([1.3, 0.9, 1.1])
    return {
        "rotor": replace(body, inertia=inertia),
        "ring": replace(body, ring=ring),
        "both": replace(body, inertia=inertia, ring=ring),
    }


@pytest.mark.parametrize("keeps", sorted(KEPT))
@pytest.mark.parametrize("changed", ["rotor", "ring", "both"])
@pytest.mark.parametrize("lane", RING_LANES)
def test_changed_rotor_or_ring_keeps_the_declared_quantity(lane: str, changed: str, keeps: str) -> None:
    """The ring's part of h was omitted: |h| in space changed from 0.0616 to 0.0644."""
    preset = qv.load_preset("ring_damper").with_run(sample_interval=0.01)
    change = qv.ChangeModel(at=AT * 0.01, body=ring_bodies()[changed], keeps=keeps)
    before, after = states_about(preset, lane, change)
    kept = [getattr(motion, KEPT[keeps])[0] for motion in (before, after)]
    assert kept[1] == pytest.approx(kept[0], rel=1e-13, abs=1e-15)
    assert after.extra("ring_angle")[0] == before.extra("ring_angle")[0]
    if keeps == "angular_velocity":
        assert after.extra("ring_rate")[0] == before.extra("ring_rate")[0]
    else:
        axial = [
            axial_ring_momentum(state, body) for state, body in ((before, preset.body), (after, change.body))
        ]
        assert axial[1] == pytest.approx(axial[0], rel=1e-12)
    assert relative_angle(before.p[0], after.p[0]) < 1e-14


def axial_ring_momentum(motion: Any, body: qv.Body) -> float:
    """c^T J_m omega_m [kg m^2/s] of one row, from the definition."""
    angle = np.radians(motion.extra("ring_angle")[0])
    to_ring = np.array(
        [[np.cos(angle), np.sin(angle), 0.0], [-np.sin(angle), np.cos(angle), 0.0], [0.0, 0.0, 1.0]]
    )
    omega_m = to_ring @ motion.omega[0]
    omega_m[2] += motion.extra("ring_rate")[0]
    return float((body.ring.inertia @ omega_m)[2])
