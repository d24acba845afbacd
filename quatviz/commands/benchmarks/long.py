"""`quatviz bench long`: a window with a million samples in each of eight lanes, and how it grows.

Whether it stays fluid, how long a seek takes, what memory it costs, and how long a frame takes where the same curves are drawn
the plain way. All but the last is measured of shorter runs and of fewer lanes, too: how it grows with them.

The plain way is a `pyqtgraph.PlotWidget` for each plot of the board, with a curve for each of its traces, all whose
samples are set in every frame, and a line for the cursor; each curve has a tenth of the samples.
"""

import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QEventLoop, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QGridLayout, QWidget

import quatviz
from quatviz.app import Session, let_run, make_application, warm_up
from quatviz.commands.benchmarks._results import Figure, Finding, Growth
from quatviz.commands.benchmarks._window_monitor import FLUSH, Watch, watched
from quatviz.files.preset import Lane, Preset
from quatviz.simulation.commands import Pause, Play, Seek
from quatviz.ui.plots.time_view import TimeView

PLACE = 40

SAMPLES = 1_000_000
EIGHT_LANES = (*3 * ("newton_euler", "hamilton"), *2 * ("lagrange_simplified/split",))
LENGTHS = (SAMPLES // 8, SAMPLES // 4, SAMPLES // 2)
"""Samples of shorter runs; with the shortest memory is compared: what the window itself and its bounded caches take is in both."""
LANES = (1, 2, 4)
"""Of runs with as many samples as the shortest."""
INTERVAL = 1e-3
SECONDS = 8.0
SEEKS = 50
ZOOMED = 7.0
"""Seconds in sight of the zoomed seeks: so few that no block of the pyramids serves, and as many as then may be."""
PLAIN_SAMPLES = 100_000
PLAIN_SECONDS = 8.0
PATIENCE = 60.0
"""Seconds after which something that does not come is not waited for."""

Figures = dict[str, Figure]
"""Of one run, by their names."""

COMPUTED, DRAWN = "time to compute them", "time from then, at rest, until all curves are drawn"
TAKEN = "time until all is computed and drawn"
PROCESS, STATES = "memory of the process", "memory of the states"
SOUGHT = "seek, {case}: median until the last curve is drawn"
WHOLE, IN_SIGHT = "whole run", f"{ZOOMED:g} s in sight"


def measure() -> list[Finding]:
    """Figures of lanes of `torque_free` at 1920x1080, dark theme, each run in a process of its own: what a window has left
    behind would be in the memory of the next one."""
    lengths = [_apart(samples, len(EIGHT_LANES)) for samples in LENGTHS]
    fewer = [_apart(LENGTHS[0], lanes) for lanes in LANES]
    longest = _apart(SAMPLES, len(EIGHT_LANES), whole=True)
    process, states = (
        Figure(f"growth of the {name}", longest[name].value - lengths[0][name].value, "MB")
        for name in (PROCESS, STATES)
    )
    told = [*longest.values(), replace(process, reference=states, reach=1.2 * states.value)]
    over = f"samples in each of {len(EIGHT_LANES)} lanes"
    return [
        *(replace(figure, name=f"eight lanes of 10^6: {figure.name}") for figure in told),
        *_growths(over, (*LENGTHS, SAMPLES), [*lengths, longest]),
        *_growths(f"lanes of {LENGTHS[0]} samples", (*LANES, len(EIGHT_LANES)), [*fewer, lengths[0]]),
    ]


def _growths(over: str, sizes: Sequence[float], runs: Sequence[Figures]) -> Iterator[Growth]:
    for name in (COMPUTED, TAKEN, FLUSH, SOUGHT.format(case=WHOLE), SOUGHT.format(case=IN_SIGHT), PROCESS):
        yield Growth(name, over, sizes, [run[name].value for run in runs], runs[0][name].unit)


def _apart(samples: int, lanes: int, whole: bool = False) -> Figures:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
        return processes.submit(_run_of, samples, lanes, whole).result()


def _run_of(samples: int, lanes: int, whole: bool) -> Figures:
    """Figures of a run of so many samples in so many lanes; quickly, or of the `whole` of what is to be told of it."""
    with tempfile.TemporaryDirectory() as folder:
        # What a fuller window of this bench has shown would be remembered, such as its four views.
        os.environ["QUATVIZ_SETTINGS_DIR"] = folder
        make_application()
        warm_up()
        with watched(_preset(samples, lanes)) as (session, watch):
            figures = _figures(session, watch, whole)
            return {figure.name: figure for figure in figures}


def _preset(samples: int, lanes: int = len(EIGHT_LANES)) -> Preset:
    preset = quatviz.load_preset("torque_free")
    timing = replace(preset.run, duration=(samples - 1) * INTERVAL, dt=INTERVAL, sample_interval=INTERVAL)
    return replace(preset, run=timing, lanes=tuple(Lane(formulation) for formulation in EIGHT_LANES[:lanes]))


def _computing(session: Session) -> bool:
    simulation = session.simulation
    return bool(session.bridge.snapshot.preparing) or any(simulation.missing(lane) for lane in simulation)


def _figures(session: Session, watch: Watch, whole: bool) -> list[Figure]:
    """Figures of a run; of a `whole` one from more samples, and beside the plain way."""
    _wait(lambda: not session.bridge.snapshot.preparing)
    watch.gaps.clear()
    began, used = time.perf_counter(), time.thread_time()
    _wait(lambda: not _computing(session))
    computed = time.perf_counter()
    session.bridge.send(Pause())  # while a run plays, frames come before curves that are far behind
    _wait(lambda: not session.bridge.behind)
    caught_up, used = time.perf_counter(), time.thread_time() - used
    rows = sum(lane.samples for lane in session.simulation)
    figures = [
        Figure("rows of all lanes", rows, ""),
        Figure(COMPUTED, computed - began, "s"),
        Figure(DRAWN, caught_up - computed, "s", reach=1.5),
        Figure(TAKEN, caught_up - began, "s"),
        Figure("time of the window's thread until then", used, "s"),
        Figure("rows taken into the curves, of those computed", rows / (caught_up - began), "1/s"),
        *watch.stalls(" meanwhile"),
    ]
    session.bridge.send(Seek(0.3 * session.simulation.duration))
    session.bridge.send(Play())
    let_run(1.0)
    playing = watch.playing(SECONDS if whole else 1.0)
    figures += playing
    ours = next(figure for figure in playing if figure.name == FLUSH)
    session.bridge.send(Pause())
    axis = session.window.board.axis
    count = SEEKS if whole else SEEKS // 5
    figures += _seeks(session, WHOLE, count)
    session.bridge.send(Seek(axis.duration / 2))  # a view follows the cursor that it has in sight
    let_run(0.5)
    axis.zoom(ZOOMED / axis.span, axis.duration / 2)
    figures += _seeks(session, IN_SIGHT, count)
    states = sum(lane.history.nbytes for lane in session.simulation)
    figures += [Figure(PROCESS, _resident() / 2**20, "MB"), Figure(STATES, states / 2**20, "MB")]
    if not whole:
        return figures
    traces = [
        len(plot.traces)
        for panel in session.window.board.panels
        if isinstance(panel, TimeView)
        for plot in panel.plots
    ]
    size = session.window.board.size()
    plain = _plain(traces, size.width(), size.height())
    figures.append(
        Figure(
            f"plain way, {sum(traces)} curves of {PLAIN_SAMPLES} samples: time of its thread per frame",
            plain * 1e3,
            "ms",
            ours,
        )
    )
    return figures


class _Painted(QObject):
    """Notes that the plots were painted with the cursor at `goal`."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._bridge = session.bridge
        self._board = session.window.board
        self._plot = next(panel for panel in self._board.panels if isinstance(panel, TimeView)).plots[0]
        self._plot.installEventFilter(self)
        self.goal = -1.0
        self.seen = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        frame = self._bridge.frame
        if event.type() == QEvent.Type.Paint and frame is not None and frame.time == self.goal:
            self.seen = True
        return False

    @property
    def whole(self) -> bool:
        """Whether no plot has yet to show its curves."""
        return not any(
            plot.bare for panel in self._board.panels if isinstance(panel, TimeView) for plot in panel.plots
        )

    def remove(self) -> None:
        self._plot.removeEventFilter(self)


def _seeks(session: Session, case: str, count: int) -> list[Figure]:
    """From the command to the painted window, at places all over the run."""
    painted, chance = _Painted(session), random.Random(1)
    times, wholes, shares = [], [], []
    let_run(0.5)
    for _ in range(count):
        painted.goal, painted.seen = chance.uniform(0.0, session.bridge.snapshot.duration), False
        began, used = time.perf_counter(), time.thread_time()
        session.bridge.send(Seek(painted.goal))
        _wait(lambda: painted.seen, PATIENCE / SEEKS, every=1)
        times.append(time.perf_counter() - began)
        _wait(lambda: painted.whole, PATIENCE / SEEKS, every=1)
        wholes.append(time.perf_counter() - began)
        shares.append(time.thread_time() - used)
        let_run(0.03)
    painted.remove()
    return [
        Figure(f"seek, {case}: median of {count}", statistics.median(times) * 1e3, "ms", reach=35.0),
        Figure(f"seek, {case}: longest", max(times) * 1e3, "ms", reach=60.0),
        Figure(SOUGHT.format(case=case), statistics.median(wholes) * 1e3, "ms"),
        Figure(f"seek, {case}: longest until the last curve is drawn", max(wholes) * 1e3, "ms"),
        Figure(f"seek, {case}: median of the window's thread", statistics.median(shares) * 1e3, "ms"),
    ]


def _plain(traces: list[int], width: int, height: int) -> float:
    """Time of the thread per frame [s] of plots with so many curves each, drawn the plain way."""
    widget = QWidget()
    grid = QGridLayout(widget)
    t = np.arange(PLAIN_SAMPLES) * INTERVAL
    curves, lines = [], []
    for number, count in enumerate(traces):
        plot = pg.PlotWidget()
        grid.addWidget(plot, number // 2, number % 2)
        curves += [plot.plot(pen=pg.intColor(each, count)) for each in range(count)]
        lines.append(plot.addLine(x=0.0))
    values = [np.sin((0.5 + 0.01 * number) * t) for number in range(len(curves))]
    widget.resize(width, height)
    widget.show()
    QApplication.processEvents()
    used, frames, until = 0.0, 0, time.perf_counter() + PLAIN_SECONDS
    while frames < 2 or (time.perf_counter() < until and frames < 100):
        started = time.thread_time()
        for curve, rows in zip(curves, values, strict=True):
            curve.setData(t, rows)
        for line in lines:
            line.setPos(frames * 0.1)
        QApplication.processEvents()
        used, frames = used + time.thread_time() - started, frames + 1
    widget.close()
    widget.deleteLater()
    return used / frames


def _wait(done: Callable[[], bool], patience: float = PATIENCE, every: int = 20) -> None:
    """Let the window run, for so many seconds at most, until it is `done`, which is asked `every` so many milliseconds: between
    two events the thread rests, as `processEvents` with a limit would not."""
    loop, until = QEventLoop(), time.perf_counter() + patience
    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(lambda: loop.quit() if done() or time.perf_counter() > until else None)
    timer.start(every)
    if not done():
        loop.exec()


def _resident() -> float:
    """Memory that the process has now [bytes]; NaN where the system does not say."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if statm.exists() else float("nan")
