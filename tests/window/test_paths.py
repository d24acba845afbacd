"""The six paths that the docstring of `quatviz/ui` writes down, as a window goes that is traced: no file more, and none less."""

import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FrameType

import pytest
from pytestqt.qtbot import QtBot
from window_steps import editing, enter, finish, moment, pause_at, two_frames, wait_computed  # noqa: F401

import quatviz.ui
from quatviz.app import Session
from quatviz.simulation.commands import Play
from quatviz.ui.tools.export.figure_dialog import FigureDialog
from quatviz.ui.tools.export.film_dialog import FilmDialog

PACKAGE = Path(quatviz.ui.__file__).parents[1]
BELOW = r"(base|events|formulations|geometry|integrators|kernels|loads|look|mechanics|motion|text)/"
"""Rooms that know of no path."""
LISTENERS = (
    *("ui/plots/board", "ui/scene/views", "ui/side/", "ui/tools/cards/", "ui/transport/"),
    *("ui/window/main_window", "ui/window/status_row", "ui/window/laboratory"),
)
"""To whom the bridge hands a frame."""
REDUCED = "feed/lazy.py:_run"
"""What frames asked for before is reduced in a thread of its own, whenever that gets to it."""
RECOVERY = ("document/autosave", "document/store")
"""The session is kept every few seconds, whatever goes on."""


@dataclass(frozen=True)
class Way:
    """One path: the calls that come from files which begin so, or in a thread beside, but for those that go `elsewhere`, by files
    or functions of them; and what only `serves` on the way: it measures, translates or dresses."""

    begins: tuple[str, ...]
    elsewhere: tuple[str, ...]
    serves: str

    def goes_by(self, frame: FrameType | None) -> bool:
        """Whether a call belongs to it. Parts of the window look at all events as they pass."""
        begun = False
        while frame is not None and frame.f_code.co_name != "eventFilter":
            at = f"{relative(frame)}:{frame.f_code.co_name}"
            if at.startswith((*self.elsewhere, *RECOVERY)):
                return False
            begun = begun or at.startswith(self.begins)
            frame = frame.f_back
        return begun or (frame is None and threading.current_thread() is not threading.main_thread())

    def carries(self, path: str) -> bool:
        """Whether a file may be one of those that the docstring names."""
        return not re.match(f"{BELOW}|{self.serves}", path)


def without(part: str) -> tuple[str, ...]:
    return tuple(one for one in LISTENERS if one != part)


EXPORT = Way(
    ("ui/window/acts", "ui/tools/export/"),
    (),
    r"(document|feed|scene|simulation|ui/kit|ui/plots|ui/side|ui/transport)/|panels/(?!base/curves)|ui/scene/(?!views)"
    r"|app\.py"  # gives what it made: the look of its window
    r"|ui/window/(main_window|settings|desk)"  # has it; remembers it; is asked by menus that say what is on
    r"|ui/tools/cards/window"  # says whether it stands below the run
    r"|ui/tools/export/(dialog|preview)"  # what all dialogs are; the picture beside the fields
    r"|export/figures/(canvas|stripes)"  # what is painted and no plot; where lanes agree
    r"|export/film/(plan|library)",  # which times; finds the encoder
)
WAYS = {
    "A sample to a curve's pixel": Way(
        ("ui/window/bridge", "ui/plots/"),
        (*without("ui/plots/board"), "document/dressing"),
        r"(simulation|ui/kit|scene)/|feed/(breaks|forms|frame|numbers|time_drag)\.|panels/(?!base/curves)|ui/plots/rows",
    ),
    "A sample to the body": Way(
        ("ui/window/bridge.py:_", "ui/scene/view.py"),
        without("ui/scene/views"),
        r"(simulation|ui/kit)/|feed/(budget|frame|lazy)\.|scene/(?!base|items/body\.)|ui/scene/(by_hand|context|shot|words)",
    ),
    "A key to an act": Way(
        ("ui/kit/acts",),
        ("ui/kit/acts.py:renew", "document/dressing", "app.py:show_run", REDUCED),
        r"ui/kit/guard",
    ),
    "An edit to the restarted run": Way(
        ("ui/kit/widgets",),
        (
            *without("ui/side/"),
            "ui/side/lanes",
            "ui/side/presets",
            "ui/side/readouts",
            "look/held",
            "document/dressing",
            REDUCED,
        ),
        r"ui/kit/guard|feed/|document/(?!document|branching)|simulation/(?!simulation|worker)",
    ),
    "A panel to a figure": EXPORT,
    "A run to a film": EXPORT,
}


def relative(frame: FrameType) -> str:
    return below_package(frame.f_code.co_filename)


@cache
def below_package(file: str) -> str:
    path = Path(file)
    return path.relative_to(PACKAGE).as_posix() if path.is_relative_to(PACKAGE) else ""


def told(what: str) -> set[str]:
    """The files of a path in the docstring."""
    text = str(quatviz.ui.__doc__).partition(f"\n{what}: ")[2].split("\n\n")[1]
    return {line.split()[0] for line in text.splitlines()}


@contextmanager
def gone(what: str) -> Iterator[None]:
    """What is done here goes the path of this name, in this thread and in those that begin."""
    found: set[str] = set()
    way = WAYS[what]
    carries = cache(way.carries)

    def look(frame: FrameType, event: str, argument: object) -> None:
        path = relative(frame) if event == "call" else ""
        if path and path not in found and carries(path) and way.goes_by(frame):
            found.add(path)

    threading.setprofile(look)
    sys.setprofile(look)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    assert (sorted(found - told(what)), sorted(told(what) - found)) == ([], [])


def test_every_path_is_gone() -> None:
    paths = re.findall(r"^(An? .+): \d+ files \(\d+\)$", str(quatviz.ui.__doc__), re.MULTILINE)
    assert paths == list(WAYS)


def test_samples_a_key_and_an_edit(editing: Session, qtbot: QtBot) -> None:
    pause_at(editing, qtbot, 1.0)
    with gone("A key to an act"):
        editing.window.acts["forward"].trigger()
    qtbot.waitUntil(lambda: editing.bridge.snapshot.time == pytest.approx(1.01))
    with gone("A sample to the body"):
        editing.bridge.send(Play())
        two_frames(editing, qtbot)
        two_frames(editing, qtbot)
    pause_at(editing, qtbot, 1.0)
    before = editing.simulation
    with gone("An edit to the restarted run"):
        enter(moment(editing), "410")
    assert editing.simulation is not before
    with gone("A sample to a curve's pixel"):
        wait_computed(editing, qtbot)


def test_a_panel_to_a_figure_and_a_run_to_a_film(editing: Session, qtbot: QtBot, tmp_path: Path) -> None:
    window = editing.window
    editing.bridge.stop()  # what else the window does is no part of them
    with gone("A panel to a figure"):
        act = window.acts.all["export_figure"].of
        assert act is not None
        act(window, "h")
        figure = editing.exporter.dialogs["figure"]
        assert isinstance(figure, FigureDialog)
        figure.preview.shut_down()
        figure.write(tmp_path / "h.pdf")
        finish(figure, qtbot)
    figure.close()
    with gone("A run to a film"):
        window.acts["export_film"].trigger()
        film = editing.exporter.dialogs["film"]
        assert isinstance(film, FilmDialog)
        for entry, text in ((film.width_, "64"), (film.height_, "48"), (film.speed, "100")):
            entry.show_text(text)
        film.write(tmp_path / "film.mp4")
        finish(film, qtbot)
    assert {path.name for path in tmp_path.iterdir()} == {"h.pdf", "film.mp4"}, film.problem.text()
