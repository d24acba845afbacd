"""The acts of the window for parts that stand alone: what they are done to is put in where a test needs it."""

from typing import Any
from unittest.mock import MagicMock

from shiboken6 import delete, isValid

from quatviz.ui.widgets.actions import Acts
from quatviz.ui.window.actions import ACTS


def acts_for(**parts: object) -> Acts[Any]:
    """Acts done to these parts, and to stand-ins for all others."""
    return acts_on(host_of(**parts))


_MADE: list[Acts[Any]] = []


def acts_on(host: MagicMock) -> Acts[Any]:
    """Acts done to this host."""
    _MADE.append(Acts(ACTS, host))
    return _MADE[-1]


def forget_acts() -> None:
    """Let go of them. No window owns them: they would keep everything that they are done to for as long as the tests run."""
    for acts in _MADE:
        if isValid(acts):
            delete(acts)
    _MADE.clear()


def host_of(**parts: object) -> MagicMock:
    """What acts are done to."""
    host = MagicMock()
    host.views.plan.number, host.frame.speed = 1, 1.0
    host.configure_mock(**parts)
    return host
