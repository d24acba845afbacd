"""The random user: 360 actions, and that it reports failures."""

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
from random_user.faults import FaultRecorder
from random_user.levels import ResourceLevels, measure_levels, memory_growth, used_memory
from random_user.user import RandomUser
from random_user.walk import WalkLength, WalkResult

ROOT = Path(__file__).resolve().parents[2]
LEVELS = ResourceLevels(1.0, Counter({"quatviz-worker": 1}), 1, Counter({"MainWindow": 1}), 700, 500.0)


@pytest.mark.slow
def test_a_random_user_leaves_the_window_as_it_was(tmp_path: Path) -> None:
    log = tmp_path / "story.txt"
    arguments = ["--acts", "120", "--seed", "3", "--log", str(log)]
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
    assert "no fault, nothing has grown" in done.stdout
    assert log_text.splitlines()


def test_every_kind_of_fault_is_found(qapp: QApplication, qtbot: QtBot) -> None:
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


def test_growing_objects_are_named() -> None:
    assert LEVELS.growth_since(LEVELS) == []
    two = replace(LEVELS, threads=Counter({"quatviz-worker": 2}))
    assert "2 threads of the kind quatviz-worker" in two.growth_since(LEVELS)[0]
    opened = replace(LEVELS, windows=Counter({"MainWindow": 1, "HelpWindow": 1}))
    assert opened.growth_since(LEVELS) == []
    menus = replace(LEVELS, windows=Counter({"MainWindow": 1, "QMenu": 2}))
    assert "2 windows of the kind QMenu" in menus.growth_since(LEVELS)[0]
    of_one = replace(LEVELS, windows=Counter({"QMenu of Scrubber 5f": 1}))
    assert of_one.growth_since(LEVELS) == []
    of_one_more = replace(LEVELS, windows=Counter({"QMenu of Scrubber 5f": 2}))
    assert "2 windows of the kind QMenu of Scrubber" in of_one_more.growth_since(of_one)[0]
    assert "2 timers" in replace(LEVELS, timers=2).growth_since(LEVELS)[0]
    fat, fit = replace(LEVELS, memory=526.0), replace(LEVELS, memory=524.0)
    assert memory_growth([fat], [LEVELS]) == ["526 MB of memory, earlier there were 500"]
    assert memory_growth([fit], [LEVELS]) == []
    assert memory_growth([fat, LEVELS, fit], [LEVELS] * 3) == []
    assert memory_growth([fat, LEVELS, fat], [LEVELS] * 3)


def test_the_end_is_compared_with_a_rest_at_which_all_had_been_made() -> None:
    fat = replace(LEVELS, memory=526.0)
    assert WalkLength(actions=5).growth([LEVELS, fat, fat]) == []
    assert "526 MB" in WalkLength(actions=5).growth([LEVELS, LEVELS, fat])[0]
    assert WalkLength(120.0).growth([LEVELS, LEVELS, *[fat] * 7]) == []
    assert "526 MB" in WalkLength(120.0).growth([LEVELS, LEVELS, LEVELS, *[fat] * 6])[0]
    assert WalkLength(120.0).growth([*[LEVELS] * 8, fat]) == []
    assert WalkLength(90.0).growth([LEVELS, LEVELS, LEVELS, *[fat] * 6]) == []
    more = replace(LEVELS, timers=2)
    assert "2 timers" in WalkLength(90.0).growth([*[LEVELS] * 8, more])[0]


def test_timers_that_run_are_counted(qapp: QApplication) -> None:
    before = measure_levels(0.0).timers
    timer = QTimer()
    timer.start(10_000)
    assert measure_levels(0.0).timers == before + 1
    timer.stop()
    assert measure_levels(0.0).timers == before


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the system does not tell")
def test_memory_is_that_of_this_process() -> None:
    before = used_memory()
    block = bytearray(b"1") * 50_000_000
    assert used_memory() - before == pytest.approx(len(block) / 1e6, abs=5.0)


def test_an_outcome_with_a_fault_tells_the_story() -> None:
    text = WalkResult(7, 3.0, 2, ["the worker died"], [LEVELS], ["1  key Space", "2  key R"]).report
    assert "seed 7" in text
    assert text.index("key R") < text.index("the worker died")
    assert "no fault" not in text


def test_letters_that_no_plain_keyboard_has_are_typed(qtbot: QtBot) -> None:
    line = QLineEdit()
    qtbot.addWidget(line)
    RandomUser.type(None, line, "2π/3")  # type: ignore[arg-type]
    assert line.text() == "2π/3"
