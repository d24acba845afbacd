"""The real window under load: frames that reach the screen, flushes per frame, and how long it stalls.

A frame counts where the view has painted, which Qt then flushes to the screen, and its picture has changed since the
last count, while the cursor plays and the worker computes a run that is too long to finish. A flush is one answer of
the window to Qt's request for an update, whatever has changed in it. The kernels are compiled while the window
runs, in a fresh cache, so that the gaps include it.
"""

from __future__ import annotations

import statistics
import time
from dataclasses import replace

import quatviz
from quatviz.app import Session, make_application, warm_up
from quatviz.bench import eight, long
from quatviz.bench.figures import Figure
from quatviz.bench.watch import Watch, full_screen, run
from quatviz.core.preset import Lane, Preset

SECONDS = 12.0
SETTLE = 2.0
FOUR_LANES = ("newton_euler", "hamilton", "lagrange_simplified/split", "euler_angles/321")
_DURATION = 4000.0


def measure() -> list[Figure]:
    """Figures of the `torque_free` window at 1920x1080, dark theme, with its two lanes, with four and with eight, and of a
    long run with eight."""
    make_application()
    warm_up()
    preset = quatviz.load_preset("torque_free")
    preset = replace(preset, run=replace(preset.run, duration=_DURATION))
    four = replace(preset, lanes=tuple(Lane(formulation) for formulation in FOUR_LANES))
    return [
        *_figures(preset, "two lanes"),
        *_figures(four, "four lanes"),
        *eight.measure(),
        *long.measure(),
    ]


def _figures(preset: Preset, case: str) -> list[Figure]:
    session = Session(preset)
    full_screen(session)
    watch = Watch(session)
    run(SETTLE)
    while session.worker.snapshot.preparing:
        run(0.1)
    run(SETTLE)
    start_gap = max(watch.gaps)
    watch.restart()
    used = time.thread_time()
    started = time.perf_counter()
    run(SECONDS)
    elapsed, used = time.perf_counter() - started, time.thread_time() - used
    watch.stop()
    gaps = watch.gaps
    panels = len(session.window.board.panels)
    session.window.close()
    session.window.deleteLater()
    figures = (
        Figure("frames with a changed picture", watch.changed / elapsed, "1/s"),
        Figure("flushes per frame shown", watch.flushes / max(watch.changed, 1), ""),
        Figure("time of the window's thread per flush", used / max(watch.flushes, 1) * 1e3, "ms"),
        Figure("largest gap of the event loop", max(gaps) * 1e3, "ms"),
        Figure("largest gap while starting", start_gap * 1e3, "ms"),
        Figure("99th percentile of the gaps", statistics.quantiles(gaps, n=100)[-1] * 1e3, "ms"),
    )
    return [replace(figure, name=f"{case}, {panels} panels: {figure.name}") for figure in figures]
