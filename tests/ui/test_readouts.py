"""The table of numbers at the cursor fits its lanes, however many."""

from dataclasses import replace

import numpy as np
import pytest
from fake_run import FakeRun
from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot

from quatviz.feed.numbers import GROUPS
from quatviz.look.theme import DARK
from quatviz.motion.observables import QUANTITIES
from quatviz.ui.kit.style import tabular
from quatviz.ui.side.readouts import LANES_BESIDE, ReadOuts


@pytest.mark.parametrize("count", [1, 2, 4, 8])
def test_numbers_fit_their_columns_and_lanes_that_do_not_fit_go_below(qtbot: QtBot, count: int) -> None:
    run = FakeRun(tuple("abcdefgh"[:count]))
    table = ReadOuts()
    qtbot.addWidget(table)
    alone = table.sizeHint().height()
    table.resize(278, 900)
    table.start(run)
    values = {group.quantity: np.full(len(QUANTITIES[group.quantity].symbols), -86.5) for group in GROUPS}
    frame = run.frame(1.0)
    table.show_frame(replace(frame, lanes=tuple(replace(lane, values=values) for lane in frame.lanes)))
    metrics = QFontMetricsF(tabular(DARK, DARK.small))
    for group in GROUPS:
        text = table.text(count - 1, group.quantity)
        assert float(text.replace("−", "-")) == pytest.approx(-86.5, rel=0.05)
        assert metrics.horizontalAdvance(text) < table.cell(count - 1, 0.0).width()
    assert table.sizeHint().height() == pytest.approx(alone * -(-count // LANES_BESIDE), abs=2)
    places = [table.cell(number, 0.0) for number in range(count)]
    assert all(not one.intersects(other) for n, one in enumerate(places) for other in places[:n])
    assert all(place.right() <= 278 for place in places)
