"""What commands print: tables for a terminal and for documents, lists for programs, and how far they are."""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, NoReturn

from quatviz.base.formatting import escape_control_characters


class CommandParser(argparse.ArgumentParser):
    """The words behind a command. What is wrong with one is told with the word, of which nothing commands the terminal."""

    def error(self, message: str) -> NoReturn:
        super().error(escape_control_characters(message))


def print_safe(text: str) -> None:
    """Print what names something of a person's, such as a file, so that nothing of it commands the terminal."""
    print(escape_control_characters(text))


def print_error(error: object) -> None:
    """Say on the error output what is wrong, so that nothing of it commands the terminal. Where that cannot be written nobody is
    told, but by the status."""
    with suppress(OSError):
        print(escape_control_characters(f"quatviz: {error}"), file=sys.stderr, flush=True)


def help_line(topic: str) -> str:
    """The last line of a message: how to read what explains it."""
    return f"  help      quatviz help {topic}"


def show_progress(text: str = "") -> None:
    """One line of the terminal, written over and over; without a text it is cleared. Only where somebody looks."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def show_fraction(fraction: float) -> None:
    """The same for a share of work, from 0 to 1."""
    show_progress(f"{100 * fraction:3.0f} %")


def progress_bar(title: str, done: int, total: int) -> str:
    """How far something is, as a bar."""
    filled = _BAR_WIDTH * done // max(total, 1)
    return f"{title}  {'█' * filled}{'░' * (_BAR_WIDTH - filled)}  {done} of {total}"


_BAR_WIDTH = 24


def print_json(objects: Iterable[Any]) -> None:
    """A list of objects, or an object, for a program."""
    ascii_only = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    print(
        json.dumps(objects if isinstance(objects, dict) else list(objects), indent=2, ensure_ascii=ascii_only)
    )


def format_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], right_aligned: Sequence[int] = ()
) -> str:
    """Aligned columns under `header`; those whose index is in `right_aligned` are numbers, aligned to the right."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        padded = [
            cell.rjust(width) if index in right_aligned else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return "  ".join(padded).rstrip()

    return "\n".join([line(header), *map(line, rows)])
