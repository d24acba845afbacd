"""All displayed numbers belong to one time, also if the cursor is between two samples."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import quatviz as qv
from quatviz.display.data.frame import Frame
from quatviz.display.data.frame_builder import FrameBuilder
from quatviz.display.data.lane_readouts import LaneReadouts, card_point_at, is_lane_coupled
from quatviz.display.panels import PANELS
from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.curves import PanelCurves
from quatviz.display.view_state.board_choices import Choices
from quatviz.display.view_state.lane_styles import LaneStyles
from quatviz.display.view_state.theme import DARK
from quatviz.physics.equations.number_text import format_lambda
from quatviz.physics.formulations import make_formulation
from quatviz.simulation.simulation import Simulation

TIMES = (3.376, 3.3749, 0.005, 9.9999)
"""Times of the cursor [s]; samples are 0.01 s apart."""


@cache
def builder(name: str) -> FrameBuilder:
    run = Simulation(qv.load_preset(name))
    run.complete()
    return FrameBuilder(run, LaneStyles().matching(len(run.lanes)))


def curves(made: FrameBuilder, panel_name: str) -> PanelCurves:
    info, panel = made.columns.info, PANELS[panel_name]()
    assert isinstance(panel, TimePanel)
    choices = Choices.for_run(info, {"sequence": "313"}, False, "")
    made_curves = PanelCurves(panel, made.columns, info.lanes, choices, DARK)
    made_curves.load_rows()
    return made_curves


def headers(made: FrameBuilder, panel_name: str, quantity: str, time: float) -> dict[str, list[float]]:
    """Return the values of a quantity above the plots of a panel, by lane."""
    values: dict[str, list[float]] = {}
    for reading in curves(made, panel_name).readings(time):
        if reading.quantity == quantity:
            values.setdefault(reading.lane, []).append(reading.value)
    return values


@pytest.mark.parametrize("time", TIMES)
def test_header_card_and_row_show_equal_lambda(time: float) -> None:
    made = builder("tumbling_top")
    frame = made.frame_at_rest(time)
    lane = "Lagrange with λ"
    index = made.columns.info.lanes.index(lane)
    at = card_point_at(made.columns, frame, index)
    assert at is not None
    assert at.t == time
    header = headers(made, "multiplier", "lam", time)[lane][0]
    assert at.lam == header
    assert f"{header:.4f}" in format_lambda(
        at, make_formulation(made.columns.info.formulations[index]).multiplier_terms
    )
    readouts = LaneReadouts()
    readouts.start(made.columns)
    texts = readouts.texts(frame, made.columns.info.lanes[0])
    assert texts is not None
    assert float(texts[index][0]) == pytest.approx(header, abs=0.006)
    assert frame.lanes[index].values["lam"] == pytest.approx(header, rel=1e-13), "the table at the cursor"
    assert ["lam" in item.values for item in frame.lanes].count(True) == len(made.columns.info.multipliers)


@pytest.mark.parametrize("name", ["tumbling_top", "torque_free", "ring_damper"])
@pytest.mark.parametrize("time", TIMES)
def test_headers_table_card_and_arrows_show_equal_values(name: str, time: float) -> None:
    made = builder(name)
    frame: Frame = made.frame_at_rest(time)
    for panel, quantity in (("euler_parameters", "p"), ("omega", "omega"), ("h", "h"), ("energy", "energy")):
        for lane_name, values in headers(made, panel, quantity, time).items():
            lane = next(lane for lane in frame.lanes if lane.name == lane_name)
            if quantity in lane.values:
                assert values == pytest.approx(lane.values[quantity], rel=1e-13, abs=1e-13)
    for index, lane in enumerate(frame.lanes):
        at = card_point_at(made.columns, frame, index)
        assert at is not None
        assert lane.pose is not None
        assert at.t == time
        assert at.p == pytest.approx(lane.pose.p, abs=1e-12), "of unit length"
        assert at.omega == pytest.approx(lane.values["omega"], rel=1e-12)
        omega_space = lane.pose.rotation @ at.omega
        assert lane.pose.vectors["omega"] == pytest.approx(omega_space, abs=1e-6 * np.abs(omega_space).max())


def test_lane_card_uses_the_loads_of_its_lane() -> None:
    torque = qv.Torque(torque=[20.0, 0.0, 0.0])
    lanes = [
        qv.Lane("newton_euler"),
        qv.Lane("newton_euler", name="braked", loads=[qv.Damping(coefficient=0.3)]),
    ]
    preset = qv.load_preset("torque_free").with_run(duration=0.1)
    run = Simulation(replace(preset, loads=[torque], lanes=lanes))
    run.complete()
    made = FrameBuilder(run, LaneStyles().matching(2))
    frame = made.frame_at_rest(0.05)
    free, braked = (card_point_at(made.columns, frame, index) for index in range(2))
    assert free is not None
    assert braked is not None
    assert free.torque == pytest.approx([20.0, 0.0, 0.0])
    assert braked.torque == pytest.approx(np.array([20.0, 0.0, 0.0]) - 0.3 * braked.omega)


@pytest.mark.parametrize("tied", [False, True])
def test_card_translation_depends_on_the_loads_of_its_lane(tied: bool) -> None:
    spring = qv.Spring(stiffness=8.0, point=[0.5, -0.3, 0.2], anchor=[1.0, 0.4, -2.0])
    lanes = [qv.Lane("newton_euler"), qv.Lane("newton_euler", name="tied", loads=[spring] if tied else [])]
    preset = qv.load_preset("torque_free").with_run(duration=0.1)
    run = Simulation(replace(preset, body=replace(preset.body, mass=100.0), lanes=lanes))
    info = FrameBuilder(run, LaneStyles().matching(2)).columns.info
    assert [is_lane_coupled(info, index) for index in range(2)] == [False, tied]
