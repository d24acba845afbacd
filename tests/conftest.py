"""Fixtures and hooks that apply to all tests: a private cache, and checks for leaked threads, timers and settings.

Tests of the window use a real display with OpenGL, which pytest-xvfb starts. The tests end at once if
`QT_QPA_PLATFORM` selects a platform without OpenGL.
"""

import ctypes
import gc
import itertools
import locale
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from pytestqt.qtbot import QtBot

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint, QTimer
    from PySide6.QtWidgets import QApplication, QWidget

os.environ.setdefault(
    "QUATVIZ_CACHE_DIR", str(Path(tempfile.gettempdir()) / f"quatviz-test-cache-{os.getuid()}")
)
os.environ["QUATVIZ_SETTINGS_DIR"] = tempfile.mkdtemp(prefix="quatviz-test-settings-")
# Set before NumPy is imported. With several threads, which wait actively, small matrix operations take ten times as
# long and occupy the processors that other workers need.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Otherwise every worker and every child process of a test would compile all modules and rewrite all asserts again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# No deadline: the first example of a property-based test may import numba.
settings.register_profile("quatviz", deadline=None)
settings.load_profile("quatviz")

gc.disable()  # `pytest_runtest_logfinish` collects garbage between tests


QUICK = (
    *("base", "files", "display", "teaching/test_lesson_parsing.py"),
    *("analysis/studies/test_plan.py", "analysis/studies/test_orders.py"),
    *(
        f"physics/test_{name}.py"
        for name in (
            "body_and_initial",
            "euler_sequences",
            "event_kinds",
            "exact_late",
            "exact_motions",
            "polhodes",
        )
    ),
    *(f"physics/test_{name}.py" for name in ("rotations", "scalar_last", "shapes", "stereographic")),
    *(
        "simulation/test_runner.py",
        "simulation/test_runner_range.py",
        "test_structure.py",
        "commands/test_cli_refusals.py",
    ),
)
"""Folders and files that `-m quick` runs, in less than a minute: numerics, texts, models without a window, and structure."""


TIMEOUT_MS = 180_000
"""Time limit [ms] of waits for an event, long enough for a busy machine."""


class PatientBot(QtBot):
    """A `QtBot` whose waits have the time limit `TIMEOUT_MS` instead of five seconds."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = TIMEOUT_MS) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: Any, *, timeout: int = TIMEOUT_MS, **options: Any) -> Any:
        return super().waitSignal(signal, timeout=timeout, **options)

    def waitExposed(self, widget: Any, *, timeout: int = TIMEOUT_MS) -> Any:
        return super().waitExposed(widget, timeout=timeout)

    @staticmethod
    def mouseMove(widget: "QWidget", pos: "QPoint | None" = None, **_: Any) -> None:
        """Move the pointer by events. The method of pytest-qt depends on the timing of the X server."""
        from qt_events import move_pointer  # imports Qt, which quick tests do not need

        move_pointer(widget, widget.rect().center() if pos is None else pos)


def is_quick(path: Path) -> bool:
    relative_path = path.relative_to(Path(__file__).parent).as_posix()
    return any(relative_path == prefix or relative_path.startswith(f"{prefix}/") for prefix in QUICK)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Ignore all other files with `-m quick`, because importing the tests of the window takes as long as many quick tests."""
    others = config.getoption("markexpr") == "quick" and collection_path.suffix == ".py"
    return True if others and not is_quick(collection_path) else None


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Let each worker collect the folders in a different order. In a fresh checkout, workers that import the same modules at the
    same time would all compile them and rewrite their asserts."""
    report = yield
    if isinstance(collector, pytest.Module):
        refuse_registered_formulations(collector, report)
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if worker and isinstance(collector, pytest.Dir) and collector.path == Path(__file__).parent:
        share = int(worker.removeprefix("gw")) / int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
        begin = round(share * len(report.result))
        report.result = [*report.result[begin:], *report.result[:begin]]
    return report


def refuse_registered_formulations(module: pytest.Module, report: pytest.CollectReport) -> None:
    """Turn the report of a module that registers formulations while it is collected into a failure that names the module.

    Modules that list all formulations when they are imported would collect other tests in each worker of pytest-xdist, as
    the workers collect in different orders. No test at all would run then, and the message would not say why.
    """
    if "quatviz.physics.formulations" not in sys.modules:
        return
    forms = sys.modules["quatviz.physics.formulations"].FORMULATIONS
    names = list(forms.factories)
    for name in names:
        forms.remove(name)
    if names and report.passed:
        report.outcome, report.result = "failed", []
        report.longrepr = (
            f"{module.path}: collecting this module registers the formulations {', '.join(names)}. "
            "Make the lane, preset or session that has them in a fixture or in the test."
        )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # All workers must report the same order, which is that of a collection without xdist.
    if "PYTEST_XDIST_WORKER" in os.environ:
        items.sort(key=lambda item: item.path.relative_to(Path(__file__).parent).parts[0])
    for item in items:
        if is_quick(item.path) and not item.get_closest_marker("slow"):
            item.add_marker("quick")
    # If a long test began last, all other workers would wait for it.
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


GC_THRESHOLD = 20_000
"""Number of allocations, less deallocations, after which garbage is collected."""
GC_GROWTH = 100.0
"""Growth of the resident memory after which garbage is collected [MB]. A closed window is few objects, but large
pictures: without this limit, a worker kept up to a gigabyte of them."""
collected_memory = [0.0]
"""Resident memory after the last collection [MB]."""


def pytest_runtest_logfinish() -> None:
    """Collect garbage between tests, in the GUI thread. Another thread, such as that of a cluster's client, would delete
    widgets there, and Qt would crash."""
    from quatviz.commands.benchmarks._memory import resident_memory

    gc.disable()
    if gc.get_count()[0] > GC_THRESHOLD or resident_memory() > collected_memory[0] + GC_GROWTH:
        collect_garbage()


def collect_garbage() -> None:
    """Collect garbage and return free memory to the system. Objects that Qt is to delete later are deleted first."""
    from quatviz.commands.benchmarks._memory import resident_memory

    if "PySide6.QtWidgets" in sys.modules:
        from PySide6.QtCore import QCoreApplication, QEvent

        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    with suppress(OSError, AttributeError):  # another system's C library
        ctypes.CDLL(None).malloc_trim(0)
    collected_memory[0] = resident_memory()


def compile_preset_kernels() -> None:
    """Compile the kernels of all presets once. Otherwise several workers would compile the same kernels at the same time. This
    takes two seconds if they are cached."""
    subprocess.run(
        [sys.executable, "-m", "quatviz", "compile"],
        cwd=Path(__file__).resolve().parents[1],
        stdout=subprocess.DEVNULL,
        check=False,  # a test that needs a kernel reports why it cannot be compiled
    )


def pytest_sessionstart(session: pytest.Session) -> None:
    if os.environ.get("QT_QPA_PLATFORM", "xcb") in ("offscreen", "minimal"):
        pytest.exit("the window's tests need a display with OpenGL, not QT_QPA_PLATFORM=offscreen", 3)
    if session.config.getoption("dist", "no") != "no" and "PYTEST_XDIST_WORKER" not in os.environ:
        gc.enable()
        if not session.config.getoption("collectonly") and session.config.getoption("markexpr") != "quick":
            compile_preset_kernels()
        return  # this process only distributes tests to workers, which have their own displays
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A shell starts `... &` with SIGINT ignored, and child processes of tests that are sent one would inherit this.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    import compiling

    from quatviz.simulation.worker import limit_malloc_arenas
    from quatviz.ui.scene.gl_context import prepare_gl

    compiling.compile_in_forks()
    limit_malloc_arenas()
    prepare_gl()  # Qt reads these settings when pytest-qt makes the application


@pytest.fixture(scope="session")
def qapp(qapp: "QApplication") -> "QApplication":
    """Return the application with the program's fonts. Tests that run before the first window would otherwise measure the
    system's fonts."""
    from quatviz.ui.widgets.style import load_fonts

    load_fonts()
    return qapp


@pytest.fixture
def qtbot(qapp: "QApplication", request: pytest.FixtureRequest) -> QtBot:
    return PatientBot(request)


@pytest.fixture(autouse=True, scope="module")
def separate_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Give each test file an empty folder of settings."""
    os.environ["QUATVIZ_SETTINGS_DIR"] = str(tmp_path_factory.mktemp("settings"))


@pytest.fixture(autouse=True, scope="module")
def freeze_garbage() -> None:
    """Exclude the half million objects that exist before a test file from further garbage collections. Garbage is collected
    first; otherwise frozen boards and their curves would never be freed."""
    collect_garbage()
    gc.freeze()
    gc.collect()  # resets the counters of the collector


@pytest.fixture(autouse=True, scope="module")
def skip_settling(request: pytest.FixtureRequest) -> Iterator[None]:
    """Save processor time in tests of the window.

    Hundreds of windows are opened, so their layouts get little time to settle. Playing windows draw 25 instead of 60
    frames per second. Lessons do not compile kernels of later steps. Garbage is not collected when a window closes,
    except in the tests of closed windows.
    """
    if request.path.parent.name != "window":
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("quatviz.app.LAYOUT_SECONDS", 0.02)
        patch.setattr("quatviz.ui.window.frame_loop.FRAME_INTERVAL_MS", 40)
        patch.setattr("quatviz.ui.scene.scene_view.REST_DELAY_MS", 10**8)  # so that pictures can be compared
        patch.setattr("quatviz.ui.lessons.precompiler.POLL_INTERVAL_MS", 1_000_000)
        if request.path.stem != "test_closed_window":
            patch.setattr("quatviz.app.gc", SimpleNamespace(freeze=bool, unfreeze=bool, enable=bool))
        yield


@pytest.fixture(autouse=True, scope="module")
def no_leaked_formulations() -> Iterator[None]:
    """Remove the formulations that a test file has registered, since tests of later files list all formulations."""
    yield
    if "quatviz.physics.formulations" in sys.modules:
        forms = sys.modules["quatviz.physics.formulations"].FORMULATIONS
        for name in list(forms.factories):
            forms.remove(name)


@pytest.fixture(autouse=True)
def no_leaked_actions() -> Iterator[None]:
    """Delete actions without a window. They would keep their target, such as a board, alive until the tests end."""
    yield
    if "action_stubs" in sys.modules:
        sys.modules["action_stubs"].delete_actions()


FAILED = pytest.StashKey[bool]()
"""Key of a flag that is set for tests that have failed."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


PROCESS_STATE: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
    "environment variables": (lambda: _environment(), lambda before: _restore_environment(before)),
    "working folder": (os.getcwd, os.chdir),
    "handling of SIGINT": (
        lambda: signal.getsignal(signal.SIGINT),
        lambda before: signal.signal(signal.SIGINT, before),
    ),
    "format of numbers": (
        lambda: locale.setlocale(locale.LC_NUMERIC),
        lambda before: locale.setlocale(locale.LC_NUMERIC, before),
    ),
}
"""Parts of the process state that every test restores, each with a function that reads and one that sets it."""


SET_ONCE = frozenset({"PYTEST_CURRENT_TEST", "MPLBACKEND", "PYOPENGL_PLATFORM", "MESA_SHADER_CACHE_DISABLE"})
"""Environment variables that pytest or the program sets once for the whole process."""


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in SET_ONCE}


def _restore_environment(before: dict[str, str]) -> None:
    for name in _environment().keys() - before.keys():
        del os.environ[name]
    os.environ.update(before)


@pytest.fixture(autouse=True)
def restored_settings() -> Iterator[None]:
    """Restore the settings files that a test has changed. A shared window restores its own settings."""
    folder = Path(os.environ["QUATVIZ_SETTINGS_DIR"])

    def read() -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in folder.glob("*.toml")}

    before = read() if _shared_session() is None else None
    yield
    if before is not None and _shared_session() is None:
        after = read()
        for path in after.keys() - before.keys():
            path.unlink()
        for path, content in before.items():
            if after.get(path) != content:
                path.write_bytes(content)


@pytest.fixture(autouse=True)
def restored_state(request: pytest.FixtureRequest) -> Iterator[None]:
    """Restore the state of the process and the application, and fail a test that has changed it without restoring it.

    A test that has failed for another reason gets no second failure. The theme is restored without a failure, because
    many tests set it.
    """
    states = dict(PROCESS_STATE)
    if "qapp" in request.fixturenames:
        states |= _application_state(request.getfixturevalue("qapp"))
    before = {name: read() for name, (read, _) in states.items()}
    yield
    after = {name: read() for name, (read, _) in states.items()}
    changed = {name: value for name, value in before.items() if after[name] != value}
    for name, value in changed.items():
        states[name][1](value)
    if "qapp" in request.fixturenames:
        _restore_theme(request.getfixturevalue("qapp"))
    remaining = [_difference(name, value, after[name]) for name, value in changed.items()]
    if not request.node.stash.get(FAILED, False):
        assert not remaining, f"the test has not restored: {remaining}"


def _difference(name: str, before: Any, after: Any) -> str:
    if isinstance(before, dict):
        before, after = (
            dict(part.items() - whole.items()) for part, whole in ((before, after), (after, before))
        )
    return f"{name}: {before} before, {after} after"


def _application_state(app: "QApplication") -> dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]]:
    """State of the Qt application that every test restores, as in `PROCESS_STATE`."""
    from PySide6.QtCore import QLocale

    from quatviz.ui.widgets.style import apply_scale, theme_of

    def restore_cursor(before: bool) -> None:
        while not before and app.overrideCursor() is not None:
            app.restoreOverrideCursor()

    return {
        "interface scale": (lambda: theme_of(app).size, lambda before: apply_scale(round(100 * before))),
        "locale of Qt": (QLocale, QLocale.setDefault),
        "cursor of the application": (lambda: app.overrideCursor() is not None, restore_cursor),
        "direction of the layout": (app.layoutDirection, app.setLayoutDirection),
    }


def _restore_theme(app: "QApplication") -> None:
    from quatviz.display.view_state.theme import DARK
    from quatviz.ui.widgets.style import apply_theme

    if app.property("theme") not in (None, DARK.name):
        apply_theme(app, DARK)


@pytest.fixture(autouse=True)
def no_leaked_threads() -> Iterator[None]:
    """Fail a test that leaves threads running, except those of the shared window (`tests/ui/window/shared_window.py`)."""
    before = _own_threads()
    yield
    for thread in threading.enumerate():
        if thread.name == "quatviz-growth" and _shared_session() is not None:
            # The reducer of the shared window has just begun with new rows, and ends by itself.
            thread.join(TIMEOUT_MS / 1000)
    limit = time.monotonic() + TIMEOUT_MS / 1000
    while _own_threads() - before and time.monotonic() < limit:
        # The window does not wait for the threads of a replaced run, which end after their block of steps.
        time.sleep(0.01)
    leaked = _own_threads() - before
    assert not leaked, f"threads left running: {leaked}"


def _own_threads() -> Counter[str]:
    names = Counter(thread.name for thread in threading.enumerate() if thread.name.startswith("quatviz"))
    return names - Counter(sys.modules["shared_window"].THREADS if _shared_session() is not None else ())


def _shared_session() -> Any:
    """Return the controller of the window that tests share, or None if there is no such window."""
    return sys.modules["shared_window"].SHARED_WINDOW.session if "shared_window" in sys.modules else None


@pytest.fixture(autouse=True)
def no_leaked_timers(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves timers running, because they would fire during a later test.

    Tests without the application process no events. A timer that such a test leaves is reported for the next test that uses
    the application.
    """
    yield
    if "qapp" not in request.fixturenames:
        return
    from PySide6.QtCore import QCoreApplication, QTimer
    from PySide6.QtWidgets import QApplication

    app = QCoreApplication.instance()
    if not isinstance(app, QApplication):
        return
    owners = [app, *app.topLevelWidgets()]
    running = [timer for owner in owners for timer in owner.findChildren(QTimer) if timer.isActive()]
    if request.path.parent.name == "window":
        running += [timer for timer in _unowned_timers() if timer not in running]
    if _shared_session() is not None:
        running = [
            timer for timer in running if timer not in sys.modules["shared_window"].SHARED_WINDOW.timers
        ]
    names = [f"{timer.parent()!r}, {timer.interval()} ms" for timer in running]
    for timer in running:
        timer.stop()
    assert not names, f"timers left running: {names}"


def _unowned_timers() -> "Iterator[QTimer]":
    """Yield all running timers that are Python objects."""
    from PySide6.QtCore import QTimer
    from shiboken6 import isValid

    objects, timer_classes = gc.get_objects(), {QTimer, *QTimer.__subclasses__()}
    # Half a million objects after each test: no Python code may run for each of them.
    timers = itertools.compress(objects, map(timer_classes.__contains__, map(type, objects)))
    yield from (timer for timer in timers if isValid(timer) and timer.isActive())


@pytest.fixture(autouse=True)
def untouched_user_settings() -> Iterator[None]:
    import platformdirs

    real = platformdirs.user_config_path("quatviz", appauthor=False)

    def state() -> list[tuple[str, int]]:
        return (
            sorted((str(path), path.stat().st_mtime_ns) for path in real.rglob("*")) if real.exists() else []
        )

    before = state()
    yield
    assert state() == before, "a test changed the user's own settings"


@pytest.fixture(autouse=True)
def no_hooked_exceptions() -> Iterator[None]:
    hook = sys.excepthook
    yield
    sys.excepthook = hook
