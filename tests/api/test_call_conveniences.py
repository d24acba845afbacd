"""Short ways to say what is meant: names for presets, settings of many runs, and quantities that type checkers know."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import quatviz as qv
from quatviz.api.solution import QuantityValues
from quatviz.physics.observables.quantities import QUANTITIES


def test_a_preset_may_be_said_by_its_name() -> None:
    run = qv.simulate("torque_free", lanes=["newton_euler"], duration=0.02)
    same = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=0.02)
    assert np.array_equal(run["newton_euler"].p, same["newton_euler"].p)
    with pytest.raises(qv.InputError, match="torque_free"):
        qv.simulate("torque_fre", duration=0.02)
    with pytest.raises(qv.InputError, match="the name of one"):
        qv.simulate(3)  # type: ignore[arg-type]


def test_many_runs_take_duration_and_step() -> None:
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


def test_a_dataset_labels_its_plots() -> None:
    data = qv.simulate("torque_free", lanes=["newton_euler"], duration=0.02).to_xarray(["h", "kinetic"])
    assert (data.h.attrs["units"], data.h.attrs["long_name"]) == ("kg m²/s", QUANTITIES["h"].title)
    assert data.kinetic.attrs["units"] == "J"
    assert data.t.attrs["units"] == "s"


def test_type_checkers_know_each_quantity() -> None:
    source = Path(sys.modules[QuantityValues.__module__].__file__ or "").read_text("utf-8")
    lines = [line.removesuffix("  # noqa: N815") for line in source.splitlines()]
    declared = {line.split(":")[0].strip() for line in lines if line.endswith(": NDArray[np.float64]")}
    own = {name for name, quantity in QUANTITIES.items() if QUANTITIES.plugin_package(name) is None}
    assert declared == own


@pytest.mark.slow
def test_a_misspelled_quantity_is_a_type_error(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        'import quatviz as qv\n\nlane = qv.simulate("torque_free")["hamilton"]\nprint(lane.omega, lane.omgea)\n'
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", str(script)], capture_output=True, text=True, check=False
    )
    assert 'has no attribute "omgea"' in done.stdout
    assert 'no attribute "omega"' not in done.stdout
