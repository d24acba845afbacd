"""Contents of panels, and choosing, hiding, showing and copying them."""

from dataclasses import replace

import numpy as np
import pytest
from board_maker import Maker, make, point_on_board, process_events, rect_on_board  # noqa: F401 (a fixture)
from fake_run import FakeRun
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QAction, QColor, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot
from test_board_window import near, picture, point, shown, strips

from quatviz import Damping, Gravity, Lane, Perturb, PointForce, Reverse, load_preset
from quatviz.base.resources import preset_folder
from quatviz.display.data.frame_builder import run_info
from quatviz.display.panels.base.curves import THEORY_OPACITY
from quatviz.display.panels.det_s import DetS
from quatviz.display.panels.drift import Drift
from quatviz.display.panels.euler_angles import EulerAnglesPanel
from quatviz.display.panels.h import AngularMomentum
from quatviz.display.panels.multiplier import Multiplier
from quatviz.display.panels.omega import Omega
from quatviz.display.panels.torque import TorquePanel
from quatviz.display.view_state.choices import SEQUENCE_CHOICE
from quatviz.display.view_state.lane_styles import LaneStyles
from quatviz.display.view_state.session import read_session
from quatviz.display.view_state.theme import DARK, mix_colors
from quatviz.simulation.schedule import conserved_quantities
from quatviz.simulation.simulation import Simulation
from quatviz.ui.plots.board import PlotBoard, board_menu, panel_menu
from quatviz.ui.plots.panel_layout import PanelHost
from quatviz.ui.plots.time_view import TimeView
from quatviz.ui.plots.title_row import OptionChooser, add_option_toggles

FORMS = ("newton_euler", "lagrange_full/split", "lagrange_simplified/torque", "euler_angles/313")


def four_lanes_run() -> FakeRun:
    return FakeRun(("one", "two", "three", "four"), formulations=FORMS)


def click(board: PlotBoard, qtbot: QtBot, item: QWidget, x: float) -> None:
    at = point_on_board(board, item, x, item.height() / 2)
    qtbot.mouseClick(board.windowHandle(), Qt.MouseButton.LeftButton, pos=at)
    process_events()


def chooser_of(panel: TimeView) -> OptionChooser:
    return panel.title_row.choosers[-1]


def actions(menu: QMenu) -> dict[str, QAction]:
    return {action.text().split("\t")[0]: action for action in menu.actions()}


def test_torque_panel_is_shown_on_request(make: Maker) -> None:
    run = FakeRun()
    board = make(run, [AngularMomentum, TorquePanel])
    assert not board.is_shown("torque")
    board.set_panel_visibility({"torque": True})
    assert board.is_shown("torque")
    assert [strip.quantity for strip in TorquePanel().strips_of("space", run.info)] == 3 * ["torque_space"]
    look = read_session(preset_folder() / "attitude_control.toml").view_state
    assert look is not None
    assert look.panels["torque"]


def test_repeated_rebuild_creates_no_windows(make: Maker) -> None:
    """A layout shows added widgets only in the next turn of the event loop, when they may have no
    parent."""
    run = FakeRun()
    board = make(run, [AngularMomentum, Drift])
    windows: list[str] = []
    for _ in range(2):
        board.start(run)
        board.show_frame(run.frame(0.0))
        board.start(run)
        process_events()
        windows += [type(widget).__name__ for widget in QApplication.topLevelWidgets() if widget.isVisible()]
    assert set(windows) == {"PlotBoard"}


# lambda


def test_lambda_theory_is_a_wide_pale_band_below_curves(make: Maker) -> None:
    run = four_lanes_run()
    for lane, level in (("two", 0.0), ("three", 3.0)):
        run.data[lane]["lam"] = level + run.data[lane]["lam"]
        run.data[lane]["lam_theory"] = 1.0 + run.data[lane]["lam"]
    board = make(run, [Multiplier])
    (plot,) = strips(board)
    assert [(trace.lane, trace.is_theory) for trace in plot.traces] == [
        ("two", False), ("three", False), ("two", True), ("three", True),
    ]  # fmt: skip
    assert shown(board)[0].footnote_row.sentence == "no multiplier: one; four"
    assert shown(board)[0].footnote_row.height() > 10
    image = picture(board)
    for trace in plot.traces:
        color = mix_colors(trace.color, DARK.surface, THEORY_OPACITY if trace.is_theory else 1.0)
        drawn = near(image, plot, board, color, 0.1)
        assert len(np.unique(drawn[:, 0])) > 0.3 * plot.area.width(), trace
    assert len(plot.header.texts(plot.traces, plot.y_scale)) == 2


def test_theory_band_of_oscillating_curve_stays_narrow(make: Maker) -> None:
    """A wider band would fill the space between the oscillations."""
    run = FakeRun(formulations=("lagrange_full/torque",))
    lane = run.data["one"]
    lane["lam"] = lane["lam_theory"] = np.sin(6.0 * run.t)[:, None]
    board = make(run, [Multiplier])
    (plot,) = strips(board)
    pale = mix_colors(plot.traces[1].color, DARK.surface, THEORY_OPACITY)
    assert len(near(picture(board), plot, board, pale, 0.02)) < 0.1 * plot.area.width() * plot.area.height()


def test_panel_without_multiplier_shows_message(make: Maker) -> None:
    run = FakeRun(formulations=("newton_euler", "hamilton"))
    board = make(run, [Multiplier, Omega])
    assert [panel.name for panel in shown(board)] == ["omega"]
    board.show_panel("multiplier", True)
    process_events()
    panel = next(panel for panel in shown(board) if panel.name == "multiplier")
    assert panel.plots == []
    assert "no visible lane" in panel.empty_row.sentence.lower()
    assert panel.empty_row.isVisible()
    assert panel.empty_row.height() > 20


# choices


def test_frame_chosen_in_title_is_labelled(make: Maker, qtbot: QtBot) -> None:
    run = four_lanes_run()
    board = make(run, [Omega, AngularMomentum])
    omega, h = shown(board)
    chooser = chooser_of(omega)
    assert chooser.visible_texts == ["body", "space"]
    click(board, qtbot, chooser, chooser.plot_style.small_metrics.horizontalAdvance("body") + 12.0)
    assert [plot.header.symbol for plot in omega.plots] == ["ω x", "ω y", "ω z"]
    assert [plot.header.symbol for plot in h.plots] == ["h₁", "h₂", "h₃"]
    assert omega.plots[0].traces[2].value_at(7.0) == pytest.approx(run.data["three"]["omega_space"][700, 0])
    assert omega.readings()[0].frame == "space"
    click(board, qtbot, chooser, 4.0)
    assert omega.plots[0].header.symbol == "ω₁"


def test_title_options_work_by_keyboard(make: Maker, qtbot: QtBot) -> None:
    board = make(four_lanes_run(), [Omega])
    (omega,) = shown(board)
    chooser = chooser_of(omega)
    assert chooser.focusPolicy() & Qt.FocusPolicy.TabFocus
    before = chooser.grab().toImage()
    board.activateWindow()
    chooser.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(chooser.hasFocus)
    assert chooser.grab().toImage() != before, "the keyboard focus is visible"
    qtbot.keyClick(chooser, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None)
    menu = QApplication.activePopupWidget()
    qtbot.keyClick(menu, Qt.Key.Key_Down)
    qtbot.keyClick(menu, Qt.Key.Key_Down)
    qtbot.keyClick(menu, Qt.Key.Key_Return)
    process_events()
    assert omega.plots[0].header.symbol == "ω x"


def test_angles_and_det_s_share_default_sequence(
    make: Maker,
) -> None:
    run = four_lanes_run()
    board = make(run, [EulerAnglesPanel, DetS])
    angles, det_s = shown(board)
    assert chooser_of(angles).visible_texts == ["3-1-3"]
    menu = add_option_toggles(QMenu(), chooser_of(det_s).choice, board.choices)
    assert [action.text() for action in menu.actions() if action.isChecked()] == ["3-1-3"]
    actions(menu)["1-2-3"].trigger()
    process_events()
    assert angles.plots[0].traces[0].quantity == "angles_123"
    assert det_s.plots[0].traces[0].quantity == "det_S_123"
    assert angles.plots[0].y_scale.is_empty is False
    board.start(run)
    assert board.choices.option(SEQUENCE_CHOICE) == "123"  # the user's choice outlives the run
    with pytest.raises(ValueError, match="not '111'"):
        board.choices.choose(SEQUENCE_CHOICE, "111")


def test_det_s_axis_includes_zero_and_stop_band(make: Maker) -> None:
    run = four_lanes_run()
    for lane in run.data:
        run.data[lane]["det_S_313"] = 0.6 + 0.3 * np.sin(run.t)[:, None]
    board = make(run, [DetS])
    (plot,) = strips(board)
    assert plot.y_scale.low == 0.0, "no values below zero for an absolute value"
    tint = plot.plot_style.danger_tint.name()
    inner = plot.curve_area
    zero = inner.bottom() - plot.y_scale.project_value(0.0) * inner.height()
    y = point_on_board(board, plot, QPointF(0, zero)).y()
    column = [picture(board).pixelColor(point(board, plot, 20.3).x(), y + dy).name() for dy in (-2, -1, 0, 1)]
    assert tint in column


def test_det_s_note_names_stop_threshold() -> None:
    preset = load_preset("torque_free")
    lanes = [Lane("euler_angles/321", dt=0.1), Lane("newton_euler")]
    lanes.insert(1, Lane("euler_angles/321", name="fine", dt=1e-4))
    preset = replace(preset, lanes=lanes, run=replace(preset.run, sample_interval=0.1))
    info = run_info(Simulation(preset), LaneStyles.default_for(3))
    coarse = replace(info, formulations=info.formulations[::2], thresholds=info.thresholds[::2])
    without = replace(info, formulations=("newton_euler",), thresholds=(-1.0,))
    assert DetS().note_of("321", coarse) == "lane ends at |det S| = 0.5"
    assert DetS().note_of("321", info) == "lane ends at |det S| = 0.005 or 0.5"
    assert DetS().strips_of("321", info)[0].band == pytest.approx(0.5)
    for option, other in (("313", info), ("321", without)):
        assert (DetS().note_of(option, other), DetS().strips_of(option, other)[0].band) == ("", None)


# lanes that ended


def test_stopped_lane_ends_in_cross_of_its_color(make: Maker) -> None:
    run = FakeRun(("one", "two"))
    run.data["two"]["omega"] = run.data["one"]["omega"] * 0.0 + 0.5
    run.rows["two"] = 2001
    board = make(run, [Omega])
    plot = strips(board)[0]

    def cross() -> int:
        pixels = near(picture(board), plot, board, plot.traces[1].color, 0.6)
        at = point(board, plot, 20.0)
        beyond = (pixels[:, 0] > at.x() + 1) & (pixels[:, 0] < at.x() + 8)
        return int(np.sum(beyond))

    assert cross() == 0
    run.status["two"] = "singular"
    board.show_frame(run.frame(1.0))
    process_events()
    assert cross() >= 4


# drift


def test_drift_shows_only_conserved_quantities(make: Maker) -> None:
    free = ("constraint", "constraint_rate", "energy_drift", "momentum_drift", "h_space_drift")
    assert conserved_quantities([]) == free
    assert conserved_quantities([], events=[Reverse(at=1.0)]) == free[:-1], "h reverses with the motion"
    assert conserved_quantities([], events=[Perturb(at=1.0)]) == free, "the motion continues unchanged"
    gravity = Gravity(weight=1.0, centre=[0, 0, 1])
    assert conserved_quantities([gravity]) == ("constraint", "constraint_rate", "energy_drift")
    assert conserved_quantities([gravity, Damping(coefficient=0.1)]) == ("constraint", "constraint_rate")
    assert "energy_drift" in conserved_quantities(
        [PointForce(force=[1, 0, 0], point=[0, 0, 1], frame="space")]
    )
    assert "energy_drift" not in conserved_quantities(
        [PointForce(force=[1, 0, 0], point=[0, 0, 1], frame="body")]
    )
    run = four_lanes_run()
    run.info = type(run.info)(**{**vars(run.info), "constants": ("constraint", "energy_drift")})
    board = make(run, [Drift])
    assert [plot.traces[0].quantity for plot in strips(board)] == ["constraint", "energy_drift"]


def test_drift_shows_all_or_the_chosen_group(make: Maker) -> None:
    """Five strips do not fit beside another panel on a small screen."""
    board = make(four_lanes_run(), [Drift])
    (drift,) = board.panels
    assert isinstance(drift, TimeView)

    def shown(option: str) -> list[str]:
        chooser = chooser_of(drift)
        chooser.choices.choose(chooser.choice, option)
        process_events()
        return [plot.traces[0].quantity for plot in strips(board)]

    assert shown("motion") == ["energy_drift", "momentum_drift"]
    assert shown("p") == ["constraint", "constraint_rate"]
    assert shown("all") == [*shown("p"), *shown("motion")]
    alone = replace(four_lanes_run().info, constants=("constraint",))
    assert [strip.quantity for strip in Drift().strips_of("motion", alone)] == ["constraint"], (
        "otherwise nothing would be visible"
    )


def test_error_panels_wait_during_coarse_drag(make: Maker) -> None:
    """Their scales changed by ten decades at each drag, and again at its end."""
    run = four_lanes_run()
    board = make(run, [Drift, Omega])
    drift, omega = sorted(board.panels, key=lambda panel: panel.name)

    def shows_new_run(sketched: bool = False) -> list[bool]:
        """Return whether drift and omega show a run that starts now and is replaced soon."""
        new = four_lanes_run()
        new.info = replace(run.info, is_transient=True, is_coarsened=sketched)
        board.start(new)
        board.show_frame(new.frame(1.0))
        return [panel.source is new for panel in (drift, omega)]

    assert shows_new_run() == [True, True]
    assert shows_new_run(sketched=True) == [False, True], "a coarse run is accurate enough for curves"
    assert "updated when the drag ends" in drift.title_row.note
    assert shows_new_run() == [True, True]
    assert "hand" not in drift.title_row.note
    board.store.update(difference=True)
    process_events()
    assert shows_new_run(sketched=True) == [False, False], "differences of lanes are errors too"


# panels


def test_relevant_panels_are_shown_and_user_choice_persists(make: Maker) -> None:
    plain = FakeRun(formulations=("newton_euler", "hamilton"))
    board = make(plain)
    assert [panel.name for panel in shown(board)] == [
        "euler_parameters",
        "euler_angles",
        "omega",
        "h",
        "drift",
    ]
    menu = board_menu(board)
    actions(menu)["Angular momentum"].trigger()
    actions(menu)["Gimbal lock"].trigger()
    board.start(four_lanes_run())
    board.show_frame(four_lanes_run().frame(1.0))
    process_events()
    names = [panel.name for panel in shown(board)]
    assert names == ["euler_parameters", "euler_angles", "omega", "multiplier", "drift", "det_s"]
    assert board.store.state.panels == {"h": False, "det_s": True}
    image = picture(board)
    for plot in strips(board):
        assert len(near(image, plot, board, plot.traces[0].color)) > 30, plot.header.symbol
    assert not any(slot.isVisible() for slot in board.findChildren(PanelHost) if not slot.is_drawn)


def test_reshown_panel_shows_current_run(make: Maker) -> None:
    run = four_lanes_run()
    board = make(run, [Omega, Drift])
    board.show_panel("omega", False)
    process_events()
    other = FakeRun(("five",), rows=101)
    board.start(other)
    board.show_frame(other.frame(0.5, generation=2))
    board.show_panel("omega", True)
    process_events()
    omega = shown(board)[0]
    assert [trace.lane for trace in omega.plots[0].traces] == ["five"] * 3
    assert len(omega.plots[0].traces[0].series.times) == 101


def test_panels_fill_board_without_overlap(make: Maker) -> None:
    board = make(four_lanes_run())
    board.set_panel_visibility(dict.fromkeys(board.titles, True))
    process_events()
    for count in range(len(board.titles), 0, -1):
        boxes = [rect_on_board(board, slot) for slot in board.findChildren(PanelHost) if slot.is_drawn]
        assert len(boxes) == count
        for number, box in enumerate(boxes):
            assert all(not box.intersects(other) for other in boxes[:number])
        reach = QRectF()
        for box in boxes:
            reach = reach.united(box)
        assert reach.width() > 0.95 * board.width() - 20
        assert reach.bottom() > board.height() - 20
        lowest = {max(round(box.bottom()) for box in boxes if round(box.left()) == left) for left in
                  {round(box.left()) for box in boxes}}  # fmt: skip
        assert max(lowest) - min(lowest) <= 1
        board.show_panel(
            next(slot.panel_class.name for slot in board.findChildren(PanelHost) if slot.is_drawn), False
        )
        process_events()


def test_panel_visibility_is_remembered_between_starts(make: Maker) -> None:
    board = make(four_lanes_run(), [Omega, Drift])
    board.set_panel_visibility({"drift": False, "gone": True})
    assert [panel.name for panel in shown(board)] == ["omega"]


# copying


def test_copied_values_are_those_at_cursor(make: Maker) -> None:
    run = four_lanes_run()
    board = make(run, [Omega, Multiplier])
    board.show_frame(run.frame(12.34))
    board.copy_values()
    lines = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    assert lines[0] == ["lane", "quantity", "component", "value", "unit", "frame", "time [s]"]
    assert len(lines) == 1 + 4 * 3 + 2 * 2
    table = {(line[0], line[1], line[2]): line for line in lines[1:]}
    omega = table["two", "omega", "ω₂"]
    assert float(omega[3]) == pytest.approx(run.data["two"]["omega"][1234, 1])
    assert omega[4:] == ["rad/s", "body", "12.34"]
    assert float(table["three", "lam_theory", "λ theory"][3]) == pytest.approx(
        run.data["three"]["lam_theory"][1234, 0]
    )
    menu = panel_menu(board, shown(board)[1])
    actions(menu)["Copy values at cursor"].trigger()
    assert len(QGuiApplication.clipboard().text().splitlines()) == 1 + 2 * 2
    board.store.update(difference=True)
    assert "omega, difference from one" in board.values_text()


def test_right_click_opens_menu_and_right_drag_does_not(make: Maker, qtbot: QtBot) -> None:
    board = make(four_lanes_run(), [Omega])
    plot = strips(board)[0]
    view, at = board.windowHandle(), point(board, plot, 20.0)
    board.axis.zoom(0.5, 20.0)
    qtbot.mouseClick(view, Qt.MouseButton.RightButton, pos=at)
    offered = QApplication.activePopupWidget()
    assert isinstance(offered, QMenu)
    offered.close()
    qtbot.mousePress(view, Qt.MouseButton.RightButton, pos=at)
    qtbot.mouseMove(view, at + QPoint(30, 0))
    qtbot.mouseRelease(view, Qt.MouseButton.RightButton, pos=at + QPoint(30, 0))
    assert QApplication.activePopupWidget() is None
    menu = panel_menu(board, shown(board)[0])
    actions(menu)["Differences from the reference lane"].trigger()
    assert board.choices.difference
    lanes = next(submenu for submenu in menu.findChildren(QMenu) if submenu.title() == "Reference lane")
    actions(lanes)["three"].trigger()
    assert board.choices.reference == "three"


# agreement


@pytest.mark.parametrize("count", [4, 8])
def test_coinciding_lanes_are_all_visible(make: Maker, count: int) -> None:
    board = make(FakeRun(tuple("abcdefgh"[:count])), [Omega])
    image = picture(board)
    for plot in strips(board):
        pixel_counts = [
            len(near(image, plot, board, QColor(DARK.lanes[number]), 0.5)) for number in range(count)
        ]
        assert min(pixel_counts) > 20, pixel_counts


def test_stopped_lane_does_not_hide_agreement_of_others(make: Maker) -> None:
    run = four_lanes_run()
    run.rows["four"] = 100
    board = make(run, [Omega])
    board.show_frame(run.frame(12.0))
    plot = strips(board)[0]
    texts = plot.header.texts(plot.traces, plot.y_scale)
    labels = [part[0] for part in plot.header.parts(DARK, plot.traces, texts)]
    assert len(labels) == 3, "the symbol, one number for three equal lanes, the unit"
    assert "–" not in labels
