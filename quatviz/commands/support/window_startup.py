"""Startup of the window.

This module imports NumPy and numba, which takes a third of the startup time. It is therefore imported only after a
child process has been started, which imports the compiler in parallel.
"""

import argparse
import importlib
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import quatviz
from quatviz.base import resources
from quatviz.base.errors import InputError
from quatviz.display.view_state.session import Session, read_session
from quatviz.display.view_state.view_state import ViewState, read_view_state
from quatviz.export.formats import is_table
from quatviz.export.table_files import read_session_of_table
from quatviz.files.preset import Preset
from quatviz.files.preset_reading import locate_error
from quatviz.files.schema import SCREEN
from quatviz.physics.kernels import cache
from quatviz.physics.kernels.compiler_pool import CompilerPool
from quatviz.recordings.loading import slow_recordings
from quatviz.simulation.compilation import ChildCompilation

if TYPE_CHECKING:
    from quatviz.app import WindowController as Window
    from quatviz.teaching.lessons import Lesson

DEFAULT_PRESET = "tumbling_top"
"""Preset shown behind the start page, and on a machine without a display."""


def open_window(
    args: argparse.Namespace, compiler_pool: CompilerPool, on_created: "Callable[[Window], None] | None"
) -> int:
    """Open the window for the arguments of the command. When it is closed, return its exit status.

    `compiler_pool` compiles kernels in child processes, which may already be running.
    """
    if resources.is_standalone() and args.present is None:
        from quatviz.commands.support import first_start

        if first_start.is_first_start():
            first_start.compile_presets_with_dialog()
    lesson: Lesson | None = None
    if args.preset is not None and Path(args.preset).suffix == ".md":
        from quatviz.teaching.lessons import read_lesson

        lesson, args.preset = read_lesson(args.preset), DEFAULT_PRESET
    preset = quatviz.load_preset(args.preset or DEFAULT_PRESET)
    look = read_view_state(args.look) if args.look is not None else None
    try:
        return _run_window(preset, look, lesson, args, compiler_pool, on_created)
    except InputError as refusal:
        raise locate_error(refusal, preset) from None


def _run_window(
    preset: Preset,
    look: ViewState | None,
    lesson: "Lesson | None",
    args: argparse.Namespace,
    compiler_pool: CompilerPool,
    on_created: "Callable[[Window], None] | None",
) -> int:
    with cache.writable_cache() as cache_error:
        if cache_error is not None:
            compiler_pool.shutdown()  # Child processes that are already running would write to the folder that is not writable.
        is_slow = preset.path is not None and slow_recordings(preset)
        first = quatviz.load_preset(DEFAULT_PRESET) if is_slow else preset
        with closing(ChildCompilation(first, cache_error, compiler_pool)) as preparation:
            preparation.begin()  # Children compile while the window is imported and created.
            # Imported first, so that PySide does not read the source of the modules that follow.
            importlib.import_module("quatviz.ui.widgets")
            from quatviz.app import run_window

            session = _session_of(preset, args.preset) if args.look is None else Session(preset, look)
            if first is not preset:  # the window appears before the recordings are read
                return run_window(
                    first,
                    args.present,
                    args.tour or False,
                    None,
                    True,
                    preparation,
                    on_created,
                    to_open=session,
                )
            begins_with_page = args.preset is None
            return run_window(
                *(
                    preset,
                    args.present,
                    args.tour,
                    session.view_state,
                    begins_with_page,
                    preparation,
                    on_created,
                ),
                *(lesson, session.is_proposed),
            )


def _session_of(preset: Preset, argument: str | None) -> Session:
    """Return a session with the preset and the view state of its file, adapted to this screen. The file may be
    a preset, a session or a table."""
    from quatviz.ui.window.settings import Settings

    session = Session(preset)
    if preset.path is not None:
        session = read_session(preset.path)
    elif argument is not None and is_table(argument):
        session = read_session_of_table(argument)
    look = (
        None
        if session.view_state is None
        else session.view_state.merged_with(Settings().view_state, (SCREEN,))
    )
    return replace(session, preset=preset, view_state=look)
