"""Histories that only grow, and tables that repeat the run."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import quatviz as qv
from quatviz.core.preset_text import parse_preset
from quatviz.export import table
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


def test_the_table_alone_repeats_the_run(tmp_path: Path) -> None:
    run = qv.simulate(qv.load_preset("torque_free"), duration=1.0, dt=1e-2, sample_interval=0.1)
    path = tmp_path / "run.csv"
    table.write_csv(run, path)
    lines = path.read_text(encoding="utf-8").splitlines()
    preset = parse_preset("\n".join(line[4:] for line in lines if line.startswith("#   ") or line == "#"))
    assert preset == run.preset
    head = next(number for number, line in enumerate(lines) if not line.startswith("#"))
    names = lines[head].split(",")
    values = np.genfromtxt(path, delimiter=",", skip_header=head + 1)
    assert (values[:, names.index("hamilton:h_2")] == run["hamilton"].h[:, 1]).all()
    assert any("rad/s" in line for line in lines[:head])
    mask = os.umask(0)
    os.umask(mask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~mask


def test_a_failed_write_leaves_the_old_table_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = qv.simulate(qv.load_preset("torque_free"), duration=0.2, dt=1e-2, sample_interval=0.1)
    path = tmp_path / "run.csv"
    path.write_text("old")

    def full(*_: object) -> list[str]:
        raise OSError("no space left")

    monkeypatch.setattr(table, "_rows", full)
    with pytest.raises(OSError, match="no space"):
        table.write_csv(run, path)
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.csv"]
