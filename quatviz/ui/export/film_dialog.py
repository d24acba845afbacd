"""The dialog that exports a film: of the 3D views as they are seen, or of the window."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from quatviz.core.errors import Refusal, phrase
from quatviz.export.film.plan import FilmPlan
from quatviz.export.film.writing import SUFFIXES, refuse_film, write_film
from quatviz.ui.export.dialog import WIDTH, ExportDialog, number
from quatviz.ui.film.filming import Filming
from quatviz.ui.setup.entry import ChoiceBox, Entry
from quatviz.ui.theme import THEMES, UNIT
from quatviz.ui.tr import tr, translated
from quatviz.ui.words import number_text

if TYPE_CHECKING:
    from quatviz.ui.export.exporter import Exporter

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


class FilmDialog(ExportDialog):
    """Remembers its choices while the window is open. A view is filmed beside the window, which can be used meanwhile."""

    def __init__(self, exporter: Exporter, parent: QWidget) -> None:
        super().__init__(parent, tr("Export a film"), tr("Export…"))
        self._exporter = exporter
        self.filming: Filming | None = None
        self.what, self.times, self.look = (
            ChoiceBox({value: tr(text) for value, text in table.items()}) for table in (_WHAT, _TIMES, _LOOKS)
        )
        self.format = ChoiceBox({suffix: f"{text} ({suffix})" for suffix, text in SUFFIXES.items()})
        self.width_, self.height_, self.rate, self.speed = Entry(), Entry(), Entry(), Entry()
        for entry, text in (
            (self.width_, "1280"),
            (self.height_, "720"),
            (self.rate, "30"),
            (self.speed, "1"),
        ):
            entry.show_text(text)
        self.note = QLabel()
        self.note.setObjectName("muted")
        self.note.setWordWrap(True)
        self._lay_out_fields()
        for choice in (self.what, self.times, self.look, self.format):
            choice.chosen.connect(lambda _: self.tell())
        self.what.chosen.connect(lambda _: self._offer_size())
        for entry in (self.width_, self.height_, self.rate, self.speed):
            entry.textChanged.connect(lambda _: self.tell())

    def offer(self) -> None:
        """Offer what there is to film now."""
        self.problem.hide()
        self.say("")
        self.times.show_value(SELECTED if self._exporter.selected is not None else self._not_selected())
        self.tell()

    def plan(self) -> FilmPlan:
        """What is chosen; a `Refusal` where it makes no sense."""
        low, high = self._between()
        return FilmPlan(
            round(number(self.width_, "the film's width", "pixels")),
            round(number(self.height_, "the film's height", "pixels")),
            number(self.rate, "the film's rate", "frames per second"),
            number(self.speed, "the film's speed", "simulated seconds per second"),
            low,
            high,
        )

    def export(self) -> None:
        plan, suffix = self.plan(), str(self.format.value)
        refuse_film(Path.home() / f"film{suffix}", plan)
        path = self.ask(self._exporter.file_name("film"), suffix, SUFFIXES[suffix])
        if path is not None:
            self.write(path)

    def write(self, path: Path) -> None:
        """Film what is chosen into `path`: painted here, a frame at each turn, and encoded in a thread."""
        plan = self.plan()
        refuse_film(path, plan)
        computed = self._exporter.computed_to
        if plan.high > computed + 1e-9:
            raise Refusal(
                "the film's times", expected="a stretch of the run that is computed",
                found=phrase(
                    "up to {end} s, of which {computed:.2f} s are computed",
                    end=number_text(plan.high), computed=computed,
                ),
                remedy="wait until it is complete",
                topic="errors#exports",
            )  # fmt: skip
        self.refuse_second()
        take = self._exporter.take(str(self.what.value) == WINDOW, plan, str(self.look.value))
        filming = self.filming = Filming(take, plan, self)
        title = self._exporter.run().preset.title
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
        except Refusal as refusal:
            refusal = translated(refusal)
            self.note.setText(
                tr("Expected {expected}: {place}.", expected=refusal.expected, place=refusal.place)
            )
            return
        count = f"{plan.frames:,}".replace(",", "\u202f")
        span = tr(
            "t = {low} to {high} s",
            low=number_text(round(plan.low, 6)),
            high=number_text(round(plan.high, 6)),
        )
        frames = tr("{count} frames", count=count) if plan.frames > 1 else tr("1 frame")
        window = ""
        if self.what.value == WINDOW:
            window = tr(_AS_IT_STANDS) if self._exporter.films_as_it_stands(plan) else tr(_LAID_OUT)
        self.note.setText(
            tr(
                "{frames}, {seconds:.2f} s of film, {span}.{window}",
                frames=frames,
                seconds=plan.seconds,
                span=span,
                window=window,
            )
        )

    def _not_selected(self) -> object:
        return self.times.value if self.times.value != SELECTED else WHOLE

    def _between(self) -> tuple[float, float]:
        """First and last time [s]."""
        if self.times.value == IN_SIGHT:
            return self._exporter.sight
        if self.times.value == WHOLE:
            return 0.0, self._exporter.run().duration
        if self._exporter.selected is None:
            raise Refusal(
                "the film's times", expected="selected times", found="none",
                remedy="drag with Shift on the timeline, or film the whole run",
                topic="errors#exports",
            )  # fmt: skip
        return self._exporter.selected

    def _offer_size(self) -> None:
        """A window is filmed as it stands in its own size."""
        size = self._exporter.window_size if self.what.value == WINDOW else (1280, 720)
        for entry, pixels in zip((self.width_, self.height_), size, strict=True):
            entry.show_text(str(pixels - pixels % 2))

    def _stop(self) -> None:
        if self.filming is not None:
            self.filming.stop()
            self.filming.deleteLater()
            self.filming = None

    def _lay_out_fields(self) -> None:
        size = QHBoxLayout()
        size.setSpacing(UNIT)
        for part in (self.width_, QLabel("×"), self.height_):
            size.addWidget(part, isinstance(part, Entry))
        form = QFormLayout()
        form.setHorizontalSpacing(2 * UNIT)
        form.setVerticalSpacing(UNIT)
        form.addRow(tr("Film of"), self.what)
        form.addRow(tr("Times"), self.times)
        form.addRow(tr("Size, pixels"), size)
        for text, field in (
            (tr("Frames per second"), self.rate),
            (tr("Speed, s per s"), self.speed),
            (tr("Look"), self.look),
            (tr("Format"), self.format),
        ):
            form.addRow(text, field)
            field.setAccessibleName(text)
        for name, named in (
            (tr("Film of"), self.what), (tr("Times"), self.times), (tr("Width, pixels"), self.width_),
            (tr("Height, pixels"), self.height_),
        ):  # fmt: skip
            named.setAccessibleName(name)
        column = QVBoxLayout()
        column.setSpacing(2 * UNIT)
        column.addLayout(form)
        column.addWidget(self.note)
        self.heading.setMinimumWidth(WIDTH)
        self.lay_out(column)
