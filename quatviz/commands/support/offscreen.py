"""What films and pictures have in common: their options, and the run that they paint."""

import argparse
import logging
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from quatviz import bootstrap
from quatviz.base.errors import InputError, refuse_unknown_name
from quatviz.commands.support.terminal import complain
from quatviz.display.view_state.session import read_session
from quatviz.display.view_state.theme import THEMES
from quatviz.display.view_state.view_state import Look, read_look
from quatviz.export.film.plan import FilmPlan
from quatviz.files.preset import Preset
from quatviz.simulation.simulation import Simulation

if TYPE_CHECKING:
    from quatviz.ui.tools.export.frame_sources import Take

_TALL = 1080
"""Pixels; a window for a higher picture is laid out in this height, and drawn finer."""
_DEFAULT = "dark"
_NOTE = "quatviz: no display and no virtual one, so the 3D view is drawn as lines. Solid bodies need: {line}"


def add_stage_options(parser: argparse.ArgumentParser) -> None:
    """What is painted, and how large."""
    group = parser.add_argument_group("films and pictures")
    what = group.add_mutually_exclusive_group()
    what.add_argument(
        "--view", action="store_true", help="of the 3D view, which is what there is without this"
    )
    what.add_argument("--window", action="store_true", help="of the whole window")
    group.add_argument(
        "--size", default="1280x720", metavar="WxH", help="width and height in pixels (1280x720)"
    )


def look_of(choice: argparse.Namespace, preset: Preset | None = None) -> Look:
    """The look that is chosen, or else that of the preset's file, in the theme that is chosen."""
    look = Look(theme=_DEFAULT)
    if choice.look is not None:
        look = read_look(choice.look)
    elif preset is not None and preset.path is not None:
        look = read_session(preset.path).shown(look)
    return replace(look, theme=choice.theme) if choice.theme else look


def refuse_look(choice: argparse.Namespace) -> None:
    """Refuse a theme that there is not, and a file that is no look."""
    refuse_unknown_name(
        choice.theme or _DEFAULT, THEMES, "--theme", "", remedy=_DEFAULT, topic="errors#exports"
    )
    look_of(choice)


def size_of(choice: argparse.Namespace) -> tuple[int, int]:
    """Width and height [pixels]."""
    found = re.fullmatch(r"(\d{1,6})[x×X](\d{1,6})", choice.size.strip())
    if found is None:
        raise InputError(
            "--size",
            expected="width and height in pixels",
            found=repr(choice.size),
            remedy="1280x720",
            topic="errors#exports",
        )
    return int(found[1]), int(found[2])


@contextmanager
def staged(run: Simulation, choice: argparse.Namespace, plan: FilmPlan) -> "Iterator[Take]":
    """The computed run as it can be painted, in the theme that is chosen."""
    # Sizes in pixels mean the same on every screen.
    finer = max(plan.height / _TALL, 1.0) if choice.window else 1.0
    os.environ["QT_SCALE_FACTOR"] = f"{finer:g}"
    from quatviz.app import make_application
    from quatviz.ui.tools.export.frame_sources import take_of_run
    from quatviz.ui.window.offscreen import StagedWindow

    look = look_of(choice, run.preset)
    app = make_application(THEMES[look.theme], 100)
    tell_of_lines()
    take = (StagedWindow if choice.window else take_of_run)(run, plan, look)
    try:
        yield take
    finally:
        take.close()
        app.processEvents()


def tell_of_lines() -> None:
    """Say it before: what is painted says it in a corner."""
    from quatviz.ui.scene.gl_context import check_gl

    try:
        check_gl()
    except InputError as refusal:
        logging.getLogger("quatviz.ui.scene.scene_image").setLevel(logging.CRITICAL)
        print(
            f"quatviz: the 3D view is drawn as lines: {refusal.found}; quatviz doctor says what to install",
            file=sys.stderr,
        )


def elsewhere(words: Sequence[str]) -> int | None:
    """Paint where there is no display: carry out `quatviz WORDS` on a virtual one, and give its status. None where it can be
    carried out in this process, which has a display, or, where no virtual one is, paints bodies as lines."""
    if os.environ.get("QT_QPA_PLATFORM") or bootstrap.has_display(sys.platform, os.environ):
        return None
    lacking = [need for need in bootstrap.needs("run", sys.platform, {}) if not bootstrap.is_there(need)]
    if not any(need.kind == "program" for need in lacking):
        try:
            return bootstrap.on_virtual_display([sys.executable, "-m", "quatviz", *words])
        except bootstrap.SetupError as error:
            complain(error)
    print(_NOTE.format(line=bootstrap.apt_line(["xvfb", "libgl1-mesa-dri"], sudo=True)), file=sys.stderr)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    return None
