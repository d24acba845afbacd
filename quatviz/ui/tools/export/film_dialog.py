"""Dialog that exports a film of the 3D views or of the window."""

import queue
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QLabel, QWidget

from quatviz.base.errors import InputError, phrase
from quatviz.base.formatting import format_number
from quatviz.base.translation import tr, translated_error
from quatviz.display.view_state.theme import THEMES
from quatviz.export.film.film_writer import SUFFIXES, refuse_film, write_film
from quatviz.export.film.plan import FilmPlan
from quatviz.export.table import Progress
from quatviz.files.preset_edits import shown_title
from quatviz.ui.tools.export.dialog import ExportDialog, read_number
from quatviz.ui.tools.export.exporter import Exporter
from quatviz.ui.tools.export.frame_sources import FrameSource, has_window_size, image_bytes, window_pixel_size
from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.widgets.layouts import make_form_layout, row
from quatviz.ui.widgets.scrub_slider import number_entry

VIEW, WINDOW = "view", "window"
WHOLE, IN_SIGHT, SELECTED = "whole", "in sight", "selected"
OWN_THEME = ""
_TIME_TITLES: dict[object, str] = {
    WHOLE: "whole run",
    IN_SIGHT: "visible range",
    SELECTED: "selected times",
}
_SUBJECT_TITLES: dict[object, str] = {VIEW: "3D view, current camera", WINDOW: "the whole window"}
_THEME_TITLES: dict[object, str] = {OWN_THEME: "theme of the window", **{name: name for name in THEMES}}
_LIVE_WINDOW_NOTE = " The window plays these times while it is filmed. Do not use the window meanwhile."
_OFFSCREEN_WINDOW_NOTE = " The window is rendered off screen in this size. You can use the window meanwhile."

MAX_QUEUED_FRAMES = 3
"""Maximum number of frames that wait for the encoder. At 1920 by 1080 pixels three frames take 25 MB."""
_FRAME_PAUSE_MS = 4
"""Pause between two frames [ms], during which the window handles other events."""
_POLL_SECONDS = 0.05
"""Interval at which the encoder checks for cancellation [s]."""


class FrameProducer(QObject):
    """Producer of the frames of a film. It renders in the window's thread, at most `MAX_QUEUED_FRAMES` ahead of the encoder.

    The frame source is closed after the last frame or by `stop`.
    """

    def __init__(self, source: FrameSource, plan: FilmPlan, parent: QObject) -> None:
        super().__init__(parent)
        self._source, self._times = source, plan.times
        self._queue: queue.Queue[np.ndarray | Exception] = queue.Queue(MAX_QUEUED_FRAMES)
        self._painted_count = 0
        self._is_closed = False
        self._timer = QTimer(self, interval=_FRAME_PAUSE_MS)
        self._timer.timeout.connect(self._paint_next)

    def start(self) -> None:
        """Start rendering."""
        self._timer.start()

    def stop(self) -> None:
        """Stop rendering, and close the frame source."""
        self._timer.stop()
        if not self._is_closed:
            self._is_closed = True
            self._source.close()

    def images(self, progress: Progress) -> Iterator[np.ndarray]:
        """Yield the frames (height, width, 4) to the encoding thread as they are rendered.

        An exception of the renderer is raised here. `progress` is called while waiting for a frame, and may raise an
        exception to cancel.
        """
        for done in range(len(self._times)):
            while True:
                try:
                    item = self._queue.get(timeout=_POLL_SECONDS)
                    break
                except queue.Empty:
                    progress(done / len(self._times))
            if isinstance(item, Exception):
                raise item
            yield item

    def _paint_next(self) -> None:
        if self._queue.full():
            return
        try:
            self._queue.put_nowait(image_bytes(self._source.render(float(self._times[self._painted_count]))))
        except Exception as fault:
            self._queue.put_nowait(fault)
            self.stop()
            return
        self._painted_count += 1
        if self._painted_count == len(self._times):
            self.stop()


class FilmDialog(ExportDialog):
    """Dialog that exports a film. 3D views are rendered off screen, so that the window stays usable."""

    def __init__(self, exporter: Exporter, parent: QWidget) -> None:
        super().__init__(exporter, parent, tr("Export a film"), tr("Export…"))
        self.producer: FrameProducer | None = None
        self.subject_box, self.times_box, self.theme_box = (
            ChoiceBox({value: tr(text) for value, text in table.items()})
            for table in (_SUBJECT_TITLES, _TIME_TITLES, _THEME_TITLES)
        )
        self.format = ChoiceBox({suffix: f"{text} ({suffix})" for suffix, text in SUFFIXES.items()})
        self.width_ = number_entry("1280", tr("Width, pixels"), 320.0, 3840.0, int)
        self.height_ = number_entry("720", tr("Height, pixels"), 240.0, 2160.0, int)
        self.rate = number_entry("30", tr("Frames per second"), 1.0, 60.0, int)
        self.speed = number_entry("1", tr("Playback speed"), 0.1, 10.0)
        for entry in (self.width_, self.height_, self.rate, self.speed):
            entry.textChanged.connect(lambda _: self.update_note())
        self._lay_out_fields()
        for choice in (self.subject_box, self.times_box, self.theme_box, self.format):
            choice.chosen.connect(lambda _: self.update_note())
        self.subject_box.chosen.connect(lambda _: self._offer_size())

    def offer(self, panel: str) -> None:
        super().offer(panel)
        if self.exporter.selected_span is not None:
            self.times_box.show_value(SELECTED)
        elif self.times_box.value == SELECTED:
            self.times_box.show_value(WHOLE)
        self.update_note()

    def plan(self) -> FilmPlan:
        """Return size, frame rate, speed and time range of the film as entered. Raise `InputError` if the settings are
        invalid."""
        low, high = self._time_span()
        return FilmPlan(
            round(read_number(self.width_, "the film's width", "pixels")),
            round(read_number(self.height_, "the film's height", "pixels")),
            read_number(self.rate, "the film's rate", "frames per second"),
            read_number(self.speed, "the film's speed", "simulated seconds per second"),
            low,
            high,
        )

    def choose_path(self) -> Path | None:
        plan, suffix = self.plan(), str(self.format.value)
        refuse_film(Path.home() / f"film{suffix}", plan)
        return self.ask_file(self.exporter.suggested_name(tr("film")), suffix, SUFFIXES[suffix])

    def write(self, path: Path) -> None:
        """Write the film to `path`. Frames are rendered in this thread, one per timer event, and encoded in another thread."""
        plan = self.plan()
        refuse_film(path, plan)
        computed = self.exporter.computed_to
        if plan.high > computed + 1e-9:
            raise InputError(
                "the film's times", expected="a part of the run that is computed",
                found=phrase(
                    "an end at {end} s, but the run is computed only to {computed:.2f} s",
                    end=format_number(plan.high), computed=computed,
                ),
                remedy="wait until it is complete",
                topic="errors#exports",
            )  # fmt: skip
        self.refuse_if_busy()
        source = self.exporter.frame_source(
            str(self.subject_box.value) == WINDOW, plan, str(self.theme_box.value)
        )
        producer = self.producer = FrameProducer(source, plan, self)
        title = shown_title(self.exporter.run.preset)
        self.start_job(
            lambda progress: write_film(path, plan, producer.images(progress), title, progress),
            lambda _: tr(
                "Written to {path}, {seconds:.2f} s, {size:.1f} MB",
                path=path,
                seconds=plan.seconds,
                size=path.stat().st_size / 1e6,
            ),
        )
        assert self.job is not None
        self.job.finished.connect(lambda _: self._stop_producer())
        producer.start()

    def shutdown(self) -> None:
        self._stop_producer()
        super().shutdown()

    def update_note(self) -> None:
        """Show how long the film will be."""
        self.theme_box.setEnabled(self.subject_box.value == VIEW)
        try:
            plan = self.plan()
        except InputError as refusal:
            refusal = translated_error(refusal)
            self.note_label.setText(
                tr("Expected {expected}: {place}.", expected=refusal.expected, place=refusal.place)
            )
            return
        window_note = ""
        if self.subject_box.value == WINDOW:
            window_note = (
                tr(_LIVE_WINDOW_NOTE)
                if has_window_size(self.exporter.window, plan)
                else tr(_OFFSCREEN_WINDOW_NOTE)
            )
        self.note_label.setText(plan.summary + window_note)

    def _time_span(self) -> tuple[float, float]:
        """Return the times of the run [s] at which the film begins and ends."""
        if self.times_box.value == IN_SIGHT:
            return self.exporter.visible_span
        if self.times_box.value == WHOLE:
            return 0.0, self.exporter.run.duration
        if self.exporter.selected_span is None:
            raise InputError(
                "the film's times", expected="selected times", found="none",
                remedy="drag with Shift on the timeline, or film the whole run",
                topic="errors#exports",
            )  # fmt: skip
        return self.exporter.selected_span

    def _offer_size(self) -> None:
        """Set the size fields to the size of the window, or to 1280 by 720 for the 3D views."""
        size = window_pixel_size(self.exporter.window) if self.subject_box.value == WINDOW else (1280, 720)
        for entry, pixels in zip((self.width_, self.height_), size, strict=True):
            entry.show_text(str(pixels - pixels % 2))

    def _stop_producer(self) -> None:
        if self.producer is not None:
            self.producer.stop()
            self.producer.deleteLater()
            self.producer = None

    def _lay_out_fields(self) -> None:
        size = row((self.width_, 1), QLabel("×"), (self.height_, 1))
        fields = make_form_layout(
            {
                tr("Contents"): self.subject_box,
                tr("Times"): self.times_box,
                tr("Size, pixels"): size,
                tr("Frames per second"): self.rate,
                tr("Playback speed"): self.speed,
                tr("Theme"): self.theme_box,
                tr("Format"): self.format,
            }
        )
        self.lay_out(fields, self.note_label)
