"""`quatviz bench ui`: the real window under load.

What is measured are frames that reach the screen, flushes per frame, and how long it stalls.

A frame counts where the view has painted, which Qt then flushes to the screen, and its picture has changed since the
last count, while the cursor plays and the worker computes a run that is too long to finish. A flush is one answer of
the window to Qt's request for an update, whatever has changed in it. The kernels are compiled while the window
starts, in a fresh cache, so that the gaps of that include it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import quatviz
from quatviz.app import let_run, make_application, warm_up
from quatviz.bench import long
from quatviz.bench._figures import Figure, Finding
from quatviz.bench._watch import watched
from quatviz.simulation.commands import Seek
from quatviz.text.preset import Preset

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
HISTORY = 60.0
"""Seconds of the run of eight lanes that are in sight, on an axis that rolls with the cursor."""
_DURATION = 4000.0


def measure() -> list[Finding]:
    """Figures of the `torque_free` window at 1920x1080, dark theme, with its two lanes, with four, with eight in eight panels
    over a minute of history, the window at its fullest, and of a long run with eight."""
    make_application()
    warm_up()
    return [
        *_playing("two lanes", _preset()),
        *_playing("four lanes", _preset(FOUR_LANES)),
        *_full("eight lanes", _preset(EIGHT_LANES)),
        *long.measure(),
    ]


def _preset(lanes: Sequence[str] | None = None) -> Preset:
    return quatviz.load_preset("torque_free").with_run(lanes=lanes, duration=_DURATION)


def _playing(case: str, preset: Preset) -> Iterator[Figure]:
    with watched(preset) as (session, watch):
        let_run(SETTLE)
        while session.worker.snapshot.preparing:
            let_run(0.1)
        let_run(SETTLE)
        figures = [*watch.stalls(" while starting"), *watch.playing(SECONDS)]
        panels = len(session.window.board.panels)
    yield from _named(f"{case}, {panels} panels", figures)


def _full(case: str, preset: Preset) -> Iterator[Figure]:
    """While the worker computes on."""
    with watched(preset) as (session, watch):
        board = session.window.board
        for name in board.titles:
            board.show_panel(name, name in EIGHT_PANELS)
        let_run(SETTLE)
        while session.worker.snapshot.preparing or session.worker.runner.reach < HISTORY:
            let_run(0.1)
        board.axis.zoom(HISTORY / board.axis.span, 0.0)
        session.bridge.send(Seek(HISTORY))
        let_run(SETTLE)
        figures, panels = watch.playing(SECONDS), len(board.panels)
    yield from _named(f"{case}, {panels} panels", figures)


def _named(case: str, figures: Sequence[Figure]) -> Iterator[Figure]:
    return (replace(figure, name=f"{case}: {figure.name}") for figure in figures)
