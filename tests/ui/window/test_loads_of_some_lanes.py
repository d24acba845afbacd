"""A run in which only some lanes have loads of their own is shown like any other."""

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from window_steps import make_session, open_session, wait_computed

import quatviz as qv


def test_lane_without_loads_is_shown_beside_one_with_loads(qtbot: QtBot, qapp: QApplication) -> None:
    with open_session(make_session(qv.load_preset("control_by_constraint"))) as session:
        wait_computed(session, qtbot)
        frame = session.frame_loop.frame
        assert frame is not None
        assert frame.scales["torque"] > 0.0
        assert [lane.status for lane in frame.lanes] == ["ok", "ok"]
