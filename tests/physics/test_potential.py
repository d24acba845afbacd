"""A potential defined by a script: it acts like a built-in load in every formulation, and is not written to presets."""

import copy
import math
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import quatviz as qv
from quatviz.base.errors import InputError
from quatviz.display.document.preset_items import branch_descriptions, undeclared_values
from quatviz.files.preset import Preset
from quatviz.files.preset_reading import format_preset
from quatviz.physics.kernels import blocks
from quatviz.simulation.compilation import is_cacheable

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
def test_potential_in_c_equals_gravity(lane: str) -> None:
    preset = qv.load_preset("heavy_top").with_run(duration=1.0, dt=5e-4)
    ours = replace(preset, loads=[qv.Potential(value=weight, gradient=slope_of_weight)])
    first, second = (qv.simulate(variant, lanes=[lane]).lanes[0] for variant in (preset, ours))
    assert second.p == pytest.approx(first.p, abs=1e-9)
    assert second.energy == pytest.approx(first.energy, rel=1e-10)
    if first.engine.formulation.has_multiplier:
        assert second.lam == pytest.approx(second.lam_theory, abs=1e-5)


def test_potential_in_p_equals_the_guided_spring() -> None:
    preset = qv.load_preset("spring_disk").with_run(duration=3.0)
    spring = qv.GuidedSpring(stiffness=STIFFNESS, point=[1, 0, 0], direction=[0, 1, 0])
    runs = [
        qv.simulate(replace(preset, loads=[load]), lanes=["hamilton_canonical"]).lanes[0]
        for load in (spring, qv.Potential(value=twisted, gradient=slope_of_twisted))
    ]
    assert runs[1].p == pytest.approx(runs[0].p, abs=1e-12)
    assert runs[1].lam == pytest.approx(runs[0].lam, abs=1e-10)
    assert np.abs(runs[1].energy_drift).max() < 1e-10


def test_changed_potential_does_not_recompile_the_loop() -> None:
    preset = qv.load_preset("heavy_top").with_run(duration=0.1)
    load = qv.Potential(value=weight, gradient=slope_of_weight)
    qv.simulate(replace(preset, loads=[load]), lanes=["newton_euler"])
    compiled = len(blocks.fixed_step_block.dispatcher.signatures)
    other = qv.Potential(value=twisted, gradient=slope_of_twisted)
    qv.simulate(replace(preset, loads=[other, load]), lanes=["newton_euler"])
    assert len(blocks.fixed_step_block.dispatcher.signatures) == compiled
    assert load == qv.Potential(value=weight, gradient=slope_of_weight)
    assert load != other


def test_invalid_potentials_are_refused() -> None:
    with pytest.raises(InputError, match="the derivative of the value"):
        qv.Potential(value=weight, gradient=slope_of_twisted)
    with pytest.raises(InputError, match="numba compiles"):
        qv.Potential(value=lambda c, p: eval("1.0"), gradient=slope_of_weight)
    with pytest.raises(InputError):
        qv.Potential(value=weight, gradient=lambda c, p: (0.0, 0.0, 20.0))
    with pytest.raises(InputError):
        qv.Potential(value=lambda c, p: math.nan, gradient=slope_of_weight)
    with pytest.raises(InputError, match="numba compiles"):
        qv.Potential(value=1, gradient=slope_of_weight)  # type: ignore[arg-type]


def test_potential_is_pickled_but_not_written_to_text(tmp_path: Path) -> None:
    load = qv.Potential(value=weight, gradient=slope_of_weight)
    preset = replace(qv.load_preset("heavy_top").with_run(duration=0.1), loads=[load])
    with pytest.raises(InputError, match="a script") as refusal:
        format_preset(preset)
    assert refusal.value.key == "loads[0]"
    sent = pickle.loads(pickle.dumps(load)).bind(preset.body)
    p = preset.initial.p()[None]
    assert sent.potential(np.zeros(1), p) == load.bind(preset.body).potential(np.zeros(1), p)
    assert copy.deepcopy(preset).loads == (load,)
    text = format_preset(qv.load_preset("heavy_top")).replace('kind = "gravity"', 'kind = "potential"')
    (tmp_path / "own.toml").write_text(text)
    with pytest.raises(InputError, match="one of the loads"):
        qv.load_preset(tmp_path / "own.toml")
    # A table of the run can be written, but states that it cannot reproduce the run.
    run = qv.simulate(preset, lanes=["newton_euler"])
    run.write(tmp_path / "run.csv")
    with pytest.raises(InputError, match=r"(?s)the load potential, created by a script.*load_run"):
        qv.load_preset(tmp_path / "run.csv")
    read = qv.load_run(tmp_path / "run.csv")
    assert read["newton_euler"].h.tolist() == run["newton_euler"].h.tolist()
    assert "the load potential, created by a script" in read.missing[0]
    run.view()
    # The window compiles it in a thread, because no text describes it to a child. The load editor names its functions.
    assert not is_cacheable(run["newton_euler"].engine)
    assert branch_descriptions(undeclared_values(load)) == ["Value: weight", "Gradient: slope_of_weight"]


def coupled(c, p):
    """A weight that depends on the attitude."""
    return c[2] * (p[0] ** 2 - p[3] ** 2)


def slope_of_coupled(c, p):
    return (0.0, 0.0, p[0] ** 2 - p[3] ** 2), (2.0 * p[0] * c[2], 0.0, 0.0, -2.0 * p[3] * c[2])


def pulled_and_twisted(c, p):
    return 8.0 * (c[0] ** 2 + c[1] ** 2) + 20.0 * c[2] + 2.0 * STIFFNESS * (p[1] * p[2] + p[0] * p[3]) ** 2


def slope_of_both(c, p):
    s = 4.0 * STIFFNESS * (p[1] * p[2] + p[0] * p[3])
    return (16.0 * c[0], 16.0 * c[1], 20.0), (s * p[3], s * p[2], s * p[1], s * p[0])


FREE = qv.Body(inertia=[1.0, 2.0, 2.5], mass=4.0)


def make_throw(load: qv.Potential, **start: object) -> Preset:
    free = qv.load_preset("torque_free")
    return replace(free, body=FREE, initial=replace(free.initial, **start), loads=[load])


def test_coupled_potential_moves_position_and_attitude() -> None:
    load = qv.Potential(value=coupled, gradient=slope_of_coupled)
    start = {
        "velocity": np.array([0.0, 0.0, 3.0]),
        "position": np.array([0.0, 0.0, 5.0]),
        "angular_momentum": np.array([0.4, 3.0, 0.6]),
    }
    lanes = qv.simulate(make_throw(load, **start), lanes=list(LANES), duration=2.0).lanes
    for lane in lanes:
        assert not lane.warnings
        assert np.abs(lane.energy_drift).max() < 1e-9
        assert lane.centre == pytest.approx(lanes[0].centre, abs=1e-9)
        if lane.engine.formulation.has_multiplier:
            assert lane.lam == pytest.approx(lane.lam_theory, abs=1e-5)
    force = -(lanes[0].p[:, 0] ** 2 - lanes[0].p[:, 3] ** 2)
    slope = np.gradient(lanes[0].momentum[:, 2], lanes[0].t)
    assert slope[2:-2] == pytest.approx(force[2:-2], abs=2e-3)
    held = replace(make_throw(load), body=replace(FREE, mass=None))
    assert np.isnan(qv.simulate(held, lanes=["newton_euler"], duration=0.1).lanes[0].centre).all()


def test_separable_potential_leaves_the_translation_uncoupled() -> None:
    """Spring of 16 N/m about the vertical and a weight of 20 N; the rotation depends on the part in p only."""
    load = qv.Potential(value=pulled_and_twisted, gradient=slope_of_both)
    flying = make_throw(load, position=[0.5, 0.0, 1.0], velocity=[0.0, 1.0, 3.0])
    errors = []
    for interval in (0.02, 0.01):
        lane = qv.simulate(flying, lanes=["newton_euler"], duration=3.0, sample_interval=interval).lanes[0]
        t, w = lane.t, 2.0
        exact = np.column_stack((0.5 * np.cos(w * t), np.sin(w * t) / w, 1.0 + 3.0 * t - 2.5 * t**2))
        errors.append(np.abs(lane.centre - exact).max())
        assert lane.centre_velocity[-1] == pytest.approx(
            [-0.5 * w * np.sin(w * t[-1]), np.cos(w * t[-1]), 3.0 - 5.0 * t[-1]], abs=1e-6
        )
    assert lane.warnings == ()
    assert errors[0] < 1e-6
    assert np.log2(errors[0] / errors[1]) == pytest.approx(4.0, abs=0.3)
    alone = qv.simulate(
        make_throw(qv.Potential(value=twisted, gradient=slope_of_twisted)),
        lanes=["newton_euler"],
        duration=3.0,
        sample_interval=0.01,
    )
    assert np.array_equal(lane.p, alone.lanes[0].p)


def pull(c, p):
    return -1.0 / math.sqrt((c[0] - 0.2) ** 2 + (c[1] + 0.1) ** 2 + (c[2] - 0.9) ** 2)


def slope_of_pull(c, p):
    x, y, z = c[0] - 0.2, c[1] + 0.1, c[2] - 0.9
    cube = (x * x + y * y + z * z) ** 1.5
    return (x / cube, y / cube, z / cube), (0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize("variant", ["direct", "literal"])
@pytest.mark.parametrize(
    ("load", "error"),
    [
        (qv.Spring(stiffness=4.0, point=[0.2, 0.1, -0.4], anchor=[0.21, 0.12, -0.4], rest_length=0.6), 1e-12),
        (qv.Spring(stiffness="4 + sin(t)", point=[0.2, 0.1, -0.4], anchor=[0.5, -0.7, 0.3]), 1e-12),
        (lambda: qv.Potential(value=pull, gradient=slope_of_pull), 1e-9),  # which compiles
    ],
)
def test_theoretical_lambda_holds_for_non_polynomial_potentials(
    load: qv.Spring | Callable[[], qv.Potential], error: float, variant: str
) -> None:
    """-p^T dV/dp of a nearly zero-length spring, where V is curved within any difference along p."""
    preset = qv.Preset(
        body=qv.Body(inertia=[2.1, 1.7, 2.6], about="pivot", mass=1.0, centre_of_mass=[0.1, 0.1, 0.5]),
        initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0.7, -1.1, 0.9]),
        loads=[load() if callable(load) else load],
    )
    lane = qv.simulate(preset, lanes=[f"hamilton_canonical/{variant}"], duration=0.5, dt=5e-4).lanes[0]
    assert np.abs(lane.lam - lane.lam_theory).max() < error
