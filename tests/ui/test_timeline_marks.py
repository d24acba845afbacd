"""Markers on the timeline, with descriptions and jumps, and lines in the plots."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import get_args
from unittest.mock import patch

import numpy as np
import pytest
from board_maker import Maker, make, point_on_board  # noqa: F401 (a fixture)
from fake_run import FakeRun
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QContextMenuEvent, QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot
from test_board_window import picture, strips

import quatviz as qv
from quatviz import Perturb, Reverse
from quatviz.display.data.frame import Frame
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.display.document.timeline_markers import (
    MIN_MARKER_DISTANCE,
    EditMarker,
    EventMarker,
    JumpMarker,
    LaneEndMarker,
    Marker,
    event_markers,
    lane_end_markers,
)
from quatviz.display.panels.omega import Omega
from quatviz.display.view_state.theme import DARK
from quatviz.physics.mechanics.euler_sequences import angles_from_p
from quatviz.physics.mechanics.rotations import from_rotation_vector
from quatviz.physics.observables.jumps import (
    CAUSES,
    FLIP,
    NONE,
    SINGULAR,
    WRAP,
    cluster_times,
    find_sign_flips,
)
from quatviz.teaching.help import pages
from quatviz.ui.transport.scrubber import Scrubber
from quatviz.ui.widgets.style import PlotStyle

EVENTS = (Reverse(at=20.0), Perturb(at=10.0, length=1.001), Perturb(at=20.0, rate=1e-3), Reverse(at=50.0))
DIED, WORDS = 15.0, "it ended: det S = 0.01"


def still(events: tuple = EVENTS, rows: int = 4001) -> FakeRun:
    """Return a run of a body that never turns: none of its coordinates jumps."""
    run = FakeRun(rows=rows)
    for lane in run.data.values():
        lane["p"][:] = [1.0, 0.0, 0.0, 0.0]
        lane["angles_321"][:] = 0.0
    run.info = replace(run.info, events=events)
    return run


def rotating_run(rate: float, axis: tuple[float, float, float], rows: int = 4001) -> FakeRun:
    """Return a run whose first lane rotates about an axis and whose second lane is at rest."""
    run = still((), rows)
    p = from_rotation_vector(run.t[:, None] * rate * np.array(axis) + 1e-4)
    run.data["one"]["p"] = p
    for sequence in ("321", "313"):
        run.data["one"][f"angles_{sequence}"] = np.degrees(angles_from_p(p, sequence))
    return run


def frame(run: FakeRun, time: float = 5.0) -> Frame:
    """Return a frame in which the second lane has ended."""
    whole = run.frame(time)
    first, second = whole.lanes
    return replace(whole, lanes=(first, replace(second, status="singular", computed_to=DIED, message=WORDS)))


def scrubber_of(run: FakeRun, qtbot: QtBot, frames: int = 5, sequence: Sequence[str] = ("321",)) -> Scrubber:
    made = Scrubber(lambda command: None, lambda: sequence[-1])
    qtbot.addWidget(made)
    made.resize(800, made.sizeHint().height())
    with qtbot.waitExposed(made):
        made.show()
    made.start(run)
    for _ in range(frames):
        made.show_frame(run.frame(5.0))
    return made


def pointed_at(scrubber: Scrubber, time: float, aside: int, qtbot: QtBot) -> str:
    point = QPoint(round(scrubber.x_of(time)) + aside, 12)
    QApplication.sendEvent(scrubber, QHelpEvent(QHelpEvent.Type.ToolTip, point, scrubber.mapToGlobal(point)))
    qtbot.waitUntil(lambda: QToolTip.text() != "")
    text = QToolTip.text()
    QToolTip.hideText()
    return text


def passages(scrubber: Scrubber, cause: int) -> list[JumpMarker]:
    return [mark for mark in scrubber.markers if isinstance(mark, JumpMarker) and mark.cause == cause]


def colors_near(scrubber: Scrubber, time: float, half: int = 5) -> set[str]:
    image, x = scrubber.grab().toImage(), round(scrubber.x_of(time))
    rows = range(image.height() - 14)  # numbers are below
    return {image.pixelColor(x + aside, row).name() for aside in range(-half, half + 1) for row in rows}


@pytest.fixture
def scrubber(qtbot: QtBot) -> Scrubber:
    return scrubber_of(still(), qtbot)


# events


def test_events_at_one_time_share_a_marker() -> None:
    assert [(flag.time, flag.event_indices) for flag in event_markers(EVENTS)] == [
        (10.0, (1,)),
        (20.0, (0, 2)),
        (50.0, (3,)),
    ]
    assert event_markers(EVENTS)[1].description == "t = 20 s: time reversed; p·p′ + 0.001 /s"


def test_event_marker_is_drawn_at_its_time_within_the_run(scrubber: Scrubber) -> None:
    image = scrubber.grab().toImage()
    accent = QColor(DARK.accent)
    for time, is_drawn in ((10.0, True), (20.0, True), (30.0, False)):
        assert (image.pixelColor(round(scrubber.x_of(time)), 5) == accent) == is_drawn, time
    assert scrubber.event_marker_at(scrubber.x_of(50.0)) is None


def test_event_marker_tooltip_describes_the_event(scrubber: Scrubber, qtbot: QtBot) -> None:
    assert pointed_at(scrubber, 10.0, 3, qtbot) == "t = 10 s: |p| × 1.001"
    assert "t = 10 s: |p| × 1.001." in scrubber.accessibleDescription()


@pytest.mark.parametrize(("at", "flagged"), [(10.0, True), (13.0, False)])
def test_right_click_offers_the_time_or_the_event_there(scrubber: Scrubber, at: float, flagged: bool) -> None:
    calls: list[tuple[float, object]] = []
    scrubber.menu_requested.connect(lambda point, time, flag: calls.append((time, flag)))
    click_point = QPoint(round(scrubber.x_of(at)), 15)
    QApplication.sendEvent(
        scrubber,
        QContextMenuEvent(QContextMenuEvent.Reason.Mouse, click_point, scrubber.mapToGlobal(click_point)),
    )
    ((time, flag),) = calls
    assert time == pytest.approx(at, abs=0.05)
    assert (flag is not None) == flagged


def test_plots_have_a_dashed_line_at_each_event(make: Maker) -> None:
    run = still()
    board = make(run, [Omega])
    plot, pixels = strips(board)[0], picture(board)
    line = PlotStyle(DARK).event_pen.color().rgb()
    box = plot.area.toRect().translated(point_on_board(board, plot, 0, 0))
    for time, is_drawn in ((10.0, True), (20.0, True), (15.0, False)):
        x = point_on_board(board, plot, plot.x_of(time), 0).x()
        line_rows = [
            row
            for row in range(box.top(), box.bottom())
            if any(pixels.pixelColor(x + aside, row).rgb() == line for aside in (-1, 0, 1))
        ]
        assert (len(line_rows) > box.height() / 3) == is_drawn, time


# ended lanes


def test_lane_end_is_marked_in_lane_color_with_its_message(scrubber: Scrubber, qtbot: QtBot) -> None:
    scrubber.show_frame(frame(still()))
    (end,) = scrubber.lane_end_markers
    assert (end.time, end.description) == (DIED, WORDS)
    assert QColor(DARK.lanes[end.color]).name() in colors_near(scrubber, DIED)
    assert pointed_at(scrubber, DIED, -2, qtbot) == WORDS


def test_hidden_lane_has_no_marker() -> None:
    whole = frame(still())
    first, dead = whole.lanes
    assert lane_end_markers(replace(whole, lanes=(first, replace(dead, visible=False)))) == ()


# jumps of coordinates


def test_flips_wraps_and_singular_passages_have_distinct_markers(
    qtbot: QtBot,
) -> None:
    scrubber = scrubber_of(
        rotating_run(0.5, (0.0, 1.0, 0.0)), qtbot
    )  # 20 rad: through the pole at every half turn
    kinds = {category: passages(scrubber, category) for category in (FLIP, SINGULAR)}
    assert [mark.time for mark in kinds[FLIP]] == pytest.approx([2 * np.pi * n for n in (1, 3, 5)], abs=0.02)
    poles = [np.pi * (2 * n + 1) for n in range(6)]
    assert [mark.time for mark in kinds[SINGULAR]] == pytest.approx(poles, abs=0.02)
    assert QColor(DARK.text).name() in colors_near(scrubber, kinds[FLIP][1].time)
    assert QColor(DARK.danger).name() in colors_near(scrubber, kinds[SINGULAR][2].time)
    assert (
        pointed_at(scrubber, kinds[FLIP][1].time, 1, qtbot)
        .replace("\n", " ")
        .endswith("and the canonical p flips")
    )
    assert "3-2-1 pass close to their singularity" in pointed_at(scrubber, kinds[SINGULAR][2].time, 1, qtbot)


def test_chosen_sequence_decides_which_wraps_are_marked(qtbot: QtBot) -> None:
    run = rotating_run(0.5, (1.0, 0.0, 0.0))
    chosen = ["321"]
    scrubber = scrubber_of(run, qtbot, sequence=chosen)
    (first, *_) = wraps = passages(scrubber, WRAP)
    assert [mark.time for mark in wraps] == pytest.approx([2 * np.pi * n for n in (1, 3, 5)], abs=0.02)
    assert first.description.endswith(
        "one of the Euler angles 3-2-1 leaves its range and jumps by a full turn"
    )
    assert QColor(DARK.muted).name() in colors_near(scrubber, first.time)
    assert passages(scrubber, SINGULAR) == []
    chosen.append("313")
    for _ in range(5):
        scrubber.show_frame(run.frame(5.0))
    assert passages(scrubber, SINGULAR)[0].description.endswith(
        "the Euler angles 3-1-3 pass close to their singularity"
    )


def test_markers_disappear_when_chosen_angles_never_jump(qtbot: QtBot) -> None:
    run = rotating_run(0.5, (1.0, 0.0, 0.0))
    run.data["one"]["angles_123"][:] = 0.0
    run.data["one"]["p"][:] = [1.0, 0.0, 0.0, 0.0]
    chosen = ["321"]
    scrubber = scrubber_of(run, qtbot, sequence=chosen)
    assert passages(scrubber, WRAP)
    chosen.append("123")
    for _ in range(5):
        scrubber.show_frame(run.frame(5.0))
    assert passages(scrubber, WRAP) == []


def test_time_tooltip_updates_for_a_new_run(qtbot: QtBot) -> None:
    """After another preset was opened, the tooltip showed the time of the old run."""
    run = FakeRun()
    scrubber = scrubber_of(run, qtbot)
    x = 300
    qtbot.mouseMove(scrubber, QPoint(x, 12))
    for duration in (40.0, 160.0):
        scrubber.show_frame(replace(run.frame(5.0), duration=duration))
        with patch("PySide6.QtGui.QPainter.drawText") as write:
            scrubber.grab()
        box, _, text = write.call_args_list[0].args
        assert box.center().x() == pytest.approx(x, abs=1.0)
        assert float(text.removesuffix(" s")) == pytest.approx(duration * (x - 7) / 786, abs=0.01)


def test_only_jumps_of_shown_quantities_are_marked(qtbot: QtBot) -> None:
    run, sequence, causes = rotating_run(0.5, (1.0, 0.0, 0.0)), [""], [{WRAP}]
    scrubber = Scrubber(lambda command: None, lambda: sequence[-1], lambda: causes[-1])
    qtbot.addWidget(scrubber)
    scrubber.start(run)

    def marked_causes() -> set[int]:
        for _ in range(5):
            scrubber.show_frame(run.frame(5.0))
        return {mark.cause for mark in scrubber.markers if isinstance(mark, JumpMarker)}

    assert marked_causes() == set()
    causes.append({WRAP, FLIP})
    assert marked_causes() == {FLIP}
    sequence.append("321")
    assert marked_causes() == {FLIP, WRAP}
    causes.append({WRAP})
    assert marked_causes() == {WRAP}
    causes.append(set())
    assert marked_causes() == set(), "an unwrapped curve does not jump"


def test_jumps_are_found_incrementally(qtbot: QtBot) -> None:
    run = rotating_run(2.0, (1.0, 0.0, 0.0))
    run.rows = dict.fromkeys(run.info.lanes, 1)
    scrubber = scrubber_of(run, qtbot)
    for rows in range(1, 4002, 100):
        run.rows = dict.fromkeys(run.info.lanes, rows)
        scrubber.show_frame(run.frame(0.0))
    whole = scrubber_of(rotating_run(2.0, (1.0, 0.0, 0.0)), qtbot)
    assert scrubber.markers == whole.markers
    asked = run.reads
    scrubber.show_frame(run.frame(1.0))
    assert run.reads == asked, "no new row: nothing is read"


def test_dense_jumps_share_one_marker_with_their_number(qtbot: QtBot) -> None:
    run = rotating_run(60.0, (1.0, 0.0, 0.0))
    scrubber = scrubber_of(run, qtbot)
    (wraps,) = passages(scrubber, WRAP)
    assert wraps.count == pytest.approx(40.0 * 60.0 / (2 * np.pi), abs=1)
    assert f"{wraps.count} wraps of the Euler angles 3-2-1, from t = " in wraps.description
    assert pointed_at(scrubber, 17.0, 0, qtbot).count("wraps") == 1
    scrubber.show_frame(run.frame(wraps.time))
    beside = scrubber.adjacent_marker_time(1)
    assert beside is not None
    assert wraps.time < beside < wraps.last, "each jump of a cluster can be reached"


def test_markers_of_one_kind_do_not_touch() -> None:
    times = np.sort(np.random.default_rng(3).uniform(0, 100, 200))
    clusters = cluster_times(times, MIN_MARKER_DISTANCE / 8.0)
    assert sum(count for _, _, count in clusters) == 200
    assert all((later[0] - before[1]) * 8.0 >= MIN_MARKER_DISTANCE for before, later in pairwise(clusters))
    assert cluster_times(np.empty(0), 3.0) == []


def test_many_jumps_are_clustered() -> None:
    clusters = cluster_times(np.arange(200_000) * 1e-3, MIN_MARKER_DISTANCE / 4.0)
    assert clusters == [(0.0, pytest.approx(199.999), 200_000)]


def test_help_describes_every_kind_of_marker() -> None:
    """The menu of the timeline opens this table of the help."""
    _, _, text = pages()["reading"].text.partition("\n## Marks on the timeline\n")
    table = [line for line in text.partition("\n## ")[0].splitlines() if line.startswith("| ")]
    kinds = {
        "flag": EventMarker,
        "open diamond": EditMarker,
        "cross": LaneEndMarker,
        "full diamond": FLIP,
        "tick": WRAP,
        "red dot": SINGULAR,
    }
    assert {*get_args(Marker)} == {
        JumpMarker,
        *(marker_type for marker_type in kinds.values() if isinstance(marker_type, type)),
    }
    assert {FLIP, WRAP, SINGULAR} == {*range(len(CAUSES))} - {NONE}
    named = [line.split("|")[1].strip() for line in table[1:]]
    assert [next(name for name in kinds if line.startswith(name)) for line in named] == list(kinds)
    assert f"within {MIN_MARKER_DISTANCE:g} pixels are combined" in text.replace("\n", " ")


# edits


def with_time_step(dt: float, state: State) -> State:
    return state.with_preset(run=replace(state.preset.run, dt=dt))


def editor_at(time: list[float]) -> Document:
    return Document(State.default_for(qv.load_preset("torque_free")), clock=lambda: time[0])


def test_edits_are_marked_at_the_cursor_until_undone(scrubber: Scrubber, qtbot: QtBot) -> None:
    time = [12.5]
    document = editor_at(time)
    document.changed.connect(lambda _: scrubber.show_edits(document.edit_markers))
    for text, dt in (("time step", 2e-3), ("time step again", 1e-2)):
        assert document.propose(text, partial(with_time_step, dt)) is None
    time[0] = 30.0
    reverse = (Reverse(at=3.0),)
    document.propose("reverse", lambda state: state.with_preset(events=reverse))  # it has an event marker
    document.propose("speed", lambda state: state.with_preset(speed=100.0))  # it is the same run
    document.propose("color", lambda state: state.with_lane_styles(state.lane_styles.with_color(0, 3)))
    assert scrubber.edit_markers == (EditMarker(12.5, ("time step", "time step again")),)
    description = "Edited from t = 0, with the cursor at t = 12.5 s: time step; time step again"
    assert pointed_at(scrubber, 12.5, 2, qtbot) == description
    assert QColor(DARK.text).name() in colors_near(scrubber, 12.5)
    for _ in range(4):
        document.undo()
    assert scrubber.edit_markers == (EditMarker(12.5, ("time step",)),)
    document.undo()
    assert scrubber.edit_markers == ()
    time[0] = 1.0
    document.redo()
    assert scrubber.edit_markers[0].time == 12.5, "a redone edit keeps its original time"
    body = qv.Body(inertia=[1.0, 2.0, 3.0])
    document.open("a file of the same title", lambda state: state.with_preset(body=body))
    assert scrubber.edit_markers == ()
    document.propose("time step", partial(with_time_step, 5e-3))
    assert scrubber.edit_markers == (EditMarker(1.0, ("time step",)),)
    document.close()


# jumping


@pytest.mark.parametrize(
    ("at", "before", "behind"),
    [
        (5.0, None, 10.0),
        (10.0, None, 12.5),
        (13.0, 12.5, 15.0),
        (15.0, 12.5, 20.0),
        (17.0, 15.0, 20.0),
        (25.0, 20.0, None),
    ],
)
def test_next_and_previous_marker_times_cover_every_kind(
    scrubber: Scrubber, at: float, before: float | None, behind: float | None
) -> None:
    scrubber.show_edits((EditMarker(12.5, ("time step",)),))
    scrubber.show_frame(frame(still(), at))
    assert scrubber.adjacent_marker_time(-1) == before
    assert scrubber.adjacent_marker_time(1) == behind


def test_jump_marker_can_be_reached(qtbot: QtBot) -> None:
    scrubber = scrubber_of(rotating_run(0.5, (1.0, 0.0, 0.0)), qtbot)
    assert scrubber.adjacent_marker_time(1) == pytest.approx(2 * np.pi, abs=0.02)
    assert isinstance(scrubber.markers[0], JumpMarker)
    assert scrubber.event_marker_at(scrubber.x_of(2 * np.pi)) is None


def test_sign_flips_are_found_beside_overflow() -> None:
    """Overflowing values of a lane in the previous run gave a Python warning."""
    p = np.array(
        [[1.0, 0.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 0.0], [-1e200, 1e200, 0.0, 0.0], [1e200, 1e200, 0.0, 0.0]]
    )
    rows, causes = find_sign_flips(p)
    assert rows.tolist() == [0]
    assert causes.tolist() == [[FLIP] * 4]
