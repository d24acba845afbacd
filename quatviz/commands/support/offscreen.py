"""Options and frame sources that films and pictures share."""

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
from quatviz.base.child_processes import module_command
from quatviz.base.errors import InputError, refuse_unknown_name
from quatviz.commands.support.terminal import print_error
from quatviz.display.view_state.session import read_session
from quatviz.display.view_state.theme import THEMES
from quatviz.display.view_state.view_state import ViewState, read_view_state
from quatviz.export.film.plan import FilmPlan
from quatviz.files.preset import Preset
from quatviz.simulation.simulation import Simulation

if TYPE_CHECKING:
    from quatviz.ui.tools.export.frame_sources import FrameSource

_MAX_LAYOUT_HEIGHT = 1080
"""Largest height [pixels] for which the window is laid out. Higher pictures show the layout of this height at a higher
resolution."""
_DEFAULT_THEME = "dark"
_NO_DISPLAY_NOTE = (
    "quatviz: there is no display and no virtual display, so the 3D view is drawn as lines. "
    "For solid bodies run: {line}"
)


def add_picture_options(parser: argparse.ArgumentParser) -> None:
    """Add the command-line options for content and size of pictures."""
    group = parser.add_argument_group("films and pictures")
    content_group = group.add_mutually_exclusive_group()
    content_group.add_argument("--view", action="store_true", help="show the 3D view (default)")
    content_group.add_argument("--window", action="store_true", help="show the whole window")
    group.add_argument(
        "--size", default="1280x720", metavar="WxH", help="width and height in pixels (1280x720)"
    )


def chosen_view_state(args: argparse.Namespace, preset: Preset | None = None) -> ViewState:
    """Return the view state in the file given by `--look`, by default that of the preset. The option `--theme` replaces
    its theme."""
    look = ViewState(theme=_DEFAULT_THEME)
    if args.look is not None:
        look = read_view_state(args.look)
    elif preset is not None and preset.path is not None:
        look = read_session(preset.path).applied_to(look)
    return replace(look, theme=args.theme) if args.theme else look


def refuse_look(args: argparse.Namespace) -> None:
    """Raise `InputError` for an unknown theme, or if the file given by `--look` has no view settings."""
    refuse_unknown_name(
        args.theme or _DEFAULT_THEME, THEMES, "--theme", "", remedy=_DEFAULT_THEME, topic="errors#exports"
    )
    chosen_view_state(args)


def size_of(args: argparse.Namespace) -> tuple[int, int]:
    """Return width and height of the picture that the options request [pixels]."""
    match = re.fullmatch(r"(\d{1,6})[x×X](\d{1,6})", args.size.strip())
    if match is None:
        raise InputError(
            "--size",
            expected="width and height in pixels",
            found=repr(args.size),
            remedy="1280x720",
            topic="errors#exports",
        )
    return int(match[1]), int(match[2])


@contextmanager
def open_frame_source(run: Simulation, args: argparse.Namespace, plan: FilmPlan) -> "Iterator[FrameSource]":
    """Provide a source that renders frames of the computed run off screen, with the view state chosen by the options."""
    # With this scale, sizes in pixels mean the same on every screen.
    scale = max(plan.height / _MAX_LAYOUT_HEIGHT, 1.0) if args.window else 1.0
    os.environ["QT_SCALE_FACTOR"] = f"{scale:g}"
    from quatviz.app import make_application
    from quatviz.ui.tools.export.frame_sources import run_frame_source
    from quatviz.ui.window.offscreen import OffscreenWindow

    look = chosen_view_state(args, run.preset)
    app = make_application(THEMES[look.theme], 100)
    warn_about_line_drawing()
    source = (OffscreenWindow if args.window else run_frame_source)(run, plan, look)
    try:
        yield source
    finally:
        source.close()
        app.processEvents()


def warn_about_line_drawing() -> None:
    """If the 3D view can only be drawn as lines on this machine, print a warning before the run."""
    from quatviz.ui.scene.gl_context import check_gl

    try:
        check_gl()
    except InputError as refusal:
        logging.getLogger("quatviz.ui.scene.scene_image").setLevel(logging.CRITICAL)
        print(
            f"quatviz: the 3D view is drawn as lines: {refusal.found}; run quatviz doctor to see what to install",
            file=sys.stderr,
        )


def rerun_with_display(argv: Sequence[str]) -> int | None:
    """Run the command on a virtual display and return its exit status, or return None if it can run in this process.

    The command runs in this process if there is a display. It also does if no virtual display can be used, and then
    draws bodies as lines.
    """
    if os.environ.get("QT_QPA_PLATFORM") or bootstrap.has_display(sys.platform, os.environ):
        return None
    missing = [
        need
        for need in bootstrap.system_requirements("run", sys.platform, {})
        if not bootstrap.is_installed(need)
    ]
    if not any(need.category == "program" for need in missing):
        try:
            return bootstrap.run_on_virtual_display(module_command("quatviz", *argv))
        except bootstrap.SetupError as error:
            print_error(error)
    print(
        _NO_DISPLAY_NOTE.format(line=bootstrap.apt_command(["xvfb", "libgl1-mesa-dri"], sudo=True)),
        file=sys.stderr,
    )
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    return None
