"""What commands print: tables for a terminal and for documents, lists for programs, and how far they are."""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, NoReturn

from quatviz.base.formatting import printable


class Parser(argparse.ArgumentParser):
    """The words behind a command. What is wrong with one is told with the word, of which nothing commands the terminal."""

    def error(self, message: str) -> NoReturn:
        super().error(printable(message))


def say(text: str) -> None:
    """Print what names something of a person's, such as a file, so that nothing of it commands the terminal."""
    print(printable(text))


def complain(lack: object) -> None:
    """Say on the error output what is wrong, so that nothing of it commands the terminal. Where that cannot be written nobody is
    told, but by the status."""
    with suppress(OSError):
        print(printable(f"quatviz: {lack}"), file=sys.stderr, flush=True)


def help_line(topic: str) -> str:
    """The last line of a message: how to read what explains it."""
    return f"  help      quatviz help {topic}"


def show_progress(text: str = "") -> None:
    """One line of the terminal, written over and over; without a text it is cleared. Only where somebody looks."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def show_share(share: float) -> None:
    """The same for a share of work, from 0 to 1."""
    show_progress(f"{100 * share:3.0f} %")


def bar(title: str, done: int, total: int) -> str:
    """How far something is, as a bar."""
    full = _BAR * done // max(total, 1)
    return f"{title}  {'█' * full}{'░' * (_BAR - full)}  {done} of {total}"


_BAR = 24


def print_json(objects: Iterable[Any]) -> None:
    """A list of objects, or an object, for a program."""
    plain = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    print(json.dumps(objects if isinstance(objects, dict) else list(objects), indent=2, ensure_ascii=plain))


def as_text(head: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Aligned columns under `head`; those whose index is in `right` are numbers, aligned to the right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        padded = [
            cell.rjust(width) if index in right else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return "  ".join(padded).rstrip()

    return "\n".join([line(head), *map(line, rows)])
