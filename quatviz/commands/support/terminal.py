"""Output of commands to the terminal: tables, JSON for other programs, and progress lines."""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, NoReturn

from quatviz.base.formatting import escape_control_characters


class _StoreOnce(argparse.Action):
    """Store the value of an option, and refuse a second one, which would silently replace the first."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        if option_string is not None and getattr(namespace, self.dest, None) is not self.default:
            raise argparse.ArgumentError(self, "it may be given only once")
        setattr(namespace, self.dest, values)


class CommandParser(argparse.ArgumentParser):
    """Argument parser that escapes terminal control sequences in its error messages and refuses an option that is repeated,
    unless the option collects its values."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        for name in (None, "store"):
            self.register("action", name, _StoreOnce)

    def error(self, message: str) -> NoReturn:
        super().error(escape_control_characters(message))


def print_safe(text: str) -> None:
    """Print a text that may contain names chosen by the user, with control characters escaped."""
    print(escape_control_characters(text))


def print_error(error: object) -> None:
    """Print an error to stderr with control characters escaped. If that fails, only the exit status reports the error."""
    with suppress(OSError):
        print(escape_control_characters(f"quatviz: {error}"), file=sys.stderr, flush=True)


def help_line(topic: str) -> str:
    """Return the line at the end of a message that refers to the help."""
    return f"  help      quatviz help {topic}"


def show_progress(text: str = "") -> None:
    """Show a text in a progress line on a terminal, or clear that line. Nothing is printed if stderr is not a terminal."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def show_fraction(fraction: float) -> None:
    """Show a completed fraction (0 to 1) in the progress line."""
    show_progress(f"{100 * fraction:3.0f} %")


def progress_bar(title: str, done: int, total: int) -> str:
    """Return a progress bar as text."""
    filled = _BAR_WIDTH * done // max(total, 1)
    return f"{title}  {'█' * filled}{'░' * (_BAR_WIDTH - filled)}  {done} of {total}"


_BAR_WIDTH = 24


def print_json(objects: Iterable[Any]) -> None:
    """Print a list of objects, or an object, as JSON."""
    ascii_only = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    print(
        json.dumps(objects if isinstance(objects, dict) else list(objects), indent=2, ensure_ascii=ascii_only)
    )


def format_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], right_aligned: Sequence[int] = ()
) -> str:
    """Return aligned columns under `header`. Columns whose index is in `right_aligned` are aligned to the right."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        padded = [
            cell.rjust(width) if index in right_aligned else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return "  ".join(padded).rstrip()

    return "\n".join([line(header), *map(line, rows)])
