"""Quantities between the samples of a lane that was read from a file."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import quatviz as qv

QUANTITIES = ["p", "omega", "h", "omega_space", "angles_313", "energy", "lam"]


def loaded(run: qv.Run, folder: Path, quantities: list[str]) -> qv.Run:
    run.write(folder / "run.npz", quantities)
    return qv.load_run(folder / "run.npz")


def test_interpolation_error_is_of_fourth_order(tmp_path: Path) -> None:
    times = np.linspace(0.3, 1.7, 301)
    errors = []
    for interval in (0.04, 0.02):
        run = qv.simulate("torque_free", lanes=["hamilton"], duration=2.0, dt=1e-3, sample_interval=interval)
        lane, exact = loaded(run, tmp_path, QUANTITIES)["hamilton"].at(times), run["hamilton"].at(times)
        errors.append([np.abs(getattr(lane, name) - getattr(exact, name)).max() for name in QUANTITIES[:6]])
    coarse, fine = np.array(errors)
    assert (fine[:5] < coarse[:5] / 10.0).all(), (coarse, fine)
    assert (fine < [1e-9, 2e-8, 1e-5, 1e-6, 1e-5, 1e-9]).all()


def test_samples_shapes_and_names_match_the_table(tmp_path: Path) -> None:
    run = qv.simulate("torque_free", lanes=["hamilton"], duration=1.0)
    lane = loaded(run, tmp_path, ["p", "h", "energy"])["hamilton"]
    np.testing.assert_array_equal(lane.at(lane.t).p, lane.p)
    assert lane.at(0.123).h.shape == (3,)
    assert lane.at(np.full((2, 5), 0.4)).energy.shape == (2, 5)
    assert lane.at([]).h.shape == (0, 3)
    assert np.abs(lane.at(0.123).p - run["hamilton"].at(0.123).p).max() < 1e-8, (
        "without rates, from attitudes"
    )
    with pytest.raises(qv.InputError, match="recorded quantities, not omega"):
        _ = lane.at(0.1).omega
    for outside in (-0.1, 1.1, np.nan):
        with pytest.raises(qv.InputError, match="times of a lane"):
            lane.at(outside)


def test_no_interpolation_across_an_event(tmp_path: Path) -> None:
    preset = replace(qv.load_preset("torque_free"), events=[qv.Kick(at=0.5, impulse=[0, 200.0, 0])])
    run = qv.simulate(preset, lanes=["newton_euler"], duration=1.0, sample_interval=0.1)
    lane, exact = loaded(run, tmp_path, ["p", "omega"])["newton_euler"], run["newton_euler"]
    assert np.isnan(lane.at([0.42, 0.49]).omega).all()
    np.testing.assert_array_equal(lane.at(0.5).omega, exact.at(0.5).omega)
    around = np.array([0.33, 0.38, 0.52, 0.58])
    assert np.abs(lane.at(around).omega - exact.at(around).omega).max() < 1e-3
    assert np.abs(lane.at(around).p - exact.at(around).p).max() < 1e-4
