"""The work of a run is proportional to its number of lanes and done in short turns of the event loop."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from action_stubs import actions_on, make_host
from board_maker import Maker as BoardMaker
from board_maker import make as make_board  # noqa: F401 (a fixture)
from board_maker import panel_host_of
from fake_run import FakeRun
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from qt_events import wait_laid_out
from scene_maker import Maker, make  # noqa: F401 (a fixture)

import quatviz as qv
from quatviz.display.data.budget import MAX_LANES_AT_ONCE, FrameBudget
from quatviz.display.data.frame import Pose
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.display.panels.base.curves import PanelCurves, Plot
from quatviz.display.panels.h import AngularMomentum
from quatviz.display.panels.omega import Omega
from quatviz.display.scene.items.ghosts import Ghosts
from quatviz.display.view_state.board_choices import Choices
from quatviz.display.view_state.theme import DARK, LIGHT
from quatviz.physics.mechanics.rotations import from_rotation_vector, orientation_matrix
from quatviz.ui.plots.legend_row import LegendRow
from quatviz.ui.plots.strip_plot import StripPlot
from quatviz.ui.sidebar.lane_list import LaneList, LaneRow
from quatviz.ui.sidebar.setup.section import FoldableHeading
from quatviz.ui.widgets.style import apply_theme


def run_with_lanes(count: int) -> FakeRun:
    return FakeRun(tuple(f"lane {number}" for number in range(count)), rows=3)


def test_traces_of_a_plot_are_searched_once_for_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[Plot] = []
    monkeypatch.setattr(Plot, "is_stacked", property(searched.append))
    run = run_with_lanes(30)
    curves = PanelCurves(Omega(), run, run.info.lanes, Choices(), DARK)
    assert searched == curves.plots


def test_all_ghosts_share_their_vertices(make: Maker) -> None:
    view, run = make([Ghosts]), run_with_lanes(30)
    view.start(run)
    view.show_frame(run.frame(0.0))
    ghosts = [mesh for mesh in view.stage.meshes if mesh.material == "glass"]
    assert len(ghosts) == 30
    assert len({id(mesh.vertices) for mesh in ghosts}) == 1


def test_each_ghost_is_larger_than_the_one_before(make: Maker) -> None:
    view, run = make([Ghosts]), run_with_lanes(4)
    view.start(run)
    frame = run.frame(0.0)
    poses = [
        Pose(p, orientation_matrix(p), {})
        for p in (from_rotation_vector([0.0, 0.0, 0.3 * k]) for k in range(4))
    ]
    lanes = tuple(replace(lane, pose=pose) for lane, pose in zip(frame.lanes, poses, strict=True))
    view.show_frame(replace(frame, lanes=lanes))
    ghosts = [mesh for mesh in view.stage.meshes if mesh.material == "glass"]
    sizes = [np.linalg.det(mesh.transform[:3, :3]) ** (1.0 / 3.0) for mesh in ghosts[1:]]
    assert sizes[0] > 1.03
    assert [after - before for before, after in pairwise(sizes)] == pytest.approx([0.012, 0.012])


def test_panels_take_many_lanes_one_panel_per_frame(make_board: BoardMaker) -> None:
    """This keeps each turn of the event loop short."""
    board = make_board(run_with_lanes(2), [Omega, AngularMomentum])
    run = run_with_lanes(MAX_LANES_AT_ONCE + 1)
    board.start(run)
    shown_sources = []
    for _ in range(3):
        shown_sources.append(sum(view.source is run for view in board.panels))
        board.show_frame(run.frame(0.0))
    assert shown_sources == [0, 1, 2]
    assert all(view.readings() for view in board.panels)


def test_panels_take_few_lanes_at_once(make_board: BoardMaker) -> None:
    board = make_board(run_with_lanes(2), [Omega, AngularMomentum])
    run = run_with_lanes(MAX_LANES_AT_ONCE)
    board.start(run)
    assert all(view.source is run for view in board.panels)


def test_hidden_panel_releases_run_when_many_lanes_follow(make_board: BoardMaker) -> None:
    board = make_board(run_with_lanes(2), [Omega, AngularMomentum])
    board.show_panel("h", False)
    run = run_with_lanes(MAX_LANES_AT_ONCE + 1)
    hidden = panel_host_of(board, "h").view
    assert hidden is not None
    board.start(run)
    assert hidden.source is None
    board.show_panel("h", True)
    assert hidden.source is run


class _SingleShows(QObject):
    """Event filter for the queued calls with which Qt shows a widget that is added to a visible layout."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[LaneRow] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MetaCall and isinstance(watched, LaneRow):
            self.rows.append(watched)
        return False


def test_rows_of_many_lanes_are_shown_at_once(qtbot: QtBot, qapp: QApplication) -> None:
    """Each row that is shown alone would lay out the whole side column: 200 of them took 6 s."""
    preset = qv.load_preset("torque_free")
    document, host, single_shows = Document(State.default_for(preset)), make_host(), _SingleShows()
    host.store = document.view
    lane_list = host.side.lane_list = LaneList(document, actions_on(host), lambda: "")
    qtbot.addWidget(lane_list)
    with qtbot.waitExposed(lane_list):
        lane_list.show()
    rows = tuple(qv.Lane("newton_euler", name=f"lane {k}") for k in range(40))
    qapp.installEventFilter(single_shows)
    document.open("many lanes", lambda _: State.default_for(preset.with_run(lanes=rows)))
    wait_laid_out(lane_list, qtbot)
    qapp.removeEventFilter(single_shows)
    assert len(lane_list.rows) == 40
    assert all(row.isVisible() for row in lane_list.rows)
    assert single_shows.rows == []
    document.close()


def open_lanes(lane_list: LaneList, document: Document, count: int, name: str = "lane") -> None:
    preset = qv.load_preset("torque_free")
    lanes = tuple(qv.Lane("newton_euler", name=f"{name} {k}") for k in range(count))
    document.open("many lanes", lambda _: State.default_for(preset.with_run(lanes=lanes)))


@pytest.fixture
def lane_list(document: Document, qtbot: QtBot) -> LaneList:
    host = make_host()
    host.store = document.view
    lane_list = host.side.lane_list = LaneList(document, actions_on(host), lambda: "")
    qtbot.addWidget(lane_list)
    return lane_list


def test_rows_of_many_lanes_are_made_in_the_next_turn(
    lane_list: LaneList, document: Document, qtbot: QtBot
) -> None:
    open_lanes(lane_list, document, MAX_LANES_AT_ONCE)
    assert len(lane_list.rows) == MAX_LANES_AT_ONCE
    open_lanes(lane_list, document, MAX_LANES_AT_ONCE + 1)
    assert len(lane_list.rows) == MAX_LANES_AT_ONCE
    qtbot.waitUntil(lambda: len(lane_list.rows) == MAX_LANES_AT_ONCE + 1)


def test_frame_finds_a_row_for_each_of_many_lanes(lane_list: LaneList, document: Document) -> None:
    """It may be shown before the turn in which the rows are made. It fills some of the rows, the next ones the others."""
    count = 2 * MAX_LANES_AT_ONCE + 1
    open_lanes(lane_list, document, count)
    frame = run_with_lanes(count).frame(0.0)
    named = []
    for _ in range(3):
        lane_list.show_frame(frame)
        named.append(sum(bool(row.lane_name) for row in lane_list.rows))
    assert named == [MAX_LANES_AT_ONCE, 2 * MAX_LANES_AT_ONCE, count]


def test_heading_of_the_longest_name_is_a_few_lines_high(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Qt asks for the heights of 200 headings at several widths whenever something is laid out.

    Private: `_make_layout`, which is removed to show that known heights are not computed again.
    """
    heading = FoldableHeading()
    qtbot.addWidget(heading)
    heading.setText("one line")
    line = heading.heightForWidth(400)
    heading.setText(" ".join(["word"] * 60))
    heights = [heading.heightForWidth(width) for width in (300, 310)]
    assert line < heights[0] <= 5 * line
    monkeypatch.setattr(heading, "_make_layout", None)
    assert [heading.heightForWidth(width) for width in (300, 310, 300)] == [*heights, heights[0]]


def test_heading_is_not_laid_out_again_for_another_theme_with_the_same_fonts(
    qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Private: `_make_layout`, which is removed to show that no line is broken again."""
    apply_theme(qapp, DARK)
    heading = FoldableHeading()
    qtbot.addWidget(heading)
    heading.ensurePolished()
    heading.setText(" ".join(["word"] * 60))
    height = heading.heightForWidth(300)
    monkeypatch.setattr(heading, "_make_layout", None)
    apply_theme(qapp, LIGHT)
    assert heading.theme == LIGHT
    assert heading.heightForWidth(300) == height


def test_legend_is_arranged_once_for_themes_with_the_same_fonts(
    make_board: BoardMaker, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Private: `_fill_lines`, which is removed to show that no name is shortened again."""
    apply_theme(qapp, DARK)
    board = make_board(run_with_lanes(2), [Omega])
    board.start(FakeRun(tuple(f"{'long ' * 20}{number}" for number in range(200)), rows=3))
    (legend, *_) = board.findChildren(LegendRow)
    lines = legend.legend.lines
    monkeypatch.setattr(legend.legend, "_fill_lines", None)
    apply_theme(qapp, LIGHT)
    legend.fit()
    assert legend.theme == LIGHT
    assert legend.legend.lines is lines


def test_curves_of_many_lanes_are_drawn_in_one_plot_per_frame(
    make_board: BoardMaker, qapp: QApplication
) -> None:
    """Another theme or size discards the pictures of all plots. To draw all their curves takes half a second."""
    board = make_board(run_with_lanes(2), [Omega, AngularMomentum])
    run = run_with_lanes(MAX_LANES_AT_ONCE + 1)
    board.start(run)
    budget = FrameBudget()

    def count_complete(frames: int) -> int:
        for _ in range(frames):
            budget.begin_frame(budget.now + 0.1, playing=False)
            board.show_frame(replace(run.frame(0.0), budget=budget))
            board.grab()
        return sum(not board.redraws.is_due(plot, "curves") for plot in board.findChildren(StripPlot))

    plots = len(board.findChildren(StripPlot))
    assert count_complete(2 * plots) == plots
    apply_theme(qapp, LIGHT)
    board.grab()
    assert [count_complete(frames) for frames in (0, 1, 1)] == [0, 1, 2]
    assert count_complete(plots) == plots


def test_legend_of_many_lanes_names_some_in_its_tooltip(make_board: BoardMaker) -> None:
    board = make_board(run_with_lanes(2), [Omega])
    run = FakeRun(tuple(f"{'long ' * 20}{number}" for number in range(200)), rows=3)
    board.start(run)
    (legend, *_) = board.findChildren(LegendRow)
    assert len(legend.legend.truncated_names) == 200
    assert legend.toolTip().endswith("… and 160 more")
