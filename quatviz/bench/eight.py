"""Eight lanes and eight panels over a minute of history: the window at its fullest."""

from __future__ import annotations

import statistics
import time
from dataclasses import replace

import quatviz
from quatviz.app import Session
from quatviz.bench.figures import Figure
from quatviz.bench.watch import Watch, full_screen, run
from quatviz.core.preset import Lane
from quatviz.simulation.commands import Seek

EIGHT_LANES = (
    *("newton_euler", "hamilton", "lagrange_simplified/split", "euler_angles/321"),
    *("lagrange_full/torque", "hamilton_canonical", "udwadia_schutte", "lagrange_projected"),
)
EIGHT_PANELS = (
    *("euler_parameters", "euler_angles", "omega", "h"),
    *("multiplier", "drift", "energy", "orientation_errors"),
)
HISTORY = 60.0
"""Seconds of the run that are in sight, on an axis that rolls with the cursor."""
SECONDS = 12.0
_DURATION = 4000.0
_SETTLE = 3.0


def measure() -> list[Figure]:
    """Figures of `torque_free` at 1920x1080, dark theme, while the worker computes on."""
    preset = quatviz.load_preset("torque_free")
    lanes = tuple(Lane(formulation) for formulation in EIGHT_LANES)
    session = Session(replace(preset, run=replace(preset.run, duration=_DURATION), lanes=lanes))
    full_screen(session)
    board = session.window.board
    for name in board.titles:
        board.show_panel(name, name in EIGHT_PANELS)
    watch = Watch(session)
    run(_SETTLE)
    while session.worker.snapshot.preparing or session.worker.runner.reach < HISTORY:
        run(0.1)
    board.axis.zoom(HISTORY / board.axis.span, 0.0)
    session.bridge.send(Seek(HISTORY))
    run(_SETTLE)
    watch.restart()
    watch.gaps.clear()
    used, started = time.thread_time(), time.perf_counter()
    run(SECONDS)
    elapsed, used = time.perf_counter() - started, time.thread_time() - used
    watch.stop()
    panels = len(board.panels)
    session.window.close()
    session.window.deleteLater()
    figures = (
        Figure("frames with a changed picture", watch.changed / elapsed, "1/s"),
        Figure("flushes per frame shown", watch.flushes / max(watch.changed, 1), ""),
        Figure("time of the window's thread per flush", used / max(watch.flushes, 1) * 1e3, "ms"),
        Figure("largest gap of the event loop", max(watch.gaps) * 1e3, "ms"),
        Figure("99th percentile of the gaps", statistics.quantiles(watch.gaps, n=100)[-1] * 1e3, "ms"),
    )
    return [replace(one, name=f"eight lanes, {panels} panels: {one.name}") for one in figures]
