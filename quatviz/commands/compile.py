"""`quatviz compile`: compile the kernels of all presets, so that each starts at once.

quatviz compile                             compile all kernels once, as setup does
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
"""Time between two updates of the progress [s]."""


def main(argv: Sequence[str]) -> int:
    """Compile the missing kernels of the presets, with a progress bar on a terminal."""
    parser = CommandParser(
        prog="quatviz compile",
        description="Compile the equations of motion of all presets and of their maps, using all processors. Otherwise "
        "each preset compiles its kernels when it first runs.",
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
        print("everything is compiled already")
    return 0


def _compile_maps() -> int:
    """Compile the missing kernels of the parameter maps that presets propose, and return the number of these maps.

    Invalid maps are skipped.
    """
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
    """Yield all presets that can be read. The errors of other presets are printed if `report_errors` is True."""
    for path in preset_paths(resources.preset_folder(), resources.user_preset_folder()).values():
        try:
            yield read_preset(path)
        except InputError as refusal:  # A bad preset must not hide the good ones.
            if report_errors:
                print_error(refusal)
