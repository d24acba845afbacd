"""The main job on a machine without a screen: play the preset in the real window, leave a picture and a table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from quatviz.core.errors import Refusal
from quatviz.export.files import replacing, write_table
from quatviz.ui.tr import tr

if TYPE_CHECKING:
    from quatviz.app import Session

PLAY_TO = 8.0
"""Seconds of motion that are played before the picture is taken."""
_PATIENCE_MS = 180_000


class Presentation(QObject):
    """Watches a session play; when the cursor has reached `PLAY_TO` and every lane is computed, saves and quits."""

    def __init__(self, session: Session, folder: Path, fail: Callable[[str], None]) -> None:
        super().__init__()
        self._session = session
        self._folder = folder
        self._fail = fail
        self._waited = 0
        self._timer = QTimer(self)
        self._timer.setInterval(100)
        self._timer.timeout.connect(self._look)

    def start(self) -> None:
        """Begin to watch."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._timer.start()

    def _look(self) -> None:
        self._waited += self._timer.interval()
        simulation, snapshot = self._session.simulation, self._session.worker.snapshot
        computed = all(simulation.missing(lane) == 0 for lane in simulation)
        played = snapshot.time >= min(PLAY_TO, simulation.duration) or not snapshot.playing
        if computed and played:
            self._save()
        elif self._waited > _PATIENCE_MS:
            self._fail(
                tr(
                    "after {seconds} s the run was not complete; nothing was saved",
                    seconds=self._waited // 1000,
                )
            )
        else:
            return
        self._timer.stop()
        self._session.window.close()

    def _save(self) -> None:
        preset = self._session.simulation.preset
        window = self._session.window
        picture = window.screen().grabWindow(window.winId())
        try:
            with replacing(self._folder / "window.png") as fresh:
                if not picture.save(str(fresh)):
                    raise OSError("the picture could not be saved")
            write_table(self._session.simulation, self._folder / f"{preset.name or 'run'}.csv")
        except Refusal as refusal:
            self._fail(str(refusal))
