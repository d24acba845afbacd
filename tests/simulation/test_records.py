"""Histories that only grow."""

from __future__ import annotations

import pytest

from quatviz.simulation.history import History


def test_what_was_read_never_changes_while_it_grows() -> None:
    history = History(2, capacity=2)
    views = []
    for number in range(200):
        history.reserve(3)[:2] = number
        history.publish(2)
        views.append(history.rows)
    for number, view in enumerate(views):
        assert len(view) == 2 * (number + 1)
        assert (view[-1] == number).all()
        assert (view[0] == 0).all()
    with pytest.raises(ValueError, match="read-only"):
        views[0][0, 0] = 1.0
