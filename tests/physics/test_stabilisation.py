"""Stabilizations: their effect on an error of the constraint, and refusals."""

from typing import Any

import numpy as np
import pytest
from helpers import LANES, MOTIONS, random_preset

import quatviz as qv
from quatviz.base.errors import InputError
from quatviz.physics.formulations import make_formulation
from quatviz.physics.mechanics.rotations import relative_angle

COARSE: dict[str, Any] = {"dt": 0.02, "duration": 10.0, "sample_interval": 0.02}


def lanes_with(stabilisation: str) -> list[str]:
    return [lane for lane in LANES if stabilisation in make_formulation(lane).stabilisations]


def run_with(stabilisation: str | None, **settings):
    names = lanes_with(stabilisation or "none")
    lanes = [qv.Lane(name, stabilisation=stabilisation, name=name, **settings) for name in names]
    return qv.simulate(random_preset(5, gravity=True), lanes=lanes, **COARSE)


def test_renormalize_keeps_p_on_the_sphere() -> None:
    for lane in run_with("renormalise").lanes:
        assert np.abs(lane.constraint).max() < 1e-14, lane.name


def test_project_keeps_the_rates_tangent_too() -> None:
    for lane in run_with("project").lanes:
        assert np.abs(lane.constraint).max() < 1e-14, lane.name
        assert np.abs(lane.constraint_rate).max() < 1e-13, lane.name


def test_baumgarte_bounds_the_drift() -> None:
    free, pulled = run_with("none"), run_with("baumgarte", alpha=5.0, beta=5.0)
    drift = {lane.name: np.abs(free[lane.name].constraint).max() for lane in pulled.lanes}
    drifting = {name: without for name, without in drift.items() if without > 1e-6}
    assert len(drifting) > len(drift) / 2, "the step is so short that there is nothing to bound"
    for name, without in drifting.items():
        assert np.abs(pulled[name].constraint).max() < 0.5 * without, name


def test_stabilization_does_not_reduce_accuracy() -> None:
    fine = qv.simulate(
        random_preset(5, gravity=True), lanes=["lie_group"], dt=1e-3, duration=10.0, sample_interval=0.02
    )["lie_group"]
    for stabilisation in ("renormalise", "project", "baumgarte"):
        free = run_with("none")
        for lane in run_with(stabilisation).lanes:
            if lane.name in MOTIONS:
                error = relative_angle(lane.p[-1], fine.p[-1])
                assert error < 3.0 * relative_angle(free[lane.name].p[-1], fine.p[-1]) + 1e-4, lane.name


def test_momentum_projection_restores_accuracy_of_the_canonical_form() -> None:
    """The drift of p.g costs four digits on the fast top."""
    preset = qv.load_preset("heavy_top")
    lanes: list[qv.Lane | str] = [
        "hamilton",
        "hamilton_canonical",
        qv.Lane("hamilton_canonical", stabilisation="project", name="projected"),
    ]
    run = qv.simulate(preset, lanes=lanes, duration=5.0)
    free = run.orientation_error("hamilton_canonical", "hamilton").max()
    assert run.orientation_error("projected", "hamilton").max() < 1e-2 * free


@pytest.mark.parametrize(
    ("lane", "message"),
    [
        (qv.Lane("euler_angles/321", stabilisation="project"), "have no constraint"),
        (qv.Lane("udwadia_schutte_unconstrained", stabilisation="project"), "leave out the constraint"),
        (qv.Lane("lie_group", stabilisation="renormalise"), "always satisfy the constraint"),
        (qv.Lane("hamilton", stabilisation="baumgarte"), "acts on the equation for p.p''"),
        (qv.Lane("hamilton", stabilisation="magic"), "one of none, renormalise, project, baumgarte"),
        (qv.Lane("lagrange_full/torque", alpha=2.0), "no alpha without"),
    ],
)
def test_invalid_values_are_refused(lane: qv.Lane, message: str) -> None:
    with pytest.raises(InputError, match=message):
        qv.simulate(random_preset(0, gravity=False), lanes=[lane], duration=0.1)


def test_spin_rate_off_the_sphere_depends_on_the_length() -> None:
    """|h| as |p|^-4 in the augmented form, as |p|^-2 in S4(42), unless p.p' is projected away."""
    powers = {"lagrange_simplified/torque": 2.0, "udwadia_schutte": 1.0}
    pushed = qv.load_preset("off_the_sphere")
    run = qv.simulate(pushed, lanes=list(powers), dt=1e-3, duration=20.0)
    for name, power in powers.items():
        lane = run[name]
        length = 1.0 + lane.constraint
        spin = np.linalg.norm(lane.h, axis=1)
        assert np.abs(length - 1.0).max() > 1e-3
        assert spin * length**power == pytest.approx(spin[0], rel=1e-5), name
