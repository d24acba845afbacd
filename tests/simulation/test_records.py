"""Histories that only grow."""

import numpy as np
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


def test_what_is_recorded_beside_a_state_is_read_beside_it() -> None:
    history = History(2, capacity=2, beside=1)
    history.reserve(1)[0] = (1.0, 2.0, np.nan)
    history.publish(1)
    history.record_first((3.0,))
    room = history.reserve(4)
    assert room.shape == (4, 3)
    room[:] = 7.0
    history.publish(2)
    assert history.rows.tolist() == [[1.0, 2.0], [7.0, 7.0], [7.0, 7.0]]
    assert history.records.tolist() == [[3.0], [7.0], [7.0]]
    with pytest.raises(ValueError, match="read-only"):
        history.records[0, 0] = 1.0
