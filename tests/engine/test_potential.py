"""A potential from a script: it moves bodies as the built-in loads do, in every form, and stays out of texts."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import quatviz as qv
from quatviz.core import kernel
from quatviz.core.errors import Refusal
from quatviz.core.preset_text import format_preset

STIFFNESS = 0.8
LANES = (
    "newton_euler",
    "hamilton",
    "hamilton_canonical",
    "lagrange_full/torque",
    "lagrange_simplified/gradient",
)


def weight(c, p):
    return 20.0 * c[2]


def slope_of_weight(c, p):
    return (0.0, 0.0, 20.0), (0.0, 0.0, 0.0, 0.0)


def twisted(c, p):
    """1/2 k (2 e1 e2 + 2 e0 e3)^2: the guided spring of S3 example 1, in p alone."""
    return 2.0 * STIFFNESS * (p[1] * p[2] + p[0] * p[3]) ** 2


def slope_of_twisted(c, p):
    s = 4.0 * STIFFNESS * (p[1] * p[2] + p[0] * p[3])
    return (0.0, 0.0, 0.0), (s * p[3], s * p[2], s * p[1], s * p[0])


@pytest.mark.parametrize("lane", LANES)
def test_a_weight_in_c_is_gravity_in_every_form(lane: str) -> None:
    preset = qv.load_preset("heavy_top").with_run(duration=1.0, dt=5e-4)
    ours = replace(preset, loads=[qv.Potential(value=weight, gradient=slope_of_weight)])
    one, other = (qv.simulate(each, lanes=[lane]).lanes[0] for each in (preset, ours))
    assert other.p == pytest.approx(one.p, abs=1e-9)
    assert other.energy == pytest.approx(one.energy, rel=1e-10)
    if one.formulation.has_multiplier:
        assert other.lam == pytest.approx(other.lam_theory, abs=1e-5)


def test_a_potential_in_p_is_the_guided_spring() -> None:
    preset = qv.load_preset("spring_disk").with_run(duration=3.0)
    spring = qv.GuidedSpring(stiffness=STIFFNESS, point=[1, 0, 0], direction=[0, 1, 0])
    runs = [
        qv.simulate(replace(preset, loads=[load]), lanes=["hamilton_canonical"]).lanes[0]
        for load in (spring, qv.Potential(value=twisted, gradient=slope_of_twisted))
    ]
    assert runs[1].p == pytest.approx(runs[0].p, abs=1e-12)
    assert runs[1].lam == pytest.approx(runs[0].lam, abs=1e-10)
    assert np.abs(runs[1].energy_drift).max() < 1e-10


def test_another_function_compiles_no_loop() -> None:
    preset = qv.load_preset("heavy_top").with_run(duration=0.1)
    load = qv.Potential(value=weight, gradient=slope_of_weight)
    qv.simulate(replace(preset, loads=[load]), lanes=["newton_euler"])
    compiled = len(kernel.fixed_step_block.signatures)
    other = qv.Potential(value=twisted, gradient=slope_of_twisted)
    qv.simulate(replace(preset, loads=[other, load]), lanes=["newton_euler"])
    assert len(kernel.fixed_step_block.signatures) == compiled
    assert load == qv.Potential(value=weight, gradient=slope_of_weight)
    assert load != other


def test_what_cannot_be_one_is_refused() -> None:
    with pytest.raises(Refusal, match="the slope of the value"):
        qv.Potential(value=weight, gradient=slope_of_twisted)
    with pytest.raises(Refusal, match="numba compiles"):
        qv.Potential(value=lambda c, p: eval("1.0"), gradient=slope_of_weight)
    with pytest.raises(Refusal):
        qv.Potential(value=weight, gradient=lambda c, p: (0.0, 0.0, 20.0))
    with pytest.raises(Refusal):
        qv.Potential(value=lambda c, p: math.nan, gradient=slope_of_weight)


def test_it_stays_out_of_texts_and_other_processes(tmp_path: Path) -> None:
    load = qv.Potential(value=weight, gradient=slope_of_weight)
    preset = replace(qv.load_preset("heavy_top").with_run(duration=0.1), loads=[load])
    with pytest.raises(Refusal, match="a script") as refusal:
        format_preset(preset)
    assert refusal.value.key == "loads[0]"
    with pytest.raises(Refusal, match="other processes"):
        pickle.dumps(load)
    text = format_preset(qv.load_preset("heavy_top")).replace('kind = "gravity"', 'kind = "potential"')
    (tmp_path / "own.toml").write_text(text)
    with pytest.raises(Refusal, match="one of the loads"):
        qv.load_preset(tmp_path / "own.toml")
    # A table of the run can be written all the same, and says that it cannot repeat it.
    run = qv.simulate(preset, lanes=["newton_euler"])
    run.to_csv(tmp_path / "run.csv")
    assert "given by a script" in (tmp_path / "run.csv").read_text()


def test_a_potential_of_the_place_holds_a_body() -> None:
    body = qv.Body(inertia=[1.0, 2.0, 2.5], mass=4.0)
    preset = replace(
        qv.load_preset("torque_free"), body=body, loads=[qv.Potential(value=weight, gradient=slope_of_weight)]
    )
    lane = qv.simulate(preset, lanes=["newton_euler"], duration=0.1).lanes[0]
    assert np.isnan(lane.centre).all()
    assert any("is held where it is: potential depends on its place" in remark for remark in lane.remarks)
    thrown = replace(preset, initial=replace(preset.initial, velocity=[0.0, 0.0, 3.0]))
    with pytest.raises(Refusal, match="not together with it") as refused:
        qv.simulate(thrown, lanes=["newton_euler"], duration=0.1)
    assert refused.value.key == "initial.velocity"


def test_a_potential_of_the_attitude_alone_lets_a_body_fly() -> None:
    load = qv.Potential(value=twisted, gradient=slope_of_twisted)
    free = qv.load_preset("torque_free")
    thrown = replace(
        free,
        body=qv.Body(inertia=[1.0, 2.0, 2.5], mass=4.0),
        initial=replace(free.initial, velocity=[0.0, 1.0, 3.0]),
        loads=[load],
    )
    lane = qv.simulate(thrown, lanes=["newton_euler"], duration=0.1).lanes[0]
    assert lane.remarks == ()
    assert lane.centre[-1] == pytest.approx([0.0, 0.1, 0.3])
