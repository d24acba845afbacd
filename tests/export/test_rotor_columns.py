"""Tables of a body with rotors: one column for each rotor, read back without loss."""

from pathlib import Path

import pytest

import quatviz as qv


@pytest.mark.parametrize("ending", ["csv", "npz"])
def test_table_has_a_column_for_each_rotor(tmp_path: Path, ending: str) -> None:
    run = qv.simulate(qv.load_preset("reaction_wheels"), lanes=["newton_euler"], duration=1.0)
    path = tmp_path / f"wheels.{ending}"
    run.write(path)
    back = qv.load_run(path)
    lane, loaded = run.lanes[0], back.lanes[0]
    assert loaded.rotor_speed[:, :3] == pytest.approx(lane.rotor_speed[:, :3], abs=1e-12)
    if ending == "csv":
        text = path.read_text("utf-8")
        assert "rotor_speed_3" in text
        assert "rotor_speed_4" not in text
        assert "rotor_torque_3" in text
        assert "rotor_momentum_3" in text
