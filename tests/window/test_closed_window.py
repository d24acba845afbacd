"""What stays of a window that has been closed: nothing."""

from __future__ import annotations

import gc
import weakref

from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

import quatviz as qv
from quatviz.app import Session


def test_a_closed_window_gives_back_its_run(qtbot: QtBot) -> None:
    session = Session(qv.load_preset("torque_free"))
    session.open()
    qtbot.waitUntil(lambda: session.bridge.ticks > 2)
    gone = [weakref.ref(session), weakref.ref(session.simulation)]
    session.window.close()
    session.window.deleteLater()
    del session
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert [one() for one in gone] == [None, None]
