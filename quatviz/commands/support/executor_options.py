"""The options that say who computes, for commands with long work."""

import argparse

from quatviz.base.errors import InputError
from quatviz.commands.support.terminal import Parser


def offer_workers(parser: Parser, usual: str) -> None:
    """Let a person say who computes; `usual` is what does otherwise, in a word."""
    parser.add_argument("--jobs", type=int, metavar="N", help=f"{usual} (one for each processor)")
    parser.add_argument(
        "--scheduler", metavar="ADDRESS",
        help=f"the workers of a Dask cluster instead of {usual}, such as tcp://host:8786: see `quatviz help clusters`",
    )  # fmt: skip


def refuse_workers(choice: argparse.Namespace) -> None:
    """Refuse what can be no number of them."""
    if choice.jobs is not None and (choice.jobs < 1 or choice.scheduler):
        raise InputError(
            "--jobs",
            expected="at least 1" if choice.jobs < 1 else "a number of processes here, or a scheduler, which has its own",
            found=str(choice.jobs) if choice.jobs < 1 else "both",
            remedy="leave it out", topic="clusters#who-computes",
        )  # fmt: skip


def told_left(seconds: float) -> str:
    """How long it will take, in a few characters; nothing where that is not known."""
    if not 0 < seconds < float("inf"):
        return ""
    minutes, rest = divmod(round(seconds), 60)
    return f"  {minutes}:{rest:02} left"
