"""The dialog that exports a film: of the 3D views as they are seen, or of the window."""

import queue
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QLabel, QWidget

from quatviz.base.errors import InputError, phrase
from quatviz.base.formatting import number_text
from quatviz.base.translation import tr, translated
from quatviz.display.view_state.theme import THEMES
from quatviz.export.film.film_writer import SUFFIXES, refuse_film, write_film
from quatviz.export.film.plan import FilmPlan
from quatviz.export.table import Progress
from quatviz.ui.tools.export.dialog import ExportDialog, number
from quatviz.ui.tools.export.exporter import Exporter
from quatviz.ui.tools.export.frame_sources import Take, bytes_of, in_own_size, own_size
from quatviz.ui.widgets.controls import ChoiceBox, form_of, row
from quatviz.ui.widgets.scrub_slider import number_entry

VIEW, WINDOW = "view", "window"
WHOLE, IN_SIGHT, SELECTED = "whole", "in sight", "selected"
OWN_THEME = ""
_TIMES: dict[object, str] = {
    WHOLE: "the whole run",
    IN_SIGHT: "what is in sight",
    SELECTED: "the selected times",
}
_WHAT: dict[object, str] = {VIEW: "3D view, as it is seen", WINDOW: "the whole window"}
_LOOKS: dict[object, str] = {OWN_THEME: "as the window", **{name: name for name in THEMES}}
_AS_IT_STANDS = " The window plays through these times while it is filmed: leave it alone."
_LAID_OUT = " The window is laid out anew in this size, off the screen: it can be used meanwhile."

WAITING = 3
"""Pictures that may wait for the encoder: 25 MB of 1920 by 1080."""
_REST_MS = 4
"""Between two frames, for everything else that the window does."""
_LOOK = 0.05
"""Seconds after which the encoder looks whether it is still wanted."""


class Filming(QObject):
    """From `start` on it paints `take` at the times of `plan`, no further ahead than `WAITING` frames. `stop` ends it and
    closes the take; it does so itself after the last frame."""

    def __init__(self, take: Take, plan: FilmPlan, parent: QObject) -> None:
        super().__init__(parent)
        self._take, self._times = take, plan.times
        self._queue: queue.Queue[np.ndarray | Exception] = queue.Queue(WAITING)
        self._painted = 0
        self._closed = False
        self._timer = QTimer(self, interval=_REST_MS)
        self._timer.timeout.connect(self._turn)

    def start(self) -> None:
        """Begin to paint."""
        self._timer.start()

    def stop(self) -> None:
        """Paint no more."""
        self._timer.stop()
        if not self._closed:
            self._closed = True
            self._take.close()

    def pictures(self, progress: Progress) -> Iterator[np.ndarray]:
        """For the thread that encodes: every picture when it is painted. Raises what painting raised, and what `progress`
        does while it waits."""
        for done in range(len(self._times)):
            while True:
                try:
                    item = self._queue.get(timeout=_LOOK)
                    break
                except queue.Empty:
                    progress(done / len(self._times))
            if isinstance(item, Exception):
                raise item
            yield item

    def _turn(self) -> None:
        if self._queue.full():
            return
        try:
            self._queue.put_nowait(bytes_of(self._take.picture(float(self._times[self._painted]))))
        except Exception as fault:
            self._queue.put_nowait(fault)
            self.stop()
            return
        self._painted += 1
        if self._painted == len(self._times):
            self.stop()


class FilmDialog(ExportDialog):
    """A view is filmed beside the window, which can be used meanwhile."""

    def __init__(self, exporter: Exporter, parent: QWidget) -> None:
        super().__init__(exporter, parent, tr("Export a film"), tr("Export…"))
        self.filming: Filming | None = None
        self.what, self.times, self.look = (
            ChoiceBox({value: tr(text) for value, text in table.items()}) for table in (_WHAT, _TIMES, _LOOKS)
        )
        self.format = ChoiceBox({suffix: f"{text} ({suffix})" for suffix, text in SUFFIXES.items()})
        self.width_ = number_entry("1280", tr("Width, pixels"), 320.0, 3840.0, int)
        self.height_ = number_entry("720", tr("Height, pixels"), 240.0, 2160.0, int)
        self.rate = number_entry("30", tr("Frames per second"), 1.0, 60.0, int)
        self.speed = number_entry("1", tr("Speed, s per s"), 0.1, 10.0)
        for entry in (self.width_, self.height_, self.rate, self.speed):
            entry.textChanged.connect(lambda _: self.tell())
        self._lay_out_fields()
        for choice in (self.what, self.times, self.look, self.format):
            choice.chosen.connect(lambda _: self.tell())
        self.what.chosen.connect(lambda _: self._offer_size())

    def offer(self, panel: str) -> None:
        super().offer(panel)
        if self.exporter.selected is not None:
            self.times.show_value(SELECTED)
        elif self.times.value == SELECTED:
            self.times.show_value(WHOLE)
        self.tell()

    def plan(self) -> FilmPlan:
        """What is chosen; an `InputError` where it makes no sense."""
        low, high = self._between()
        return FilmPlan(
            round(number(self.width_, "the film's width", "pixels")),
            round(number(self.height_, "the film's height", "pixels")),
            number(self.rate, "the film's rate", "frames per second"),
            number(self.speed, "the film's speed", "simulated seconds per second"),
            low,
            high,
        )

    def place(self) -> Path | None:
        plan, suffix = self.plan(), str(self.format.value)
        refuse_film(Path.home() / f"film{suffix}", plan)
        return self.ask(self.exporter.file_name("film"), suffix, SUFFIXES[suffix])

    def write(self, path: Path) -> None:
        """Film what is chosen into `path`: painted here, a frame at each turn, and encoded in a thread."""
        plan = self.plan()
        refuse_film(path, plan)
        computed = self.exporter.computed_to
        if plan.high > computed + 1e-9:
            raise InputError(
                "the film's times", expected="a stretch of the run that is computed",
                found=phrase(
                    "up to {end} s, of which {computed:.2f} s are computed",
                    end=number_text(plan.high), computed=computed,
                ),
                remedy="wait until it is complete",
                topic="errors#exports",
            )  # fmt: skip
        self.refuse_second()
        take = self.exporter.take(str(self.what.value) == WINDOW, plan, str(self.look.value))
        filming = self.filming = Filming(take, plan, self)
        title = self.exporter.run.preset.title
        self.begin(
            lambda progress: write_film(path, plan, filming.pictures(progress), title, progress),
            lambda _: tr(
                "Written to {path}, {seconds:.2f} s, {size:.1f} MB",
                path=path,
                seconds=plan.seconds,
                size=path.stat().st_size / 1e6,
            ),
        )
        assert self.job is not None
        self.job.ended.connect(lambda _: self._stop())
        filming.start()

    def shut_down(self) -> None:
        self._stop()
        super().shut_down()

    def tell(self) -> None:
        """How long it will be."""
        self.look.setEnabled(self.what.value == VIEW)
        try:
            plan = self.plan()
        except InputError as refusal:
            refusal = translated(refusal)
            self.note.setText(
                tr("Expected {expected}: {place}.", expected=refusal.expected, place=refusal.place)
            )
            return
        window = ""
        if self.what.value == WINDOW:
            window = tr(_AS_IT_STANDS) if in_own_size(self.exporter.window, plan) else tr(_LAID_OUT)
        self.note.setText(plan.words + window)

    def _between(self) -> tuple[float, float]:
        """First and last time [s]."""
        if self.times.value == IN_SIGHT:
            return self.exporter.sight
        if self.times.value == WHOLE:
            return 0.0, self.exporter.run.duration
        if self.exporter.selected is None:
            raise InputError(
                "the film's times", expected="selected times", found="none",
                remedy="drag with Shift on the timeline, or film the whole run",
                topic="errors#exports",
            )  # fmt: skip
        return self.exporter.selected

    def _offer_size(self) -> None:
        """A window is filmed as it stands in its own size."""
        size = own_size(self.exporter.window) if self.what.value == WINDOW else (1280, 720)
        for entry, pixels in zip((self.width_, self.height_), size, strict=True):
            entry.show_text(str(pixels - pixels % 2))

    def _stop(self) -> None:
        if self.filming is not None:
            self.filming.stop()
            self.filming.deleteLater()
            self.filming = None

    def _lay_out_fields(self) -> None:
        size = row((self.width_, 1), QLabel("×"), (self.height_, 1))
        fields = form_of(
            {
                tr("Film of"): self.what,
                tr("Times"): self.times,
                tr("Size, pixels"): size,
                tr("Frames per second"): self.rate,
                tr("Speed, s per s"): self.speed,
                tr("Look"): self.look,
                tr("Format"): self.format,
            }
        )
        self.lay_out(fields, self.note)
