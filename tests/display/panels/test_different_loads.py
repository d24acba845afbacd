"""Lanes with different loads are not compared, and a message says so."""

from dataclasses import replace

import numpy as np
from fake_run import FakeRun

from quatviz.display.data.frame import Pose
from quatviz.display.panels.base.curves import PanelCurves
from quatviz.display.panels.omega import Omega
from quatviz.display.panels.orbital_attitude import OrbitalAttitude
from quatviz.display.panels.orientation_errors import OrientationErrors
from quatviz.display.view_state.board_choices import Choices
from quatviz.display.view_state.theme import DARK
from quatviz.physics.loads.base import Load
from quatviz.physics.loads.damping import Damping
from quatviz.physics.loads.gravity_gradient import GravityGradient

ORBIT = GravityGradient(
    gravitational_parameter=1.0,
    distance=1.0,
    direction=[0.0, 0.0, 1.0],
    normal=[0.0, 1.0, 0.0],
    orbit="circular",
)
LANES = ("one", "two", "three")


def run_under(*own_loads: tuple[Load, ...]) -> FakeRun:
    run = FakeRun(LANES[: len(own_loads)])
    run.info = replace(run.info, own_loads=own_loads)
    return run


def difference_curves(run: FakeRun) -> PanelCurves:
    return PanelCurves(Omega(), run, run.info.lanes, Choices.for_run(run.info, {}, True, "one"), DARK)


def test_differences_exclude_lanes_with_other_loads() -> None:
    brake = (Damping(coefficient=0.1),)
    curves = difference_curves(run_under((), brake, ()))
    assert {trace.lane for plot in curves.plots for trace in plot.traces} == {"three"}
    assert "Lanes whose loads differ from those of one have different motions" in curves.footnote
    curves = difference_curves(run_under(brake, ()))
    assert curves.plots == []
    assert "Lanes whose loads differ from those of one have different motions" in curves.empty_text
    curves = difference_curves(run_under(brake, brake))
    assert curves.plots
    assert "loads" not in curves.footnote


def test_matrix_has_no_error_between_lanes_with_different_loads() -> None:
    run = run_under((), (Damping(coefficient=0.1),), ())
    frame = run.frame(1.0)
    pose = Pose(np.array([1.0, 0.0, 0.0, 0.0]), np.eye(3), {})
    frame = replace(frame, lanes=tuple(replace(lane, pose=pose) for lane in frame.lanes))
    rows = dict(OrientationErrors().content(frame, run.info))
    assert np.isnan(rows["one"][1])
    assert np.isnan(rows["two"][0])
    assert np.isnan(rows["two"][2])
    assert rows["one"][2] == 0.0


def test_orbital_attitude_shows_lanes_with_an_orbit_of_their_own() -> None:
    panel, info = OrbitalAttitude(), run_under((), (ORBIT,), ()).info
    assert panel.is_relevant(info)
    assert panel.lanes_of(info.lanes, "", info) == ("two",)
    shared = replace(info, loads=(ORBIT.bind(info.body),), own_loads=())
    assert panel.lanes_of(info.lanes, "", shared) == info.lanes
    assert not panel.is_relevant(run_under((), ()).info)
