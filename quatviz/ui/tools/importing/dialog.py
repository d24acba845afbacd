"""The dialog that imports recordings, one file after another: what is read and ranked is done beside the window."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QProgressBar, QScrollArea, QStackedLayout, QWidget

from quatviz.analysis.executors.cancellation import Stopped
from quatviz.analysis.fitting.free_flight import flight_in
from quatviz.base.errors import InputError, counted, fault
from quatviz.base.formatting import begun, in_words
from quatviz.base.translation import told, tr
from quatviz.display.document.document import Document
from quatviz.display.document.edits import added
from quatviz.display.view_state.theme import UNIT
from quatviz.export.table import Progress
from quatviz.files.preset import Lane
from quatviz.physics.mechanics.euler_sequences import SEQUENCES
from quatviz.physics.observables.column_roles import Role
from quatviz.physics.observables.read_options import Reading
from quatviz.recordings.alignment import Stretch
from quatviz.recordings.conventions import Convention, ConventionsFound
from quatviz.recordings.importing import (
    Draft,
    Laid,
    Seen,
    laid_on,
    ranking,
    seen_of,
    time_in_file,
    told_of_times,
)
from quatviz.recordings.loading import CONVENTIONS, load
from quatviz.recordings.loading import told as remarks_of
from quatviz.recordings.resampling import PARAMETERS, Shown
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import lane_names, unused
from quatviz.teaching.help.actions import Act, Menu
from quatviz.ui.tools.importing.alignment import AlignChoices, StretchChoices
from quatviz.ui.tools.importing.choices import RankedConventions, ReadingChoices
from quatviz.ui.tools.importing.columns import RoleTable
from quatviz.ui.tools.importing.recording_plots import Curves
from quatviz.ui.widgets.actions import Acts
from quatviz.ui.widgets.background_job import Job
from quatviz.ui.widgets.controls import (
    Button,
    ChoiceBox,
    Dialog,
    ElidedLabel,
    RefusalLabel,
    column,
    divided,
    held,
    label,
    open_at,
    open_topic,
    row,
    scrolling,
    subheading,
    tip,
)
from quatviz.ui.widgets.guard import Guarded


class _Side(Guarded, QScrollArea):
    """As wide as its fields need, whatever the size of the letters."""

    def minimumSizeHint(self) -> QSize:
        inside = self.widget()
        width = inside.minimumSizeHint().width() if inside is not None else 0
        return QSize(width + 2 * UNIT, super().minimumSizeHint().height())


class ImportDialog(Dialog):
    """Proposes how a file is read, shows what comes out, and lets a person change it. Import adds a lane, one step to undo."""

    def __init__(self, document: Document, parent: QWidget | None) -> None:
        super().__init__(tr("Import a recording"), parent, kept=True)
        self.setObjectName("importing")
        self._document = document
        self._waiting: list[Path] = []
        self._count = self._number = 0
        self._again = ""
        """The lane whose recording is read again; empty where a new one is to be made."""
        self.draft = Draft(Reading(file="-"))
        self._jobs: dict[str, Job] = {}
        self._beside: tuple[LaneRun, Shown] | None = None
        """The lane that is seen beside it, and its rates as far as it was computed."""
        self._eager = False
        """Whether it is imported when nothing more is done."""
        self.heading, self.about = label("heading", wraps=False), ElidedLabel()
        self.table, self.curves = RoleTable(), Curves()
        self.choices, self.conventions = ReadingChoices(), RankedConventions()
        self.stretch, self.align = StretchChoices(), AlignChoices()
        self.fit_said, self.remarks, self.counted = label("muted"), label("muted"), ElidedLabel()
        forms = {PARAMETERS: tr("Euler parameters"), **{each: in_words(each) for each in SEQUENCES}}
        self.form = ChoiceBox(forms, tr("The attitude as"), 14)
        self.problem, self.empty = RefusalLabel(), label("empty", wraps=False)
        self.progress, self.state_text = QProgressBar(), ElidedLabel()
        self._stack = QStackedLayout()
        self.acts: Acts[ImportDialog] = Acts(ACTS, self, parent=self)
        self.stop = Button(tr("Stop"), self._end_jobs)
        self.skip, self.dismiss = (
            Button(tr("Skip this file"), self.skip_file),
            Button(tr("Close"), self.close),
        )
        said = self.acts.tip("import", tr("A lane of the run, one step to undo"))
        self.button = Button(tr("Import"), self.acts["import"].trigger, said, look="primary")
        self.addActions(list(self.acts))
        self._lay_out()
        self._connect()

    # --- which file

    def take(self, paths: Sequence[Path]) -> None:
        """Let a person import these, after those that wait."""
        fresh = not self.isVisible()
        if fresh:
            self._waiting, self._count, self._number = [], 0, 0
        self._waiting += [path.absolute() for path in paths]
        self._count += len(paths)
        self._again = ""
        self.button.setText(tr("Import"))
        self._tell_files()
        if fresh:
            self._next()
        self.appear()

    def read_again(self, name: str) -> None:
        """Let a person change how the recording of a lane is read."""
        lanes = self._document.state.preset.lanes
        reading = dict(zip(lane_names(lanes), (lane.recording for lane in lanes), strict=True)).get(name)
        if not isinstance(reading, Reading):
            return
        self._waiting, self._count, self._number, self._again = [], 1, 1, name
        self.button.setText(tr("Read it so"))
        self._begin_file(Draft(reading, CONVENTIONS))
        self.appear()

    @property
    def busy(self) -> bool:
        """Whether something is read, ranked or found."""
        return bool(self._jobs)

    def import_(self) -> None:
        """Add the lane, and go on to the next file; as soon as it is read and ranked."""
        if not self.button.isEnabled():
            return
        self._eager = bool({"read", "rank", "lay"} & self._jobs.keys())
        if self._eager:
            self._tell()
            return
        reading = self.draft.reading
        self._begin("import", lambda progress: told_of_times(load(reading)), self._add)

    def skip_file(self) -> None:
        """Leave this file out."""
        self._end_jobs()
        self._next()

    def shut_down(self) -> None:
        """End what runs and go."""
        for job in self._jobs.values():
            job.shut_down()
        self._jobs.clear()
        self.close()
        self.deleteLater()

    def done(self, result: int) -> None:
        self._end_jobs()
        self._beside = None
        super().done(result)

    def _next(self) -> None:
        if not self._waiting:
            self.close()
            return
        path = self._waiting.pop(0)
        self._number += 1
        self._begin_file(Draft(Reading(file=path.name).beside(path.parent)))

    def _begin_file(self, draft: Draft) -> None:
        self._end_jobs()
        self.draft, reading = draft, draft.reading
        self.align.offer([name for name in self._lanes() if name != self._again])
        self.align.problem.hide()
        self.align.said.setText("")
        self.stretch.show_stretch(reading.start, reading.stop, "")
        self.fit_said.setText("")
        self.conventions.hide()
        self.empty.setText(tr("Reading {file}", file=reading.path.name))
        self._stack.setCurrentWidget(self.empty)
        self._tell_files()
        self._read(fit=True)

    def _lanes(self) -> dict[str, LaneRun]:
        return {lane.name: lane for lane in self._document.simulation.lanes}

    def _add(self, about: str) -> None:
        """The file can be read so: it is a lane."""
        reading, path = self.draft.reading, self.draft.reading.path
        lanes = self._document.state.preset.lanes
        if self._again in lane_names(lanes):
            changed = tuple(
                replace(lane, recording=reading) if name == self._again else lane
                for name, lane in zip(lane_names(lanes), lanes, strict=True)
            )
            said = tr("read {lane} in another way", lane=self._again)
            refusal = self._document.propose(said, lambda state: state.with_preset(lanes=changed))
        else:
            lane = Lane("recording", recording=reading, name=unused(path.stem[:60], lane_names(lanes)))
            said = tr("import {file}", file=path.name)
            refusal = self._document.propose(said, lambda state: added(state, lane))
        if refusal is not None:
            self._refuse(refusal)
            return
        self._document.said.emit(f"{path.name}: {told(about)}", "recordings#in-the-window")
        self._next()

    # --- what is chosen

    def choose(self, name: str, value: Any) -> None:
        """A person says something of how the file is read."""
        self.draft.choose(name, value)
        self._read(fit=name in ("part", "time_unit"))

    def choose_role(self, name: str, role: Role | None) -> None:
        """A person says what a column is."""
        self.draft.choose_role(name, role)
        self._read()

    def choose_convention(self, convention: Convention) -> None:
        """A person takes one of those that are ranked."""
        self.draft.choose_convention(convention)
        self._read()

    def _take_ends(self) -> None:
        """A stretch was typed."""
        try:
            start, stop = self.stretch.ends
        except InputError as refusal:
            self._refuse(refusal)
            return
        self.stretch.said.setText("")
        self._stretch(start, stop)
        self._read()

    def _take_drawn(self, low: float, high: float) -> None:
        """A stretch was drawn; an end at that of the recording is none."""
        start, stop = self.draft.ends_drawn(low, high)
        self.stretch.show_stretch(start, stop, "")
        self._stretch(start, stop)

    def _stretch(self, start: float | None, stop: float | None) -> None:
        draft = self.draft
        draft.reading = draft.reading.with_fields(start=start, stop=stop)
        self.curves.show_stretch(start, stop)
        self._show_lane()
        if draft.seen is not None and draft.seen.loaded.recording.p is None:
            self._read()

    def _take_placed(self) -> None:
        """Offset or turns were typed."""
        try:
            says: dict[str, Any] = self.align.says()
        except InputError as refusal:
            self._refuse(refusal)
            return
        self.draft.reading = self.draft.reading.with_fields(**says)
        self.align.show_reading(self.draft.reading)
        self._read()

    # --- what is done beside the window

    def _read(self, fit: bool = False) -> None:
        """Read the file as it is chosen now, and show that; what is lacking is said at once."""
        draft, lacks = self.draft, self.draft.lacks
        if draft.seen is not None:
            self.table.show_roles(draft.reading)
        if lacks is not None:
            self._drop("read")
            self._drop("rank")
            self._refuse(lacks)
            return
        reading, known, first, form = draft.asked, draft.known, draft.seen is None, str(self.form.value)
        self._begin(
            "read",
            lambda progress: seen_of(reading, form, known, first, progress),
            lambda found: self._take(found, fit),
        )

    def _take(self, seen: Seen, fit: bool) -> None:
        """The file is read: show it, and rank conventions where that was not done."""
        draft, before = self.draft, self.draft.seen
        if seen.flight is not None and (draft.reading.start, draft.reading.stop) == (None, None):
            self._show_flight(seen.flight)
        alike = draft.take(seen)
        if before is None or before.rows.keys() != seen.rows.keys():
            self.table.show_rows(seen.rows)
        self._show(fit)
        if draft.ranked is None and not (alike and "rank" in self._jobs):
            self.fit_said.setText("")
            self.conventions.hide()
            loaded = seen.loaded
            self._begin("rank", lambda progress: ranking(loaded, progress), self._take_ranking)

    def _take_ranking(self, ranked: ConventionsFound | None) -> None:
        """Conventions are ranked; where what holds is clear, the file is read so."""
        changes = self.draft.take_ranking(ranked)
        self._show_ranking()
        if changes:
            self._read()

    def find_flight(self) -> None:
        """Look for the free flight."""
        if self.draft.seen is not None:
            loaded = self.draft.seen.loaded
            self._begin("flight", lambda progress: flight_in(loaded), self._take_flight)

    def _take_flight(self, flight: Stretch | None) -> None:
        if flight is None:
            self.stretch.said.setText(tr("No stretch of it is freer than the rest."))
            return
        self._stretch(*self._show_flight(flight))

    def _show_flight(self, flight: Stretch) -> tuple[float, float]:
        """Show a stretch that was found; its ends as they are written."""
        self.stretch.show_stretch(*flight.written, told(flight.sentence))
        return flight.written

    def lay(self) -> None:
        """Lay it on the lane that is chosen."""
        lane, reading = self._lanes().get(self.align.name), self.draft.reading
        if self.draft.seen is None or lane is None:
            return
        clock, side = self.align.clock.isChecked(), str(self.align.side.value)
        self.align.problem.hide()

        def work(progress: Progress) -> Laid:
            motion = lane.motion()
            return laid_on(load(reading), motion.t, motion.p, motion.omega, clock, side)

        self._begin("lay", work, self._take_laid)

    def _take_laid(self, laid: Laid) -> None:
        self.draft.reading = laid.reading
        self.align.said.setText(told(laid.sentence))
        self.align.show_reading(laid.reading)
        self._read()

    def _begin(self, name: str, work: Callable[[Progress], object], taken: Callable[[Any], object]) -> None:
        """Work in a thread, in place of what does the same."""
        self._drop(name)
        job = Job(work, self.parent() or self, lambda outcome: self._end(name, job, outcome, taken))
        job.progressed.connect(lambda share: self._tell(job, share))
        self._jobs[name] = job
        self._tell(job, 0.0)

    def _end(self, name: str, job: Job, outcome: object, taken: Callable[[Any], object]) -> None:
        if self._jobs.get(name) is not job:
            return
        del self._jobs[name]
        if isinstance(outcome, InputError):
            if name == "lay":
                self.align.problem.explain(outcome)
            else:
                self._refuse(outcome)
        elif isinstance(outcome, BaseException) and not isinstance(outcome, Stopped):
            remedy = "another reading of it, or report it"
            self._refuse(fault(outcome, "the import", "a file that is read", remedy))
        elif not isinstance(outcome, Stopped):
            taken(outcome)
        if self._eager and not self._jobs:
            self._eager = False
            self._tell()
            self.import_()
        self._tell()

    def _drop(self, name: str) -> None:
        job = self._jobs.pop(name, None)
        if job is not None:
            job.cancel()

    def _end_jobs(self) -> None:
        self._eager = False
        for name in list(self._jobs):
            self._drop(name)
        self._tell()

    # --- what is shown

    def _refuse(self, refusal: InputError) -> None:
        """Say what cannot be, in the place of the curves: no field moves."""
        self._eager = False
        self.problem.explain(refusal)
        self._stack.setCurrentIndex(2)
        self._tell()

    def _show(self, fit: bool = False) -> None:
        """Show what was read."""
        seen, reading = self.draft.seen, self.draft.reading
        if seen is None:
            return
        self.about.setText(f"{told(seen.loaded.found.title)}: {told(seen.about)}")
        self.table.show_roles(reading)
        self.choices.show_reading(reading, seen.loaded.found.parts)
        self.align.show_reading(reading)
        form = str(self.form.value)
        title = "p" if form == PARAMETERS else tr("{sequence} [deg]", sequence=in_words(form))
        self.curves.show_track(seen.attitude, seen.rates, title, fit)
        self.curves.show_stretch(reading.start, reading.stop)
        remarks = [told(each) for each in remarks_of(seen.loaded)]
        nothing = tr("Nothing was left out or changed.")
        said = counted(
            len(remarks), "1 remark: {remarks}", "{count} remarks: {remarks}", remarks="; ".join(remarks)
        )
        self.counted.setText(told(said) if remarks else nothing)
        self.counted.setToolTip(tip("\n".join(remarks)))
        self.remarks.setText("\n".join(f"{begun(each)}." for each in remarks) or nothing)
        self._stack.setCurrentIndex(0)
        self._show_ranking()
        self._show_lane()
        self._tell()

    def _show_ranking(self) -> None:
        ranked = self.draft.ranked
        self.conventions.setVisible(ranked is not None)
        if ranked is not None:
            self.conventions.show_ranking(ranked, self.draft.reading)
            self.fit_said.setText(begun(told(ranked.sentence)))
        elif self.draft.seen is not None and "rank" not in self._jobs:
            self.fit_said.setText(tr("Only attitude and rates together tell which conventions hold."))

    def _show_lane(self) -> None:
        """The rates of the lane that is chosen, at the times of the file."""
        lane = self._lanes().get(self.align.name)
        if lane is None or self.draft.seen is None:
            self._drop("beside")
            self.curves.show_beside(None)
            return
        if self._beside is None or self._beside[0] is not lane or len(self._beside[1].t) != len(lane.t):
            self._begin("beside", lambda progress: (lane, _rates(lane)), self._take_beside)
        else:
            self._take_beside(self._beside)

    def _take_beside(self, beside: tuple[LaneRun, Shown]) -> None:
        self._beside = beside
        if self.draft.seen is not None:
            whole = self.draft.seen.loaded._replace(reading=self.draft.reading)
            self.curves.show_beside(beside[1], time_in_file(whole))

    def _tell_files(self) -> None:
        name = self.draft.reading.path.name
        if self._count > 1:
            name = tr("{file} ({number} of {count})", file=name, number=self._number, count=self._count)
        self.heading.setText(name)
        self.skip.setVisible(self._count > self._number)

    def _tell(self, job: Job | None = None, share: float = 0.0) -> None:
        """What runs, how far it is, and whether there is something to import."""
        words = {"read": tr("Reading"), "rank": tr("Trying conventions"), "flight": tr("Looking for the free flight"),
                 "lay": tr("Laying it on the lane"), "import": tr("Importing"), "beside": tr("Reading the lane")}  # fmt: skip
        name = next(iter(self._jobs), "")
        for part in (self.progress, self.stop):
            part.setVisible(bool(name))
        self.state_text.setText(words.get(name, ""))
        if job is not None and self._jobs.get(name) is job:
            self.progress.setValue(round(1000 * share))
        ready = self.draft.seen is not None and self._stack.currentIndex() == 0
        self.button.setEnabled(ready and "import" not in self._jobs and not self._eager)

    # --- construction

    def _lay_out(self) -> None:
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        refused = held(column(self.problem, None, margins=2 * UNIT))
        for part in (held(column((self.curves, 1))), self.empty, refused):
            self._stack.addWidget(part)
        for button in (self.stop, self.skip, self.dismiss, self.button):
            button.setAutoDefault(False)
        self.progress.setRange(0, 1000)
        self.progress.setTextVisible(False)
        self.progress.setFixedWidth(20 * UNIT)
        side = column(
            subheading(tr("How the numbers are meant")), self.choices,
            subheading(tr("What holds")), self.fit_said, self.conventions,
            subheading(tr("Where it stands in the run")), self.align,
            subheading(tr("What was left out or changed")), self.remarks, None, margins=2 * UNIT,
        )  # fmt: skip
        left = scrolling(side, _Side())
        right = column(
            row(self.heading, (self.about, 1), self.form, gap=2 * UNIT), self.table, (self._stack, 1), self.stretch, self.counted,
            margins=2 * UNIT,
        )  # fmt: skip
        parts = self.progress, self.stop, (self.state_text, 1), self.skip, self.dismiss, self.button
        below = row(*parts, margins=(2 * UNIT, UNIT) * 2)
        self.setLayout(column((divided((left, 352), (held(right), 840), grows=1), 1), below, gap=0))
        open_at(self, 1240, 760)

    def _connect(self) -> None:
        self.table.chosen.connect(self.choose_role)
        self.choices.chosen.connect(self.choose)
        self.conventions.taken.connect(self.choose_convention)
        self.stretch.typed.connect(self._take_ends)
        self.stretch.flight_wanted.connect(self.find_flight)
        self.curves.stretched.connect(self._take_drawn)
        self.align.typed.connect(self._take_placed)
        self.align.wanted.connect(self.lay)
        self.align.compared.connect(self._show_lane)
        self.form.chosen.connect(lambda _: self._read())


def _rates(lane: LaneRun) -> Shown:
    """Of a lane, as far as it is computed: it goes on meanwhile."""
    motion = lane.motion()
    return Shown.unbroken(motion.t, motion.omega)


ACTS: tuple[Menu[ImportDialog], ...] = (
    Menu(
        "Import",
        (
            Act("import", "Import", lambda w: w.import_(), ("Ctrl+Return",)),
            Act("help", "Help…", lambda w: open_topic("recordings#in-the-window"), ("F1",)),
        ),
    ),
)
