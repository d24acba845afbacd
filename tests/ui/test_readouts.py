"""The table of numbers at the cursor fits any number of lanes."""

from dataclasses import replace

import numpy as np
import pytest
from fake_run import FakeRun
from PySide6.QtGui import QFontMetricsF, QPainter, QPixmap
from pytestqt.qtbot import QtBot

from quatviz.display.data.lane_readouts import MULTIPLIER_GROUP, READOUT_GROUPS
from quatviz.display.view_state.theme import DARK, GRID_UNIT, THEMES, Theme
from quatviz.physics.formulations import lane_title
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.ui.sidebar.readouts import COLUMNS_PER_BLOCK, ROW_HEIGHT, Readouts
from quatviz.ui.widgets.style import set_own_theme, tabular_font


def readout_values(value: float, drift: float | None = None) -> dict[str, np.ndarray]:
    """Return the same value for every component, and for the drifts unless they are given."""
    return {
        group.quantity: np.full(
            len(QUANTITIES[group.quantity].symbols),
            drift if drift is not None and group.form == "e" else value,
        )
        for group in READOUT_GROUPS
    }


@pytest.mark.parametrize("count", [1, 2, 4, 8])
def test_readout_columns_wrap_into_blocks_without_overlap(qtbot: QtBot, count: int) -> None:
    run = FakeRun(tuple("abcdefgh"[:count]))
    table = Readouts()
    qtbot.addWidget(table)
    alone = table.sizeHint().height()
    table.resize(278, 900)
    table.start(run)
    frame = run.frame(1.0)
    lanes = tuple(
        replace(lane, values=readout_values(-86.5 - 0.1 * number)) for number, lane in enumerate(frame.lanes)
    )
    table.show_frame(replace(frame, lanes=lanes))
    metrics = QFontMetricsF(tabular_font(DARK, DARK.small))
    for group in READOUT_GROUPS:
        text = table.value_text(count - 1, group.quantity)
        assert float(text.replace("−", "-")) == pytest.approx(-86.5, rel=0.05)
        assert metrics.horizontalAdvance(text) < table.cell_rect(count - 1, 0.0).width()
    assert table.sizeHint().height() == pytest.approx(alone * -(-count // COLUMNS_PER_BLOCK), abs=2)
    places = [table.cell_rect(number, 0.0) for number in range(count)]
    assert all(not first.intersects(second) for n, first in enumerate(places) for second in places[:n])
    assert all(rect.right() <= 278 for rect in places)


def test_lane_names_are_complete_above_columns_or_in_a_list(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With four lanes each column has fifty pixels, and "Ne…er" is not readable."""
    texts: list[str] = []
    monkeypatch.setattr(QPainter, "drawText", lambda self, *given: texts.append(str(given[-1])))
    for names, listed in (
        (("one", "two"), 0),
        (("newton_euler", "hamilton", "exact", "lie_group"), 4 * ROW_HEIGHT),
    ):
        table = Readouts()
        qtbot.addWidget(table)
        alone = table.sizeHint().height()
        table.resize(278, 900)
        run = FakeRun(names)
        table.start(run)
        frame = run.frame(1.0)
        lanes = tuple(
            replace(lane, values=readout_values(float(number))) for number, lane in enumerate(frame.lanes)
        )
        table.show_frame(replace(frame, lanes=lanes))
        assert table.sizeHint().height() == pytest.approx(alone + listed, abs=2)
        assert table.cell_rect(0, 0.0).top() == listed
        painted = QPixmap(table.size())
        texts.clear()
        table.render(painted)
        assert {lane_title(name) for name in names} <= set(texts)


def test_zero_drift_is_shown_as_zero() -> None:
    texts = {group.quantity: group.text(0.0) for group in READOUT_GROUPS}
    assert (texts["constraint"], texts["energy_drift"], texts["h"]) == ("0", "0", "+0.0000")


def test_ended_lane_has_no_readouts_after_its_end(qtbot: QtBot) -> None:
    run, table = FakeRun(), Readouts()
    qtbot.addWidget(table)
    table.resize(278, 900)
    table.start(run)
    values = {group.quantity: np.ones(len(QUANTITIES[group.quantity].symbols)) for group in READOUT_GROUPS}
    frame = run.frame(1.0)
    alive, ended = (replace(lane, values=values, frozen=lane is frame.lanes[1]) for lane in frame.lanes)
    table.show_frame(replace(frame, lanes=(alive, ended)))
    assert float(table.value_text(0, "omega")) == 1.0
    assert table.value_text(1, "omega") == "–"


def test_quantities_not_conserved_have_no_drift(qtbot: QtBot) -> None:
    """The work of a motor was +2e+00 here and "–" beside the lane."""
    run, table = FakeRun(), Readouts()
    qtbot.addWidget(table)
    run.info = replace(run.info, constants=("constraint",))
    table.start(run)
    values = {group.quantity: np.ones(len(QUANTITIES[group.quantity].symbols)) for group in READOUT_GROUPS}
    frame = run.frame(1.0)
    table.show_frame(replace(frame, lanes=tuple(replace(lane, values=values) for lane in frame.lanes)))
    assert table.value_text(0, "constraint") == "+1.0e+00"
    assert table.value_text(0, "energy_drift") == "–"
    assert float(table.value_text(0, "energy")) == 1.0


def test_agreeing_lanes_share_a_column(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []
    monkeypatch.setattr(QPainter, "drawText", lambda self, *given: texts.append(str(given[-1])))
    run, table = FakeRun(("a", "b", "c", "d")), Readouts()
    qtbot.addWidget(table)
    table.resize(278, 900)
    table.start(run)

    def columns(*values: dict[str, np.ndarray]) -> int:
        frame = run.frame(float(len(texts)))
        lanes = (replace(lane, values=value) for lane, value in zip(frame.lanes, values, strict=True))
        table.show_frame(replace(frame, lanes=tuple(lanes)))
        texts.clear()
        table.render(QPixmap(table.size()))
        assert {"a", "b", "c", "d"} <= set(texts), "every lane is named"
        return sum(text in ("+0.2500", "+0.2510") for text in texts) // 3  # the three components of h

    same, near = readout_values(0.25, 1e-15), readout_values(0.25 + 1e-9, -3e-13)
    assert columns(same, same, near, same) == 1
    assert "−3.0e−13" in texts, "the largest drift is shown"
    assert columns(same, near, readout_values(0.251, 1e-15), same) == 2
    assert columns(same, near, readout_values(0.25, 1e-7), same) == 2, "a lane that drifts has its own column"


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_row_height_follows_font(theme: Theme, qtbot: QtBot) -> None:
    table, run = Readouts(), FakeRun(("a", "b"))
    qtbot.addWidget(table)
    table.start(run)
    table.show_frame(run.frame(1.0))
    set_own_theme(table, theme)
    height = QFontMetricsF(tabular_font(theme, theme.small)).height()
    assert table.cell_rect(0, 0.0).height() > height
    assert table.cell_rect(0, ROW_HEIGHT).top() - table.cell_rect(0, 0.0).top() > height
    assert (
        table.sizeHint().height()
        > sum(len(QUANTITIES[group.quantity].symbols) for group in READOUT_GROUPS) * height
    )


def test_multiplier_is_a_row_if_no_column_is_shared(qtbot: QtBot) -> None:
    run = FakeRun(("a", "b"), formulations=("lagrange_full/torque", "newton_euler"))
    table = shown_table(qtbot, run, {**readout_values(0.25), "lam": np.array([-1.5])}, readout_values(0.75))
    without = shown_table(qtbot, FakeRun(("a", "b")), readout_values(0.25), readout_values(0.75))
    assert table.value_text(0, "lam") == "−1.50000"
    assert table.value_text(1, "lam") == "–", "a formulation without a multiplier"
    assert table.sizeHint().height() == pytest.approx(
        without.sizeHint().height() + ROW_HEIGHT + GRID_UNIT / 2, abs=2
    )


def test_multipliers_are_listed_for_lanes_that_share_a_column(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lanes of one motion agree in everything but λ. Their different λ must not split the column."""
    texts: list[str] = []
    run = FakeRun(
        ("a", "b", "c"), formulations=("lagrange_full/torque", "lagrange_simplified/torque", "newton_euler")
    )
    same = readout_values(0.25, 1e-15)
    shown = {**same, "lam": np.array([-1.5])}, {**same, "lam": np.array([12.25])}, same
    table = shown_table(qtbot, run, *shown)
    without = shown_table(qtbot, FakeRun(("a", "b", "c")), same, same, same)
    monkeypatch.setattr(QPainter, "drawText", lambda self, *given: texts.append(str(given[-1])))
    table.render(QPixmap(table.size()))
    assert texts.count("+0.250000") == 7, texts
    assert {"λ  J", "−1.50000", "+12.25000"} <= set(texts)
    assert [texts.count(name) for name in "abc"] == [2, 2, 1], "c has no multiplier"
    assert table.sizeHint().height() == pytest.approx(without.sizeHint().height() + 3 * ROW_HEIGHT, abs=2)


def test_zero_has_no_negative_sign() -> None:
    """A multiplier that is zero but for round-off would change its sign in every frame."""
    assert MULTIPLIER_GROUP.text(-1e-17) == "+0.00000"
    assert MULTIPLIER_GROUP.text(float("nan")) == "–"


def shown_table(qtbot: QtBot, run: FakeRun, *values: dict[str, np.ndarray]) -> Readouts:
    table = Readouts()
    qtbot.addWidget(table)
    table.resize(278, 900)
    table.start(run)
    frame = run.frame(1.0)
    lanes = (replace(lane, values=value) for lane, value in zip(frame.lanes, values, strict=True))
    table.show_frame(replace(frame, lanes=tuple(lanes)))
    return table


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_large_type_leaves_room_for_every_drift(theme: Theme, qtbot: QtBot) -> None:
    """On a projector the drifts of four lanes ran into each other, without their signs."""
    run = FakeRun(("a", "b", "c", "d"))
    table = shown_table(qtbot, run, *(readout_values(number, 10.0**-number) for number in range(4)))
    set_own_theme(table, theme)
    metrics = QFontMetricsF(tabular_font(theme, theme.small))
    for number in range(4):
        text = table.value_text(number, "constraint")
        assert metrics.horizontalAdvance(text) < table.cell_rect(number, 0.0).width()
