"""Tests of the random user: a run of 90 actions, and the detection of faults and growth."""

import logging
import os
import subprocess
import sys
import threading
import warnings
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer, qWarning
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot
from random_user.actions import ACTIONS
from random_user.faults import FaultRecorder
from random_user.levels import ResourceLevels, measure_levels, memory_growth, used_memory
from random_user.user import RandomUser
from random_user.walk import WalkLength, WalkResult

ROOT = Path(__file__).resolve().parents[2]
LEVELS = ResourceLevels(1.0, Counter({"quatviz-worker": 1}), 1, Counter({"MainWindow": 1}), 700, 500.0)


@pytest.mark.slow
def test_random_user_causes_no_fault_and_no_growth(tmp_path: Path) -> None:
    """Maps and fits, whose kernels take long to compile, are left to longer runs by hand."""
    log = tmp_path / "log.txt"
    arguments = ["--actions", "30", "--seed", "3", "--log", str(log)]
    for name in sorted(ACTIONS.keys() - {"maps", "fits"}):
        arguments += ["--only", name]
    done = subprocess.run(
        [sys.executable, Path(__file__).parent, *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        text=True,
        capture_output=True,
        timeout=1800,
        check=False,
    )
    log_text = log.read_text(encoding="utf-8") if log.exists() else ""
    assert done.returncode == 0, done.stdout + done.stderr + log_text[-4000:]
    assert "no fault, no growth" in done.stdout
    assert log_text.splitlines()


def test_every_type_of_fault_is_recorded(qapp: QApplication, qtbot: QtBot) -> None:
    def fail() -> None:
        raise ValueError("in a slot")

    with FaultRecorder() as faults:
        QTimer.singleShot(0, fail)
        qtbot.waitUntil(lambda: len(faults.faults) == 1)
        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
        warnings.warn("from Python", UserWarning, stacklevel=1)
        qWarning("from Qt")
        logging.getLogger("quatviz.ui.widgets.guard").error("in an override")
        logging.getLogger("quatviz.ui.widgets.guard").info("no fault")
    logging.getLogger("quatviz").warning("afterwards")
    text = "\n".join(faults.faults)
    for fragment in ("in a slot", "in a slot", "from Python", "from Qt", "in an override"):
        assert fragment in text
    assert len(faults.faults) == 5


def test_growing_counts_are_reported() -> None:
    assert LEVELS.growth_since(LEVELS) == []
    two = replace(LEVELS, threads=Counter({"quatviz-worker": 2}))
    assert "2 threads named quatviz-worker" in two.growth_since(LEVELS)[0]
    opened = replace(LEVELS, windows=Counter({"MainWindow": 1, "HelpWindow": 1}))
    assert opened.growth_since(LEVELS) == []
    menus = replace(LEVELS, windows=Counter({"MainWindow": 1, "QMenu": 2}))
    assert "2 windows named QMenu" in menus.growth_since(LEVELS)[0]
    first_menu = replace(LEVELS, windows=Counter({"QMenu of Scrubber 5f": 1}))
    assert first_menu.growth_since(LEVELS) == []
    second_menu = replace(LEVELS, windows=Counter({"QMenu of Scrubber 5f": 2}))
    assert "2 windows named QMenu of Scrubber" in second_menu.growth_since(first_menu)[0]
    assert "2 active timers" in replace(LEVELS, timers=2).growth_since(LEVELS)[0]
    large, small = replace(LEVELS, memory=526.0), replace(LEVELS, memory=524.0)
    assert memory_growth([large], [LEVELS]) == ["526 MB of memory, before 500"]
    assert memory_growth([small], [LEVELS]) == []
    assert memory_growth([large, LEVELS, small], [LEVELS] * 3) == []
    assert memory_growth([large, LEVELS, large], [LEVELS] * 3)


def test_last_checkpoint_is_compared_with_one_after_warm_up() -> None:
    large = replace(LEVELS, memory=526.0)
    assert WalkLength(actions=5).growth([LEVELS, large, large]) == []
    assert "526 MB" in WalkLength(actions=5).growth([LEVELS, LEVELS, large])[0]
    assert WalkLength(120.0).growth([LEVELS, LEVELS, *[large] * 7]) == []
    assert "526 MB" in WalkLength(120.0).growth([LEVELS, LEVELS, LEVELS, *[large] * 6])[0]
    assert WalkLength(120.0).growth([*[LEVELS] * 8, large]) == []
    assert WalkLength(90.0).growth([LEVELS, LEVELS, LEVELS, *[large] * 6]) == []
    more = replace(LEVELS, timers=2)
    assert "2 active timers" in WalkLength(90.0).growth([*[LEVELS] * 8, more])[0]


def test_active_timers_are_counted(qapp: QApplication) -> None:
    before = measure_levels(0.0).timers
    timer = QTimer()
    timer.start(10_000)
    assert measure_levels(0.0).timers == before + 1
    timer.stop()
    assert measure_levels(0.0).timers == before


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the system does not report used memory")
def test_used_memory_includes_allocated_blocks() -> None:
    before = used_memory()
    block = bytearray(b"1") * 50_000_000
    assert used_memory() - before == pytest.approx(len(block) / 1e6, abs=5.0)


def test_report_contains_the_last_actions_before_the_faults() -> None:
    text = WalkResult(7, 3.0, 2, ["the worker died"], [LEVELS], ["1  key Space", "2  key R"]).report
    assert "seed 7" in text
    assert text.index("key R") < text.index("the worker died")
    assert "no fault" not in text


def test_non_ascii_characters_are_typed(qtbot: QtBot) -> None:
    line = QLineEdit()
    qtbot.addWidget(line)
    RandomUser.type(None, line, "2π/3")  # type: ignore[arg-type]
    assert line.text() == "2π/3"
