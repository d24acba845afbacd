"""What opens the window: imported once a child has begun to import what compiles, for NumPy and numba take a third of a start."""

import argparse
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import quatviz
from quatviz.base import resources
from quatviz.base.errors import InputError
from quatviz.display.view_state.scope import ROOM
from quatviz.display.view_state.session import Session, read_session
from quatviz.display.view_state.view_state import Look, read_look
from quatviz.export.formats import is_table
from quatviz.export.table_files import read_settings
from quatviz.files.preset import Preset
from quatviz.files.preset_reading import located
from quatviz.physics.kernels import cache
from quatviz.physics.kernels.compiler_pool import Crew
from quatviz.simulation.compilation import ChildCompilation

if TYPE_CHECKING:
    from quatviz.app import Session as Window
    from quatviz.teaching.lessons import Lesson

FIRST = "torque_free"
"""The preset behind the start page, and on a machine without a display."""


def opened(choice: argparse.Namespace, crew: Crew, made: "Callable[[Window], None] | None") -> int:
    """Open the window that the words of the command ask for, and return when it is closed. `crew` may have been called."""
    if resources.standalone() and choice.present is None:
        from quatviz.commands.support import first_start

        if first_start.is_first():
            first_start.compile_all()
    lesson: Lesson | None = None
    if choice.preset is not None and Path(choice.preset).suffix == ".md":
        from quatviz.teaching.lessons import read_lesson

        lesson, choice.preset = read_lesson(choice.preset), FIRST
    preset = quatviz.load_preset(choice.preset or FIRST)
    look = read_look(choice.look) if choice.look is not None else None
    try:
        return _shown(preset, look, lesson, choice, crew, made)
    except InputError as refusal:
        raise located(refusal, preset) from None


def _shown(
    preset: Preset,
    look: Look | None,
    lesson: "Lesson | None",
    choice: argparse.Namespace,
    crew: Crew,
    made: "Callable[[Window], None] | None",
) -> int:
    with cache.at_hand() as lack:
        if lack is not None:
            crew.end()  # who is there already would keep what they compile in the folder that cannot be written
        with closing(ChildCompilation(preset, lack, crew)) as preparation:
            preparation.begin()  # children can compile while the window is imported and made
            from quatviz.app import run_window

            session = _session_of(preset, choice.preset) if choice.look is None else Session(preset, look)
            begins_with_page = choice.preset is None
            return run_window(
                *(preset, choice.present, choice.tour, session.look, begins_with_page, preparation, made),
                *(lesson, session.proposed),
            )


def _session_of(preset: Preset, given: str | None) -> Session:
    """The preset with the look of the file that it is of, a preset, a session or a table, in the room where it is opened."""
    from quatviz.ui.window.settings import Settings

    session = Session(preset)
    if preset.path is not None:
        session = read_session(preset.path)
    elif given is not None and is_table(given):
        session = read_settings(given)
    look = None if session.look is None else session.look.taking(Settings().look, (ROOM,))
    return replace(session, preset=preset, look=look)
