"""Claims in the texts of the presets with rotors."""

import numpy as np
import pytest

import quatviz as qv


def test_reaction_wheels_saturate_and_stop_at_the_target() -> None:
    lane = qv.simulate(qv.load_preset("reaction_wheels"), lanes=["newton_euler"]).lanes[0]
    speed, torque = np.abs(lane.rotor_speed[:, :3]), np.abs(lane.rotor_torque[:, :3])
    assert torque[:20] == pytest.approx(0.1, abs=1e-12)
    assert speed[:, 0].max() == pytest.approx(80.0, abs=0.2)
    assert speed[:, 1:].max() < 79.0
    assert torque[np.argmax(speed[:, 0]), 0] < 0.02
    assert speed[-1].max() < 0.01
    target = np.array([0.5, 0.7, 0.4, 0.3])
    assert abs(lane.p[-1] @ target) / np.linalg.norm(target) == pytest.approx(1.0, abs=1e-7)
    assert np.abs(lane.h_space).max() < 1e-12


def test_platform_friction_damps_and_rotor_friction_drives_nutation() -> None:
    stable = qv.simulate(qv.load_preset("dual_spin"), lanes=["newton_euler"]).lanes[0]
    cone = stable.cone_angles[:, 2]
    assert cone[0] == pytest.approx(20.6, abs=0.05)
    assert cone[-1] == pytest.approx(1.6, abs=0.05)
    assert stable.omega[-1, 2] == pytest.approx(1.35, abs=0.01)
    unstable = qv.simulate(qv.load_preset("dual_spin_unstable"), lanes=["newton_euler"]).lanes[0]
    cone = unstable.cone_angles[:, 2]
    assert cone[0] == pytest.approx(1.43, abs=0.05)
    assert unstable.t[np.argmax(cone > 45.0)] == pytest.approx(90.0, abs=5.0)
    assert cone[-1] > 85.0
    for lane in (stable, unstable):
        assert (np.diff(lane.energy) < 1e-9).all()
        assert lane.h_space_drift.max() < 1e-7


def test_turntable_receives_the_momentum_of_the_wheel() -> None:
    lane = qv.simulate(qv.load_preset("wheel_on_turntable"), lanes=["newton_euler"]).lanes[0]
    rows = np.searchsorted(lane.t, [2.0, 6.0, 10.0])
    assert lane.omega[rows, 2] == pytest.approx([0.0, 1.5, 3.158], abs=1e-3)
    assert lane.h_space[:, 2] == pytest.approx(4.5, abs=1e-9)
    assert lane.rotor_momentum[:, 0] == pytest.approx(4.5, abs=1e-9)
    assert (np.diff(lane.energy[rows]) > 1.0).all()
