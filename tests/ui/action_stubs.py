"""Actions of the window for tests of single widgets, with stubs for the parts that are not given."""

from typing import Any
from unittest.mock import MagicMock

from shiboken6 import delete, isValid

from quatviz.display.view_state.view_store import ViewStore
from quatviz.ui.widgets.actions import ActionRegistry
from quatviz.ui.window.actions import ACTIONS


def actions_for(**parts: object) -> ActionRegistry[Any]:
    """Return actions on these parts, with stubs for all others."""
    return actions_on(make_host(**parts))


_REGISTRIES: list[ActionRegistry[Any]] = []


def actions_on(host: MagicMock) -> ActionRegistry[Any]:
    """Return actions on this host."""
    _REGISTRIES.append(ActionRegistry(ACTIONS, host))
    return _REGISTRIES[-1]


def delete_actions() -> None:
    """Delete the registries. They have no parent window and would keep their hosts alive until the tests
    end."""
    for acts in _REGISTRIES:
        if isValid(acts):
            delete(acts)
    _REGISTRIES.clear()


def make_host(**parts: object) -> MagicMock:
    """Return an object that actions can be applied to."""
    host = MagicMock()
    host.store, host.shown_run.speed = ViewStore(), 1.0
    host.configure_mock(**parts)
    return host
