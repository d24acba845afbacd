"""Base class of windows for long computations. Choices, Run and Cancel are at the left, and results at the right."""

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
from quatviz.files.preset_edits import shown_title
from quatviz.teaching.help.actions import Action
from quatviz.ui.widgets.actions import ActionRegistry
from quatviz.ui.widgets.buttons import Button
from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.widgets.entries import CollapsibleEntry
from quatviz.ui.widgets.fields import connect_fields
from quatviz.ui.widgets.file_dialogs import EXPORT_PURPOSE, ask_save_path, suggested_name
from quatviz.ui.widgets.guard import guarded
from quatviz.ui.widgets.labels import ElidedLabel, MessageLabel, label, open_help_topic
from quatviz.ui.widgets.layouts import LayoutItem, Pane, WrappedRow, column, make_splitter, row, wrap_layout
from quatviz.ui.widgets.outdated_label import OutdatedLabel
from quatviz.ui.widgets.scrolling import VerticalScrollArea, make_scroll_area
from quatviz.ui.widgets.style import Themed
from quatviz.ui.widgets.windows import set_initial_size

NICENESS = 10
"""Nice value of worker processes, chosen so that the main window, which may be playing, gets processor time first."""
POLL_INTERVAL_MS = 200
_MIN_CHOICE_WIDTH = 140
"""Minimum width of a choice above the pages [pixels at 100 %]."""
_MAX_CHOICES_SHARE = 0.38
"""Largest share of the window width for the choices after a change of the type size."""
_FIGURE_FILTER = "Figure for print (*.svg *.pdf *.png)"
W = TypeVar("W", bound=PolledTask)


@dataclass(frozen=True)
class ExportTarget:
    """Format of exported files: text of its button, filter for the file dialog, and default suffix of file names."""

    button_text: str
    file_filter: str
    suffix: str


def figure_and_table_targets(table_filter: str) -> tuple[ExportTarget, ExportTarget]:
    """Return the export formats of a result window: the displayed figure, and a table of its values.

    `table_filter` is the file dialog's filter for the table.
    """
    return (
        ExportTarget(tr("Figure…"), tr(_FIGURE_FILTER), ".svg"),
        ExportTarget(tr("Table…"), table_filter, ".csv"),
    )


class TaskWindow(Themed, QMainWindow, Generic[W]):
    """Window that computes results from the preset of the main window. Closing the window cancels the
    computation; the results so far stay.

    A subclass defines `_start_work`, `_write`, `_progress_counts`, `_preset_of`, `_inputs`, `_refresh` and `_offer`. It creates its
    widgets after those of this class, and arranges them with `_build_layout`. Results are marked as outdated if their inputs have
    changed.
    """

    _layout_font_size: int
    """Type size for which the widths of choices and results were set [pixels]."""

    def __init__(
        self,
        document: Document,
        title: str,
        object_name: str,
        empty: str,
        export_targets: Sequence[ExportTarget] = (),
    ) -> None:
        """Create the widgets that all task windows share.

        Parameters
        ----------
        document
            The document with the preset.
        title
            Title of the window.
        object_name
            Object name of the window, such as "study". Suggested names of exported files end with it.
        empty
            Text shown while there are no results.
        export_targets
            Formats for the export buttons.
        """
        super().__init__()
        self._document = document
        self.work: W | None = None
        """Computation whose results are shown, running or finished."""
        self.setWindowTitle(title)
        self.setObjectName(object_name)
        self.cluster_field = CollapsibleEntry(tr("Compute on a cluster…"), tr("tcp://host:8786"))
        self.cluster_field.setToolTip(tr("Address of a Dask scheduler. Leave it empty to use this machine"))
        self.run_button = Button(tr("Run"), object_name="primary")
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.state_text = label("muted")
        self.problem = MessageLabel()
        self.title = ElidedLabel()
        self.title.setObjectName("heading")
        self.outdated_label = OutdatedLabel()
        self._empty_text, self.empty = empty, label("empty", empty)
        self.export_buttons = [
            Button(
                target.button_text,
                lambda _=False, target=target: self._ask_export_path(target),
                tr("Export the results to a file"),
            )
            for target in export_targets
        ]
        self._stack = QStackedLayout()
        self._timer = QTimer(self, interval=POLL_INTERVAL_MS)
        self._timer.timeout.connect(self.poll)

    # --- commands

    @property
    def is_running(self) -> bool:
        """True while a computation is running."""
        return self.work is not None and not self.work.done

    @property
    def is_outdated(self) -> bool:
        """True if the displayed results were computed from another run or with other choices than the current ones."""
        return self.work is not None and self.outdated_label.is_outdated(self._inputs(self.work))

    def run(self) -> None:
        """Start the computation with the current choices, and discard earlier results."""
        self._start_or_explain(self._start_work)

    def cancel(self) -> None:
        """Cancel the computation. Results so far stay."""
        self._timer.stop()
        if self.work is not None and self.is_running:
            self.work.cancel()
            self._refresh()
            self._update_status()

    def poll(self) -> None:
        """Fetch new results from the running computation and show them. A timer calls this."""
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
        """Write the results to a file, in the format given by its suffix."""
        if self.work is None:
            return
        try:
            self._write(self.work, path)
        except InputError as refusal:
            self.problem.show_refusal_with_place(refusal)
        else:
            self.state_text.setText(tr("Written to {path}", path=path))

    # --- display

    def show_state(self, state: State) -> None:
        """Show the choices for a new state of the document, and hide the refusal of an earlier computation."""
        self.problem.hide()
        self._offer(state)
        self._update_status()

    @guarded
    def _follow_document(self, state: State) -> None:
        """Show the choices for a changed document.

        Exceptions are logged instead of raised. They would interrupt the action that changed the document, such as opening a
        file.
        """
        self.show_state(state)

    def follow_theme(self) -> None:
        """Adapt the width of the choices to the new type size."""
        before, self._layout_font_size = self._layout_font_size, self.theme.normal
        left_width, right_width = self._splitter.sizes()
        left_width = min(
            left_width * self._layout_font_size // before,
            round(_MAX_CHOICES_SHARE * (left_width + right_width)),
        )
        sizes = [left_width, right_width]
        QTimer.singleShot(
            0, self, lambda: self._splitter.setSizes(sizes)
        )  # after all widgets have their new font
        self._refresh()

    def shutdown(self) -> None:
        """Cancel the computation and delete the window."""
        self.cancel()
        self._document.changed.disconnect(self._follow_document)
        self.close()
        self.deleteLater()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.cancel()
        super().closeEvent(event)

    # --- methods of subclasses

    def _start_work(self) -> W:
        """Start the computation that the user has chosen. Raise `InputError` if this is not possible."""
        raise NotImplementedError

    def _offer(self, state: State) -> None:
        """Offer the choices that are possible in this state of the document."""
        raise NotImplementedError

    def _progress_counts(self, work: W) -> tuple[int, int]:
        """Return the numbers of finished parts and of all parts of this computation. If they change, `_refresh` is called."""
        raise NotImplementedError

    def _preset_of(self, work: W) -> Preset:
        """Return the preset from which this computation was started."""
        raise NotImplementedError

    def _inputs(self, work: W) -> object:
        """Return all current inputs as one value, which is compared with the value at the start of `work`.

        The values differ exactly if *Run* would compute something else now.
        """
        raise NotImplementedError

    def _refresh(self) -> None:
        """Show the results that have been computed so far."""
        raise NotImplementedError

    def _write(self, work: W, path: Path) -> None:
        """Write the results so far to a file. Raise `InputError` if this is not possible."""
        raise NotImplementedError

    # --- shared implementation

    def _start_or_explain(self, start: Callable[[], W]) -> None:
        """Start a computation with `start`, or show why it was refused."""
        self.problem.hide()
        try:
            work = start()
        except InputError as refusal:
            self.problem.show_refusal_with_place(refusal)
        else:
            self._show_work(work)

    def _report(self, refusal: InputError | None, message: str) -> None:
        """Show `message` if the main window accepted an edit (`refusal` is None), else show the refusal."""
        if refusal is not None:
            self.problem.show_refusal_with_place(refusal)
        else:
            self.problem.hide()
            self.state_text.setText(
                tr("{message}. Undo in the main window reverts this change.", message=message)
            )

    def _show_work(self, work: W) -> None:
        """Replace the displayed computation by `work`, which has just been started."""
        self.cancel()
        self.work = work
        self.outdated_label.set_result(self._inputs(work))
        self._timer.start()
        self._refresh()
        self._update_status()

    def _finish_work(self, work: W) -> None:
        """Stop polling a finished computation. Discard the computation if it was refused before its first result."""
        self._timer.stop()
        if work.refusal is not None:
            self.problem.show_refusal_with_place(work.refusal)
            if not self._progress_counts(work)[0]:
                self.work = None
                self.outdated_label.clear_result()
                self.state_text.clear()

    def _update_status(self) -> None:
        """Show the progress, and enable the buttons that can be used now."""
        done, total = (0, 0) if self.work is None else self._progress_counts(self.work)
        self.run_button.setText(tr("Cancel") if self.is_running else tr("Run"))
        for button in self.export_buttons:
            button.setEnabled(done > 0)
        self.progress.setVisible(self.is_running)
        self.progress.setMaximum(max(total, 1))
        self.progress.setValue(done)
        self.title.setText(shown_title(self._shown_preset))
        self._update_outdated_mark()
        self._update_empty_text()
        if self.work is not None:
            is_internal_fault = self.work.error_message and self.work.refusal is None
            self.state_text.setText(
                tr(self.work.error_message) if is_internal_fault else self.work.status_text
            )

    def _update_outdated_mark(self) -> None:
        """Show above the results how to update them if they are outdated, else hide this text."""
        if not self.is_outdated:
            self.outdated_label.hide()
            return
        title = self._document.state.preset.title
        new_title = "" if title == self._shown_preset.title else title
        remedy = (
            tr("Press Cancel, then Run, to compute it again.")
            if self.is_running
            else tr("Press Run to compute this run.")
            if new_title
            else tr("Press Run to compute it again.")
        )
        self.outdated_label.show_reason(remedy, new_title)

    def _update_empty_text(self) -> None:
        """Set the text shown without results: what to do, or that a computation is running."""
        self.empty.setText(tr("Computing …") if self.is_running else self._empty_text)

    @property
    def _shown_preset(self) -> Preset:
        """Preset of the displayed results or, without results, of the document."""
        return self._document.state.preset if self.work is None else self._preset_of(self.work)

    def _build_layout(
        self,
        actions: "ActionRegistry[Any]",
        choices: tuple[QWidget, int],
        header_parts: Sequence[QWidget],
        pages: Sequence[QWidget],
        outer_parts: tuple[Sequence[LayoutItem], Sequence[LayoutItem]],
        under: tuple[QWidget, int],
    ) -> None:
        """Arrange all widgets and show the document.

        Parameters
        ----------
        actions
            Actions of this window.
        choices
            Widget with the choices, and its width [pixels].
        header_parts
            Widgets beside the title.
        pages
            Result pages, one of which is shown.
        outer_parts
            Widgets above and below the pages.
        under
            Widget below all of these, and its height [pixels].
        """
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
            row((self.title, 1), WrappedRow(*header_parts, *self.export_buttons)),
            self.outdated_label, *above, (self._stack, 1), *below,
            margins=(2 * GRID_UNIT, 2 * GRID_UNIT, 2 * GRID_UNIT, GRID_UNIT),
        )  # fmt: skip
        right = make_splitter((Pane(top), 600), under, stretch_index=0, orientation=Qt.Orientation.Vertical)
        scrolled = make_scroll_area(column(right), VerticalScrollArea())
        self._splitter = make_splitter((side, choices[1]), (scrolled, 1080), stretch_index=1)
        self.setCentralWidget(self._splitter)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFocus()  # otherwise Qt gives it to the first field
        set_initial_size(self, round(choices[1] / self.theme.size) + 1080, 900)
        self._document.changed.connect(self._follow_document)
        connect_fields(choices[0], self._update_outdated_mark)
        self._layout_font_size = self.theme.normal
        self._refresh()
        self.show_state(self._document.state)

    def _ask_export_path(self, target: ExportTarget) -> None:
        name = suggested_name(shown_title(self._shown_preset), tr(self.objectName()))
        path = ask_save_path(
            self, tr("Export"), EXPORT_PURPOSE, f"{name}{target.suffix}", target.file_filter, target.suffix
        )
        if path is not None:
            self.export(path)


def common_actions(topic: str, *extra: "Action[Any]") -> tuple["Action[Any]", ...]:
    """Return the actions of a task window: the common actions of all task windows, and the `extra` actions of
    this window.

    `topic` is the help topic that F1 opens.
    """
    return (
        Action("run", "Run or cancel", lambda w: w.cancel() if w.is_running else w.run(), ("Ctrl+Return",)),
        Action("leave", "Cancel, or close", lambda w: w.cancel() if w.is_running else w.close(), ("Esc",)),
        *extra,
        Action("close", "Close the window", lambda w: w.close(), ("Ctrl+W",)),
        Action("help", "Help…", lambda w: open_help_topic(topic), ("F1",)),
    )
