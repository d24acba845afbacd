"""Panels of motions in which lanes have loads of their own, or in which rotors turn in the body."""

from dataclasses import replace

import quatviz as qv
from quatviz.display.data.frame import RunInfo
from quatviz.display.data.frame_builder import run_info
from quatviz.display.panels import PANELS
from quatviz.display.panels.base import TimePanel
from quatviz.display.view_state.lane_styles import LaneStyles
from quatviz.simulation.simulation import Simulation


def info_of(preset: qv.Preset) -> RunInfo:
    run = Simulation(preset)
    return run_info(run, LaneStyles().matching(len(run.lanes)))


def time_panel(name: str) -> TimePanel:
    panel = PANELS[name]()
    assert isinstance(panel, TimePanel)
    return panel


def test_momentum_and_rate_say_whose_they_are_where_rotors_turn() -> None:
    preset = qv.load_preset("torque_free")
    wheel = qv.Rotor(axis=[0.0, 0.0, 1.0], inertia=1.0, speed=5.0)
    with_wheel = info_of(replace(preset, body=preset.body.with_rotors([wheel])))
    notes = {name: time_panel(name).note_of("body", with_wheel) for name in ("h", "omega")}
    assert notes == {"h": "of body and rotors", "omega": "of the body"}
    assert [time_panel(name).note_of("body", info_of(preset)) for name in ("h", "omega")] == ["", ""]


def test_center_of_mass_is_shown_if_one_lane_load_moves_it() -> None:
    preset = qv.load_preset("torque_free")
    force = qv.PointForce(force=[1.0, 0.0, 0.0], point=[0.0, 0.0, 0.1])
    law = qv.Spring(stiffness=1.0, point=[0.0, 0.0, 0.1], anchor=[0.0, 0.0, 1.0])
    body = replace(preset.body, mass=10.0)
    lanes = [qv.Lane("newton_euler"), qv.Lane("hamilton", loads=[force]), qv.Lane("lie_group", loads=[law])]
    panel = time_panel("centre_of_mass")
    info = info_of(replace(preset, body=body, lanes=lanes))
    assert panel.is_relevant(info)
    assert panel.lanes_of(info.lanes, "centre", info) == info.lanes
    assert not panel.is_relevant(info_of(replace(preset, body=body, lanes=lanes[:1])))
    held = info_of(replace(preset, lanes=lanes[:2]))
    assert not panel.is_relevant(held)
    assert panel.lanes_of(held.lanes, "centre", held) == ()
