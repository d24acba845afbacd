"""Two of the paths that the docstring of `quatviz/ui` writes down, as a window goes that is traced: no file more, and none less."""

import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from pytestqt.qtbot import QtBot
from window_steps import editing, finish  # noqa: F401

import quatviz.ui
from quatviz.app import Session
from quatviz.ui.tools.export.figure_dialog import FigureDialog
from quatviz.ui.tools.export.film_dialog import FilmDialog

PACKAGE = Path(quatviz.ui.__file__).parents[1]
SERVES_ALL = re.compile(
    r"(base|document|feed|formulations|geometry|loads|look|mechanics|motion|scene|simulation|text|ui/kit|ui/plots|ui/side"
    r"|ui/transport)/|panels/(?!base/curves)|ui/scene/(?!views)"
)
"""Rooms below the plots and the scene, and the parts of the window that say what they show."""
BESIDE = {
    "app.py": "gives what it made: the look of its window",
    "ui/window/main_window.py": "has the look",
    "ui/window/dressing.py": "measures it",
    "ui/window/settings.py": "has the size of everything, of which menus say that it is on",
    "ui/tools/export/dialog.py": "what all dialogs are",
    "ui/tools/export/preview.py": "the picture beside the fields",
    "export/figures/canvas.py": "what is painted and no plot",
    "export/figures/stripes.py": "measures where lanes agree",
    "export/film/plan.py": "which times",
    "export/film/library.py": "finds the encoder",
}


def relative(frame: FrameType) -> str:
    path = Path(frame.f_code.co_filename)
    return path.relative_to(PACKAGE).as_posix() if path.is_relative_to(PACKAGE) else ""


def follows(frame: FrameType | None) -> bool:
    """Whether it comes of the act: the window has other things to do while somebody waits, and parts of it look at all events
    as they pass."""
    while frame is not None and frame.f_code.co_name != "eventFilter":
        if relative(frame).startswith(("ui/window/acts", "ui/tools/export/")):
            return True
        frame = frame.f_back
    return frame is None and threading.current_thread() is not threading.main_thread()


@contextmanager
def traced() -> Iterator[set[str]]:
    """The files of the program that run meanwhile for what is done here, in this thread and in those that begin."""
    found: set[str] = set()

    def look(frame: FrameType, event: str, argument: object) -> None:
        path = relative(frame) if event == "call" else ""
        if path and path not in found and follows(frame):
            found.add(path)

    threading.setprofile(look)
    sys.setprofile(look)
    try:
        yield found
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def told(what: str) -> set[str]:
    """The files of a path in the docstring."""
    text = str(quatviz.ui.__doc__).partition(f"\n{what}: ")[2].split("\n\n")[1]
    return {line.split()[0] for line in text.splitlines()}


def carrying(found: set[str]) -> set[str]:
    return {path for path in found if not SERVES_ALL.match(path) and path not in BESIDE}


def test_a_panel_to_a_figure_and_a_run_to_a_film(editing: Session, qtbot: QtBot, tmp_path: Path) -> None:
    window = editing.window
    editing.bridge.stop()  # what else the window does is no part of them
    with traced() as found:
        act = window.acts.all["export_figure"].of
        assert act is not None
        act(window, "h")
        figure = editing.exporter.dialogs["figure"]
        assert isinstance(figure, FigureDialog)
        figure.preview.shut_down()
        figure.write(tmp_path / "h.pdf")
        finish(figure, qtbot)
    assert carrying(found) == told("A panel to a figure")
    figure.close()
    with traced() as found:
        window.acts["export_film"].trigger()
        film = editing.exporter.dialogs["film"]
        assert isinstance(film, FilmDialog)
        for entry, text in ((film.width_, "64"), (film.height_, "48"), (film.speed, "100")):
            entry.show_text(text)
        film.write(tmp_path / "film.mp4")
        finish(film, qtbot)
    assert carrying(found) == told("A run to a film")
    assert {path.name for path in tmp_path.iterdir()} == {"h.pdf", "film.mp4"}, film.problem.text()
