"""No exception leaves an override of a C++ virtual function, whatever the class."""

import importlib
import inspect
import logging
import pkgutil
from collections.abc import Iterator
from types import FunctionType

import pytest
from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

import quatviz.ui
from quatviz.ui.widgets.guard import Guarded, is_virtual

NEVER_CALLED_BY_QT = {"SceneView.devicePixelRatioF"}
"""Our methods that share a name with a non-virtual Qt method: called from Python only."""


def classes() -> Iterator[type]:
    """Return every class of the window that extends a class of Qt."""
    for info in pkgutil.walk_packages(quatviz.ui.__path__, "quatviz.ui."):
        module = importlib.import_module(info.name)
        for cls in vars(module).values():
            if (
                inspect.isclass(cls)
                and cls.__module__ == module.__name__
                and issubclass(cls, QObject | _outside())
            ):
                yield cls


def _outside() -> type:
    from PySide6.QtWidgets import QGraphicsItem

    return QGraphicsItem


def overrides(cls: type) -> Iterator[tuple[str, FunctionType]]:
    """Return the methods by which this class overrides Qt's: its own, and those of its mixins outside Qt."""
    for base in cls.__mro__:
        if base.__module__.startswith("quatviz"):
            for name, value in vars(base).items():
                if isinstance(value, FunctionType) and not name.startswith("__"):
                    yield f"{base.__module__}.{base.__name__}.{name}", value


def of_qt(cls: type, name: str) -> bool:
    return any(
        name in vars(base) for base in cls.__mro__ if base.__module__.startswith(("PySide6", "Shiboken"))
    )


def test_every_virtual_override_is_guarded() -> None:
    candidates = list(classes())
    assert len(candidates) > 60
    bare = {
        where
        for cls in candidates
        for where, value in overrides(cls)
        if is_virtual(value.__name__) and of_qt(cls, value.__name__) and not hasattr(value, "__wrapped__")
    }
    assert bare == set(), "let the class extend Guarded first"


def test_all_overrides_are_classified() -> None:
    """A method that shares a name with Qt is a virtual known to the guard, or listed as called from Python only."""
    unknown = {
        ".".join(where.split(".")[-2:])
        for cls in classes()
        for where, value in overrides(cls)
        if of_qt(cls, value.__name__) and not is_virtual(value.__name__)
    }
    assert unknown == NEVER_CALLED_BY_QT


class Dial(Guarded, QWidget):
    def sizeHint(self) -> QSize:
        return QSize(1 // 0, 5)

    def resizeEvent(self, event: QEvent) -> None:
        raise ZeroDivisionError("in an event")


class Filter(Guarded, QObject):
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        raise ZeroDivisionError("in a filter")


def test_failing_override_returns_base_class_result(qtbot: QtBot, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    dial = Dial()
    qtbot.addWidget(dial)
    assert dial.sizeHint() == QWidget().sizeHint()
    dial.resize(30, 30)
    dial.show()
    label, watch = QLabel("seen all the same"), Filter()
    qtbot.addWidget(label)
    label.installEventFilter(watch)
    QApplication.sendEvent(label, QEvent(QEvent.Type.User))
    assert {record.getMessage().rsplit(" ")[-1] for record in caplog.records} == {
        "Dial.sizeHint",
        "Dial.resizeEvent",
        "Filter.eventFilter",
    }
