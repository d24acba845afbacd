"""Output of `quatviz render`: a film as MP4 or GIF."""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from quatviz.base.errors import InputError
from quatviz.commands.outputs.base import Output
from quatviz.commands.support.offscreen import add_picture_options, open_frame_source, refuse_look, size_of
from quatviz.commands.support.terminal import show_progress
from quatviz.export.film.film_writer import SUFFIXES, refuse_film, write_film
from quatviz.export.film.plan import FilmPlan
from quatviz.files.preset_edits import shown_title
from quatviz.simulation.simulation import Simulation

_OPTIONS = {
    "rate": "--fps",
    "speed": "--speed",
    "width": "--size",
    "height": "--size",
    "times": "--from and --to",
}


class Film(Output):
    """A film of the 3D view or of the window, between two times."""

    name = "film"
    title = "a film of the 3D view or the window"
    suffixes = tuple(SUFFIXES)
    paints = True

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        add_picture_options(parser)
        group = parser.add_argument_group("films")
        group.add_argument("--fps", type=float, default=30.0, metavar="N", help="frames per second (30)")
        group.add_argument(
            "--speed", type=float, default=1.0, metavar="N", help="simulated seconds per second of film (1)"
        )
        group.add_argument("--from", type=float, default=0.0, dest="low", metavar="S", help="first time (0)")
        group.add_argument("--to", type=float, dest="high", metavar="S", help="last time (the run's end)")

    def refuse(self, path: Path, args: argparse.Namespace) -> None:
        refuse_look(args)
        refuse_film(path, _plan(args, args.low if args.high is None else args.high))

    def description(self, args: argparse.Namespace) -> str:
        return f"a film of {'the window' if args.window else 'the 3D view'}"

    def write(self, run: Simulation, path: Path, args: argparse.Namespace) -> None:
        high = run.duration if args.high is None else args.high
        if max(args.low, high) > run.duration:
            raise InputError(
                "--from and --to", expected=f"times of the run, which ends at {run.duration:g} s",
                found=f"{args.low:g} s to {high:g} s", remedy=f"add --duration {max(args.low, high):g}",
                topic="errors#exports",
            )  # fmt: skip
        plan = _plan(args, high)
        with open_frame_source(run, args, plan) as source:
            from quatviz.ui.tools.export.frame_sources import image_bytes

            def frames() -> Iterator[np.ndarray]:
                for number, time in enumerate(plan.times):
                    if not args.quiet:
                        show_progress(f"frame {number + 1} of {plan.frame_count}")
                    yield image_bytes(source.render(float(time)))

            try:
                write_film(path, plan, frames(), shown_title(run.preset))
            finally:
                if not args.quiet:
                    show_progress()
        if not args.quiet:
            print(
                f"{plan.frame_count} frames of {plan.width} by {plan.height}, {plan.seconds:.2f} s at {plan.rate:g} per second"
            )


def _plan(args: argparse.Namespace, high: float) -> FilmPlan:
    width, height = size_of(args)
    try:
        return FilmPlan(width, height, args.fps, args.speed, args.low, high)
    except InputError as refusal:
        raise refusal.with_place(_OPTIONS.get(refusal.key, refusal.place)) from None
