"""What the windows of long work share: choices at the left with run and cancel below them, what has come of it at the right."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QFileDialog, QMainWindow, QProgressBar, QStackedLayout, QWidget

from quatviz.analysis.executors.polled_task import Work
from quatviz.base.errors import InputError
from quatviz.base.translation import told, tr
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.display.view_state.theme import UNIT
from quatviz.files.preset import Preset
from quatviz.teaching.help.actions import Act
from quatviz.ui.widgets.actions import Acts
from quatviz.ui.widgets.controls import (
    Button,
    ChoiceBox,
    ElidedLabel,
    FoldedEntry,
    Part,
    RefusalLabel,
    column,
    divided,
    held,
    label,
    open_at,
    open_topic,
    row,
)
from quatviz.ui.widgets.style import Themed

NICE = 10
"""Processes give way to the main window, which may be playing."""
POLL_MS = 200
_NARROW = 140
"""That a choice above the pages is wide, or wider where there is room [pixels at 100 %]."""
_FIGURES = "Figure for print (*.svg *.pdf *.png)"
W = TypeVar("W", bound=Work)


@dataclass(frozen=True)
class Export:
    """A kind of file: the button's words, what a dialog offers, and the ending of one that is named without."""

    words: str
    kinds: str
    suffix: str


def exports_of(tables: str) -> tuple[Export, Export]:
    """The figure of what is shown, and its table as one of these `tables`."""
    return (
        Export(tr("Figure…"), tr(_FIGURES), ".svg"),
        Export(tr("Table…"), tables, ".csv"),
    )


class Workbench(Themed, QMainWindow, Generic[W]):
    """One piece of work after another over the preset of the main window. Closing it cancels; what was found stays.

    A window of this kind has its own `_make`, `_write`, `_counts`, `_preset_of`, `_refresh` and `_offer`, makes its parts after
    those that are here, and puts all in place with `_furnish`."""

    _letters: int
    """Size of the type for which its parts have their widths [pixels]."""

    def __init__(
        self, document: Document, title: str, file: str, empty: str, exports: Sequence[Export] = ()
    ) -> None:
        """`file` is how a file of its work is called behind the preset's name, and the window by widgets and tests; `empty` stands
        where nothing has come yet."""
        super().__init__()
        self._document, self._file = document, file
        self.work: W | None = None
        """That of which is shown what has come, running or not."""
        self.setWindowTitle(title)
        self.setObjectName(file)
        self.cluster = FoldedEntry(tr("Compute on a cluster…"), tr("tcp://host:8786"))
        self.cluster.setToolTip(tr("The address of a Dask scheduler, instead of this machine alone"))
        self.button = Button(tr("Run"), look="primary")
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.state_text = label("muted")
        self.problem = RefusalLabel()
        self.title = ElidedLabel()
        self.title.setObjectName("heading")
        self.empty = label("empty", empty)
        self.exports = [
            Button(one.words, lambda _=False, one=one: self._ask(one), tr("Export it")) for one in exports
        ]
        self._stack = QStackedLayout()
        self._timer = QTimer(self, interval=POLL_MS)
        self._timer.timeout.connect(self.poll)

    # --- what is asked

    @property
    def running(self) -> bool:
        """Whether work is being done."""
        return self.work is not None and not self.work.done

    def run(self) -> None:
        """Begin what is chosen; what was before is forgotten."""
        self._attempt(self._make)

    def cancel(self) -> None:
        """End what runs, if anything does; what it has found stays."""
        self._timer.stop()
        if self.work is not None and self.running:
            self.work.cancel()
            self._refresh()
            self._tell()

    def poll(self) -> None:
        """Take in what has been found since."""
        work = self.work
        if work is None:
            return
        before = self._counts(work)
        work.poll()
        if work.done:
            self._end(work)
        if work.done or self._counts(work) != before:
            self._refresh()
        self._tell()

    def export(self, path: Path) -> None:
        """Write what is shown, as the ending says."""
        if self.work is None:
            return
        try:
            self._write(self.work, path)
        except InputError as refusal:
            self.problem.explain(refusal)
        else:
            self.state_text.setText(tr("Written to {path}", path=path))

    # --- what is shown

    def show_state(self, state: State) -> None:
        """Offer what the main window shows now; what was refused of another run is past."""
        self.problem.hide()
        self._offer(state)
        self._tell()

    def follow_theme(self) -> None:
        """Other letters want another room for the choices."""
        before, self._letters = self._letters, self.theme.normal
        wide, rest = self._parts.sizes()
        sizes = [wide * self._letters // before, rest]
        QTimer.singleShot(0, self, lambda: self._parts.setSizes(sizes))  # when all has its new letters
        self._refresh()

    def shut_down(self) -> None:
        """End what runs and go."""
        self.cancel()
        self._document.changed.disconnect(self.show_state)
        self.close()
        self.deleteLater()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.cancel()
        super().closeEvent(event)

    # --- what each window has of its own

    def _make(self) -> W:
        """The work that is chosen, begun; an `InputError` where it cannot be."""
        raise NotImplementedError

    def _offer(self, state: State) -> None:
        """Offer what a state of the document has."""
        raise NotImplementedError

    def _counts(self, work: W) -> tuple[int, int]:
        """How much of this work is done, of how much. `_refresh` is called when that has changed."""
        raise NotImplementedError

    def _preset_of(self, work: W) -> Preset:
        """Of which preset this work is."""
        raise NotImplementedError

    def _refresh(self) -> None:
        """Show what has come so far."""
        raise NotImplementedError

    def _write(self, work: W, path: Path) -> None:
        """Write what has come of this work to a file; an `InputError` where that cannot be."""
        raise NotImplementedError

    # --- what is done for all

    def _attempt(self, make: Callable[[], W]) -> None:
        """Begin work that is made so, or say why it cannot be."""
        self.problem.hide()
        try:
            work = make()
        except InputError as refusal:
            self.problem.explain(refusal)
        else:
            self._begin(work)

    def _answer(self, refusal: InputError | None, said: str) -> None:
        """The main window was given something to show: say that it does, or why it does not."""
        if refusal is not None:
            self.problem.explain(refusal)
        else:
            self.problem.hide()
            self.state_text.setText(tr("{said}. Undo in the main window takes it back.", said=said))

    def _begin(self, work: W) -> None:
        """Show work that has begun, in the place of what was before."""
        self.cancel()
        self.work = work
        self._timer.start()
        self._refresh()
        self._tell()

    def _end(self, work: W) -> None:
        """It has ended. What was refused before anything was found leaves nothing to show."""
        self._timer.stop()
        if work.refusal is not None:
            self.problem.explain(work.refusal)
            if not self._counts(work)[0]:
                self.work = None
                self.state_text.clear()

    def _tell(self) -> None:
        """Progress in words."""
        done, whole = (0, 0) if self.work is None else self._counts(self.work)
        self.button.setText(tr("Cancel") if self.running else tr("Run"))
        for button in self.exports:
            button.setEnabled(done > 0)
        self.progress.setVisible(self.running)
        self.progress.setMaximum(max(whole, 1))
        self.progress.setValue(done)
        now = self._document.state.preset.title
        shown = self._shown.title
        still = tr("Still “{shown}”; Run takes “{now}”", shown=shown, now=now)
        self.title.setText(now if shown == now else still)
        if self.work is not None:
            unforeseen = self.work.fault and self.work.refusal is None
            self.state_text.setText(told(self.work.fault) if unforeseen else self.work.said)

    @property
    def _shown(self) -> Preset:
        """Of which preset that is what is shown."""
        return self._document.state.preset if self.work is None else self._preset_of(self.work)

    def _furnish(
        self,
        acts: "Acts[Any]",
        choices: tuple[QWidget, int],
        head: Sequence[Part],
        pages: Sequence[QWidget],
        around: tuple[Sequence[Part], Sequence[Part]],
        under: tuple[QWidget, int],
    ) -> None:
        """Put everything in its place, and show the document: `choices` with their width; the `head` beside the title; the
        `pages` of which one is seen at a time, with parts above and below them; and what is `under` all that, with its height."""
        self.acts = acts
        self.addActions(list(acts))
        self.button.setToolTip(acts.tip("run", tr("Run or cancel")))
        self.button.clicked.connect(acts["run"].trigger)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        for page in (self.empty, *pages):
            self._stack.addWidget(page)
        parts = self.cluster, self.problem, self.button, self.progress, self.state_text
        bottom = column(*parts, margins=(2 * UNIT, 0, 2 * UNIT, 0))
        side = held(column((choices[0], 1), bottom, margins=(0, 0, 0, 2 * UNIT)))
        for one in head:
            if isinstance(one, ChoiceBox):
                one.setMinimumWidth(self.theme.pixels(_NARROW))
        above, below = around
        top = column(
            row((self.title, 1), *head, *self.exports), *above, (self._stack, 1), *below,
            margins=(2 * UNIT, 2 * UNIT, 2 * UNIT, UNIT),
        )  # fmt: skip
        right = divided((held(top), 600), under, grows=0, way=Qt.Orientation.Vertical)
        self._parts = divided((side, choices[1]), (right, 1080), grows=1)
        self.setCentralWidget(self._parts)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFocus()  # or Qt would give it to the first field
        open_at(self, round(choices[1] / self.theme.size) + 1080, 900)
        self._document.changed.connect(self.show_state)
        self._letters = self.theme.normal
        self._refresh()
        self.show_state(self._document.state)

    def _ask(self, export: Export) -> None:
        name = f"{self._shown.name or self._file}-{self._file}{export.suffix}"
        path, _ = QFileDialog.getSaveFileName(self, tr("Export"), name, export.kinds)
        if path:
            self.export(Path(path) if Path(path).suffix else Path(path + export.suffix))


def rows_of(topic: str, *own: "Act[Any]") -> tuple["Act[Any]", ...]:
    """What can be done in each of these windows, with what can be done in one of them alone."""
    return (
        Act("run", "Run or cancel", lambda w: w.cancel() if w.running else w.run(), ("Ctrl+Return",)),
        Act("leave", "Cancel, or close", lambda w: w.cancel() if w.running else w.close(), ("Esc",)),
        *own,
        Act("close", "Close the window", lambda w: w.close(), ("Ctrl+W",)),
        Act("help", "Help…", lambda w: open_topic(topic), ("F1",)),
    )
