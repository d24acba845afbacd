"""Later runs of a lesson are compiled during the presentation, one at a time, never in parallel to the window's own."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject

from quatviz.files.preset import Preset
from quatviz.physics.kernels import cache
from quatviz.simulation import compilation
from quatviz.teaching.lessons import Lesson, parse_lesson
from quatviz.ui.lessons import precompiler
from quatviz.ui.lessons.precompiler import Precompiler

pytestmark = pytest.mark.usefixtures("qapp")

LESSON = """# Title

```lesson
format = 1
```

Words.

## One

```scene
preset = "torque_free"
lanes = ["newton_euler"]
```

## Two

```scene
lanes = ["hamilton"]
```

## Three

```scene
lanes = ["newton_euler", "lagrange_full"]
```
"""


class Children:
    """Stub that records the presets of started child processes, which compile nothing."""

    def __init__(self) -> None:
        self.presets: list[Preset] = []
        self.last: subprocess.Popen[bytes] | None = None

    def start(self, preset: Preset) -> subprocess.Popen[bytes]:
        self.presets.append(preset)
        self.last = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        return self.last

    @property
    def lanes(self) -> list[list[str]]:
        return [[lane.formulation for lane in preset.lanes] for preset in self.presets]

    def finish(self) -> None:
        """Finish the work of the last child."""
        for mark in compilation.missing_mark_paths(self.presets[-1]):
            mark.touch()
        assert self.last is not None
        self.last.kill()
        self.last.wait()


@pytest.fixture
def children(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Children:
    made = Children()
    monkeypatch.setenv("QUATVIZ_CACHE_DIR", str(tmp_path))
    cache.prepare_folder()
    monkeypatch.setattr(precompiler, "start_child", made.start)
    return made


@pytest.fixture
def lesson() -> Lesson:
    return parse_lesson(LESSON, "lesson.md")


@pytest.fixture
def worker(lesson: Lesson) -> Iterator[Precompiler]:
    parent = QObject()
    made = Precompiler(parent)
    made.begin(lesson)
    yield made
    made.stop()


def test_compilation_of_the_window_has_priority(
    worker: Precompiler, children: Children, lesson: Lesson
) -> None:
    first = lesson.steps[0].part.scene
    worker.set_scene(first, None)
    for _ in range(3):
        worker.start_next()
    assert children.presets == []
    for mark in compilation.missing_mark_paths(precompiler.preset_of(first)):
        mark.touch()
    for _ in range(3):
        worker.start_next()
    assert children.lanes == [["hamilton"]], "one at a time"


def test_later_runs_are_compiled_in_order(worker: Precompiler, children: Children) -> None:
    worker.start_next()
    assert children.lanes == [["newton_euler"]]
    children.finish()
    worker.start_next()
    children.finish()
    worker.start_next()
    assert children.lanes[1:] == [["hamilton"], ["newton_euler", "lagrange_full"]]
    children.finish()
    worker.start_next()
    worker.start_next()
    assert len(children.presets) == 3
    assert worker.child is None


def test_missing_kernels_of_a_step_interrupt_background_compilation(
    worker: Precompiler, children: Children, lesson: Lesson
) -> None:
    worker.start_next()
    child, shown = children.last, lesson.steps[1].part.scene
    assert child is not None
    worker.set_scene(shown, None)
    assert child.poll() is not None
    worker.start_next()
    assert worker.child is None
    for mark in compilation.missing_mark_paths(precompiler.preset_of(shown)):
        mark.touch()
    worker.start_next()
    assert children.lanes == [["newton_euler"], ["newton_euler"]]


def test_step_with_compiled_kernels_interrupts_nothing(
    worker: Precompiler, children: Children, lesson: Lesson
) -> None:
    for mark in compilation.missing_mark_paths(precompiler.preset_of(lesson.steps[0].part.scene)):
        mark.touch()
    worker.start_next()  # the first run is cached
    worker.start_next()
    worker.set_scene(lesson.steps[0].part.scene, None)
    assert children.lanes == [["hamilton"]]
    assert worker.child is not None
    assert worker.child.poll() is None


def test_ended_lesson_leaves_no_child_process(worker: Precompiler, children: Children) -> None:
    worker.start_next()
    worker.stop()
    assert children.last is not None
    assert children.last.poll() is not None
    worker.start_next()
    assert len(children.presets) == 1
