"""Computed tables of saved runs, with a command that only writes a file."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from quatviz.analysis.executors import saved_run
from quatviz.analysis.executors.saved_run import compute_saved_run
from quatviz.base import resources
from quatviz.base.errors import InputError
from quatviz.simulation.simulation import ignore_progress


def test_each_call_writes_a_table_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A lane may show the first table, and the session may name a recording that has changed."""
    samples = iter(("before", "after"))

    def write_table(command: Sequence[str], *_: object) -> None:
        Path(command[command.index("--output") + 1]).write_text(next(samples))

    monkeypatch.setattr(saved_run, "run_command", write_table)
    session = tmp_path / "saved.toml"
    session.write_text("session")
    first, second = (compute_saved_run(session, ignore_progress) for _ in range(2))
    assert (first.name, first.read_text()) == ("saved.parquet", "before")
    assert (second.name, second.read_text()) == ("saved.parquet", "after")


def test_failed_run_leaves_no_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(*_: object) -> None:
        raise InputError("saved.toml", expected="a run", found="none", remedy="choose another file")

    monkeypatch.setattr(saved_run, "run_command", fail)
    runs = resources.cache_folder() / "runs"
    before = set(runs.iterdir()) if runs.exists() else set()
    with pytest.raises(InputError, match="choose another file"):
        compute_saved_run(tmp_path / "saved.toml", ignore_progress)
    assert set(runs.iterdir()) == before
