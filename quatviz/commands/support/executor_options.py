"""Command-line options for the choice of workers, shared by commands with long computations."""

import argparse

from quatviz.base.errors import InputError
from quatviz.commands.support.terminal import CommandParser


def add_executor_options(parser: CommandParser, default: str) -> None:
    """Add the command-line options for the choice of workers. `default` names the workers that are used if no option is
    given."""
    parser.add_argument(
        "--jobs", type=int, metavar="N", help=f"number of {default} (default: one per processor)"
    )
    parser.add_argument(
        "--scheduler", metavar="ADDRESS",
        help=f"use the workers of a Dask cluster instead of {default}, such as tcp://host:8786: see `quatviz help clusters`",
    )  # fmt: skip


def refuse_executor_options(args: argparse.Namespace) -> None:
    """Raise `InputError` if the number of workers in the options is not possible."""
    if args.jobs is not None and (args.jobs < 1 or args.scheduler):
        raise InputError(
            "--jobs",
            expected="at least 1" if args.jobs < 1 else "either a number of workers or a scheduler",
            found=str(args.jobs) if args.jobs < 1 else "both",
            remedy="leave it out", topic="clusters#choose-an-executor",
        )  # fmt: skip


def format_remaining_time(seconds: float) -> str:
    """Return the remaining time as short text, or "" if it is not known."""
    if not 0 < seconds < float("inf"):
        return ""
    minutes, remaining_seconds = divmod(round(seconds), 60)
    return f"  {minutes}:{remaining_seconds:02} remaining"
