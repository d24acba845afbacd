"""Histories of states, which only grow."""

import errno
import os
from pathlib import Path

import numpy as np
import pytest

from quatviz.simulation import history as histories
from quatviz.simulation.history import History


def test_views_of_a_growing_history_are_constant() -> None:
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


def test_values_stored_with_a_state_are_read_with_it() -> None:
    history = History(2, capacity=2, record_width=1)
    history.reserve(1)[0] = (1.0, 2.0, np.nan)
    history.publish(1)
    history.set_first_record((3.0,))
    room = history.reserve(4)
    assert room.shape == (4, 3)
    room[:] = 7.0
    history.publish(2)
    assert history.rows.tolist() == [[1.0, 2.0], [7.0, 7.0], [7.0, 7.0]]
    assert history.records.tolist() == [[3.0], [7.0], [7.0]]
    with pytest.raises(ValueError, match="read-only"):
        history.records[0, 0] = 1.0


ROWS = 20_000
"""Ten steps of what memory is given back in."""


def resident_file() -> int:
    """Bytes of file mappings of this process that are in memory."""
    (line,) = [
        line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("RssFile")
    ]
    return int(line.split()[1]) * 1024


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Store rows on disk in small chunks after half of the rows."""
    monkeypatch.setenv("QUATVIZ_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(histories, "DISK_THRESHOLD", ROWS * 80 // 2)
    monkeypatch.setattr(histories, "DISK_CHUNK", ROWS * 80 // 10)
    return tmp_path


def filled(history: History, blocks: int = 20) -> np.ndarray:
    """Append this number of blocks of rows and return the contents."""
    rows = np.arange(ROWS * 10.0).reshape(ROWS, 10)
    for block in np.array_split(rows, blocks):
        history.reserve(len(block))[:] = block
        history.publish(len(block))
    return rows


def test_long_history_is_stored_on_disk(small: Path) -> None:

    history, before = History(8, capacity=ROWS, record_width=2), resident_file()
    early = history.rows
    rows = filled(history)
    assert resident_file() - before < rows.nbytes // 4, "what was written does not stay in memory"
    assert list(small.iterdir()) == [], "nothing is left, however the process ends"
    assert (history.rows == rows[:, :8]).all()
    assert (history.records == rows[:, 8:]).all()
    assert len(early) == 0
    held = history.rows
    more = history.reserve(1)  # beyond its room
    more[:] = -1.0
    history.publish(1)
    assert (history.all_columns[:-1] == rows).all()
    assert (history.all_columns[-1] == -1.0).all()
    del history
    assert (held == rows[:, :8]).all()


def test_history_stays_in_memory_without_disk_space(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = [3]

    def full(handle: int, start: int, length: int) -> None:
        room[0] -= 1
        if room[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "posix_fallocate", full)
    history = History(8, capacity=ROWS, record_width=2)
    assert (filled(history) == history.all_columns).all()
    assert room[0] == -1, "it is asked no more"
    (small / "file").touch()
    monkeypatch.setenv("QUATVIZ_CACHE_DIR", str(small / "file"))
    history = History(8, capacity=ROWS, record_width=2)
    assert (filled(history) == history.all_columns).all()
