"""`quatviz bench growth`: how a run grows with its steps, samples and lanes, and a frame with lanes, panels, views and history.

A run is computed to its end, then all its quantities are, in processor time. A frame is the time of the window's thread
between two flushes while the cursor plays, of a run that is computed on meanwhile; one thing grows, the others stay.
"""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np

import quatviz
from quatviz.app import Session, let_run, make_application, warm_up
from quatviz.commands.benchmarks._results import Growth
from quatviz.commands.benchmarks._timing import in_one_lane
from quatviz.commands.benchmarks._window_monitor import FLUSH, Watch, watched
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
"""Seconds in sight on an axis that rolls with the cursor."""
OF_RUN = ("p", "omega", "h_space", "energy_drift", "constraint", "lam", "angles_321")
"""Quantities that are computed of all samples."""
FEWEST_PANELS = 4
DURATION = 4000.0
REACH = 60
"""Seconds of the run in sight where it is not the history that grows."""
SETTLE, SECONDS = 1.5, 3.0


def measure(rounds: int = ROUNDS) -> Iterator[Growth]:
    """Growths of runs [ms], then of frames [ms]."""
    yield from of_runs(rounds)
    make_application()
    warm_up()
    yield from of_frames()


def of_runs(rounds: int) -> Iterator[Growth]:
    """Without a window."""
    free = quatviz.load_preset("torque_free")

    def steps(count: int) -> float:
        return _seconds(in_one_lane(free, "hamilton", 100, count // 100))

    def rows(count: int) -> float:
        return _seconds(in_one_lane(free, "hamilton", count, 1), _derived)

    def lanes(count: int) -> float:
        one = in_one_lane(free, "hamilton", 10_000, 10)
        return _seconds(one.with_run(lanes=_lanes(count)))

    yield _grown("a run of hamilton", "steps", STEPS, steps, rounds)
    yield _grown("its samples and their quantities", "samples", SAMPLES, rows, rounds)
    yield _grown("a run of 10^5 steps", "lanes", LANES, lanes, rounds)


def _lanes(count: int) -> list[str]:
    """So many lanes that all take the same time."""
    return [f"hamilton,name=lane {number}" for number in range(count)]


def _seconds(preset: Preset, then: Callable[[Simulation], object] | None = None) -> float:
    """Processor time [s] of a run and of what follows."""
    run = Simulation(preset)
    for lane in run:
        lane.prepare()
    started = time.thread_time()
    run.complete()
    if then is not None:
        then(run)
    return time.thread_time() - started


def _derived(run: Simulation) -> None:
    motion = run.lanes[0].motion()
    for name in OF_RUN:
        np.asarray(QUANTITIES[name].of(motion))


def _grown(name: str, over: str, sizes: Sequence[int], taken: Callable[[int], float], rounds: int) -> Growth:
    """By turns, and a first time that counts for nothing."""
    times: dict[int, list[float]] = {size: [] for size in sizes}
    for _ in range(rounds + 1):
        for size in sizes:
            times[size].append(taken(size))
    return Growth(name, over, sizes, [1e3 * statistics.median(each[1:]) for each in times.values()], "ms")


def of_frames() -> Iterator[Growth]:
    """In windows of 1920x1080: of `torque_free` in two lanes, four panels and one view where these do not grow."""
    flushes = []
    for count in LANES:
        with watched(_preset(TWELVE_LANES[:count])) as (session, watch):
            _begin(session)
            flushes.append(_flush(watch))
    yield _of_frame("lanes", LANES, flushes)
    with watched(_preset(TWELVE_LANES[:2])) as (session, watch):
        _begin(session)

        def grown(sizes: Sequence[int], change: Callable[[Session, int], object]) -> list[float]:
            found = []
            for size in sizes:
                change(session, size)
                found.append(_flush(watch))
            _show(session, FEWEST_PANELS)
            session.window.views.set_number(1)
            return found

        yield _of_frame("panels", PANELS, grown(PANELS, _show))
        yield _of_frame(
            "views", VIEWS, grown(VIEWS, lambda session, count: session.window.views.set_number(count))
        )
        yield _of_frame("history in sight [s]", HISTORY, grown(HISTORY, _see))


def _of_frame(over: str, sizes: Sequence[int], flushes: Sequence[float]) -> Growth:
    return Growth("a frame", over, sizes, flushes, "ms")


def _preset(lanes: Sequence[str]) -> Preset:
    return quatviz.load_preset("torque_free").with_run(lanes=lanes, duration=DURATION)


def _begin(session: Session) -> None:
    _show(session, FEWEST_PANELS)
    while session.worker.snapshot.preparing:
        let_run(0.1)
    _see(session, REACH)


def _show(session: Session, count: int) -> None:
    """So many panels."""
    board = session.window.board
    board.show_panels({name: name in TWELVE_PANELS[:count] for name in board.titles})


def _see(session: Session, seconds: int) -> None:
    """So much of the run, which is computed so far first."""
    while session.worker.runner.reach < seconds:
        let_run(0.1)
    axis = session.window.board.axis
    axis.zoom(seconds / axis.span, 0.0)
    session.bridge.send(Seek(seconds))


def _flush(watch: Watch) -> float:
    """The time of the window's thread for a flush [ms], once what has changed is drawn."""
    let_run(SETTLE)
    return next(figure.value for figure in watch.playing(SECONDS) if figure.name == FLUSH)
