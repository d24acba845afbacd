"""`quatviz bench ui`: the real window under load.

What is measured are frames that reach the screen, flushes per frame, and how long it stalls.

A frame counts where the view has painted, which Qt then flushes to the screen, and its picture has changed since the
last count, while the cursor plays and the worker computes a run that is too long to finish. A flush is one answer of
the window to Qt's request for an update, whatever has changed in it. The kernels are compiled while the window
starts, in a fresh cache, so that the gaps of that include it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import quatviz
from quatviz.app import let_run, make_application, warm_up
from quatviz.commands.benchmarks import long
from quatviz.commands.benchmarks._results import Figure, Finding
from quatviz.commands.benchmarks._window_monitor import FLUSH, SHOWN, SMOOTH, plain_flush, watched
from quatviz.files.preset import Preset
from quatviz.simulation.commands import Seek

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
"""Seconds of the run in sight where lanes and panels are many."""
BEGIN = 48.0
"""Where the cursor begins then [s]: at four fifths of the axis, which rolls with it from there. At its end it would soon be
out of sight, and nobody would draw it."""
_DURATION = 4000.0


def measure() -> list[Finding]:
    """Figures of the `torque_free` window at 1920x1080, dark theme, with its two lanes, with four, with eight in eight panels
    over a minute of history, with twelve in twelve and four views; and of a long run with eight. The window's thread
    stands beside what it takes to paint and flush one plain picture."""
    make_application()
    warm_up()
    beside = plain_flush()
    eight = {SHOWN: 60.0, FLUSH: 6.0}
    twelve = {SHOWN: 45.0, SMOOTH: 20.0}
    return [
        *_beside(beside, "two lanes", _playing(_preset())),
        *_beside(beside, "four lanes", _playing(_preset(FOUR_LANES))),
        *_beside(beside, "eight lanes", _full(_preset(EIGHT_LANES), EIGHT_PANELS), eight),
        *_beside(beside, "twelve lanes, four views", _full(_preset(TWELVE_LANES), TWELVE_PANELS, 4), twelve),
        *long.measure(),
    ]


def _preset(lanes: Sequence[str] | None = None) -> Preset:
    return quatviz.load_preset("torque_free").with_run(lanes=lanes, duration=_DURATION)


def _playing(preset: Preset) -> tuple[int, list[Figure]]:
    """How many panels there are, and the figures."""
    with watched(preset) as (session, watch):
        let_run(SETTLE)
        while session.worker.snapshot.preparing:
            let_run(0.1)
        let_run(SETTLE)
        return len(session.window.board.panels), [*watch.stalls(" while starting"), *watch.playing(SECONDS)]


def _full(preset: Preset, panels: Sequence[str], views: int = 1) -> tuple[int, list[Figure]]:
    """The same with these panels and so many views, while the worker computes on."""
    with watched(preset) as (session, watch):
        board = session.window.board
        session.window.views.set_number(views)
        for name in board.titles:
            board.show_panel(name, name in panels)
        let_run(SETTLE)
        while session.worker.snapshot.preparing or session.worker.runner.reach < HISTORY:
            let_run(0.1)
        board.axis.zoom(HISTORY / board.axis.span, 0.0)
        session.bridge.send(Seek(BEGIN))
        let_run(SETTLE)
        return len(board.panels), watch.playing(SECONDS)


def _beside(
    plain: Figure, case: str, found: tuple[int, Sequence[Figure]], reach: Mapping[str, float] | None = None
) -> Iterator[Figure]:
    """The figures of a case, with what they reach, and the time of the thread beside the `plain` one."""
    panels, figures = found
    for figure in figures:
        yield replace(
            figure,
            name=f"{case}, {panels} panels: {figure.name}",
            reference=plain if figure.name == FLUSH else None,
            reach=(reach or {}).get(figure.name),
            least=figure.name == SHOWN,
        )
