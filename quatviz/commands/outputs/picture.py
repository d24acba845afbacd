"""Output of `quatviz render`: a still picture."""

import argparse
from pathlib import Path

from quatviz.base.errors import InputError
from quatviz.commands.outputs.base import Output
from quatviz.commands.support.offscreen import open_frame_source, refuse_look, size_of
from quatviz.export.film.plan import FilmPlan
from quatviz.files.files import refuse_unwritable, replace_atomically
from quatviz.simulation.simulation import Simulation


class Picture(Output):
    """A picture of the 3D view or of the window at one time."""

    name = "picture"
    title = "a picture of the 3D view or the window"
    suffixes = (".png",)
    paints = True

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        group = parser.add_argument_group("pictures")
        group.add_argument("--at", type=float, default=0.0, metavar="S", help="time of the picture (0)")

    def refuse(self, path: Path, args: argparse.Namespace) -> None:
        refuse_look(args)
        refuse_unwritable(path)
        _plan(args)

    def description(self, args: argparse.Namespace) -> str:
        return f"a picture of {'the window' if args.window else 'the 3D view'}"

    def write(self, run: Simulation, path: Path, args: argparse.Namespace) -> None:
        if args.at > run.duration:
            raise InputError(
                "--at", expected=f"a time of the run, which ends at {run.duration:g} s",
                found=f"{args.at:g} s", remedy=f"add --duration {args.at:g}",
                topic="errors#exports",
            )  # fmt: skip
        with open_frame_source(run, args, _plan(args)) as source, replace_atomically(path) as temporary_path:
            if not source.render(args.at).save(str(temporary_path)):
                raise OSError("the picture could not be written")


def _plan(args: argparse.Namespace) -> FilmPlan:
    width, height = size_of(args)
    try:
        return FilmPlan(width, height, low=args.at, high=args.at)
    except InputError as refusal:
        raise refusal.with_place("--at" if refusal.key == "times" else "--size") from None
