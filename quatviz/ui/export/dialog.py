"""What the dialogs of export share: fields above, a sentence, progress, and the buttons."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLayout,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from quatviz.core.errors import Refusal, phrase
from quatviz.export.table import Progress
from quatviz.ui.dialog import Dialog
from quatviz.ui.export.job import Cancelled, Job
from quatviz.ui.guard import guarded
from quatviz.ui.help.links import open_topic
from quatviz.ui.refusal_label import RefusalLabel
from quatviz.ui.setup.entry import Entry
from quatviz.ui.study.look import sheet
from quatviz.ui.theme import UNIT, Theme
from quatviz.ui.tr import tr

log = logging.getLogger(__name__)


_TICKS = """
    QListWidget#ticks::item {{ padding: 4px 0; }}
    QListWidget#ticks::indicator {{ width: 14px; height: 14px; border: 1px solid {muted}; border-radius: 4px; }}
    QListWidget#ticks::indicator:checked {{ background: {accent}; border-color: {accent}; }}
"""

WIDTH = 432
"""Of a heading at least [pixels]. Said of a whole dialog it would cut its margins off where letters are large."""


class ExportDialog(Dialog):
    """Extend it: `fields` are laid out above, `export` begins the writing with `begin`. While it writes, the button
    cancels; what went wrong stands in the dialog, which stays open."""

    def __init__(self, parent: QWidget, title: str, do: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("{title} – quatviz", title=title))
        self.job: Job | None = None
        self.heading = QLabel(title)
        self.heading.setObjectName("heading")
        self.said = QLabel()
        self.said.setObjectName("muted")
        self.said.setWordWrap(True)
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.said.hide()
        self.problem = RefusalLabel()
        self.progress = QProgressBar()
        self.progress.setRange(0, 1000)
        self.progress.setTextVisible(False)
        self.progress.hide()
        self._do = do
        self._extras: tuple[QPushButton, ...] = ()
        self.button = QPushButton(do)
        self.button.setObjectName("primary")
        self.button.setDefault(True)
        self.dismiss = QPushButton(tr("Close"))
        self.dismiss.setAutoDefault(False)
        self.button.clicked.connect(self._press)
        self.dismiss.clicked.connect(self.close)
        self.finished.connect(self._dismissed)
        QShortcut(QKeySequence(Qt.Key.Key_F1), self, lambda: open_topic("export"))

    def restyle(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.setStyleSheet(sheet(theme) + _TICKS.format(muted=theme.muted, accent=theme.accent))

    def export(self) -> None:
        """What the button does."""
        raise NotImplementedError

    def lay_out(self, fields: QLayout, *extras: QPushButton) -> None:
        """Put the fields between heading and buttons, `extras` left of these."""
        self._extras = extras
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * UNIT, 2 * UNIT, 3 * UNIT, 2 * UNIT)
        column.setSpacing(2 * UNIT)
        column.addWidget(self.heading)
        column.addLayout(fields, 1)
        for part in (self.problem, self.said, self.progress):
            column.addWidget(part)
        row = QHBoxLayout()
        row.setSpacing(UNIT)
        for extra in extras:
            extra.setAutoDefault(False)
            row.addWidget(extra)
        row.addStretch(1)
        row.addWidget(self.dismiss)
        row.addWidget(self.button)
        column.addLayout(row)

    def ask(self, name: str, suffix: str, kind: str) -> Path | None:
        """Where a person wants the file; its ending is added where it is left out."""
        path, _ = QFileDialog.getSaveFileName(
            self, self.windowTitle(), f"{name}{suffix}", f"{kind} (*{suffix})"
        )
        if not path:
            return None
        return Path(path) if Path(path).suffix.lower() == suffix else Path(path + suffix)

    def begin(self, work: Callable[[Progress], object], done: Callable[[object], str]) -> None:
        """Work in a thread; `done` is called with what it returned, and says so in a sentence."""
        self.refuse_second()
        self.problem.hide()
        for extra in self._extras:
            extra.setEnabled(False)
        self.job = Job(work, self)
        self.job.progressed.connect(lambda share: self.progress.setValue(round(1000 * share)))
        self.job.ended.connect(lambda outcome: self._end(outcome, done))
        self.progress.setValue(0)
        self.progress.show()
        self.say("")
        self.button.setText(tr("Cancel"))
        self.job.start()

    def refuse_second(self) -> None:
        """Refuse to begin while something is being written."""
        if self.job is not None:
            raise Refusal(
                "the export", expected="one at a time", found="one that is not complete",
                remedy="wait for it, or cancel it", topic="errors#exports",
            )  # fmt: skip

    def say(self, sentence: str) -> None:
        """Tell how it went."""
        self.said.setText(sentence)
        self.said.setVisible(bool(sentence))

    def explain(self, refusal: Refusal) -> None:
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

    @guarded
    def closeEvent(self, event: QCloseEvent) -> None:
        self._dismissed()
        super().closeEvent(event)

    def _dismissed(self, _: int = 0) -> None:
        if self.job is not None:
            self.job.cancel()

    def _press(self) -> None:
        if self.job is not None:
            self.job.cancel()
            return
        try:
            self.export()
        except Refusal as refusal:
            self.explain(refusal)

    def _end(self, outcome: object, done: Callable[[object], str]) -> None:
        if self.job is not None:
            self.job.deleteLater()
        self.job = None
        for extra in self._extras:
            extra.setEnabled(True)
        self.progress.hide()
        self.button.setText(self._do)
        if isinstance(outcome, Cancelled):
            self.say(tr("Cancelled. Nothing was written; a file of that name is as it was."))
        elif isinstance(outcome, Refusal):
            self.explain(outcome)
        elif isinstance(outcome, BaseException):
            log.error("an export failed", exc_info=outcome)
            self.explain(
                Refusal(
                    "the export",
                    expected="a file",
                    found=phrase(
                        "a fault of the program, {name}: {outcome}; nothing was written",
                        name=type(outcome).__name__,
                        outcome=outcome,
                    ),
                    remedy="another format, or report it",
                    topic="errors#faults-of-the-program",
                )
            )
        else:
            self.say(done(outcome))


def number(entry: Entry, what: str, unit: str) -> float:
    """The number in a field; a `Refusal` that names it where there is none."""
    try:
        return float(entry.text().replace(",", "."))
    except ValueError:
        raise Refusal(
            what,
            expected=phrase("a number of {unit}", unit=unit),
            found=repr(entry.text()),
            remedy="write for example 180",
            topic="errors#exports",
        ) from None
