"""`quatviz bench long`: a window with eight lanes of a million samples, and its scaling.

The results are playback, the time of a seek, memory, and the time of a frame in which plain pyqtgraph draws the same
curves. All but the last are also measured for shorter runs and fewer lanes, which gives their scaling.

The window of plain pyqtgraph has one `pyqtgraph.PlotWidget` per plot of the board, one curve per trace, and a line for
the cursor. The data of all curves, a tenth of the samples, are set anew in every frame.
"""

import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import get_context

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QGridLayout, QWidget

import quatviz
from quatviz.app import WindowController, make_application, process_events_for, set_thread_switch_interval
from quatviz.base.child_processes import safe_module_path
from quatviz.commands.benchmarks._memory import resident_memory
from quatviz.commands.benchmarks._results import BenchmarkOutput, BenchmarkResult, ScalingResult
from quatviz.commands.benchmarks._window_monitor import (
    CHANGED_FRAMES,
    FLUSH_TIME,
    TIMEOUT,
    WindowMonitor,
    monitored_window,
    wait_until,
)
from quatviz.files.preset import Lane, Preset
from quatviz.simulation.commands import Pause, Play, Seek
from quatviz.ui.plots.time_view import TimeView

PLACE = 40

SAMPLES = 1_000_000
EIGHT_LANES = (*3 * ("newton_euler", "hamilton"), *2 * ("lagrange_simplified/split",))
LENGTHS = (SAMPLES // 8, SAMPLES // 4, SAMPLES // 2)
"""Numbers of samples for which the scaling with the length of the run is measured.

The reference for the memory is the shortest run. Its memory includes the window itself and its bounded caches.
"""
LANES = (1, 2, 4)
"""Numbers of lanes for which the scaling with the number of lanes is measured, with as many samples as the shortest
run."""
INTERVAL = 1e-3
SECONDS = 8.0
SEEKS = 50
MAX_SEEK_MS, MAX_ZOOMED_SEEK_MS = (25.0, 40.0), (35.0, 60.0)
"""Targets [ms] for the median and the longest time of a seek: first with the whole run visible, then with a zoomed
axis."""
ZOOMED_SECONDS = 7.0
"""Visible time range [s] of the zoomed seeks. In a longer range, the curves would be read from precomputed extremes of
blocks of samples (the pyramid)."""
PLAIN_SAMPLES = 100_000
PLAIN_SECONDS = 8.0

ResultsByName = dict[str, BenchmarkResult]
"""Results of one run, by name of the result."""

COMPUTE_TIME, DRAW_TIME = (
    "time to compute all samples",
    "time from the end of the computation until all curves are drawn",
)
TOTAL_TIME = "time until all samples are computed and drawn"
PROCESS_MEMORY, STATE_MEMORY = "memory of the process", "memory of the states"
SEEK_TIME = "seek, {case}: median until the last curve is drawn"
WHOLE_RUN, ZOOMED_VIEW = "whole run", f"{ZOOMED_SECONDS:g} s visible"


def measure() -> list[BenchmarkOutput]:
    """Return results of lanes of `torque_free` at 1920x1080 in the dark theme.

    Each run has its own process, because its memory would otherwise include that of earlier windows.
    """
    lengths = [_run_in_process(samples, len(EIGHT_LANES)) for samples in LENGTHS]
    fewer = [_run_in_process(LENGTHS[0], lanes) for lanes in LANES]
    longest = _run_in_process(SAMPLES, len(EIGHT_LANES), full=True)
    playing = _in_process(_measure_computation_while_playing)
    process, states = (
        BenchmarkResult(f"growth of the {name}", longest[name].value - lengths[0][name].value, "MB")
        for name in (PROCESS_MEMORY, STATE_MEMORY)
    )
    results = [*longest.values(), replace(process, reference=states, reach=1.2 * states.value)]
    over = f"samples in each of {len(EIGHT_LANES)} lanes"
    return [
        *(replace(figure, name=f"eight lanes of 10^6: {figure.name}") for figure in results),
        *(replace(figure, name=f"eight lanes of 10^6, playing: {figure.name}") for figure in playing),
        *_growths(over, (*LENGTHS, SAMPLES), [*lengths, longest]),
        *_growths(f"lanes of {LENGTHS[0]} samples", (*LANES, len(EIGHT_LANES)), [*fewer, lengths[0]]),
    ]


def _growths(over: str, sizes: Sequence[float], runs: Sequence[ResultsByName]) -> Iterator[ScalingResult]:
    for name in (
        COMPUTE_TIME,
        TOTAL_TIME,
        FLUSH_TIME,
        SEEK_TIME.format(case=WHOLE_RUN),
        SEEK_TIME.format(case=ZOOMED_VIEW),
        PROCESS_MEMORY,
    ):
        yield ScalingResult(name, over, sizes, [run[name].value for run in runs], runs[0][name].unit)


def _run_in_process(samples: int, lanes: int, full: bool = False) -> ResultsByName:
    return {figure.name: figure for figure in _in_process(_measure_run, samples, lanes, full)}


def _in_process(measure_in: Callable[..., list[BenchmarkResult]], *arguments: int) -> list[BenchmarkResult]:
    with safe_module_path(), ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
        return processes.submit(measure_in, *arguments).result()


def _measure_run(samples: int, lanes: int, full: bool) -> list[BenchmarkResult]:
    """Return the results of a run with this number of samples and lanes. If `full` is False, only a quick selection is
    measured."""
    with _monitored_run(samples, lanes) as (session, monitor):
        return _measure_window(session, monitor, full)


def _measure_computation_while_playing() -> list[BenchmarkResult]:
    """Return the results of the longest run during playback, while the run is still being computed."""
    with _monitored_run(SAMPLES, len(EIGHT_LANES)) as (session, monitor):
        wait_until(lambda: not session.frame_loop.snapshot.preparing)
        monitor.changed_frames = 0
        monitor.gaps.clear()
        started, used = time.perf_counter(), time.thread_time()
        wait_until(lambda: not _is_computing(session))
        elapsed, used = time.perf_counter() - started, time.thread_time() - used
        return [
            BenchmarkResult(COMPUTE_TIME, elapsed, "s", reach=6.0),
            BenchmarkResult(
                f"{CHANGED_FRAMES} meanwhile", monitor.changed_frames / elapsed, "1/s", reach=45.0, least=True
            ),
            BenchmarkResult("share of the window's thread meanwhile", used / elapsed, ""),
            *monitor.stalls(" meanwhile"),
        ]


@contextmanager
def _monitored_run(samples: int, lanes: int) -> Iterator[tuple[WindowController, WindowMonitor]]:
    """Provide a window with a run and a monitor of the window."""
    make_application()
    set_thread_switch_interval()
    with monitored_window(_preset(samples, lanes)) as window:
        yield window


def _preset(samples: int, lanes: int = len(EIGHT_LANES)) -> Preset:
    preset = quatviz.load_preset("torque_free")
    timing = replace(preset.run, duration=(samples - 1) * INTERVAL, dt=INTERVAL, sample_interval=INTERVAL)
    return replace(preset, run=timing, lanes=tuple(Lane(formulation) for formulation in EIGHT_LANES[:lanes]))


def _is_computing(session: WindowController) -> bool:
    simulation = session.simulation
    return bool(session.frame_loop.snapshot.preparing) or any(simulation.missing(lane) for lane in simulation)


def _measure_window(session: WindowController, monitor: WindowMonitor, full: bool) -> list[BenchmarkResult]:
    """Return the results of the run in a window. If `full` is True, there are more seeks and a comparison with plain plots."""
    session.frame_loop.send(Pause())  # During playback, frames have priority over curves that are far behind.
    wait_until(lambda: not session.frame_loop.snapshot.preparing)
    monitor.gaps.clear()
    started, used = time.perf_counter(), time.thread_time()
    wait_until(lambda: not _is_computing(session))
    computed = time.perf_counter()
    wait_until(lambda: not session.frame_loop.is_behind)
    caught_up, used = time.perf_counter(), time.thread_time() - used
    rows = sum(lane.samples for lane in session.simulation)
    figures = [
        BenchmarkResult("rows of all lanes", rows, ""),
        BenchmarkResult(COMPUTE_TIME, computed - started, "s", reach=1.8),
        BenchmarkResult(DRAW_TIME, caught_up - computed, "s", reach=1.2),
        BenchmarkResult(TOTAL_TIME, caught_up - started, "s"),
        BenchmarkResult("time of the window's thread until then", used, "s"),
        BenchmarkResult("rows computed and drawn", rows / (caught_up - started), "1/s"),
        *monitor.stalls(" meanwhile"),
    ]
    session.frame_loop.send(Seek(0.3 * session.simulation.duration))
    session.frame_loop.send(Play())
    process_events_for(1.0)
    playing = monitor.measure_playback(SECONDS if full else 1.0)
    figures += playing
    ours = next(figure for figure in playing if figure.name == FLUSH_TIME)
    session.frame_loop.send(Pause())
    axis = session.window.board.axis
    count = SEEKS if full else SEEKS // 5
    figures += _measure_seeks(session, WHOLE_RUN, count, MAX_SEEK_MS)
    session.frame_loop.send(Seek(axis.duration / 2))  # The view follows a visible cursor.
    process_events_for(0.5)
    axis.zoom(ZOOMED_SECONDS / axis.span, axis.duration / 2)
    figures += _measure_seeks(session, ZOOMED_VIEW, count, MAX_ZOOMED_SEEK_MS)
    states = sum(lane.history.nbytes for lane in session.simulation)
    figures += [
        BenchmarkResult(PROCESS_MEMORY, resident_memory(), "MB"),
        BenchmarkResult(STATE_MEMORY, states / 2**20, "MB"),
    ]
    if not full:
        return figures
    traces = [
        len(plot.traces)
        for panel in session.window.board.panels
        if isinstance(panel, TimeView)
        for plot in panel.plots
    ]
    size = session.window.board.size()
    plain = _plain_frame_time(traces, size.width(), size.height())
    figures.append(
        BenchmarkResult(
            f"plain pyqtgraph, {sum(traces)} curves of {PLAIN_SAMPLES} samples: time of the thread per frame",
            plain * 1e3,
            "ms",
            ours,
        )
    )
    return figures


class _PaintWatcher(QObject):
    """Watcher that records when the plots have been painted with the cursor at `target_time`."""

    def __init__(self, session: WindowController) -> None:
        super().__init__()
        self._bridge = session.frame_loop
        self._board = session.window.board
        self._plot = next(panel for panel in self._board.panels if isinstance(panel, TimeView)).plots[0]
        self._plot.installEventFilter(self)
        self.target_time = -1.0
        self.is_painted = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        frame = self._bridge.frame
        if event.type() == QEvent.Type.Paint and frame is not None and frame.time == self.target_time:
            self.is_painted = True
        return False

    @property
    def all_curves_drawn(self) -> bool:
        """True if every plot shows its curves up to date."""
        return not any(
            self._board.redraws.is_due(plot, "curves")
            for panel in self._board.panels
            if isinstance(panel, TimeView)
            for plot in panel.plots
        )

    def remove(self) -> None:
        self._plot.removeEventFilter(self)


def _measure_seeks(
    session: WindowController, case: str, count: int, targets: tuple[float, float]
) -> list[BenchmarkResult]:
    """Measure the time from the command to seek until the window is painted, at positions all over the run.

    `targets` are the targets for the median and for the longest time [ms].
    """
    watcher, rng = _PaintWatcher(session), random.Random(1)
    times, curve_times, thread_times = [], [], []
    process_events_for(0.5)
    for _ in range(count):
        watcher.target_time, watcher.is_painted = (
            rng.uniform(0.0, session.frame_loop.snapshot.duration),
            False,
        )
        started, used = time.perf_counter(), time.thread_time()
        session.frame_loop.send(Seek(watcher.target_time))
        wait_until(lambda: watcher.is_painted, TIMEOUT / SEEKS, interval_ms=1)
        times.append(time.perf_counter() - started)
        wait_until(lambda: watcher.all_curves_drawn, TIMEOUT / SEEKS, interval_ms=1)
        curve_times.append(time.perf_counter() - started)
        thread_times.append(time.thread_time() - used)
        process_events_for(0.03)
    watcher.remove()
    return [
        BenchmarkResult(
            f"seek, {case}: median of {count}", statistics.median(times) * 1e3, "ms", reach=targets[0]
        ),
        BenchmarkResult(f"seek, {case}: longest", max(times) * 1e3, "ms", reach=targets[1]),
        BenchmarkResult(SEEK_TIME.format(case=case), statistics.median(curve_times) * 1e3, "ms"),
        BenchmarkResult(f"seek, {case}: longest until the last curve is drawn", max(curve_times) * 1e3, "ms"),
        BenchmarkResult(
            f"seek, {case}: median of the window's thread", statistics.median(thread_times) * 1e3, "ms"
        ),
    ]


def _plain_frame_time(traces: list[int], width: int, height: int) -> float:
    """Return the processor time per frame [s] of a window with plain pyqtgraph plots. `traces` has the number
    of curves of each plot."""
    widget = QWidget()
    grid = QGridLayout(widget)
    t = np.arange(PLAIN_SAMPLES) * INTERVAL
    curves, lines = [], []
    for number, count in enumerate(traces):
        plot = pg.PlotWidget()
        grid.addWidget(plot, number // 2, number % 2)
        curves += [plot.plot(pen=pg.intColor(index, count)) for index in range(count)]
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
