"""Bad input: one message with place, expected, found and remedy, exit status 2, no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
GOOD = (ROOT / "presets" / "torque_free.toml").read_text(encoding="utf-8")


def refused(arguments: list[str], **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "quatviz", *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    for word in ("expected", "found", "try"):
        assert done.stderr.count(f"\n  {word} ") == 1, done.stderr
    return done.stderr


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[body]", "[body", "line"),
        ("duration = 40", "durration = 40", "durration"),
        ("[400, 307.808385, 200]", "[400, 307.8]", "body.inertia"),
        ("[400, 307.808385, 200]", "[400, 100, 200]", "body.inertia"),
        ("[1, 0, 0, 0]", "[0, 0, 0, 0]", "initial.euler_parameters"),
        ("dt = 1e-3", "dt = 3e-3", "run.dt"),
        ('"hamilton"', '"hamiltom"', "lanes[1].formulation"),
    ],
)
def test_a_wrong_preset(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert old in GOOD
    path = tmp_path / "wrong.toml"
    path.write_text(GOOD.replace(old, new), encoding="utf-8")
    message = refused([str(path)])
    assert "wrong.toml" in message
    assert "line" in message
    assert words in message


def test_no_such_file_or_preset(tmp_path: Path) -> None:
    assert "none.toml" in refused([str(tmp_path / "none.toml")])
    assert "torque_free" in refused(["torque_fre"])


def test_a_cache_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    assert "QUATVIZ_CACHE_DIR" in refused(["torque_free"], QUATVIZ_CACHE_DIR=str(tmp_path / "file" / "cache"))


def test_a_machine_without_a_display() -> None:
    message = refused(["torque_free"], DISPLAY="", WAYLAND_DISPLAY="", QT_QPA_PLATFORM="")
    assert "bootstrap.py run" in message
