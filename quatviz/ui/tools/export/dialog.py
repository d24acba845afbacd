"""What the dialogs of export share: fields above, a sentence, progress, and the buttons."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QKeySequence, QShortcut
from PySide6.QtWidgets import QBoxLayout, QFileDialog, QLayout, QProgressBar, QPushButton, QWidget

from quatviz.analysis.executors.cancellation import Stopped
from quatviz.base.errors import InputError, fault, phrase
from quatviz.base.translation import tr
from quatviz.base.units import number_in
from quatviz.display.view_state.theme import UNIT
from quatviz.export.table import Progress
from quatviz.ui.tools.export.exporter import Exporter
from quatviz.ui.widgets.background_job import Job
from quatviz.ui.widgets.controls import Button, Dialog, Entry, RefusalLabel, column, label, open_topic, row

WIDTH = 432
"""Of a heading at least [pixels]. Said of a whole dialog it would cut its margins off where letters are large."""


class ExportDialog(Dialog):
    """Extend it: `lay_out` puts what there is to choose above, `place` asks where it goes, `write` begins the writing with `begin`.
    While it writes, the button cancels; what went wrong stands in the dialog, which stays open, and remembers what was chosen."""

    def __init__(self, exporter: Exporter, parent: QWidget, title: str, do: str) -> None:
        super().__init__(title, parent, kept=True)
        self.exporter = exporter
        self.job: Job | None = None
        self.heading = label("heading", title, wraps=False)
        self.said = label("muted")
        self.said.hide()
        self.note = label("muted")
        """What will be written, for those who lay it out."""
        self.problem = RefusalLabel()
        self.progress = QProgressBar()
        self.progress.setRange(0, 1000)
        self.progress.setTextVisible(False)
        self.progress.hide()
        self._do = do
        self._extras: Sequence[QPushButton] = ()
        self.button = Button(do, self._press, look="primary")
        self.button.setDefault(True)
        self._written: Path | None = None
        self.open_folder = Button(tr("Open folder"), self._open_folder, tr("See what was written"))
        self.open_folder.hide()
        self.dismiss = Button(tr("Close"), self.close)
        self.dismiss.setAutoDefault(False)
        QShortcut(QKeySequence(Qt.Key.Key_F1), self, lambda: open_topic("export"))

    def export(self) -> None:
        """What the button does."""
        path = self.place()
        if path is not None:
            self._written = path
            self.write(path)

    def place(self) -> Path | None:
        """Which file, or folder, a person wants; an `InputError` where what is chosen makes no sense."""
        raise NotImplementedError

    def write(self, path: Path) -> None:
        """Write what is chosen there."""
        raise NotImplementedError

    def offer(self, panel: str) -> None:
        """Offer what there is to export now; of one panel, where it is named."""
        self.problem.hide()
        self.say("")

    def lay_out(
        self, *parts: QLayout | QWidget, extras: Sequence[QPushButton] = (), width: int = WIDTH
    ) -> None:
        """Put these below each other between heading and buttons, `extras` left of these; the heading is so wide at least."""
        self._extras = *extras, self.open_folder
        self.heading.setMinimumWidth(width)
        for extra in self._extras:
            extra.setAutoDefault(False)
        # What has columns of its own takes the room that is left.
        fields = column(*((one, 1) if isinstance(one, QBoxLayout) else one for one in parts), gap=2 * UNIT)
        above = self.heading, (fields, 1), self.problem, self.said, self.progress
        buttons, margins = row(*self._extras, None, self.dismiss, self.button), (3 * UNIT, 2 * UNIT) * 2
        self.setLayout(column(*above, buttons, gap=2 * UNIT, margins=margins))

    def ask(self, name: str, suffix: str, kind: str) -> Path | None:
        """Where a person wants the file; its ending is added where it is left out."""
        path, _ = QFileDialog.getSaveFileName(
            self, self.windowTitle(), f"{name}{suffix}", f"{kind} (*{suffix})"
        )
        if not path:
            return None
        return Path(path) if Path(path).suffix.lower() == suffix else Path(path + suffix)

    def ask_folder(self, title: str) -> Path | None:
        """Which folder a person wants."""
        folder = QFileDialog.getExistingDirectory(self.parentWidget(), title)
        return Path(folder) if folder else None

    def begin(self, work: Callable[[Progress], object], done: Callable[[object], str]) -> None:
        """Work in a thread; `done` is called with what it returned, and says so in a sentence."""
        self.refuse_second()
        self.problem.hide()
        self.open_folder.hide()
        for extra in self._extras:
            extra.setEnabled(False)
        self.job = Job(work, self, lambda outcome: self._end(outcome, done))
        self.job.progressed.connect(lambda share: self.progress.setValue(round(1000 * share)))
        self.progress.setValue(0)
        self.progress.show()
        self.say("")
        self.button.setText(tr("Cancel"))

    def refuse_second(self) -> None:
        """Refuse to begin while something is being written."""
        if self.job is not None:
            raise InputError(
                "the export", expected="one at a time", found="one that is not complete",
                remedy="wait for it, or cancel it", topic="errors#exports",
            )  # fmt: skip

    def say(self, sentence: str) -> None:
        """Tell how it went."""
        self.said.setText(sentence)
        self.said.setVisible(bool(sentence))

    def explain(self, refusal: InputError) -> None:
        """Tell what cannot be."""
        self.say("")
        self.problem.explain(refusal)

    def shut_down(self) -> None:
        """End what runs and go."""
        if self.job is not None:
            self.job.shut_down()
            self.job = None
        self.close()
        self.deleteLater()

    def done(self, result: int) -> None:
        if self.job is not None:
            self.job.cancel()
        super().done(result)

    def _press(self) -> None:
        if self.job is not None:
            self.job.cancel()
            return
        self.attempt(self.export)

    def attempt(self, do: Callable[[], object]) -> None:
        """Do it, or say why that cannot be."""
        try:
            do()
        except InputError as refusal:
            self.explain(refusal)

    def _end(self, outcome: object, done: Callable[[object], str]) -> None:
        self.job = None
        for extra in self._extras:
            extra.setEnabled(True)
        self.progress.hide()
        self.button.setText(self._do)
        if isinstance(outcome, Stopped):
            self.say(tr("Cancelled. Nothing was written; a file of that name is as it was."))
        elif isinstance(outcome, InputError):
            self.explain(outcome)
        elif isinstance(outcome, BaseException):
            self.explain(
                fault(outcome, "the export", "a file: nothing was written", "another format, or report it")
            )
        else:
            self.say(done(outcome))
            self.open_folder.setVisible(self._written is not None)

    def _open_folder(self) -> None:
        if self._written is not None:
            open_path(self._written if self._written.is_dir() else self._written.parent)


def open_path(path: Path) -> None:
    """In the program that the desktop has for it."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


def number(entry: Entry, what: str, unit: str) -> float:
    """The number in a field; an `InputError` that names it where there is none."""
    expected = phrase("a number of {unit}", unit=unit)
    return number_in(entry.text(), what, "errors#exports", expected=expected, example="180")
