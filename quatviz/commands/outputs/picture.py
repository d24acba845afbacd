"""A still picture."""

import argparse
from pathlib import Path

from quatviz.base.errors import InputError
from quatviz.commands.outputs.base import Output
from quatviz.commands.support.offscreen import refuse_look, size_of, staged
from quatviz.export.film.plan import FilmPlan
from quatviz.files.files import refuse_place, replacing
from quatviz.simulation.simulation import Simulation


class Picture(Output):
    """The 3D view, or the window, at one time."""

    name = "picture"
    title = "a picture of the 3D view or the window"
    suffixes = (".png",)
    paints = True

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        group = parser.add_argument_group("pictures")
        group.add_argument("--at", type=float, default=0.0, metavar="S", help="time that a picture shows (0)")

    def refuse(self, path: Path, choice: argparse.Namespace) -> None:
        refuse_look(choice)
        refuse_place(path)
        _plan(choice)

    def made(self, choice: argparse.Namespace) -> str:
        return f"a picture of {'the window' if choice.window else 'the 3D view'}"

    def write(self, run: Simulation, path: Path, choice: argparse.Namespace) -> None:
        if choice.at > run.duration:
            raise InputError(
                "--at", expected=f"a time of the run, which ends at {run.duration:g} s",
                found=f"{choice.at:g} s", remedy=f"add --duration {choice.at:g}",
                topic="errors#exports",
            )  # fmt: skip
        with staged(run, choice, _plan(choice)) as take, replacing(path) as fresh:
            if not take.picture(choice.at).save(str(fresh)):
                raise OSError("the picture could not be written")


def _plan(choice: argparse.Namespace) -> FilmPlan:
    width, height = size_of(choice)
    try:
        return FilmPlan(width, height, low=choice.at, high=choice.at)
    except InputError as refusal:
        raise refusal.at("--at" if refusal.key == "times" else "--size") from None
