"""Guards that hold for every test: no leaked thread, no touched settings, no uncaught exception, a private cache.

Tests of the window run on a real display with real OpenGL, which pytest-xvfb starts; a platform that only pretends
fails the suite at once.
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
# Before NumPy is read. In several threads, which wait by turning round and round, what is small takes ten times as long, and all
# processors, which other workers have use for.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Else every process here, and every child of a test, compiles all modules and rewrites all asserts anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# No deadline: the first example of a property-based test may import numba.
settings.register_profile("quatviz", deadline=None)
settings.load_profile("quatviz")

gc.disable()  # `pytest_runtest_logfinish` looks for it


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
"""What `-m quick` runs, in under a minute: numerics, texts and models without a window, the shape of the code."""


TIMEOUT_MS = 60_000
"""How long a test waits at most for what is to happen at once, on a machine that does much else."""


class PatientBot(QtBot):
    """Waits longer than five seconds."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = TIMEOUT_MS) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: Any, *, timeout: int = TIMEOUT_MS, **options: Any) -> Any:
        return super().waitSignal(signal, timeout=timeout, **options)

    def waitExposed(self, widget: Any, *, timeout: int = TIMEOUT_MS) -> Any:
        return super().waitExposed(widget, timeout=timeout)

    @staticmethod
    def mouseMove(widget: "QWidget", pos: "QPoint | None" = None, **_: Any) -> None:
        """Without a race with the X server, unlike the method of pytest-qt."""
        from qt_events import move_pointer  # with Qt, which quick tests do without

        move_pointer(widget, widget.rect().center() if pos is None else pos)


def is_quick(path: Path) -> bool:
    relative_path = path.relative_to(Path(__file__).parent).as_posix()
    return any(relative_path == prefix or relative_path.startswith(f"{prefix}/") for prefix in QUICK)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With `-m quick` no other file is read: to import what tests the window takes as long as many of these."""
    others = config.getoption("markexpr") == "quick" and collection_path.suffix == ".py"
    return True if others and not is_quick(collection_path) else None


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """In a fresh checkout each module is compiled, and its asserts are rewritten, by whoever reads it first: all workers, if
    they read the folders in the same order. So each begins elsewhere."""
    report = yield
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if worker and isinstance(collector, pytest.Dir) and collector.path == Path(__file__).parent:
        share = int(worker.removeprefix("gw")) / int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
        begin = round(share * len(report.result))
        report.result = [*report.result[begin:], *report.result[:begin]]
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # All workers have to name the same: as the folders are read without them.
    if "PYTEST_XDIST_WORKER" in os.environ:
        items.sort(key=lambda item: item.path.relative_to(Path(__file__).parent).parts[0])
    for item in items:
        if is_quick(item.path) and not item.get_closest_marker("slow"):
            item.add_marker("quick")
    # Begun last, a long one would be waited for alone.
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


GC_THRESHOLD = 20_000
"""Objects made and not let go of, after which garbage is looked for."""


def pytest_runtest_logfinish() -> None:
    """Garbage is looked for between tests, in the thread that has the widgets: any other, such as that of a cluster's client, would
    delete there what it found of them, of which Qt dies."""
    gc.disable()
    if gc.get_count()[0] > GC_THRESHOLD:
        gc.collect()


def compile_preset_kernels() -> None:
    """Compile the kernels of all presets once, before several workers would compile the same ones at the same time. Takes two
    seconds if they are cached."""
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
        return  # this process only hands tests to others, and each of those has a display of its own
    import compiling

    from quatviz.simulation.worker import limit_malloc_arenas
    from quatviz.ui.scene.gl_context import prepare_gl

    compiling.compile_in_forks()
    limit_malloc_arenas()
    prepare_gl()  # Qt reads these settings when pytest-qt makes the application


@pytest.fixture(scope="session")
def qapp(qapp: "QApplication") -> "QApplication":
    """With the program's letters. A test that came before all windows would measure those of the system in their place."""
    from quatviz.ui.widgets.style import load_fonts

    load_fonts()
    return qapp


@pytest.fixture
def qtbot(qapp: "QApplication", request: pytest.FixtureRequest) -> QtBot:
    return PatientBot(request)


@pytest.fixture(autouse=True, scope="module")
def separate_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What the window remembers in one file of tests is nothing to the next."""
    os.environ["QUATVIZ_SETTINGS_DIR"] = str(tmp_path_factory.mktemp("settings"))


@pytest.fixture(autouse=True, scope="module")
def freeze_garbage() -> None:
    """What is there when a file of tests begins is not searched for garbage again: half a million objects. What Qt was asked to
    delete later is deleted first: it would be set aside whole, boards with their curves, and nobody would find it again."""
    if "PySide6.QtWidgets" in sys.modules:
        from PySide6.QtCore import QCoreApplication, QEvent

        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    with suppress(OSError, AttributeError):  # another system's C library
        ctypes.CDLL(None).malloc_trim(0)
    gc.freeze()
    gc.collect()  # so that Python counts what is searched only, and searches it before it is much


@pytest.fixture(autouse=True, scope="module")
def skip_settling(request: pytest.FixtureRequest) -> Iterator[None]:
    """A window is not given time to settle: hundreds are opened, and nobody looks at their first second. What plays is drawn at
    25 frames a second, for a window that waits for a thread or a child would take a processor to draw sixty. Nor does a lesson
    compile its later steps, for all are led through in one go, and other tests need the processors. What `little_to_search`
    has set aside stays there, but for tests of what a closed window gives back."""
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
    """Formulations that a file of tests adds are nothing to the next: the lists of what there is have them too."""
    yield
    if "quatviz.physics.formulations" in sys.modules:
        forms = sys.modules["quatviz.physics.formulations"].FORMULATIONS
        for name in list(forms.factories):
            forms.remove(name)


@pytest.fixture(autouse=True)
def no_leaked_actions() -> Iterator[None]:
    """Acts that no window owns would keep what they are done to, a board or a view, for as long as the tests run."""
    yield
    if "action_stubs" in sys.modules:
        sys.modules["action_stubs"].delete_actions()


FAILED = pytest.StashKey[bool]()
"""Set on a test of which a part has failed."""


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
"""State of the process that every test restores: how it is read, and how it is set."""


SET_ONCE = frozenset({"PYTEST_CURRENT_TEST", "MPLBACKEND", "PYOPENGL_PLATFORM", "MESA_SHADER_CACHE_DISABLE"})
"""Environment variables that pytest or the program sets for as long as the process runs."""


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in SET_ONCE}


def _restore_environment(before: dict[str, str]) -> None:
    for name in _environment().keys() - before.keys():
        del os.environ[name]
    os.environ.update(before)


@pytest.fixture(autouse=True)
def restored_settings() -> Iterator[None]:
    """Restore the files of settings that a test has changed. While a window stands it restores its own."""
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
    """Restore the state of the process and of the application that a test has changed, and fail the test that has not restored it
    itself. A test that has failed is not blamed for that, too. The theme is always restored here, for many tests choose one."""
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
    left = [_difference(name, value, after[name]) for name, value in changed.items()]
    if not request.node.stash.get(FAILED, False):
        assert not left, f"the test has not restored: {left}"


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
    """But for those of a window that stands, which compute its run and keep its edits: `tests/ui/window/shared_window.py`."""
    before = _own_threads()
    yield
    for thread in threading.enumerate():
        if thread.name == "quatviz-growth" and _shared_session() is not None:
            # It has only just begun with rows of the window that stands, and ends by itself.
            thread.join(TIMEOUT_MS / 1000)
    leaked = _own_threads() - before
    assert not leaked, f"threads left running: {leaked}"


def _own_threads() -> Counter[str]:
    names = Counter(thread.name for thread in threading.enumerate() if thread.name.startswith("quatviz"))
    return names - Counter(sys.modules["shared_window"].THREADS if _shared_session() is not None else ())


def _shared_session() -> Any:
    """The window that stands between two tests, if one does."""
    return sys.modules["shared_window"].SHARED_WINDOW.session if "shared_window" in sys.modules else None


@pytest.fixture(autouse=True)
def no_leaked_timers(request: pytest.FixtureRequest) -> Iterator[None]:
    """A timer that still runs when its test is over would fire into a later one.

    A test that does not ask for the application has no events to keep a timer going. If it leaves one all the same,
    the next that asks is blamed for it.
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
    """Running timers anywhere in Python."""
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
    assert state() == before, "a test touched the person's own settings"


@pytest.fixture(autouse=True)
def no_hooked_exceptions() -> Iterator[None]:
    hook = sys.excepthook
    yield
    sys.excepthook = hook
