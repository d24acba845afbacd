"""What stays of a window that has been closed: nothing."""

from __future__ import annotations

import gc
import weakref

from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

import quatviz as qv
from quatviz.app import Session
from quatviz.simulation.simulation import Simulation


def test_a_closed_window_gives_back_its_run(qtbot: QtBot) -> None:
    session, simulation = _opened_and_closed(qtbot)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert session() is None
    assert simulation() is None


def _opened_and_closed(qtbot: QtBot) -> tuple[weakref.ref[Session], weakref.ref[Simulation]]:
    session = Session(qv.load_preset("torque_free"))
    session.open()
    qtbot.waitUntil(lambda: session.bridge.ticks > 2)
    session.window.close()
    session.window.deleteLater()
    return weakref.ref(session), weakref.ref(session.simulation)
