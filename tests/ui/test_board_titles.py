"""The board after a panel is hidden, and panel titles in little space."""

from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest
from board_maker import Maker, make, process_events  # noqa: F401 (a fixture)
from fake_run import FakeRun
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot
from test_board_window import picture

from quatviz.display.data.scales import LogScale, min_tick_count
from quatviz.display.panels.base import Panel
from quatviz.display.panels.base.time_axis import TimeAxis
from quatviz.display.panels.centre_of_mass import CentreOfMass
from quatviz.display.panels.drift import Drift
from quatviz.display.panels.energy import Energy
from quatviz.display.panels.euler_angles import EulerAnglesPanel
from quatviz.display.panels.h import AngularMomentum
from quatviz.display.panels.momentum_sphere import MomentumSphere
from quatviz.display.panels.omega import Omega
from quatviz.display.view_state.theme import DARK, GRID_UNIT, PROJECTOR, Theme, scaled_theme
from quatviz.physics.events.kick import Kick
from quatviz.ui.plots.board import PlotBoard
from quatviz.ui.plots.globe_view import GlobeWidget
from quatviz.ui.plots.overlays import AxisGrid
from quatviz.ui.plots.painted_view import PaintedPanelWidget
from quatviz.ui.plots.panel_layout import PanelHost
from quatviz.ui.plots.panel_view import PanelPaintWidget
from quatviz.ui.plots.strip_plot import StripPlot
from quatviz.ui.plots.time_view import TimeRow, TimeView
from quatviz.ui.plots.title_row import CHEVRON_SPACE, MIN_TITLE_LEFT, SIZE_BUTTON_WIDTH, TitleRow
from quatviz.ui.widgets.style import PlotStyle, set_own_theme


def test_hidden_panel_leaves_no_trace(make: Maker) -> None:
    alone = make(FakeRun(), [Omega, AngularMomentum])
    board = make(FakeRun(), [Omega, AngularMomentum, Drift])
    with_it = differing(board, alone)
    board.show_panel("drift", False)
    process_events()
    # An item under the pointer may be highlighted in one of them.
    assert differing(board, alone) < with_it / 20


def differing(one: PlotBoard, other: PlotBoard) -> float:
    """Return the fraction of different bytes in two pictures of boards."""
    images = [picture(board).convertToFormat(QImage.Format.Format_RGB32) for board in (one, other)]
    first, second = (np.frombuffer(image.constBits(), np.uint8) for image in images)
    return float(np.mean(first != second))


def title_of(board: PlotBoard) -> TitleRow:
    title: TitleRow | None = board.findChildren(PanelHost)[0].findChild(TitleRow)
    assert title is not None
    return title


def test_title_moves_left_before_it_is_elided(make: Maker) -> None:
    board = make(FakeRun(), [Omega])
    title = title_of(board)
    gutter = title.plot_style.gutter
    assert title.title_left == gutter
    need = title.titles_width + sum(chooser.min_width for chooser in title.choosers) + title.plot_style.margin
    title.resize(round(need) + 30, title.height())
    assert title.title_left == pytest.approx(30.0, abs=0.5)
    title.resize(round(need) - 20, title.height())
    assert title.title_left == MIN_TITLE_LEFT


def test_title_font_shrinks_before_text_is_elided(make: Maker) -> None:
    """ "Angula…mentum" is not a readable title."""
    title = title_of(make(FakeRun(), [AngularMomentum]))
    whole = title.titles_width
    title.resize(round(MIN_TITLE_LEFT + 0.9 * whole + len(title.choosers) * CHEVRON_SPACE), title.height())
    assert title.titles_width < 0.95 * whole
    assert title.title_left + title.titles_width <= min(chooser.x() for chooser in title.choosers)
    title.resize(round(2 * whole), title.height())
    assert title.titles_width == whole


def test_choosers_stay_in_title_that_was_laid_out_hidden(make: Maker) -> None:
    board = make(FakeRun(), [Omega])
    title = title_of(board)
    chooser = title.choosers[0]
    board.findChildren(PanelHost)[0].hide()
    title.resize(title.width() - 100, title.height())
    board.findChildren(PanelHost)[0].show()
    assert chooser.geometry().right() <= title.width()


def test_choosers_show_choice_where_title_can_move_left(make: Maker) -> None:
    """In a column as narrow as at 150 % on a small screen, one chooser showed only its arrow."""
    board = make(FakeRun(), [EulerAnglesPanel])
    title = title_of(board)
    need = title.titles_width + sum(chooser.min_width for chooser in title.choosers) + title.plot_style.margin
    title.resize(round(need) + MIN_TITLE_LEFT + 1, title.height())
    assert [chooser.visible_texts for chooser in title.choosers] == [["wrapped"], ["3-2-1"]]
    assert title.title_left < title.plot_style.gutter
    edges = [
        title.title_left + title.titles_width,
        *(
            edge
            for choice_box in title.choosers
            for edge in (choice_box.x(), choice_box.x() + choice_box.width())
        ),
    ]
    assert edges == sorted(edges), "beside each other"
    title.resize(title.width() - 20, title.height())
    assert title.choosers[1].visible_texts == ["3-2-1"], "the longer text is elided"
    full = title.width()
    for less in range(40):  # as in a lecture at 150 % on a small screen
        title.resize(full - less, title.height())
        assert title.choosers[1].visible_texts == ["3-2-1"], "without its arrow where only that lacks room"
        assert title.choosers[1].x() + title.choosers[1].width() <= title.width()


@pytest.mark.parametrize("panel", [Omega, EulerAnglesPanel])
def test_folded_choosers_leave_room_for_title(make: Maker, panel: type[Panel]) -> None:
    board = make(FakeRun(), [panel])
    title = title_of(board)
    count = len(title.choosers)
    title.resize(
        round(title.titles_width + count * CHEVRON_SPACE) + title.plot_style.margin + MIN_TITLE_LEFT,
        title.height(),
    )
    labels = [["body"]] if panel is Omega else [[""]] * count
    assert [chooser.visible_texts for chooser in title.choosers] == labels, (
        "a short text takes the room of its arrow"
    )
    assert title.choosers[0].x() >= title.title_left + title.titles_width - 1


def test_enlarge_button_stands_before_title_and_disappears_last(make: Maker, qtbot: QtBot) -> None:
    board = make(FakeRun(), [Omega, AngularMomentum])
    title = title_of(board)
    sign = title.size_button
    assert sign.geometry().right() < title.title_left == title.plot_style.gutter
    assert sign.focusPolicy() & Qt.FocusPolicy.TabFocus
    title.resize(round(title.titles_width), title.height())
    assert (title.title_left, sign.x(), sign.width()) == (MIN_TITLE_LEFT, 0, SIZE_BUTTON_WIDTH)
    drawn = title.grab(sign.geometry()).toImage()
    sign.hide()
    assert drawn != title.grab(sign.geometry()).toImage(), "visible, and reachable by Tab and mouse"
    sign.show()
    unseen = sign.grab().toImage()
    board.activateWindow()
    qtbot.waitUntil(board.isActiveWindow)
    sign.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(lambda: sign.hasFocus())
    assert sign.grab().toImage() != unseen
    assert sign.accessibleName() == "Enlarge: Angular velocity"
    qtbot.keyClick(sign, Qt.Key.Key_Return)
    assert board.arranger.maximised == title.name
    assert sign.accessibleName() == "Show all panels"
    sign.click()
    assert board.arranger.maximised is None
    assert sign.accessibleName() == "Enlarge: Angular velocity"


def test_choosers_fit_font_of_new_theme(make: Maker) -> None:
    board = make(FakeRun(), [Omega, AngularMomentum])
    set_own_theme(board, PROJECTOR)
    process_events()
    for title in board.findChildren(TitleRow):
        for chooser in title.choosers:
            taken = chooser.geometry()
            title.fit()
            assert chooser.geometry() == taken, chooser.visible_texts


def test_title_note_does_not_touch_options(make: Maker) -> None:
    """Both have the same font: "3 wraps, deg wrapped" was read as one text."""
    title, gaps = title_of(make(FakeRun(), [EulerAnglesPanel])), []
    title.set_note("3 wraps, deg")
    for width in range(200, 560, 4):
        title.resize(width, title.height())
        with patch("PySide6.QtGui.QPainter.drawText") as write:
            title.grab()
        ends = [
            call.args[0].x() + title.plot_style.small_metrics.horizontalAdvance(call.args[1])
            for call in write.call_args_list
            if call.args[-1].startswith("3 wraps")
        ]
        gaps += [min(chooser.x() for chooser in title.choosers) - end for end in ends]
    assert len(gaps) > 20
    assert min(gaps) >= GRID_UNIT


@pytest.mark.parametrize("size", [1.0, 1.5, 2.0])
def test_axis_numbers_are_not_clipped_at_any_size(qapp: object, size: float) -> None:
    """For example a power at the top of a strip, and the zero at its bottom."""
    style = PlotStyle(scaled_theme("projector", size))
    area = QRectF(style.gutter, 20 * size, 60, 60 * size)
    scale = LogScale()
    scale.extend_to(1e-9, 1.0, 1e-9, 0.0)
    inks = []
    for draw in (
        lambda painter: AxisGrid(style).draw(painter, 1.0, TimeAxis(), scale, area, area),
        lambda painter: draw_with_margin(painter, style, scale, area),
    ):
        image = QImage(style.gutter + 60, round(110 * size), QImage.Format.Format_RGB32)
        image.fill(style.background)
        with QPainter(image) as painter:
            draw(painter)
        inks.append([y for y in range(image.height()) if inked(image, y, style)])
    assert inks[0] == inks[1]
    assert style.bottom_margin >= style.small_metrics.capHeight() / 2 - 0.5, "below the plot"


def draw_with_margin(painter: QPainter, style: PlotStyle, scale: LogScale, area: QRectF) -> None:
    """Draw the same numbers with room around them."""
    painter.setFont(style.small_font)
    painter.setPen(style.muted_color)
    lines = area.height() / style.small_metrics.height()
    for part, text in scale.ticks(min_tick_count(lines)):
        y = round(area.bottom() - part * area.height()) + 0.5
        box = QRectF(0, y - 100, area.left() - 8, 200)
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)


def inked(image: QImage, y: int, style: PlotStyle) -> bool:
    return any(image.pixelColor(x, y) != style.background for x in range(style.gutter - 8))


@pytest.mark.parametrize("theme", [DARK, PROJECTOR])
def test_every_panel_has_a_useful_minimum_height(make: Maker, theme: Theme) -> None:
    board = make(FakeRun(tuple("abcde")))
    set_own_theme(board, theme)
    board.set_panel_visibility(dict.fromkeys(board.titles, True))
    process_events()
    line = PlotStyle(theme).small_metrics.height()
    globes, matrix = board.findChildren(GlobeWidget), board.findChildren(PaintedPanelWidget)[0]
    assert len(globes) == 3
    assert min(globe.height() for globe in globes) >= 150
    assert matrix.height() >= 5 * 1.2 * line, "one row for each lane"
    plots = {plot.plot.weight: plot.area.height() for plot in board.findChildren(StripPlot)}
    assert plots[2.0] > 1.8 * plots[1.0], "a plot alone in its panel is higher"


def test_energy_panel_keeps_its_share_beside_sphere(make: Maker) -> None:
    board = make(FakeRun(), [Energy, MomentumSphere])
    board.set_panel_visibility(dict.fromkeys(board.titles, True))
    board.resize(480, 620)  # as on a screen of 1366 by 768
    process_events()
    energy, sphere = board.findChildren(PanelHost)
    assert energy.height() >= 0.3 * (energy.height() + sphere.height())


def test_fixed_center_of_mass_is_reported(make: Maker) -> None:
    board = make(FakeRun(), [CentreOfMass])
    board.show_panel("centre_of_mass", True)
    process_events()
    view = board.panels[0]
    assert isinstance(view, TimeView)
    assert view.plots == []
    assert "center of mass" in view.empty_row.sentence
    assert view.empty_row.isVisible()


def test_hidden_panel_releases_picture_and_returns_unchanged(make: Maker, qtbot: QtBot) -> None:
    board = make(FakeRun(), [Energy, MomentumSphere])
    board.set_panel_visibility(dict.fromkeys(board.titles, True))
    process_events()
    items: list[PanelPaintWidget] = board.findChildren(PanelPaintWidget)
    strips = [item for item in items if isinstance(item, StripPlot)]
    looks = [item.grab().toImage() for item in items]
    assert strips
    assert len(strips) < len(items)
    board.hide()
    assert all(strip.picture.pixmap.isNull() for strip in strips)
    with patch.object(GlobeWidget, "draw", autospec=True, side_effect=GlobeWidget.draw) as drawn:
        board.show()
        # The display server decides when the window is painted.
        qtbot.waitUntil(lambda: drawn.call_count > 0)
        process_events()
    assert drawn.call_count == len(items) - len(strips)
    assert [item.grab().toImage() for item in items] == looks


def test_time_labels_update_after_zoom_at_rest(make: Maker) -> None:
    board = make(FakeRun(), [Energy])
    board.show_panel("energy", True)
    process_events()
    with patch.object(TimeRow, "draw", autospec=True, side_effect=TimeRow.draw) as drawn:
        board.axis.show_span((0.0, 5.0))
        process_events()
    assert drawn.call_count == 1


def test_time_just_before_kick_is_marked(make: Maker) -> None:
    """The time was 2.00 beside numbers from before the kick at 2 s."""
    run = FakeRun()
    run.info = replace(run.info, events=(Kick(at=2.0, impulse=[1.0, 0.0, 0.0]),))
    board = make(run, [Energy])
    board.show_panel("energy", True)
    view, pictures = board.panels[0], []
    assert isinstance(view, TimeView)
    for time in (1.9999999, 2.0):
        board.show_frame(run.frame(time))
        process_events()
        pictures.append(view.time_row.grab().toImage())
    assert pictures[0] != pictures[1]
    assert [run.info.time_text(time) for time in (1.98, 1.9999999, 2.0)] == ["1.98", "2.00⁻", "2.00"]
