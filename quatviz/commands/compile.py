"""`quatviz compile`: what the presets run, so that each starts at once.

quatviz compile                             compile what the presets run, once; set-up does it too
"""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress

from quatviz.analysis.executors.processes import ProcessWorkers
from quatviz.analysis.sweeps.chunk import compile_chunk, compile_marker
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.base import resources
from quatviz.base.errors import InputError
from quatviz.commands.support.terminal import CommandParser, print_error, progress_bar, show_progress
from quatviz.files.preset import Preset
from quatviz.files.preset_files import preset_paths
from quatviz.files.preset_reading import read_preset
from quatviz.simulation.compilation import compile_presets

PLACE = 85

_POLL_INTERVAL = 0.1
"""Between two looks at what is compiled [s]."""


def main(argv: Sequence[str]) -> int:
    """Compile the kernels that the presets lack, with a bar on a terminal."""
    parser = CommandParser(
        prog="quatviz compile",
        description="Compile the equations of motion of all presets and what their maps need, as many at once as there are "
        "processors. Without it a preset that this machine has never run compiles its own when it starts.",
    )
    parser.parse_args(argv)
    started, total = time.monotonic(), 0
    for done, total in compile_presets(_readable_presets(), os.cpu_count() or 1):
        show_progress(progress_bar("Compiling equations of motion", done, total))
        time.sleep(_POLL_INTERVAL if done < total else 0.0)
    maps = _compile_maps()
    show_progress()
    if total or maps:
        print(f"compiled {total} lanes and {maps} maps in {time.monotonic() - started:.0f} s")
    else:
        print("all is compiled")
    return 0


def _compile_maps() -> int:
    """Compile what the maps of presets lack, and say how many that were. One that cannot be computed compiles nothing."""
    plans = []
    for preset in _readable_presets(report_errors=False):
        with suppress(InputError):
            plan = SweepPlan.from_preset_map(preset)
            marker = compile_marker(plan)
            if marker is not None and not marker.exists():
                plans.append(plan)
    if not plans:
        return 0
    with ProcessWorkers(min(os.cpu_count() or 1, len(plans))) as workers:
        futures = [workers.submit(compile_chunk, plan) for plan in plans]
        for done, future in enumerate(futures):
            show_progress(progress_bar("Compiling maps", done, len(plans)))
            future.result()
    return len(plans)


def _readable_presets(report_errors: bool = True) -> Iterator[Preset]:
    """All that can be read; of the others is told why, if it is to be `report_errors`."""
    for path in preset_paths(resources.preset_folder(), resources.user_preset_folder()).values():
        try:
            yield read_preset(path)
        except InputError as refusal:  # one that is bad must not hide the good ones
            if report_errors:
                print_error(refusal)
