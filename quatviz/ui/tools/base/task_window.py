"""What the windows of long computations share: choices, Run and Cancel at the left, results at the right."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QMainWindow, QProgressBar, QStackedLayout, QWidget

from quatviz.analysis.executors.polled_task import PolledTask
from quatviz.base.errors import InputError
from quatviz.base.translation import tr
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.files.preset import Preset
from quatviz.teaching.help.actions import Action
from quatviz.ui.widgets.actions import ActionRegistry
from quatviz.ui.widgets.buttons import Button
from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.widgets.entries import CollapsibleEntry
from quatviz.ui.widgets.fields import connect_fields
from quatviz.ui.widgets.file_dialogs import EXPORT_PURPOSE, ask_save_path
from quatviz.ui.widgets.labels import ElidedLabel, MessageLabel, label, open_help_topic
from quatviz.ui.widgets.layouts import LayoutItem, column, make_splitter, row, wrap_layout
from quatviz.ui.widgets.style import Themed
from quatviz.ui.widgets.windows import set_initial_size

NICENESS = 10
"""Processes give way to the main window, which may be playing."""
POLL_INTERVAL_MS = 200
_MIN_CHOICE_WIDTH = 140
"""That a choice above the pages is wide, or wider where there is room [pixels at 100 %]."""
_FIGURE_FILTER = "Figure for print (*.svg *.pdf *.png)"
W = TypeVar("W", bound=PolledTask)


@dataclass(frozen=True)
class ExportTarget:
    """A kind of file: the button's words, what a dialog offers, and the ending of one that is named without."""

    button_text: str
    file_filter: str
    suffix: str


def figure_and_table_targets(table_filter: str) -> tuple[ExportTarget, ExportTarget]:
    """The figure of what is shown, and its table as one of these `table_filter`."""
    return (
        ExportTarget(tr("Figure…"), tr(_FIGURE_FILTER), ".svg"),
        ExportTarget(tr("Table…"), table_filter, ".csv"),
    )


class TaskWindow(Themed, QMainWindow, Generic[W]):
    """Computes one thing after another from the preset of the main window. Closing it cancels; results stay.

    A subclass defines `_start_work`, `_write`, `_progress_counts`, `_preset_of`, `_inputs`, `_refresh` and `_offer`, makes its
    parts after those that are here, and lays them out with `_build_layout`. A result whose inputs have changed since is marked
    as outdated.
    """

    _layout_font_size: int
    """Size of the type for which its parts have their widths [pixels]."""

    def __init__(
        self,
        document: Document,
        title: str,
        file_stem: str,
        empty: str,
        export_targets: Sequence[ExportTarget] = (),
    ) -> None:
        """`file_stem` is how a file of its work is called behind the preset's name, and the window by widgets and tests;
        `empty` stands where nothing has come yet."""
        super().__init__()
        self._document, self._file_stem = document, file_stem
        self.work: W | None = None
        """The computation whose results are shown, running or not."""
        self._inputs_of_work: object = None
        """What `_inputs` gave when the computation began."""
        self.setWindowTitle(title)
        self.setObjectName(file_stem)
        self.cluster_field = CollapsibleEntry(tr("Compute on a cluster…"), tr("tcp://host:8786"))
        self.cluster_field.setToolTip(tr("The address of a Dask scheduler, instead of this machine alone"))
        self.run_button = Button(tr("Run"), object_name="primary")
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.state_text = label("muted")
        self.problem = MessageLabel()
        self.title = ElidedLabel()
        self.title.setObjectName("heading")
        self.outdated_label = label("outdated")
        self.outdated_label.hide()
        self.empty = label("empty", empty)
        self.export_buttons = [
            Button(
                target.button_text,
                lambda _=False, target=target: self._ask_export_path(target),
                tr("Export it"),
            )
            for target in export_targets
        ]
        self._stack = QStackedLayout()
        self._timer = QTimer(self, interval=POLL_INTERVAL_MS)
        self._timer.timeout.connect(self.poll)

    # --- what is asked

    @property
    def is_running(self) -> bool:
        """Whether work is being done."""
        return self.work is not None and not self.work.done

    @property
    def is_outdated(self) -> bool:
        """Whether what is shown belongs to another run, or to other choices, than those of now."""
        return self.work is not None and self._inputs(self.work) != self._inputs_of_work

    def run(self) -> None:
        """Begin what is chosen; what was before is forgotten."""
        self._start_or_explain(self._start_work)

    def cancel(self) -> None:
        """End what runs, if anything does; what it has found stays."""
        self._timer.stop()
        if self.work is not None and self.is_running:
            self.work.cancel()
            self._refresh()
            self._update_status()

    def poll(self) -> None:
        """Take in what has been found since."""
        work = self.work
        if work is None:
            return
        before = self._progress_counts(work)
        work.poll()
        if work.done:
            self._finish_work(work)
        if work.done or self._progress_counts(work) != before:
            self._refresh()
        self._update_status()

    def export(self, path: Path) -> None:
        """Write what is shown, as the ending says."""
        if self.work is None:
            return
        try:
            self._write(self.work, path)
        except InputError as refusal:
            self.problem.show_refusal_with_place(refusal)
        else:
            self.state_text.setText(tr("Written to {path}", path=path))

    # --- what is shown

    def show_state(self, state: State) -> None:
        """Offer what the main window shows now; what was refused of another run is past."""
        self.problem.hide()
        self._offer(state)
        self._update_status()

    def follow_theme(self) -> None:
        """Other letters want another room for the choices."""
        before, self._layout_font_size = self._layout_font_size, self.theme.normal
        left_width, right_width = self._splitter.sizes()
        sizes = [left_width * self._layout_font_size // before, right_width]
        QTimer.singleShot(0, self, lambda: self._splitter.setSizes(sizes))  # when all has its new letters
        self._refresh()

    def shutdown(self) -> None:
        """End what runs and go."""
        self.cancel()
        self._document.changed.disconnect(self.show_state)
        self.close()
        self.deleteLater()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.cancel()
        super().closeEvent(event)

    # --- what each window has of its own

    def _start_work(self) -> W:
        """The work that is chosen, begun; an `InputError` where it cannot be."""
        raise NotImplementedError

    def _offer(self, state: State) -> None:
        """Offer what a state of the document has."""
        raise NotImplementedError

    def _progress_counts(self, work: W) -> tuple[int, int]:
        """How much of this work is done, of how much. `_refresh` is called when that has changed."""
        raise NotImplementedError

    def _preset_of(self, work: W) -> Preset:
        """Of which preset this work is."""
        raise NotImplementedError

    def _inputs(self, work: W) -> object:
        """Return a value that changes whenever Run would no longer compute what this work computes."""
        raise NotImplementedError

    def _refresh(self) -> None:
        """Show what has come so far."""
        raise NotImplementedError

    def _write(self, work: W, path: Path) -> None:
        """Write what has come of this work to a file; an `InputError` where that cannot be."""
        raise NotImplementedError

    # --- what is done for all

    def _start_or_explain(self, start: Callable[[], W]) -> None:
        """Begin work that is made so, or say why it cannot be."""
        self.problem.hide()
        try:
            work = start()
        except InputError as refusal:
            self.problem.show_refusal_with_place(refusal)
        else:
            self._show_work(work)

    def _report(self, refusal: InputError | None, message: str) -> None:
        """The main window was given something to show: say that it does, or why it does not."""
        if refusal is not None:
            self.problem.show_refusal_with_place(refusal)
        else:
            self.problem.hide()
            self.state_text.setText(tr("{said}. Undo in the main window takes it back.", said=message))

    def _show_work(self, work: W) -> None:
        """Show work that has begun, in the place of what was before."""
        self.cancel()
        self.work = work
        self._inputs_of_work = self._inputs(work)
        self._timer.start()
        self._refresh()
        self._update_status()

    def _finish_work(self, work: W) -> None:
        """It has ended. What was refused before anything was found leaves nothing to show."""
        self._timer.stop()
        if work.refusal is not None:
            self.problem.show_refusal_with_place(work.refusal)
            if not self._progress_counts(work)[0]:
                self.work = None
                self.state_text.clear()

    def _update_status(self) -> None:
        """Progress in words."""
        done, total = (0, 0) if self.work is None else self._progress_counts(self.work)
        self.run_button.setText(tr("Cancel") if self.is_running else tr("Run"))
        for button in self.export_buttons:
            button.setEnabled(done > 0)
        self.progress.setVisible(self.is_running)
        self.progress.setMaximum(max(total, 1))
        self.progress.setValue(done)
        self.title.setText(self._shown_preset.title)
        self._update_outdated_mark()
        if self.work is not None:
            is_internal_fault = self.work.error_message and self.work.refusal is None
            self.state_text.setText(
                tr(self.work.error_message) if is_internal_fault else self.work.status_text
            )

    def _update_outdated_mark(self) -> None:
        """Say above the result that it is outdated, and what to press."""
        is_outdated = self.is_outdated
        self.outdated_label.setVisible(is_outdated)
        if not is_outdated:
            return
        preset = self._document.state.preset
        self.outdated_label.setText(
            tr("Outdated: the main window shows “{title}” now. Press Run to compute it.", title=preset.title)
            if preset.title != self._shown_preset.title
            else tr("Outdated: the run or the choices have changed. Press Run to compute it again.")
        )

    @property
    def _shown_preset(self) -> Preset:
        """Of which preset that is what is shown."""
        return self._document.state.preset if self.work is None else self._preset_of(self.work)

    def _build_layout(
        self,
        actions: "ActionRegistry[Any]",
        choices: tuple[QWidget, int],
        header_parts: Sequence[LayoutItem],
        pages: Sequence[QWidget],
        outer_parts: tuple[Sequence[LayoutItem], Sequence[LayoutItem]],
        under: tuple[QWidget, int],
    ) -> None:
        """Put everything in its place, and show the document: `choices` with their width; the `header_parts` beside the title; the
        `pages` of which one is seen at a time, with parts above and below them; and what is `under` all that, with its height."""
        self.action_registry = actions
        self.addActions(list(actions))
        self.run_button.setToolTip(actions.tooltip("run", tr("Run or cancel")))
        self.run_button.clicked.connect(actions["run"].trigger)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        for page in (self.empty, *pages):
            self._stack.addWidget(page)
        parts = self.cluster_field, self.problem, self.run_button, self.progress, self.state_text
        bottom = column(*parts, margins=(2 * GRID_UNIT, 0, 2 * GRID_UNIT, 0))
        side = wrap_layout(column((choices[0], 1), bottom, margins=(0, 0, 0, 2 * GRID_UNIT)))
        for widget in header_parts:
            if isinstance(widget, ChoiceBox):
                widget.setMinimumWidth(self.theme.scaled_pixels(_MIN_CHOICE_WIDTH))
        above, below = outer_parts
        top = column(
            row((self.title, 1), *header_parts, *self.export_buttons), self.outdated_label, *above, (self._stack, 1), *below,
            margins=(2 * GRID_UNIT, 2 * GRID_UNIT, 2 * GRID_UNIT, GRID_UNIT),
        )  # fmt: skip
        right = make_splitter(
            (wrap_layout(top), 600), under, stretch_index=0, orientation=Qt.Orientation.Vertical
        )
        self._splitter = make_splitter((side, choices[1]), (right, 1080), stretch_index=1)
        self.setCentralWidget(self._splitter)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFocus()  # or Qt would give it to the first field
        set_initial_size(self, round(choices[1] / self.theme.size) + 1080, 900)
        self._document.changed.connect(self.show_state)
        connect_fields(choices[0], self._update_outdated_mark)
        self._layout_font_size = self.theme.normal
        self._refresh()
        self.show_state(self._document.state)

    def _ask_export_path(self, target: ExportTarget) -> None:
        name = f"{self._shown_preset.name or self._file_stem}-{self._file_stem}{target.suffix}"
        path = ask_save_path(self, tr("Export"), EXPORT_PURPOSE, name, target.file_filter, target.suffix)
        if path is not None:
            self.export(path)


def common_actions(topic: str, *extra: "Action[Any]") -> tuple["Action[Any]", ...]:
    """What can be done in each of these windows, with what can be done in one of them alone."""
    return (
        Action("run", "Run or cancel", lambda w: w.cancel() if w.is_running else w.run(), ("Ctrl+Return",)),
        Action("leave", "Cancel, or close", lambda w: w.cancel() if w.is_running else w.close(), ("Esc",)),
        *extra,
        Action("close", "Close the window", lambda w: w.close(), ("Ctrl+W",)),
        Action("help", "Help…", lambda w: open_help_topic(topic), ("F1",)),
    )
