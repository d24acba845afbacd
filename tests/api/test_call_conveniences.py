"""Short forms of calls: preset names, settings of many runs, and quantities known to type checkers."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import quatviz as qv
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.physics.observables.quantity_attributes import QuantityAttributes


def test_preset_may_be_given_by_name() -> None:
    run = qv.simulate("torque_free", lanes=["newton_euler"], duration=0.02)
    same = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=0.02)
    assert np.array_equal(run["newton_euler"].p, same["newton_euler"].p)
    with pytest.raises(qv.InputError, match="torque_free"):
        qv.simulate("torque_fre", duration=0.02)
    with pytest.raises(qv.InputError, match="the name of one"):
        qv.simulate(3)  # type: ignore[arg-type]


def test_many_runs_accept_duration_and_step() -> None:
    spins = [[0.0, 1.0, 0.1], [0.0, 2.0, 0.1]]
    runs = qv.simulate_many(
        "torque_free",
        {"initial.angular_velocity": spins},
        lanes=["newton_euler"],
        duration=0.04,
        dt=2e-3,
        sample_interval=2e-2,
    )
    assert [len(run["newton_euler"].t) for run in runs] == [3, 3]
    assert [run["newton_euler"].engine.spec.dt for run in runs] == [None, None]
    assert [run.preset.run.dt for run in runs] == [2e-3, 2e-3]


def test_dataset_labels_its_plots() -> None:
    data = qv.simulate("torque_free", lanes=["newton_euler"], duration=0.02).to_xarray(["h", "kinetic"])
    assert (data.h.attrs["units"], data.h.attrs["long_name"]) == ("kg m²/s", QUANTITIES["h"].title)
    assert data.kinetic.attrs["units"] == "J"
    assert data.t.attrs["units"] == "s"


def test_type_checkers_know_every_quantity() -> None:
    source = Path(sys.modules[QuantityAttributes.__module__].__file__ or "").read_text("utf-8")
    lines = [line.removesuffix("  # noqa: N815") for line in source.splitlines()]
    declared = {line.split(":")[0].strip() for line in lines if line.endswith(": NDArray[np.float64]")}
    own = {name for name, quantity in QUANTITIES.items() if QUANTITIES.plugin_package(name) is None}
    assert declared == own


@pytest.mark.slow
def test_misspelled_quantity_is_a_type_error(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        'import quatviz as qv\n\nlane = qv.simulate("torque_free")["hamilton"]\nprint(lane.omega, lane.omgea)\n'
        "print(lane.engine.h, lane.engine.hh)\n"
        "reveal_type(lane.omega)\nreveal_type(lane.t)\nreveal_type(lane.rhs(0.0, lane.states[0]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", str(script)], capture_output=True, text=True, check=False
    )
    assert 'has no attribute "omgea"' in done.stdout
    assert 'has no attribute "hh"' in done.stdout
    assert done.stdout.count("has no attribute") == 2
    revealed = [line for line in done.stdout.splitlines() if "Revealed type" in line]
    assert len(revealed) == 3
    assert all(re.search(r"ndarray\[.*(float64|_64Bit)", line) for line in revealed), done.stdout


@pytest.mark.parametrize(
    ("call", "suggestion"),
    [
        (lambda: qv.simulate("torque_free", lanes=["hamiltn"]), "hamilton"),
        (lambda: qv.simulate("torque_free", lanes=["lagrange_full/splt"]), "split"),
        (lambda: qv.simulate("torque_free", lanes=["hamilton"], integrator="rk44"), "rk4"),
        (lambda: qv.simulate("torque_free", lanes=["hamilton,stabilisation=projekt"]), "project"),
        (lambda: qv.sweep("torque_free", {"run.dt": [1e-3]}, measure="flps"), "flips"),
        (lambda: qv.sweep("torque_free", {"angular_velocty[0]": [1.0]}), "initial.angular_velocity[0]"),
        (lambda: qv.study("torque_free", integrators=["rk5"]), "rk4"),
        (lambda: short_run().to_dataframe(["omgea"]), "omega"),
        (lambda: short_run().plot(["omgea"]), "omega"),
        (lambda: short_run().plot(panels=["multiplir"]), "multiplier"),
        (lambda: short_run()["newton_eulr"], "newton_euler"),
    ],
)
def test_misspelled_name_suggests_the_nearest(call: Callable[[], object], suggestion: str) -> None:
    with pytest.raises((qv.InputError, KeyError), match=re.escape(f"did you mean '{suggestion}'?")):
        call()


def short_run() -> qv.Run:
    return qv.simulate("torque_free", lanes=["newton_euler"], duration=0.02)


def test_recording_has_the_interface_of_a_lane() -> None:
    lane = qv.simulate("torque_free", lanes=["newton_euler"], duration=0.5)["newton_euler"]
    recording = qv.Recording(lane.t, p=lane.p, omega=lane.omega)
    run = qv.simulate("torque_free", lanes=["newton_euler", recording], duration=0.5)
    assert run["recording"].status == "ok"
    assert run.orientation_error("recording", "newton_euler").max() < 1e-12
    assert list(qv.simulate("torque_free", lanes=recording, duration=0.5)) == ["recording"]


@pytest.mark.parametrize("name", ["newton_euler", "lagrange_simplified/split"])
def test_rates_of_many_states_equal_single_ones(name: str) -> None:
    lane = qv.simulate("heavy_top", lanes=[name], duration=0.1).lanes[0]
    states = lane.states.T
    rates = lane.rhs(0.03, states)
    assert rates.shape == states.shape
    for index, state in enumerate(lane.states):
        np.testing.assert_array_equal(rates[:, index], lane.rhs(0.03, state))
        np.testing.assert_array_equal(rates[:, index], qv.rhs(lane, 0.03, state))
    for wrong in (states[:3], states[None], 3.0, "omega"):
        with pytest.raises(qv.InputError, match="state"):
            lane.rhs(0.03, wrong)


def test_rates_of_a_lane_match_its_motion() -> None:
    lane = qv.simulate("heavy_top", lanes=["newton_euler"], duration=0.1)["newton_euler"]
    solved = solve_ivp(
        lane.rhs, (0.0, 0.1), lane.states[0], method="Radau", vectorized=True, rtol=1e-10, atol=1e-12
    )
    np.testing.assert_allclose(solved.y[:, -1], lane.states[-1], atol=1e-7)
