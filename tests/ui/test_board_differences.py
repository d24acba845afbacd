"""Difference mode: the reference lane, and its description."""

from dataclasses import replace

import numpy as np
import pytest
from board_maker import Maker, make, process_events  # noqa: F401 (a fixture)
from fake_run import FakeRun
from test_board_window import shown, strips

from quatviz.display.data.derived_sources import Differences
from quatviz.display.data.scales import LogScale
from quatviz.display.panels.base.curves import PanelCurves
from quatviz.display.panels.drift import Drift
from quatviz.display.panels.euler_angles import EulerAnglesPanel
from quatviz.display.panels.euler_parameters import EulerParameters
from quatviz.display.panels.multiplier import Multiplier
from quatviz.display.panels.omega import Omega
from quatviz.display.panels.torque import TorquePanel
from quatviz.display.view_state.board_choices import Choices
from quatviz.display.view_state.theme import DARK
from quatviz.physics.mechanics.rotations import from_rotation_vector, multiply

LANES = ("one", "two", "three")


def test_orientation_error_is_rotation_angle_for_any_sign() -> None:
    run = FakeRun()
    p = run.data["one"]["p"] = from_rotation_vector(run.t[:, None] * np.array([0.1, 0.2, 0.3]))
    run.data["two"]["p"] = -3.0 * multiply(p, from_rotation_vector(np.array([1e-9, 0.0, 0.0])))
    times, error = Differences(run, "one").values("two", "p")
    assert error.shape == (len(run.t), 1)
    assert np.array_equal(times, run.t)
    assert error == pytest.approx(1e-9, rel=1e-6)


def test_angle_differences_wrap_and_lambda_is_compared_with_theory() -> None:
    run = FakeRun()
    run.data["one"]["angles_313"] = np.full((len(run.t), 3), 179.5)
    run.data["two"]["angles_313"] = np.full((len(run.t), 3), -179.0)
    assert Differences(run, "one").values("two", "angles_313")[1] == pytest.approx(1.5)
    run.data["two"]["lam"] = run.data["two"]["lam_theory"] - 2e-9
    assert Differences(run, "one").values("two", "lam")[1] == pytest.approx(2e-9, rel=1e-6)


def test_difference_covers_rows_of_both_lanes() -> None:
    run = FakeRun()
    run.rows = {"one": 10, "two": 300}
    source = Differences(run, "one")
    assert len(source.values("two", "omega")[0]) == 10
    run.rows["one"] = 4001
    run.data["two"]["omega"] = run.data["one"]["omega"] + 0.5
    times, values = source.values("two", "omega")
    assert len(times) == len(values) == 300
    assert values[10:] == pytest.approx(0.5)


def test_panels_show_and_label_difference_magnitudes(make: Maker) -> None:
    run = FakeRun(LANES)
    run.data["three"]["omega"] = run.data["one"]["omega"] + 0.25
    board = make(run, [EulerParameters, EulerAnglesPanel, Omega, Drift])
    before = [plot.header.symbol for plot in strips(board)]
    board.store.update(difference=True)
    assert board.choices.difference
    board.show_frame(run.frame(5.0))
    process_events()
    p, angles, omega, drift = shown(board)
    assert [plot.header.symbol for plot in p.plots] == ["orientation difference"]
    assert p.plots[0].header.unit == "rad"
    assert [len(panel.plots) for panel in (angles, omega, drift)] == [3, 3, 4]
    for plot in (*p.plots, *angles.plots, *omega.plots):
        assert isinstance(plot.y_scale, LogScale)
        assert [trace.lane for trace in plot.traces] == ["two", "three"]
        assert all(len(trace.series.times) == 4001 for trace in plot.traces)
    assert omega.plots[1].traces[1].value_at(5.0) == pytest.approx(0.25)
    assert "difference from one" in omega.title_row.note
    assert "difference" not in drift.title_row.note
    board.choices.set_reference("three")
    process_events()
    assert [trace.lane for trace in omega.plots[0].traces] == ["one", "two"]
    assert omega.plots[1].traces[0].value_at(5.0) == pytest.approx(0.25)
    assert "difference from three" in omega.title_row.note
    board.store.update(difference=False)
    assert [plot.header.symbol for plot in strips(board)] == before


def test_single_lane_has_no_differences(make: Maker) -> None:
    run = FakeRun()
    board = make(run, [Omega])
    board.store.update(difference=True)
    board.show_frame(run.frame(5.0, visible=("one",)))
    process_events()
    (panel,) = shown(board)
    assert panel.plots == []
    assert panel.empty_row.sentence == "Nothing to compare: show a second lane."
    assert panel.empty_row.isVisible()
    board.show_frame(run.frame(5.0, visible=("two",)))  # minus the reference, though that is hidden
    assert [reading.component for reading in panel.readings()] == ["|Δω₁|", "|Δω₂|", "|Δω₃|"]
    board.show_frame(run.frame(5.0))
    assert len(panel.plots) == 3
    assert not panel.empty_row.isVisible()


def test_lambda_of_every_lane_is_compared_with_theory(make: Maker) -> None:
    run = FakeRun(LANES, formulations=("lagrange_full/torque", "hamilton", "lagrange_full/split"))
    board = make(run, [Multiplier])
    board.store.update(difference=True)
    (plot,) = strips(board)
    assert [trace.lane for trace in plot.traces] == ["one", "three"]
    assert "difference from theory" in shown(board)[0].title_row.note
    assert plot.header.symbol == "|λ − theory|"


def test_reference_missing_in_new_run_is_reset(make: Maker) -> None:
    board = make(FakeRun(LANES), [Omega])
    board.choices.set_reference("three")
    board.start(FakeRun(("four", "five")))
    assert board.choices.reference == "four"


def test_choices_apply_while_hidden_panel_holds_earlier_run(make: Maker) -> None:
    board = make(FakeRun())
    problems: list[str] = []
    board.problem_reported.connect(problems.append)
    board.show_panel("omega", False)
    other = FakeRun(("first", "second"))
    board.start(other)
    board.store.update(difference=True)
    board.choices.set_reference("second")
    process_events()
    assert problems == []
    board.show_panel("omega", True)
    process_events()
    assert problems == []


def test_lambda_difference_from_theory_is_labelled(make: Maker) -> None:
    lanes = ("one", "two")
    run = FakeRun(lanes, formulations=("lagrange_full/torque", "newton_euler"))
    board = make(run, [Multiplier, Omega])
    board.store.update(difference=True)
    board.show_frame(run.frame(5.0))
    process_events()
    omega, multiplier = shown(board)
    assert [plot.header.symbol for plot in multiplier.plots] == ["|λ − theory|"]
    assert "difference from theory" in multiplier.title_row.note
    assert "difference from one" in omega.title_row.note
    texts = [text for line in board.legend.legend.lines for text, _ in line]
    assert texts[-1] == "each lane minus one, λ minus theory; magnitudes on log axes"


def test_round_off_threshold_follows_magnitude_of_operands(make: Maker) -> None:
    run = FakeRun(formulations=("lagrange_full/torque", "lagrange_full/split"))
    run.info = replace(run.info, sizes={"J": 40.0})
    for lane, by in (("one", 2e-14), ("two", 2e-12)):
        run.data[lane]["lam_theory"] = run.data[lane]["lam"] + by
    board = make(run, [Multiplier])
    board.store.update(difference=True)
    process_events()
    (plot,) = strips(board)
    parts = {
        trace.lane: float(np.nanmax(plot.y_scale.project(np.array(trace.series.values_at(7.0)))))
        for trace in plot.traces
    }
    assert parts["one"] == 0.0 < parts["two"]


def test_round_off_threshold_of_torque_follows_energy() -> None:
    """A torque is an energy per angle. Nothing else bounds the torques of a run."""
    run = FakeRun()
    run.info = replace(run.info, sizes={"J": 40.0})
    run.data["two"]["torque"] = run.data["one"]["torque"] + 2e-14
    curves = PanelCurves(TorquePanel(), run, run.info.lanes, Choices.for_run(run.info, {}, True, "one"), DARK)
    curves.load_rows()
    assert len(curves.plots) == 3
    for plot in curves.plots:
        plot.extend_range()
        (trace,) = plot.traces
        assert not plot.scale.project(np.array(trace.value_at(7.0))).any()
        assert plot.scale.ticks(4)[0] == (0.0, "round-off")
