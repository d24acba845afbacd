"""`quatviz bench ui`: frame rate and delays of the window under load.

The results are displayed frames per second, flushes per frame, and delays of the event loop.

The cursor plays while the worker computes a run too long to finish. A frame counts if the view has painted and its picture
has changed since the last count. A flush is one response of the window to an update request of Qt. Kernels are compiled
during the start in an empty cache, so the delays during the start include this.
"""

import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import quatviz
from quatviz.app import make_application, process_events_for, set_thread_switch_interval
from quatviz.commands.benchmarks import long
from quatviz.commands.benchmarks._results import BenchmarkOutput, BenchmarkResult
from quatviz.commands.benchmarks._window_monitor import (
    CHANGED_FRAMES,
    FLUSH_TIME,
    GAP_PERCENTILE,
    LARGEST_GAP,
    monitored_window,
    time_plain_flush,
    wait_until,
)
from quatviz.display.data.budget import MIN_DRAG_FRAME_RATE
from quatviz.display.document.state import State
from quatviz.files.preset import Preset
from quatviz.simulation.commands import Pause, Seek
from quatviz.ui.plots.board import PlotBoard
from quatviz.ui.plots.time_view import TimeView

PLACE = 60

SECONDS = 12.0
SETTLE = 2.0
FOUR_LANES = ("newton_euler", "hamilton", "lagrange_simplified/split", "euler_angles/321")
EIGHT_LANES = (
    *FOUR_LANES,
    *("lagrange_full/torque", "hamilton_canonical", "udwadia_schutte", "lagrange_projected"),
)
EIGHT_PANELS = (
    *("euler_parameters", "euler_angles", "omega", "h"),
    *("multiplier", "drift", "energy", "orientation_errors"),
)
TWELVE_LANES = (*EIGHT_LANES, *("lie_group", "rotation_vector", "modified_rodrigues", "lagrange_simplified"))
TWELVE_PANELS = (*EIGHT_PANELS, *("cost", "momentum_sphere", "omega_ellipsoid", "orientation_ball"))
HISTORY = 60.0
"""Visible time range [s] in the measurements with many lanes and panels."""
CURSOR_START = 48.0
"""Position of the cursor [s] at the start, at 4/5 of the visible range of the time axis, which scrolls with the cursor.

A cursor at the end of the range would soon leave it.
"""
DRAG_STEPS, DRAG_CURSOR = 60, 7.25
"""Number of steps of a drag, and position of the cursor meanwhile [s]."""
DRAG_STEP = "one step of a drag"
DRAG_STEP_TIME = f"{DRAG_STEP}: time of the window's thread"
_DRAG_REASON = (
    f"plots show the new run until a step takes 1/{MIN_DRAG_FRAME_RATE:g} s, so that curves follow the pointer; the step "
    "without panels is what the window itself needs"
)
_DURATION = 4000.0


def measure() -> list[BenchmarkOutput]:
    """Return results of the `torque_free` window at 1920x1080 in the dark theme.

    The cases are two lanes, four lanes, eight lanes in eight panels with a minute of history, twelve lanes in twelve
    panels with four views, and a long run with eight lanes. The time of the window's thread is compared with that of
    one plain picture.
    """
    make_application()
    set_thread_switch_interval()
    plain = time_plain_flush()
    eight = {CHANGED_FRAMES: 60.0, FLUSH_TIME: 6.0}
    few = {**eight, f"{LARGEST_GAP} while starting": 25.0}
    twelve = {CHANGED_FRAMES: 60.0, FLUSH_TIME: 12.0, GAP_PERCENTILE: 20.0}
    return [
        *_label_results(plain, "two lanes", _measure_playback(_preset()), few),
        *_label_results(
            plain, "two lanes", _measure_drag(quatviz.load_preset("torque_free")), {DRAG_STEP_TIME: 16.0}
        ),
        *_label_results(
            plain,
            "two lanes",
            _measure_drag(quatviz.load_preset("torque_free"), panels=()),
            {DRAG_STEP_TIME: 16.0},
        ),
        *_label_results(plain, "four lanes", _measure_playback(_preset(FOUR_LANES)), few),
        *_label_results(
            plain, "eight lanes", _measure_full_window(_preset(EIGHT_LANES), EIGHT_PANELS), eight
        ),
        *_label_results(
            plain,
            "twelve lanes, four views",
            _measure_full_window(_preset(TWELVE_LANES), TWELVE_PANELS, 4),
            twelve,
        ),
        *long.measure(),
    ]


def _preset(lanes: Sequence[str] | None = None) -> Preset:
    return quatviz.load_preset("torque_free").with_run(lanes=lanes, duration=_DURATION)


def _measure_playback(preset: Preset) -> tuple[int, list[BenchmarkResult]]:
    """Let the window of a preset play, and return the number of its panels and the results."""
    with monitored_window(preset) as (session, monitor):
        process_events_for(SETTLE)
        while session.worker.snapshot.preparing:
            process_events_for(0.1)
        process_events_for(SETTLE)
        return len(session.window.board.panels), [
            *monitor.stalls(" while starting"),
            *monitor.measure_playback(SECONDS),
        ]


def _measure_drag(preset: Preset, panels: Sequence[str] | None = None) -> tuple[int, list[BenchmarkResult]]:
    """Drag the first moment of inertia in a window that is paused, and return the number of its panels and the results.

    A step of the drag lasts from the edit until the 3D view of its run is painted. The window shows `panels`, or those of
    the preset if None.
    """
    with monitored_window(preset) as (session, _):
        if panels is not None:
            _show_panels(session.window.board, panels)
        wait_until(lambda: not session.frame_loop.snapshot.preparing)
        session.frame_loop.send(Pause())
        session.frame_loop.send(Seek(DRAG_CURSOR))
        process_events_for(SETTLE)
        painted: list[int] = []

        def record() -> None:
            if session.frame_loop.frame is not None:
                painted.append(session.frame_loop.frame.generation)

        session.window.scene.painted.connect(record)
        views = [view for view in session.window.board.panels if isinstance(view, TimeView)]
        updated_plots, shown_curves = 0, [view.curves for view in views]
        inertia = preset.body.inertia
        thread_times, times = [], []
        for step in range(1, DRAG_STEPS + 1):
            body = replace(preset.body, inertia=(1.0 - 1e-3 * step) * inertia)
            shown = max(painted, default=0)
            started, used = time.perf_counter(), time.thread_time()
            session.document.propose(
                "body: inertia", partial(State.with_preset, body=body), coalesce=step > 1
            )
            wait_until(partial(_is_newer, painted, shown), interval_ms=1)
            thread_times.append(time.thread_time() - used)
            times.append(time.perf_counter() - started)
            curves = [view.curves for view in views]
            updated_plots += sum(
                len(view.plots)
                for view, new, old in zip(views, curves, shown_curves, strict=True)
                if new is not old
            )
            shown_curves = curves
        plots = sum(len(view.plots) for view in views)
        following = (
            [BenchmarkResult("updates of each plot during a drag", updated_plots / plots / sum(times), "1/s")]
            if plots
            else []
        )
        return len(session.window.board.panels), [
            BenchmarkResult(DRAG_STEP_TIME, statistics.median(thread_times) * 1e3, "ms", why=_DRAG_REASON),
            *following,
            BenchmarkResult(f"{DRAG_STEP}: time until painted", statistics.median(times) * 1e3, "ms"),
            BenchmarkResult(f"{DRAG_STEP}: longest time until painted", max(times) * 1e3, "ms"),
        ]


def _is_newer(generations: Sequence[int], shown: int) -> bool:
    return max(generations, default=0) > shown


def _measure_full_window(
    preset: Preset, panels: Sequence[str], views: int = 1
) -> tuple[int, list[BenchmarkResult]]:
    """Let a window with these panels and views play while the worker computes, and return the number of its panels
    and the results.
    """
    with monitored_window(preset) as (session, monitor):
        board = session.window.board
        session.window.views.set_number(views)
        _show_panels(board, panels)
        process_events_for(SETTLE)
        while session.worker.snapshot.preparing or session.worker.runner.computed_to < HISTORY:
            process_events_for(0.1)
        board.axis.zoom(HISTORY / board.axis.span, 0.0)
        session.frame_loop.send(Seek(CURSOR_START))
        process_events_for(SETTLE)
        return len(board.panels), monitor.measure_playback(SECONDS)


def _show_panels(board: PlotBoard, panels: Sequence[str]) -> None:
    for name in board.titles:
        board.show_panel(name, name in panels)


def _label_results(
    plain: BenchmarkResult,
    case: str,
    measured: tuple[int, Sequence[BenchmarkResult]],
    reach: Mapping[str, float] | None = None,
) -> Iterator[BenchmarkResult]:
    """Yield the results in `measured` with new names and with the targets in `reach`. The names contain `case` and the
    number of panels.

    The reference of the time per flush is `plain`, the time per frame of a window that paints only one picture.
    """
    panels, figures = measured
    for figure in figures:
        yield replace(
            figure,
            name=f"{case}, {panels} panels: {figure.name}",
            reference=plain if figure.name == FLUSH_TIME else None,
            reach=(reach or {}).get(figure.name),
            least=figure.name == CHANGED_FRAMES,
        )
