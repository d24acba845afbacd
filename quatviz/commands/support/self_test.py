"""What `quatviz doctor --self-test` tries: each part of the program once, as a person uses it, in a folder that goes again."""

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from quatviz import bootstrap
from quatviz.base.errors import InputError
from quatviz.commands.support.diagnostics import Finding
from quatviz.export.film.library import film_library

_PRESET, _LESSON = "torque_free", "half_turn"
_PATIENCE = 900.0
"""Seconds for any of them; a machine that has compiled nothing yet needs a minute for the first, a busy one several."""
_REMEDY = "if `quatviz doctor` finds nothing wrong above, this is a fault of the program: please report it with this text"
_CLOSE = 1e-9
"""How near newton_euler comes to the exact motion: it is 2e-11 away."""

Trial = Callable[[Path], str]


class _Left(Exception):
    """A trial is left, for it needs what a machine may well be without."""


def trials() -> Iterator[Finding]:
    """Every trial, one after the other."""
    with tempfile.TemporaryDirectory(prefix="quatviz-") as folder:
        for name, trial in TRIALS.items():
            yield _tried(name, trial, Path(folder))


def _tried(name: str, trial: Trial, folder: Path) -> Finding:
    try:
        return Finding(name, trial(folder))
    except _Left as left:
        return Finding(name, f"not tried: {left}", ok=False, needed=False)
    except subprocess.TimeoutExpired:
        return Finding(name, f"no end within {_PATIENCE:g} s", ok=False, remedy=_REMEDY)
    except Exception as fault:
        return Finding(name, f"{type(fault).__name__}: {fault}", ok=False, remedy=_REMEDY)


@contextlib.contextmanager
def display() -> Iterator[None]:
    """A virtual display, where there is no other and Xvfb is there."""
    before = dict(os.environ)
    with contextlib.ExitStack() as stack:
        if not bootstrap.has_display(sys.platform, os.environ):
            with contextlib.suppress(bootstrap.SetupError, OSError):
                display = stack.enter_context(bootstrap.virtual_display())
                os.environ.update(bootstrap.on_x11({}, DISPLAY=display))
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)


def _equations(folder: Path) -> str:
    import quatviz as qv

    run = qv.simulate(qv.load_preset(_PRESET), lanes=["exact", "newton_euler"], duration=10.0)
    away = float(abs(run["newton_euler"].p - run["exact"].p).max())
    assert away < _CLOSE, f"newton_euler is {away:.1e} from the exact motion"
    return f"newton_euler is {away:.1e} from the exact motion after 10 s"


def _table(suffix: str) -> Trial:
    def trial(folder: Path) -> str:
        path = folder / f"run{suffix}"
        _quatviz("run", _PRESET, "--duration", "1", "-o", str(path))
        again = _quatviz("run", str(path), "--duration", "1")
        assert "newton_euler" in again, again
        return f"{path.stat().st_size} bytes, written and run again"

    return trial


def _picture(suffix: str, starts: bytes, *more: str) -> Trial:
    def trial(folder: Path) -> str:
        path = folder / f"run{suffix}"
        _quatviz("render", _PRESET, "-o", str(path), "--quiet", *more)
        data = path.read_bytes()
        assert starts in data[:64], f"it begins with {data[:16]!r}"
        return f"{len(data)} bytes"

    return trial


def _film(suffix: str, starts: bytes) -> Trial:
    def trial(folder: Path) -> str:
        try:
            film_library()
        except InputError as refusal:
            raise _Left(f"{refusal.expected}: {refusal.found}") from None
        return _picture(suffix, starts, "--to", "1")(folder)  # all of it takes minutes on a busy machine

    return trial


def _sheet(folder: Path) -> str:
    """Its formulas are typeset, which needs fonts and a table of symbols of other packages."""
    _quatviz("lessons", "--sheet", _LESSON, "-o", str(folder / "sheet"))
    data = (folder / "sheet" / f"{_LESSON}.pdf").read_bytes()
    assert data.startswith(b"%PDF"), f"it begins with {data[:16]!r}"
    return f"{len(data)} bytes, with its formulas"


def _window(folder: Path) -> str:
    _quatviz("--present", str(folder / "window"), _PRESET)
    picture = folder / "window" / "window.png"
    return f"played 8 s and closed; its picture has {picture.stat().st_size} bytes"


TRIALS: dict[str, Trial] = {
    "equations of motion": _equations,
    "a table, CSV": _table(".csv"),
    "a table, HDF5": _table(".h5"),
    "a figure, SVG": _picture(".svg", b"<?xml"),
    "a picture, PNG": _picture(".png", b"\x89PNG"),
    "a film, MP4": _film(".mp4", b"ftyp"),
    "a film, GIF": _film(".gif", b"GIF89a"),
    "a page, HTML": _picture(".html", b"<!DOCTYPE html>"),
    "a student's sheet, PDF": _sheet,
    "the window": _window,
}


def _quatviz(*words: str) -> str:
    """What a command of this very program prints; a `RuntimeError` with its last words where it fails."""
    done = subprocess.run(
        [sys.executable, "-m", "quatviz", *words],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=_PATIENCE,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode != 0:
        last = (done.stderr.strip() or done.stdout.strip() or "no word").splitlines()[-3:]
        raise RuntimeError(
            f"`quatviz {' '.join(words)}` ended with status {done.returncode}: {' '.join(last)}"
        )
    return done.stdout
