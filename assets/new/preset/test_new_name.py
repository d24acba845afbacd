"""The preset new_name can be read and runs."""

from pathlib import Path

import quatviz as qv


def test_preset_runs() -> None:
    run = qv.simulate(qv.load_preset(Path(__file__).with_name("new_name.toml")), duration=1.0)
    assert [lane.status for lane in run.lanes if lane.status != "ok"] == []
