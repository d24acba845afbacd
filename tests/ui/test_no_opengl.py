"""Without OpenGL the program says so in one message and stops."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_a_machine_without_opengl_gets_one_message(tmp_path: Path) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": str(tmp_path)}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [sys.executable, "-m", "quatviz"], env=environment, cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert done.stderr.count("quatviz: ") == 1
    for word in ("OpenGL", "expected", "found", "try", "offscreen"):
        assert word in done.stderr
    lines = done.stderr[done.stderr.index("quatviz: ") :].splitlines()
    assert [line.split()[0] for line in lines] == ["quatviz:", "expected", "found", "try"]
