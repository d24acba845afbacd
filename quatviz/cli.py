"""The command line: runs the named command and turns errors into a message and an exit status."""

import errno
import gc
import importlib
import io
import logging
import os
import re
import sys
from collections.abc import Sequence

from quatviz.base.errors import InputError, phrase
from quatviz.base.formatting import escape_control_characters
from quatviz.commands import COMMANDS
from quatviz.commands.support.terminal import help_line, print_error

DEFAULT_COMMAND = "window"
"""Command that runs if the command line names none."""
BAD_INPUT = 2
CANCELLED = 130
BROKEN_PIPE = 141
_GC_THRESHOLD = 50_000
"""Number of allocations between two garbage collections during a command.

Imports create no garbage, and collecting at Python's default of 700 takes a seventh of the time of a short
command.
"""
_DISK_FULL_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status; status 2 means invalid input, reported in one message."""
    _make_streams_tolerant()
    _set_environment()
    log = logging.StreamHandler()
    log.setFormatter(_PrintableFormatter("%(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[log])
    argv = list(sys.argv[1:] if arguments is None else arguments)
    gc_threshold = gc.get_threshold()
    gc.set_threshold(_GC_THRESHOLD)
    name, command_argv = (argv[0], argv[1:]) if argv and argv[0] in COMMANDS else (DEFAULT_COMMAND, argv)
    try:
        status: int = importlib.import_module(COMMANDS[name].module).main(command_argv)
        sys.stdout.flush()
        return status
    except InputError as refusal:
        return _report_error(refusal)
    except ImportError as error:
        package = (error.name or _raising_module(error)).partition(".")[0]
        if package in ("", "quatviz"):
            raise
        print_error(_missing_library_error(package, error))
        return BAD_INPUT
    except KeyboardInterrupt:
        print_error("cancelled")
        return CANCELLED
    except BrokenPipeError:
        # The reader of the output, such as `head`, has ended. Python would report that again at exit.
        _silence_output()
        return BROKEN_PIPE
    except MemoryError as error:
        return _report_error(_memory_error(error))
    except OSError as error:
        if error.errno not in _DISK_FULL_ERRORS or error.filename is not None:
            raise
        _silence_output()
        return _report_error(_unwritable_output_error(error))
    finally:
        gc.set_threshold(*gc_threshold)


def _report_error(refusal: InputError) -> int:
    """Print an error with a link to the help, and return the exit status."""
    print_error(f"{refusal}\n{help_line(refusal.topic)}")
    return BAD_INPUT


class _PrintableFormatter(logging.Formatter):
    """A log formatter that escapes control characters, so that messages cannot control the terminal."""

    def format(self, record: logging.LogRecord) -> str:
        return escape_control_characters(super().format(record))


def _make_streams_tolerant() -> None:
    """Redirect closed streams to the null device, and escape characters that a stream cannot encode."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _set_environment() -> None:
    """Set environment variables that packages read when they are imported. Child processes inherit them."""
    # Multithreaded BLAS slows down the small matrices of a fit by busy waiting, and each child of a sweep would use all
    # processors.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Figures are drawn to files only. An unknown backend name in the environment would make all of them fail.
    os.environ["MPLBACKEND"] = "agg"


def _unwritable_output_error(error: OSError) -> InputError:
    """Return the error for standard output that cannot be written, such as `> /full/disk`."""
    return InputError(
        "standard output of the command",
        expected="a writable output",
        found=str(error.strerror),
        remedy="free space, or redirect the output to another place",
        topic="errors#files",
    )


def _raising_module(error: BaseException) -> str:
    """Return the name of the module that raised an exception.

    It need not be the one that was imported: numba, for example, raises ImportError for a NumPy that is too
    new.
    """
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return str(trace.tb_frame.f_globals.get("__name__", "")) if trace is not None else ""


def _missing_library_error(package: str, error: ImportError) -> InputError:
    """Return the error for a missing or broken Python package, or for a missing system library."""
    if match := re.match(r"(\S+\.so[.\d]*): cannot open shared object file", str(error)):
        return InputError(
            "the libraries of this system",
            expected=phrase("the library {library}, which quatviz needs", library=match[1]),
            found="no such file",
            remedy="install it; `quatviz doctor` prints the command that installs what is missing",
            topic="errors#display",
        )
    return InputError(
        sys.executable,
        expected=phrase("the package {package}, which quatviz needs", package=package),
        found=str(error),
        remedy="install quatviz again with this Python's pip; `quatviz doctor` lists what else is missing",
        topic="errors#faults-of-the-program",
    )


def _memory_error(error: MemoryError) -> InputError:
    return InputError(
        "memory",
        expected="enough for the run and its results",
        found=str(error) or "no memory is left",
        remedy="record less: a longer sample_interval, a shorter duration, fewer lanes; or close other programs",
        topic="errors#time-steps",
    )


def _silence_output() -> None:
    """Redirect standard output to the null device, so that Python's flush at exit does not fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
