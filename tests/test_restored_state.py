"""A test that fails leaves no state of the process or of the application to the tests after it."""

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent
FIRST_FAILS = """
import os
from pathlib import Path
from PySide6.QtCore import QLocale
from quatviz.ui.widgets.style import apply_scale, apply_theme, theme_of
from quatviz.display.view_state.theme import DARK, LIGHT

SETTINGS = "window.toml"
FOLDER = os.getcwd()

def test_fails(qapp, tmp_path):
    apply_scale(150)
    apply_theme(qapp, LIGHT)
    QLocale.setDefault(QLocale("de_DE"))
    os.environ["QUATVIZ_LEFT"] = "1"
    (Path(os.environ["QUATVIZ_SETTINGS_DIR"]) / SETTINGS).write_text("scale = 150")
    os.chdir(tmp_path)
    raise RuntimeError("while everything is changed")

def test_finds_nothing_changed(qapp):
    assert (theme_of(qapp).size, theme_of(qapp).name) == (1.0, DARK.name)
    assert QLocale().name() != "de_DE"
    assert "QUATVIZ_LEFT" not in os.environ
    assert not (Path(os.environ["QUATVIZ_SETTINGS_DIR"]) / SETTINGS).exists()
    assert os.getcwd() == FOLDER

def test_is_blamed_for_what_it_leaves(qapp):
    apply_scale(150)
"""


def test_a_failing_test_leaves_nothing(tmp_path: Path) -> None:
    """A test that timed out left the interface at 150 %, and five later tests failed because of it."""
    path = tmp_path / "test_first_fails.py"
    path.write_text(FIRST_FAILS)
    (tmp_path / "conftest.py").write_bytes((TESTS / "conftest.py").read_bytes())
    support = TESTS / "support"
    (tmp_path / "pytest.ini").write_text(f"[pytest]\npythonpath = {support}\nqt_api = pyside6\n")
    child = subprocess.run(
        [*(sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", "-p", "no:zarr"), str(path)],
        capture_output=True, text=True, check=False, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(TESTS.parent)},
    )  # fmt: skip
    assert "RuntimeError: while everything is changed" in child.stdout, child.stdout + child.stderr
    assert "the test has not restored: ['interface scale" in child.stdout, child.stdout
    assert "1 failed, 2 passed, 1 error" in child.stdout, child.stdout
