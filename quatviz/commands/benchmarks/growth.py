"""`quatviz bench growth`: scaling of runs with steps, samples and lanes, and of frames with lanes, panels, views and history.

For a run, the processor time of its computation and of all quantities is measured. For a frame it is the time of the
window's thread between two flushes during playback, while the run is being computed. One size is varied at a time.
"""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np

import quatviz
from quatviz.app import WindowController, make_application, process_events_for, set_thread_switch_interval
from quatviz.commands.benchmarks._results import ScalingResult
from quatviz.commands.benchmarks._timing import single_lane_preset
from quatviz.commands.benchmarks._window_monitor import FLUSH_TIME, WindowMonitor, monitored_window
from quatviz.commands.benchmarks.ui import TWELVE_LANES, TWELVE_PANELS
from quatviz.files.preset import Preset
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.simulation.commands import Seek
from quatviz.simulation.simulation import Simulation

PLACE = 45

ROUNDS = 5
STEPS = (1_000, 10_000, 100_000, 1_000_000)
SAMPLES = (1_000, 10_000, 100_000)
LANES = (1, 2, 4, 8, 12)
PANELS = (1, 2, 4, 8, 12)
VIEWS = (1, 2, 4)
HISTORY = (10, 60, 300, 1000)
"""Visible time ranges [s] for which the time per frame is measured while the time axis follows the cursor."""
DERIVED_QUANTITIES = ("p", "omega", "h_space", "energy_drift", "constraint", "lam", "angles_321")
"""Quantities that are computed for all samples of a run, in addition to its states."""
FEWEST_PANELS = 4
DURATION = 4000.0
VISIBLE_SECONDS = 60
"""Visible time range [s], unless the visible range is the varied size."""
SETTLE, SECONDS = 1.5, 3.0


def measure(rounds: int = ROUNDS) -> Iterator[ScalingResult]:
    """Yield the scaling of runs [ms], then of frames [ms]."""
    yield from run_growths(rounds)
    make_application()
    set_thread_switch_interval()
    yield from frame_growths()


def run_growths(rounds: int) -> Iterator[ScalingResult]:
    """Yield the scaling of runs without a window."""
    free = quatviz.load_preset("torque_free")

    def steps(count: int) -> float:
        return _seconds(single_lane_preset(free, "hamilton", 100, count // 100))

    def rows(count: int) -> float:
        return _seconds(single_lane_preset(free, "hamilton", count, 1), _compute_derived)

    def lanes(count: int) -> float:
        preset = single_lane_preset(free, "hamilton", 10_000, 10)
        return _seconds(preset.with_run(lanes=_lane_texts(count)))

    yield _measure_growth("a run of hamilton", "steps", STEPS, steps, rounds)
    yield _measure_growth("its samples and their quantities", "samples", SAMPLES, rows, rounds)
    yield _measure_growth("a run of 10^5 steps", "lanes", LANES, lanes, rounds)


def _lane_texts(count: int) -> list[str]:
    """Return `count` lanes in the notation of the command line. All have the same formulation, so that each takes the same
    time."""
    return [f"hamilton,name=lane {number}" for number in range(count)]


def _seconds(preset: Preset, then: Callable[[Simulation], object] | None = None) -> float:
    """Return the processor time [s] that a run and the following call of `then` take."""
    run = Simulation(preset)
    for lane in run:
        lane.prepare()
    started = time.thread_time()
    run.complete()
    if then is not None:
        then(run)
    return time.thread_time() - started


def _compute_derived(run: Simulation) -> None:
    motion = run.lanes[0].motion()
    for name in DERIVED_QUANTITIES:
        np.asarray(QUANTITIES[name].column_values(motion))


def _measure_growth(
    name: str, over: str, sizes: Sequence[int], time_of: Callable[[int], float], rounds: int
) -> ScalingResult:
    """Return the scaling of `time_of`, a function that returns the time [s] for a size.

    The `sizes` are measured in turn, `rounds` + 1 times; the first round is discarded.
    """
    times: dict[int, list[float]] = {size: [] for size in sizes}
    for _ in range(rounds + 1):
        for size in sizes:
            times[size].append(time_of(size))
    return ScalingResult(
        name, over, sizes, [1e3 * statistics.median(samples[1:]) for samples in times.values()], "ms"
    )


def frame_growths() -> Iterator[ScalingResult]:
    """Yield the scaling of frames in windows of 1920x1080.

    In each measurement one size is varied. The other sizes are two lanes, four panels and one view of
    `torque_free`.
    """
    flushes = []
    for count in LANES:
        with monitored_window(_preset(TWELVE_LANES[:count])) as (session, monitor):
            _prepare_window(session)
            flushes.append(_flush_time(monitor))
    yield _frame_growth("lanes", LANES, flushes)
    with monitored_window(_preset(TWELVE_LANES[:2])) as (session, monitor):
        _prepare_window(session)

        def measure_sizes(
            sizes: Sequence[int], change: Callable[[WindowController, int], object]
        ) -> list[float]:
            frame_times = []
            for size in sizes:
                change(session, size)
                frame_times.append(_flush_time(monitor))
            _show_panels(session, FEWEST_PANELS)
            session.window.views.set_number(1)
            return frame_times

        yield _frame_growth("panels", PANELS, measure_sizes(PANELS, _show_panels))
        yield _frame_growth(
            "views",
            VIEWS,
            measure_sizes(VIEWS, lambda session, count: session.window.views.set_number(count)),
        )
        yield _frame_growth("visible history [s]", HISTORY, measure_sizes(HISTORY, _zoom_to))


def _frame_growth(over: str, sizes: Sequence[int], flushes: Sequence[float]) -> ScalingResult:
    return ScalingResult("a frame", over, sizes, flushes, "ms")


def _preset(lanes: Sequence[str]) -> Preset:
    return quatviz.load_preset("torque_free").with_run(lanes=lanes, duration=DURATION)


def _prepare_window(session: WindowController) -> None:
    _show_panels(session, FEWEST_PANELS)
    while session.worker.snapshot.preparing:
        process_events_for(0.1)
    _zoom_to(session, VISIBLE_SECONDS)


def _show_panels(session: WindowController, count: int) -> None:
    """Show exactly `count` panels in the window."""
    board = session.window.board
    board.set_panel_visibility({name: name in TWELVE_PANELS[:count] for name in board.titles})


def _zoom_to(session: WindowController, seconds: int) -> None:
    """Show a time range of the run in the plots. Wait before until the run is computed."""
    while session.worker.runner.computed_to < seconds:
        process_events_for(0.1)
    axis = session.window.board.axis
    axis.zoom(seconds / axis.span, 0.0)
    session.frame_loop.send(Seek(seconds))


def _flush_time(monitor: WindowMonitor) -> float:
    """Return the time of the window's thread per flush [ms], measured after all pending changes have been drawn."""
    process_events_for(SETTLE)
    return next(figure.value for figure in monitor.measure_playback(SECONDS) if figure.name == FLUSH_TIME)
