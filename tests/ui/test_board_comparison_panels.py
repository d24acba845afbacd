"""Panels that compare formulations: parts of lambda, conditioning, cost, and distances between lanes."""

import math
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from board_maker import Maker, make, point_on_board, process_events  # noqa: F401 (a fixture)
from fake_run import FakeRun
from PySide6.QtGui import QColor, QImage, QPainter
from test_board_window import near, picture, point, shown, strips

from quatviz.base.formatting import format_power_of_ten
from quatviz.display.data.budget import FrameBudget
from quatviz.display.data.frame import Frame, Pose
from quatviz.display.data.series import StackSeries
from quatviz.display.panels.base.canvas import Align, FontSize, Rect
from quatviz.display.panels.condition import Condition
from quatviz.display.panels.cost import Cost
from quatviz.display.panels.drift import Drift
from quatviz.display.panels.energy import Energy
from quatviz.display.panels.multiplier import Multiplier
from quatviz.display.panels.omega import Omega
from quatviz.display.panels.orientation_errors import (
    OrientationErrors,
    decade_labels,
    error_color,
    error_text,
)
from quatviz.display.panels.ring import RingMotion
from quatviz.display.view_state.line_styles import dashes_between
from quatviz.display.view_state.theme import DARK, PROJECTOR, Theme
from quatviz.physics.mechanics.ring import Ring
from quatviz.physics.mechanics.rotations import from_rotation_vector, rotation_matrix
from quatviz.physics.observables.multiplier_theory import TERMS
from quatviz.ui.plots.board import PlotBoard
from quatviz.ui.plots.painted_view import PaintedView, QtCanvas
from quatviz.ui.widgets.style import PlotStyle

pytestmark = pytest.mark.usefixtures("qapp")  # letters have their widths

FORMS = ("newton_euler", "lagrange_full/split", "lagrange_simplified/gradient")
LEVELS = {"4T": 30.0, "2uᵀAᵀf": -12.0, "2uᵀf": 5.0}


def three_lanes_run() -> FakeRun:
    """Return a run whose third lane has three terms of lambda at constant levels."""
    run = FakeRun(("one", "two", "three"), formulations=FORMS)
    for number, term in enumerate(TERMS):
        run.data["three"]["lam_terms"][:, number] = LEVELS.get(term, 0.0)
    run.data["three"]["lam"][:] = run.data["three"]["lam_theory"][:] = sum(LEVELS.values())
    return run


def panel_of(board: PlotBoard) -> PaintedView:
    (panel,) = (panel for panel in board.panels if isinstance(panel, PaintedView))
    return panel


# parts of lambda


def test_lambda_terms_are_stacked_with_lambda_on_top(make: Maker) -> None:
    run = three_lanes_run()
    board = make(run, [Multiplier])
    panel = shown(board)[0]
    choice = panel.panel.choice_in(run.info)
    assert choice is not None
    assert choice.texts == ("all lanes", "λ terms of two", "λ terms of three")
    board.choices.choose(choice, "three")
    process_events()
    (plot,) = strips(board)
    assert [trace.label for trace in plot.traces] == ["λ", "4T", "2uᵀAᵀf", "2uᵀf"]
    board.show_frame(run.frame(20.0))
    values = {reading.component: reading.value for reading in panel.readings()}
    assert values == pytest.approx({"λ": 23.0, **LEVELS})
    assert plot.y_scale.low <= 0.0
    image, inner = picture(board), plot.curve_area

    def color_at(value: float) -> str:
        y = point_on_board(
            board, plot, 0, inner.bottom() - plot.y_scale.project_value(value) * inner.height()
        ).y()
        return image.pixelColor(point(board, plot, 10.3).x(), y).name()

    # The first term covers 0 to 30. Above 18 it lies below the second, which subtracts, and the third,
    # which adds.
    assert color_at(8.0) == color_at(12.0)
    assert len({color_at(8.0), color_at(21.5), color_at(27.0), color_at(33.0)}) == 4
    top = point_on_board(
        board, plot, 0, inner.bottom() - plot.y_scale.project_value(23.0) * inner.height()
    ).y()
    white = near(image, plot, board, plot.traces[0].color, 0.6)
    assert (
        np.sum(np.abs(white[:, 1] - top) <= 4) > 0.8 * inner.width()
    )  # the remainder is the cursor, and pale areas


def test_stacked_terms_are_summed_incrementally() -> None:
    series = StackSeries(3)
    times, parts = np.arange(9.0), np.tile([5.0, -2.0, 4.0], (9, 1))
    assert series.set_data(times[:4], parts[:4])
    assert series.set_data(times, parts)
    assert not series.set_data(times, parts)
    assert np.asarray(series.values).tolist() == [[5.0, 3.0, 7.0]] * 9
    assert series.values_at(6.5) == [5.0, -2.0, 4.0]
    assert series.maximum.tolist() == [5.0, 3.0, 7.0]


def test_run_without_chosen_lane_shows_all_lanes(make: Maker) -> None:
    board = make(three_lanes_run(), [Multiplier])
    panel = shown(board)[0]
    choice = panel.panel.choice_in(three_lanes_run().info)
    assert choice is not None
    board.choices.choose(choice, "three")
    other = FakeRun(("five",), formulations=("lagrange_full/torque",))
    board.start(other)
    board.show_frame(other.frame(1.0, generation=2))
    process_events()
    choice = panel.panel.choice_in(other.info)
    assert choice is not None
    assert choice.options == ("",)  # in theory its lambda is zero: it has no terms
    assert [trace.is_theory for trace in panel.plots[0].traces] == [False, True]
    board.start(three_lanes_run())
    board.store.update(difference=True)
    process_events()
    assert [trace.label for trace in panel.plots[0].traces] == ["three"]


# panels shown by default


def test_condition_and_cost_panels_are_shown_where_relevant(make: Maker) -> None:
    kinds = [Condition, Cost, Energy, OrientationErrors, RingMotion, Omega]
    run = three_lanes_run()
    board = make(run, kinds)
    assert [panel.name for panel in board.panels] == ["omega"]
    free = FakeRun(("one", "two"), formulations=("udwadia_schutte", "udwadia_schutte_fundamental"))
    board.start(free)
    assert [panel.name for panel in board.panels] == ["omega", "condition"]
    damped = three_lanes_run()
    ring = Ring(mass=1.0, mean_radius=1.0, arc_angle=1.0, spin=1.0)
    body = replace(damped.info.body, ring=ring)
    damped.info = replace(damped.info, body=body, constants=("constraint", "constraint_rate"))
    board.start(damped)
    assert [panel.name for panel in board.panels] == ["omega", "energy", "ring"]
    lost = FakeRun(("one", "two"), formulations=("newton_euler", "ring_damper_as_printed"))
    board.start(lost)
    assert [panel.name for panel in board.panels] == ["omega", "orientation_errors"]


def test_missing_ring_is_reported(make: Maker) -> None:
    board = make(three_lanes_run(), [RingMotion, Omega])
    board.show_panel("ring", True)
    process_events()
    ring = next(panel for panel in shown(board) if panel.name == "ring")
    assert ring.empty_row.sentence == "This body has no ring."


def test_hidden_panels_request_no_data(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    quantities: list[str] = []
    run = three_lanes_run()
    values = run.values

    def content(panel: Cost, frame: Frame) -> tuple[tuple[str, float], ...]:
        asked.append("cost")
        return ()

    def counted(lane: str, quantity: str) -> tuple[np.ndarray, np.ndarray]:
        quantities.append(quantity)
        return values(lane, quantity)

    monkeypatch.setattr(Cost, "content", content)
    monkeypatch.setattr(run, "values", counted)
    board = make(run, [Omega, Condition, Cost, OrientationErrors])
    for time in (1.0, 2.0):
        board.show_frame(run.frame(time))
    assert set(quantities) == {"omega"}
    assert asked == []
    board.show_panel("condition", True)
    process_events()
    assert "condition" in quantities


# cost panel


def costly(run: FakeRun, time: float, costs: tuple[float, ...], playing: bool = False) -> Frame:
    frame = run.frame(time)
    lanes = tuple(replace(lane, cost=cost) for lane, cost in zip(frame.lanes, costs, strict=True))
    return replace(frame, lanes=lanes, playing=playing)


def test_cost_bars_are_proportional_to_cost(make: Maker) -> None:
    run = three_lanes_run()
    board = make(run, [Cost, Drift])
    board.show_panel("cost", True)
    board.start(run)
    board.show_frame(costly(run, 1.0, (2e-7, 4e-7, math.nan)))
    process_events()
    panel = panel_of(board)
    assert panel.content[:2] == (("one", 200.0), ("two", 400.0))
    image = picture(board)
    seen = []
    for color in DARK.lanes[:2]:
        row = [
            (x, y)
            for y in range(30, image.height())
            for x in range(image.width() // 2, image.width())
            if image.pixelColor(x, y) == QColor(color)
        ]
        counts = np.bincount([y for _, y in row])
        seen.append(int(np.sort(counts)[-3]))  # a bar is six rows high
    assert seen[0] > 20
    assert seen[1] == pytest.approx(2 * seen[0], abs=3)
    assert next((reading.lane, reading.unit) for reading in panel.readings()) == ("one", "s per step")


def test_costs_update_twice_a_second_or_at_lane_end(make: Maker) -> None:
    budget, run = FrameBudget(), three_lanes_run()
    run.status["one"] = "running"
    board = make(run, [Cost])
    board.show_panel("cost", True)
    texts = set()
    for number in range(60):
        budget.begin_frame(100.0 + number / 60, playing=True)
        cost_frame = costly(run, number / 60, ((100.0 + number) * 1e-9, 2e-7, 3e-7), playing=True)
        board.show_frame(replace(cost_frame, budget=budget))
        texts.add(panel_of(board).content)
    assert 2 <= len(texts) <= 4
    run.status["one"] = "ok"
    board.show_frame(replace(costly(run, 1.5, (7.77e-7, 2e-7, 3e-7), playing=True), budget=budget))
    assert panel_of(board).content[0] == ("one", 777.0)


# orientation errors


def test_matrix_shows_pairwise_angles_and_marks_unrelated_lanes(make: Maker) -> None:
    forms = ("newton_euler", "hamilton", "udwadia_schutte_unconstrained", "euler_angles/313")
    run = FakeRun(("one", "two", "three", "four"), formulations=forms)
    board = make(run, [OrientationErrors])
    turns = (0.0, 3e-12, 0.5, 1.0)
    lanes = []
    for lane, turn in zip(run.frame(0.0).lanes, turns, strict=True):
        p = from_rotation_vector(np.array([0.0, turn, 0.0]))
        lanes.append(replace(lane, pose=Pose(p, rotation_matrix(p), {}), frozen=lane.name == "four"))
    board.show_frame(replace(run.frame(2.0), lanes=tuple(lanes)))
    process_events()
    panel = panel_of(board)
    table = {(reading.lane, reading.quantity.split()[-1]): reading.value for reading in panel.readings()}
    assert len(table) == 12
    assert table["one", "two"] == table["two", "one"] == pytest.approx(3e-12, rel=1e-3)
    assert table["three", "one"] == pytest.approx(0.5)
    assert math.isnan(table["four", "one"])
    image = picture(board)
    seen = {image.pixelColor(x, y).name() for x in range(0, 400, 2) for y in range(40, image.height(), 2)}
    assert {error_color(3e-12, DARK), error_color(0.5, DARK)} <= seen
    assert [error_text(error) for error in (3e-12, 0.0, 0.31, 1.2, math.nan)] == [
        "3e−12",
        "0",
        "0.3",
        "1.2",
        "–",
    ]


def test_matrix_of_a_single_lane_says_what_it_needs(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    """After File > New the panel was empty without a reason."""
    run = FakeRun(("one", "two"), formulations=FORMS[:2])
    monkeypatch.setattr(OrientationErrors, "is_relevant", classmethod(lambda cls, info: True))
    lines: list[str] = []
    draw_text = QtCanvas.draw_text

    def record(self: QtCanvas, x: float, y: float, text: str, *style: Any) -> None:
        lines.append(text)
        draw_text(self, x, y, text, *style)

    monkeypatch.setattr(QtCanvas, "draw_text", record)
    board = make(run, [OrientationErrors])
    picture(board)
    assert "at least" not in " ".join(lines)
    lines.clear()
    board.show_frame(run.frame(0.0, visible=("one",)))
    process_events()
    picture(board)
    assert " ".join(lines) == OrientationErrors.empty_text
    alone = FakeRun(("one",), formulations=FORMS[:1])
    lines.clear()
    board.start(alone)
    board.show_frame(alone.frame(0.0, generation=2))
    process_events()
    picture(board)
    assert " ".join(lines) == OrientationErrors.empty_text


class RecordingCanvas(QtCanvas):
    """Canvas that records texts and boxes with their positions, and the text sizes of the cells. End its
    `brush` after drawing."""

    def __init__(self, width: float, height: float, theme: Theme = DARK) -> None:
        self.image = QImage(round(width), round(height), QImage.Format.Format_RGB32)
        self.brush = QPainter(self.image)
        super().__init__(self.brush, PlotStyle(theme), width, height)
        self.cells: list[tuple[str, FontSize, Rect]] = []
        self.names: list[tuple[str, Rect]] = []
        self.filled: list[Rect] = []
        self.written: list[tuple[float, float, str]] = []

    def draw_text(
        self,
        x: float,
        baseline: float,
        text: str,
        color: str,
        size: FontSize = "normal",
        align: Align = "left",
    ) -> None:
        self.written.append((x, baseline, text))
        super().draw_text(x, baseline, text, color, size, align)

    def fill_box(self, box: Rect, color: str) -> None:
        self.filled.append(box)
        super().fill_box(box, color)

    def draw_text_in(
        self, box: Rect, text: str, color: str, size: FontSize = "normal", align: Align = "left"
    ) -> None:
        if align == "center":
            self.cells.append((text, size, box))
        else:
            self.names.append((text, box))
        super().draw_text_in(box, text, color, size, align)


def test_matrix_uses_largest_font_that_fits() -> None:
    forms = ("newton_euler", "hamilton", "udwadia_schutte_unconstrained", "euler_angles/313")
    info = FakeRun(("one", "two", "three", "four"), formulations=forms).info
    rows = tuple((lane, (0.0, 1e-10, math.nan, 0.5)) for lane in info.lanes)

    def draw_matrix(width: float, height: float) -> RecordingCanvas:
        canvas = RecordingCanvas(width, height)
        OrientationErrors().draw(canvas, rows, info)
        canvas.brush.end()
        return canvas

    assert {size for _, size, _ in draw_matrix(300.0, 130.0).cells} == {"small"}
    canvas = draw_matrix(230.0, 300.0)  # powers of ten fit beside the names
    decade = [box for text, _, box in canvas.cells if text == format_power_of_ten(-10)]
    assert decade
    assert all(canvas.text_width(format_power_of_ten(-10), "small") < box.width for box in decade)
    canvas = draw_matrix(700.0, 900.0)  # without other panels, as in a lesson
    assert {size for _, size, _ in canvas.cells} == {"large"}
    name = max(canvas.text_width(lane, "large") for lane in info.lanes)
    assert name < min(box.x for _, _, box in canvas.cells) < 0.5 * 700.0
    draw_matrix(76.0, 60.0)  # 0 and NaN have no power of ten, which is shown where there is no room


@pytest.mark.parametrize("theme", [DARK, PROJECTOR])
@pytest.mark.parametrize(
    "size", [(480.0, 900.0), (480.0, 300.0), (960.0, 300.0), (1000.0, 740.0), (300.0, 300.0)]
)
@pytest.mark.parametrize("count", [2, 4, 12])
def test_matrix_fills_panel(count: int, size: tuple[float, float], theme: Theme) -> None:
    info = FakeRun(tuple(f"number {number}" for number in range(count))).info
    info = replace(info, formulations=("newton_euler", "udwadia_schutte_unconstrained") * (count // 2))
    rows = tuple((lane, (1e-10,) * count) for lane in info.lanes)
    canvas = RecordingCanvas(*size, theme)
    OrientationErrors().draw(canvas, rows, info)
    canvas.brush.end()
    filled = max(box.bottom for box in canvas.filled)
    assert filled > 0.5 * min(size[1], 1.2 * size[0]), "more than half of the panel is used"
    assert filled < size[1] - 2 * canvas.line_height("small"), "the key and the note have their room"
    cells = [box for _, _, box in canvas.cells]
    assert all(box.right <= size[0] for box in cells)
    assert not any(overlap(name, cell) for _, name in canvas.names for cell in cells)
    wide = min((box.width for box in cells), default=0.0)
    assert all(canvas.text_width(text, style) <= wide for text, style, _ in canvas.cells), (
        "no name overlaps the next"
    )


@pytest.mark.parametrize("theme", [DARK, PROJECTOR])
@pytest.mark.parametrize("width", [240.0, 300.0, 400.0, 900.0])
def test_names_beside_matrix_are_recognizable_or_absent(width: float, theme: Theme) -> None:
    """A name is as short as distinguishes it, on two lines with a whole first line, or it becomes a
    number."""
    lanes = ("lagrange_full/torque", "lagrange_simplified/gradient", "newton_euler")
    canvas = RecordingCanvas(width, 300.0, theme)
    rows = tuple((lane, (1e-10,) * 3) for lane in lanes)
    OrientationErrors().draw(canvas, rows, FakeRun(lanes).info)
    canvas.brush.end()
    shown_text = " ".join(text for text, _ in canvas.names)
    words = ("Lagrange,", "full:", "torque", "simplified:", "gradient", "Newton–", "Euler", "1", "2", "3")
    for word in shown_text.replace("–", "– ").split():
        assert word in words or (
            word.endswith("…") and any(full_word.startswith(word[:-1]) for full_word in words)
        )
    assert width < 400 or "gradient" in shown_text
    written = [box for _, box in canvas.names]
    assert not any(overlap(full_word, other) for full_word, other in combinations(written, 2))


@pytest.mark.parametrize("width", [300.0, 400.0, 500.0, 600.0, 760.0])
def test_names_beside_matrix_are_all_whole_or_all_short(width: float) -> None:
    lanes = ("lagrange_full/torque", "lagrange_simplified/torque", "newton_euler", "hamilton")
    canvas = RecordingCanvas(width, 300.0)
    OrientationErrors().draw(canvas, tuple((lane, (1e-10,) * 4) for lane in lanes), FakeRun(lanes).info)
    canvas.brush.end()
    shown_text = " ".join(text for text, _ in canvas.names)
    assert shown_text.count("Lagrange,") in (0, 2)


def test_short_names_are_preferred_to_numbers() -> None:
    """In a lesson on 1366 pixels the rows were "Newton–Euler", "2", "3" and "Exact solution"."""
    lanes = "newton_euler", "hamilton", "lagrange_simplified/torque", "exact"
    canvas = RecordingCanvas(386.0, 180.0, PROJECTOR)
    OrientationErrors().draw(canvas, tuple((lane, (1e-10,) * 4) for lane in lanes), FakeRun(lanes).info)
    canvas.brush.end()
    assert [text for text, _ in canvas.names] == ["Newton–Euler", "Hamilton", "Lagrange", "Exact solution"]


def test_matrix_keys_show_lane_dashes() -> None:
    info = FakeRun(("one", "two", "three")).info
    canvas = RecordingCanvas(600.0, 300.0)
    OrientationErrors().draw(canvas, tuple((lane, (1e-10,) * 3) for lane in info.lanes), info)
    canvas.brush.end()
    cell = max(canvas.filled, key=lambda box: box.width * box.height)
    keys = [box for box in canvas.filled if box.height < 0.5 * cell.height]
    for lane in range(3):
        row = [box for box in keys if box.x < 60 and lane < (box.y - 16) / cell.height < lane + 1]
        assert len(row) == len(list(dashes_between(lane, 0.0, 1.0))), lane
    assert len(keys) == 2 * sum(len(list(dashes_between(lane, 0.0, 1.0))) for lane in range(3))


def test_eight_lanes_are_named_on_large_screen() -> None:
    """A comparison on a screen 1920 pixels wide."""
    forms = (
        "lagrange_full/torque",
        "lagrange_simplified/torque",
        "newton_euler",
        "rotation_vector",
        "hamilton",
    )
    lanes = (*forms, "euler_angles/321", "lie_group", "reduced_euler_parameters")
    canvas = RecordingCanvas(548.0, 480.0, PROJECTOR)
    OrientationErrors().draw(canvas, tuple((lane, (1e-10,) * 8) for lane in lanes), FakeRun(lanes).info)
    canvas.brush.end()
    shown_text = " ".join(text for text, _ in canvas.names)
    names = shown_text.replace("– ", "–")
    fragments = "full", "simplified", "Newton–Euler", "rotation", "Hamilton", "3-2-1", "Lie group", "reduced"
    assert [word for word in fragments if word not in names] == []


def test_rows_without_room_for_names_have_numbers() -> None:
    """In a comparison of six lanes in large type on 1280x720 the only labels were line samples."""
    forms = "lagrange_full/torque", "lagrange_simplified/torque", "newton_euler", "rotation_vector"
    lanes = (*forms, "euler_angles/321", "hamilton")
    canvas = RecordingCanvas(330.0, 250.0, PROJECTOR)
    OrientationErrors().draw(canvas, tuple((lane, (1e-10,) * 6) for lane in lanes), FakeRun(lanes).info)
    canvas.brush.end()
    numbers = [str(number) for number in range(1, 7)]
    assert [text for text, _ in canvas.names] == numbers
    over = [(x, text) for x, y, text in canvas.written if y < min(box.y for _, box in canvas.names)]
    assert [text for _, text in sorted(over)] == numbers
    columns = sorted({box.x: box for _, _, box in canvas.cells}.values())
    for (x, text), cell in zip(sorted(over), columns, strict=True):
        assert cell.x < x < x + canvas.text_width(text, "small") < cell.right


def overlap(first: Rect, second: Rect) -> bool:
    across = first.x < second.right and second.x < first.right
    return across and first.y < second.bottom and second.y < first.bottom


@pytest.mark.parametrize("theme", [DARK, PROJECTOR])
def test_color_key_labels_do_not_touch(theme: Theme) -> None:
    canvas, counts = RecordingCanvas(700.0, 100.0, theme), []
    for width in (90.0, 200.0, 300.0, 600.0):
        placed = decade_labels(canvas, 10.0, 10.0 + width)
        texts = [format_power_of_ten(decade) if decade else "1" for decade, _ in placed]
        ends = [x + canvas.text_width(text, "small") for (_, x), text in zip(placed, texts, strict=True)]
        assert all(start > end for (_, start), end in zip(placed[1:], ends, strict=False))
        assert ends[-1] <= 10.0 + width
        counts.append(len(placed))
    canvas.brush.end()
    assert counts == sorted(counts)
    assert counts[-1] == 5


def test_larger_errors_have_stronger_colors() -> None:
    accent = QColor(DARK.accent)
    distances = [
        abs(QColor(error_color(error, DARK)).blueF() - accent.blueF())
        for error in (0.0, 1e-14, 1e-9, 1e-4, 3.0)
    ]
    assert distances == sorted(distances, reverse=True)


def test_times_are_numbered_below_lowest_plot_of_each_column(make: Maker) -> None:
    run = three_lanes_run()
    board = make(run, [Omega, Drift, OrientationErrors, Cost])
    board.set_panel_visibility(dict.fromkeys(board.titles, True))
    process_events()
    omega, drift = shown(board)
    assert len(board.panels) == 4
    assert omega.time_row.isVisible()
    assert drift.time_row.isVisible()
