"""The options that say who computes, for commands with long work."""

import argparse

from quatviz.base.errors import InputError
from quatviz.commands.support.terminal import CommandParser


def add_executor_options(parser: CommandParser, default: str) -> None:
    """Let a person say who computes; `default` is what does otherwise, in a word."""
    parser.add_argument("--jobs", type=int, metavar="N", help=f"{default} (one for each processor)")
    parser.add_argument(
        "--scheduler", metavar="ADDRESS",
        help=f"the workers of a Dask cluster instead of {default}, such as tcp://host:8786: see `quatviz help clusters`",
    )  # fmt: skip


def refuse_executor_options(args: argparse.Namespace) -> None:
    """Refuse what can be no number of them."""
    if args.jobs is not None and (args.jobs < 1 or args.scheduler):
        raise InputError(
            "--jobs",
            expected="at least 1" if args.jobs < 1 else "a number of processes here, or a scheduler, which has its own",
            found=str(args.jobs) if args.jobs < 1 else "both",
            remedy="leave it out", topic="clusters#who-computes",
        )  # fmt: skip


def format_remaining_time(seconds: float) -> str:
    """How long it will take, in a few characters; nothing where that is not known."""
    if not 0 < seconds < float("inf"):
        return ""
    minutes, remaining_seconds = divmod(round(seconds), 60)
    return f"  {minutes}:{remaining_seconds:02} left"
