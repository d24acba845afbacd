"""Trials of `quatviz doctor --self-test`: each part of the program is used once, in a temporary folder."""

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from quatviz import bootstrap
from quatviz.base.child_processes import module_command
from quatviz.base.errors import InputError
from quatviz.commands.support.diagnostics import SystemCheck
from quatviz.export.film.library import film_library

_PRESET, _LESSON = "torque_free", "half_turn"
_TIMEOUT = 900.0
"""Time limit of a trial [s]. The first one may have to compile, and the machine may be busy."""
_REMEDY = "if all checks above passed, this is a fault of the program: please report it with this text"
_MAX_ERROR = 1e-9
"""Largest accepted difference between the Euler parameters of `newton_euler` and of the exact solution. The expected
difference is about 2e-11."""

Trial = Callable[[Path], str]


class _TrialSkipped(Exception):
    """Raised by a trial that is skipped because an optional dependency is missing."""


def run_trials() -> Iterator[SystemCheck]:
    """Run all trials and yield their results."""
    with tempfile.TemporaryDirectory(prefix="quatviz-") as folder:
        for name, trial in TRIALS.items():
            yield _run_trial(name, trial, Path(folder))


def _run_trial(name: str, trial: Trial, folder: Path) -> SystemCheck:
    try:
        return SystemCheck(name, trial(folder))
    except _TrialSkipped as skipped:
        return SystemCheck(name, f"skipped: {skipped}", ok=False, needed=False)
    except subprocess.TimeoutExpired:
        return SystemCheck(name, f"not finished within {_TIMEOUT:g} s", ok=False, remedy=_REMEDY)
    except Exception as error:
        return SystemCheck(name, f"{type(error).__name__}: {error}", ok=False, remedy=_REMEDY)


@contextlib.contextmanager
def virtual_display() -> Iterator[None]:
    """Provide a virtual display if there is no display and Xvfb is installed."""
    environment = dict(os.environ)
    with contextlib.ExitStack() as stack:
        if not bootstrap.has_display(sys.platform, os.environ):
            with contextlib.suppress(bootstrap.SetupError, OSError):
                display = stack.enter_context(bootstrap.virtual_display())
                os.environ.update(bootstrap.x11_environment({}, DISPLAY=display))
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(environment)


def _try_equations(folder: Path) -> str:
    import quatviz as qv

    run = qv.simulate(qv.load_preset(_PRESET), lanes=["exact", "newton_euler"], duration=10.0)
    error = float(abs(run["newton_euler"].p - run["exact"].p).max())
    assert error < _MAX_ERROR, f"newton_euler differs by {error:.1e} from the exact motion"
    return f"newton_euler differs by {error:.1e} from the exact motion after 10 s"


def _try_table(suffix: str) -> Trial:
    def trial(folder: Path) -> str:
        path = folder / f"run{suffix}"
        _run_quatviz("run", _PRESET, "--duration", "1", "-o", str(path))
        again = _run_quatviz("run", str(path), "--duration", "1")
        assert "newton_euler" in again, again
        return f"{path.stat().st_size} bytes, written and run again"

    return trial


def _try_picture(suffix: str, signature: bytes, *options: str) -> Trial:
    def trial(folder: Path) -> str:
        path = folder / f"run{suffix}"
        _run_quatviz("render", _PRESET, "-o", str(path), "--quiet", *options)
        data = path.read_bytes()
        assert signature in data[:64], f"it begins with {data[:16]!r}"
        return f"{len(data)} bytes"

    return trial


def _try_film(suffix: str, signature: bytes) -> Trial:
    def trial(folder: Path) -> str:
        try:
            film_library()
        except InputError as refusal:
            raise _TrialSkipped(f"{refusal.expected}: {refusal.found}") from None
        # Filming the whole run takes minutes on a busy machine.
        return _try_picture(suffix, signature, "--to", "1")(folder)

    return trial


def _try_sheet(folder: Path) -> str:
    """Write a worksheet as PDF. This tries the fonts and symbol tables of other packages, which its formulas need."""
    _run_quatviz("lessons", "--sheet", _LESSON, "-o", str(folder / "sheet"))
    data = (folder / "sheet" / f"{_LESSON}.pdf").read_bytes()
    assert data.startswith(b"%PDF"), f"it begins with {data[:16]!r}"
    return f"{len(data)} bytes, with its formulas"


def _try_window(folder: Path) -> str:
    _run_quatviz("--present", str(folder / "window"), _PRESET)
    picture = folder / "window" / "window.png"
    return f"played 8 s and closed; its picture has {picture.stat().st_size} bytes"


TRIALS: dict[str, Trial] = {
    "equations of motion": _try_equations,
    "a table, CSV": _try_table(".csv"),
    "a table, HDF5": _try_table(".h5"),
    "a figure, SVG": _try_picture(".svg", b"<?xml"),
    "a picture, PNG": _try_picture(".png", b"\x89PNG"),
    "a film, MP4": _try_film(".mp4", b"ftyp"),
    "a film, GIF": _try_film(".gif", b"GIF89a"),
    "a page, HTML": _try_picture(".html", b"<!DOCTYPE html>"),
    "a worksheet, PDF": _try_sheet,
    "the window": _try_window,
}


def _run_quatviz(*arguments: str) -> str:
    """Run a command of this program and return its output. Raises `RuntimeError` with its last lines if it fails."""
    process = subprocess.run(
        module_command("quatviz", *arguments),
        capture_output=True,
        text=True,
        errors="replace",
        timeout=_TIMEOUT,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if process.returncode != 0:
        last = (process.stderr.strip() or process.stdout.strip() or "no message").splitlines()[-3:]
        raise RuntimeError(
            f"`quatviz {' '.join(arguments)}` ended with status {process.returncode}: {' '.join(last)}"
        )
    return process.stdout
