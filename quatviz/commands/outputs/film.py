"""A film, MP4 or GIF."""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from quatviz.base.errors import InputError
from quatviz.commands.outputs.base import Output
from quatviz.commands.support.offscreen import add_stage_options, refuse_look, size_of, staged
from quatviz.commands.support.terminal import show_progress
from quatviz.export.film.film_writer import SUFFIXES, refuse_film, write_film
from quatviz.export.film.plan import FilmPlan
from quatviz.simulation.simulation import Simulation

_OPTIONS = {
    "rate": "--fps",
    "speed": "--speed",
    "width": "--size",
    "height": "--size",
    "times": "--from and --to",
}


class Film(Output):
    """The 3D view, or the window, from one time to another."""

    name = "film"
    title = "a film of the 3D view or the window"
    suffixes = tuple(SUFFIXES)
    paints = True

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        add_stage_options(parser)
        group = parser.add_argument_group("films")
        group.add_argument("--fps", type=float, default=30.0, metavar="N", help="frames per second (30)")
        group.add_argument(
            "--speed", type=float, default=1.0, metavar="N", help="simulated seconds per second of film (1)"
        )
        group.add_argument("--from", type=float, default=0.0, dest="low", metavar="S", help="first time (0)")
        group.add_argument("--to", type=float, dest="high", metavar="S", help="last time (the run's end)")

    def refuse(self, path: Path, choice: argparse.Namespace) -> None:
        refuse_look(choice)
        refuse_film(path, _plan(choice, choice.low if choice.high is None else choice.high))

    def made(self, choice: argparse.Namespace) -> str:
        return f"a film of {'the window' if choice.window else 'the 3D view'}"

    def write(self, run: Simulation, path: Path, choice: argparse.Namespace) -> None:
        high = run.duration if choice.high is None else choice.high
        if max(choice.low, high) > run.duration:
            raise InputError(
                "--from and --to", expected=f"times of the run, which ends at {run.duration:g} s",
                found=f"{choice.low:g} s to {high:g} s", remedy=f"add --duration {max(choice.low, high):g}",
                topic="errors#exports",
            )  # fmt: skip
        plan = _plan(choice, high)
        with staged(run, choice, plan) as take:
            from quatviz.ui.tools.export.frame_sources import bytes_of

            def pictures() -> Iterator[np.ndarray]:
                for number, time in enumerate(plan.times):
                    if not choice.quiet:
                        show_progress(f"frame {number + 1} of {plan.frames}")
                    yield bytes_of(take.picture(float(time)))

            try:
                write_film(path, plan, pictures(), run.preset.title)
            finally:
                if not choice.quiet:
                    show_progress()
        if not choice.quiet:
            print(
                f"{plan.frames} frames of {plan.width} by {plan.height}, {plan.seconds:.2f} s at {plan.rate:g} per second"
            )


def _plan(choice: argparse.Namespace, high: float) -> FilmPlan:
    width, height = size_of(choice)
    try:
        return FilmPlan(width, height, choice.fps, choice.speed, choice.low, high)
    except InputError as refusal:
        raise refusal.at(_OPTIONS.get(refusal.key, refusal.place)) from None
