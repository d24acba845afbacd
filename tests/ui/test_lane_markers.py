"""With more lanes than colors of a theme, markers along curves, in swatches and in the list distinguish lanes."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from board_maker import Maker, make, point_on_board  # noqa: F401 (a fixture)
from fake_run import FakeRun
from PySide6.QtCore import QPoint, QRectF
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from scene_maker import make_frame, spinning_run
from test_board_window import near, picture, shown, strips

from quatviz.display.panels.multiplier import Multiplier
from quatviz.display.panels.omega import Omega
from quatviz.display.scene.items.ghosts import Ghosts
from quatviz.display.view_state.lane_styles import COLOR_NAMES, LaneStyles
from quatviz.display.view_state.line_styles import (
    COLOR_COUNT,
    MARKER_GLYPHS,
    MARKER_NAMES,
    dash_pattern,
    lane_color,
    marker_of,
    title_with_glyph,
)
from quatviz.display.view_state.theme import DARK, GRID_UNIT, PROJECTOR, THEMES, Theme
from quatviz.export.figures.stripes import SHAPE_SPACING, assign_turns, shape_times
from quatviz.ui.plots.legend_row import CORNER_SIZE, LegendRow, sample_width
from quatviz.ui.scene.scene_view import SceneView
from quatviz.ui.sidebar.lane_list import DASH_OFFSET, LaneChip
from quatviz.ui.sidebar.setup import section
from quatviz.ui.widgets import layouts
from quatviz.ui.widgets.painting import swatch
from quatviz.ui.widgets.style import set_own_theme, tabular_font

NAMES = tuple(f"lane {number + 1}" for number in range(12))


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_twelve_lanes_have_distinct_styles_in_every_theme(theme: Theme) -> None:
    assert len(theme.lanes) == COLOR_COUNT == len(COLOR_NAMES)
    colors = LaneStyles.default_for(11).with_lane_added().colours
    assert len({(lane_color(theme, color), marker_of(color)) for color in colors}) == 12


@pytest.mark.parametrize("shape", [number * COLOR_COUNT for number in range(1, len(MARKER_NAMES))])
def test_ninth_lane_has_markers_along_its_curve(make: Maker, shape: int) -> None:
    run = FakeRun(("one", "nine"))
    run.info = run.info.__class__(**{**run.info.__dict__, "colors": (0, shape)})
    for lane, level in (("one", 1.0), ("nine", 2.0)):
        run.data[lane]["omega"][:] = level
    board = make(run, [Omega])
    plot, image = strips(board)[0], picture(board)
    pixels = near(image, plot, board, QColor(lane_color(DARK, 0)))
    # Outside the dots at the cursor and the names at the end.
    pixels = pixels[(pixels[:, 0] > pixels[:, 0].min() + 12) & (pixels[:, 0] < pixels[:, 0].max() - 60)]
    middle = point_on_board(board, plot, 0, plot.area.center().y()).y()
    upper, lower = pixels[pixels[:, 1] < middle], pixels[pixels[:, 1] > middle]
    assert np.ptp(lower[:, 1]) <= 2, "the first lane is a plain line"
    assert 5 <= np.ptp(upper[:, 1]) <= 12
    columns = np.unique(upper[upper[:, 1] < np.median(upper[:, 1]) - 2][:, 0])
    groups = np.split(columns, np.flatnonzero(np.diff(columns) > 12) + 1)
    assert plot.area.width() / SHAPE_SPACING / 2 < len(groups) < plot.area.width() / SHAPE_SPACING * 1.5


def test_markers_of_agreeing_lanes_stand_in_own_stripes() -> None:
    times = np.linspace(0.0, 40.0, 801)
    pixel = 40.0 / 600
    taken = assign_turns(times, np.zeros((12, 801)), 1.0)
    shapes = [shape_times(taken, curve, 0.0, 40.0, pixel) for curve in range(12)]
    assert all(len(own) >= 2 for own in shapes)
    for curve, own in enumerate(shapes):
        buckets = np.searchsorted(taken.buckets.numbers, np.floor(own).astype(int))
        assert taken.is_shown[curve][buckets].all()
        assert np.all(np.diff(own) / pixel > 24.0)
    assert len(np.unique(np.concatenate(shapes))) == sum(map(len, shapes))


def test_markers_are_stable_while_view_scrolls() -> None:
    pixel = 40.0 / 600
    first, later = (shape_times(None, 3, low, low + 40.0, pixel) for low in (0.0, 7.3))
    inside = first[(first > 15.0) & (first < 39.0)]
    assert len(inside) > 2
    assert set(inside) <= set(later)


def test_legend_and_menu_show_markers(make: Maker) -> None:
    run = FakeRun(NAMES)
    board = make(run, [Omega])
    legend = board.legend
    assert [color for line in legend.legend.lines for _, color in line][:12] == list(range(12))
    image = picture(board)
    line, ground = legend.height() / len(legend.legend.lines), QColor(DARK.surface)
    for number, (row, begin) in _places(legend).items():
        middle = begin + sample_width(DARK) / 2
        at, above, inside = (
            image.pixelColor(point_on_board(board, legend, x, round((row + 0.5) * line) + rise))
            for x, rise in ((begin + 1, 0), (middle, -4), (middle, 0))
        )
        assert at.name() == DARK.lanes[number % COLOR_COUNT]
        assert (above != ground) == (number >= COLOR_COUNT), number
        assert inside == ground or number < COLOR_COUNT, number
    plain, cut = (swatch(QColor("#ff0000"), 0.0, shape).pixmap(12).toImage() for shape in MARKER_NAMES[:2])
    assert _alpha(plain) == 255
    assert _alpha(cut) == 0


def test_narrow_legend_elides_names_and_tooltip_is_complete(make: Maker) -> None:
    names = "newton_euler", "a lane of a very long name indeed, which nobody could read whole beside plots"
    board = make(FakeRun(names), [Omega])
    board.resize(board.minimumSize())
    legend = board.legend
    for line in legend.legend.lines:
        for text, color in line:
            advance = legend.legend.font(legend.legend_space).advance
            wide = advance(text) + legend.legend.sample_advance(color, legend.legend_space)
            assert legend.legend.start_x + wide <= legend.width() - (
                CORNER_SIZE if line in legend.legend.lines[:2] else 0
            )
    assert legend.legend.start_x < legend.plot_style.gutter
    assert names[1] in legend.toolTip()
    assert not any(names[1] in text for line in legend.legend.lines for text, _ in line)
    board.resize(1600, 600)
    assert legend.legend.start_x == legend.plot_style.gutter
    assert not legend.toolTip()


def test_legend_has_no_ambiguous_short_names(make: Maker) -> None:
    """On the next line "gradient" alone was ambiguous, and what followed a group was taken for one of its members."""
    loads = ("torque", "split", "gradient")
    names = tuple(f"lagrange_{form}/{load}" for form in ("full", "simplified") for load in loads)
    board = make(FakeRun(("newton_euler", *names)), [Omega])
    legend = board.legend
    for wide, high in ((350, 600), (350, 900), (800, 600), (2400, 600)):
        board.resize(wide, high)
        texts = [word for line in legend.legend.lines for word in line]
        variants = [f"{form}: {load}" for form in ("full", "simplified") for load in loads]
        expected = [
            "Newton–Euler",
            *(
                variants
                if legend.legend.uses_short_names
                else [f"Lagrange, {variant}" for variant in variants]
            ),
        ]
        assert legend.legend.uses_short_names == ((wide, high) == (350, 600)), (
            "whole where there is room, in small letters"
        )
        assert [text for text, _ in texts][:-1] == expected
        assert [color for _, color in texts] == [*range(7), None]
        assert legend.legend.uses_small_type == ("Lagrange, simplified: gradient" in legend.toolTip()), (
            "whole in the tooltip"
        )
        assert (
            len(legend.legend.lines)
            == {350: 5 if legend.legend.uses_short_names else 8, 800: 3, 2400: 1}[wide]
        )


@pytest.mark.parametrize("danger", [True, False])
def test_lane_heading_shows_whole_name_and_status(
    danger: bool, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ "Lagran… 3-2-1 ended: singu…" named neither lane nor status, and the status of a complete lane was missing."""
    written: list[str] = []
    true = section.draw_elided_text

    def record_text(painter: QPainter, room: QRectF, text: str, font: QFont, *more: object) -> float:
        assert QFontMetricsF(font).horizontalAdvance(text) <= room.width() + 1
        written.append(text)
        return true(painter, room, text, font, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(section, "draw_elided_text", record_text)
    fold = section.FoldableHeading()
    qtbot.addWidget(fold)
    set_own_theme(fold, PROJECTOR)
    name, state = "Lagrange in Euler angles: 3-2-1", "ended: singular"
    fold.setText(name)
    fold.set_synopsis(state, danger)
    for wide, lines in ((220, 3), (700, 1)):
        fold.resize(wide, fold.heightForWidth(wide))
        written.clear()
        fold.grab()
        assert {*" ".join(written).split()} == {*name.split(), *state.split()}
        assert len([line for line in written if line]) == lines + (wide == 700)
        assert fold.height() >= lines * PROJECTOR.small


@pytest.mark.parametrize("theme", [DARK, PROJECTOR], ids=["dark", "projector"])
def test_folded_section_shows_its_whole_synopsis(
    theme: Theme, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ "J: full matrix, principal moments 8.4e…" had no moment that could be read."""
    written: list[str] = []
    true = section.draw_elided_text

    def record_text(painter: QPainter, room: QRectF, text: str, font: QFont, *more: object) -> float:
        assert QFontMetricsF(font).horizontalAdvance(text) <= room.width() + 1
        written.append(text)
        return true(painter, room, text, font, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(section, "draw_elided_text", record_text)
    fold, room = section.FoldableSection("Body", QWidget()), QWidget()
    room.setLayout(layouts.column(fold, None))
    qtbot.addWidget(room)
    set_own_theme(room, theme)
    heading, synopsis = fold.heading, "principal J = 0.000173, 0.000712, 0.000842 kg m²"
    heading.set_synopsis(synopsis)
    room.resize(280, 400)
    room.show()
    QApplication.processEvents()
    folded = heading.height()
    room.grab()
    assert {*" ".join(written).split()} == {"Body", *synopsis.split()}
    heading.click()
    QApplication.processEvents()
    assert heading.height() < folded, "an unfolded section shows its values itself"


def test_lane_name_stays_whole_in_narrowed_column(qtbot: QtBot) -> None:
    """The label kept the height of one line, and only the middle one of three lines was visible."""
    fold, room = section.FoldableHeading(), QWidget()
    fold.setText("Lagrange in Euler angles: 3-2-1")
    fold.set_synopsis("ended: singular")
    room.setLayout(layouts.column(layouts.row((fold, 1), gap=0), None))
    qtbot.addWidget(room)
    set_own_theme(room, PROJECTOR)
    for wide in (700, 220, 700, 250):
        room.resize(wide, 400)
        room.show()
        QApplication.processEvents()
        assert fold.height() == fold.heightForWidth(wide)


def test_legend_of_ten_lanes_leaves_room_for_plots(make: Maker) -> None:
    names = tuple(f"{letter * 6} is the long name of a lane" for letter in "abcdefghij")
    board = make(FakeRun(names), [Omega])
    legend = board.legend
    board.resize(320, 240)
    texts = [word for line in legend.legend.lines for word in line]
    assert legend.legend.hides_names
    assert len(legend.legend.lines) <= 3
    assert legend.height() < 240 / 3
    assert [color for text, color in texts if not text] == list(range(10))
    assert [text for text, _ in texts[10:]] == ["10 lanes", "striped: lanes agree"]
    assert all(name in legend.toolTip() for name in names)
    board.resize(320, 400)
    assert not legend.legend.hides_names, "it takes half of a low board: plots of unnamed lanes are useless"
    board.resize(320, 1400)
    assert not legend.legend.hides_names, "there is room for them"
    board.resize(320, 240)
    assert legend.legend.hides_names


def _places(legend: LegendRow) -> dict[int, tuple[int, float]]:
    """Return row and left end of the segment of each curve."""
    places = {}
    for row, line in enumerate(legend.legend.lines):
        x = legend.legend.start_x
        for text, color in line:
            if color is not None:
                places[color] = row, x
            x += legend.legend.font(legend.legend_space).advance(text) + sample_width(DARK) + 3 * GRID_UNIT
    return places


def _alpha(image: QImage) -> int:
    return image.pixelColor(QPoint(image.width() // 2, image.height() // 2)).alpha()


def test_twelve_agreeing_lanes_are_all_visible(make: Maker) -> None:
    board = make(FakeRun(NAMES), [Omega])
    plot, image = strips(board)[0], picture(board)
    traces = shown(board)[0].plots[0].traces
    assert len({(trace.color, marker_of(trace.number or 0)) for trace in traces}) == 12
    shares = [len(near(image, plot, board, color)) for color in {trace.color for trace in traces}]
    assert min(shares) > 20
    assert traces[0].color == traces[8].color


@pytest.fixture
def scene(qtbot: QtBot) -> Iterator[SceneView]:
    view = SceneView(item_classes=[Ghosts])
    qtbot.addWidget(view)
    view.resize(640, 480)
    with qtbot.waitExposed(view):
        view.show()
    yield view
    view.shutdown()


def test_ghost_has_marker_of_its_lane(scene: SceneView) -> None:
    run = spinning_run()
    run.info = replace(run.info, colors=(0, 2 * COLOR_COUNT + 1))
    scene.start(run)
    first, second = make_frame().lanes
    ghost = replace(second, color=2 * COLOR_COUNT + 1)
    scene.show_frame(replace(make_frame(), lanes=(first, ghost)))
    (label,) = (candidate for candidate in scene.stage.labels if candidate.visible)
    assert (label.text, label.color) == ("□", DARK.lanes[1])
    assert ghost.pose is not None
    assert label.position == pytest.approx(ghost.pose.rotation[:, 0])
    scene.show_frame(replace(make_frame(), lanes=(first, replace(ghost, frozen=True))))
    assert scene.stage.legend_lines["ghosts 1"][0].startswith(f"□ {ghost.name}: frozen")
    scene.show_frame(replace(make_frame(), lanes=(first, replace(ghost, color=1))))
    assert not [candidate for candidate in scene.stage.labels if candidate.visible], (
        "the first eight differ by color alone"
    )


def test_ghost_of_ended_lane_has_short_name(scene: SceneView) -> None:
    """A narrow view would omit the middle of the full name, which distinguishes the lanes."""
    run, names = spinning_run(), ("euler_angles/313", "euler_angles/321")
    run.data = dict(zip(names, run.data.values(), strict=True))
    run.status, run.rows = dict.fromkeys(names, "ok"), dict.fromkeys(names, len(run.t))
    run.info = replace(run.info, lanes=names)
    scene.start(run)
    first, second = (replace(lane, name=name) for lane, name in zip(make_frame().lanes, names, strict=True))
    scene.show_frame(replace(make_frame(), lanes=(first, replace(second, frozen=True))))
    assert scene.stage.legend_lines["ghosts 1"][0] == "3-2-1: frozen at its last valid time"


def test_marker_glyphs_exist_in_the_font(qapp: object) -> None:
    metrics = QFontMetrics(tabular_font(DARK, DARK.normal))
    assert all(metrics.inFontUcs4(ord(glyph)) for glyph in MARKER_GLYPHS.values() if glyph)
    assert [title_with_glyph("a", COLOR_COUNT * number) for number in range(4)] == ["a", "○ a", "□ a", "△ a"]


def test_second_lane_is_dashed_only_where_it_differs(make: Maker) -> None:
    run = FakeRun(("one", "two"))
    for lane in run.data:
        run.data[lane]["omega"][:] = 1.0
    run.data["two"]["omega"][2000:] = 2.0
    board = make(run, [Omega])
    plot, image = strips(board)[0], picture(board)
    left, right, begin, middle = (
        point_on_board(board, plot, plot.area.left() + part * plot.area.width(), 0.0).x()
        for part in (0.55, 0.95, 0.05, 0.45)
    )
    pixels = near(image, plot, board, QColor(DARK.lanes[1]))
    columns = np.unique(pixels[(pixels[:, 0] > left) & (pixels[:, 0] < right)][:, 0])
    gaps = np.diff(columns) - 1
    dash, gap = (DARK.curve_width * part for part in dash_pattern(1))
    assert len(gaps[gaps > 0]) == pytest.approx((right - left) / (dash + gap), abs=2)
    assert np.abs(gaps[gaps > 0] - gap).max() <= 2
    first = near(image, plot, board, QColor(DARK.lanes[0]))
    columns = np.unique(first[(first[:, 0] > left) & (first[:, 0] < right)][:, 0])
    assert np.diff(columns).max() == 1
    either = np.unique(np.concatenate([first, pixels])[:, 0])
    assert np.diff(either[(either > begin) & (either < middle)]).max() <= 3, "colors blend between stripes"


def test_legend_and_list_show_lane_dashes(make: Maker, qtbot: QtBot) -> None:
    run = FakeRun(("one", "two", "three"))
    board = make(run, [Omega])
    legend, image = board.legend, picture(board)
    line, ground = legend.height() / len(legend.legend.lines), QColor(DARK.surface)
    for number, (row, begin) in _places(legend).items():
        drawn = [
            image.pixelColor(point_on_board(board, legend, begin + x, round((row + 0.5) * line))) != ground
            for x in range(sample_width(DARK))
        ]
        pieces = sum(current and not before for before, current in pairwise([False, *drawn]))
        assert pieces == {0: 1, 1: 2, 2: 4}[number], number
    chip = LaneChip()
    qtbot.addWidget(chip)
    inked = []
    for lane in run.frame(0.0).lanes:
        chip.show_lane(lane)
        chip.resize(chip.sizeHint())
        inked.append(_inked(chip.grab().toImage(), round(chip.height() / 2 + DASH_OFFSET)))
    assert inked[0] == 0
    assert chip.width() > inked[1] > inked[2] > 0
    chip.show_lane(replace(run.frame(0.0).lanes[2], visible=False))
    hidden = chip.grab().toImage()
    assert _inked(hidden, chip.height() // 2) == inked[2]


def _inked(image: QImage, y: int) -> int:
    colors = [image.pixelColor(x, y) for x in range(image.width())]
    return sum(color != image.pixelColor(image.width() - 1, 0) for color in colors)


def test_lanes_stay_dashed_and_theory_is_solid(make: Maker) -> None:
    names = ("lagrange_full/torque", "lagrange_full/split")
    board = make(FakeRun(names, formulations=names), [Omega, Multiplier])
    omega, multiplier = (panel.plots[0].traces for panel in shown(board))
    assert [trace.pattern for trace in omega] == [dash_pattern(0), dash_pattern(1)]
    assert [trace.pattern for trace in multiplier] == [dash_pattern(0), dash_pattern(1), (), ()]
    assert [trace.is_theory for trace in multiplier] == [False, False, True, True]
    assert [trace.color for trace in multiplier] == 2 * [lane_color(DARK, 0), lane_color(DARK, 1)]
