"""Base class of the export dialogs: fields, status, progress and buttons."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QKeySequence, QShortcut
from PySide6.QtWidgets import QBoxLayout, QLayout, QProgressBar, QPushButton, QWidget

from quatviz.base.cancellation import Cancelled
from quatviz.base.errors import InputError, internal_error, phrase
from quatviz.base.translation import tr
from quatviz.base.units import require_number
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.export.table import Progress
from quatviz.ui.tools.export.exporter import Exporter
from quatviz.ui.widgets.background_job import BackgroundJob
from quatviz.ui.widgets.buttons import Button
from quatviz.ui.widgets.entries import LineEntry
from quatviz.ui.widgets.file_dialogs import EXPORT_PURPOSE, ask_folder, ask_save_path, confirm_replacement
from quatviz.ui.widgets.labels import MessageLabel, label, open_help_topic
from quatviz.ui.widgets.layouts import column, row
from quatviz.ui.widgets.style import theme_of
from quatviz.ui.widgets.windows import Dialog

MIN_HEADING_WIDTH = 432
"""Minimum width of the heading [pixels]. A minimum width of the whole dialog would cut its margins at large type sizes."""


class ExportDialog(Dialog):
    """Dialog that writes a file or a folder in a background thread.

    A subclass arranges its fields with `lay_out`, asks for a path in `choose_path`, and writes in `write` with `start_job`. During
    writing the button cancels. Errors are shown in the dialog, which stays open and remembers its settings.
    """

    def __init__(self, exporter: Exporter, parent: QWidget, title: str, button_text: str) -> None:
        super().__init__(title, parent, keep_on_close=True)
        self.exporter = exporter
        self.job: BackgroundJob | None = None
        self.title_label = label("heading", title, word_wrap=False)
        self.status_label = label("muted")
        self.status_label.hide()
        self.note_label = label("muted")
        """Label for a note on what will be written. Subclasses set its text."""
        self.problem = MessageLabel()
        self.progress = QProgressBar()
        self.progress.setRange(0, 1000)
        self.progress.setTextVisible(False)
        self.progress.hide()
        self._button_text = button_text
        self._extras: Sequence[QPushButton] = ()
        self.export_button = Button(button_text, self._start_or_cancel, object_name="primary")
        self.export_button.setDefault(True)
        self._written_path: Path | None = None
        self.open_folder_button = Button(
            tr("Open folder"), self._open_folder, tr("Open the folder with the exported files")
        )
        self.open_folder_button.hide()
        self.close_button = Button(tr("Close"), self.close)
        self.close_button.setAutoDefault(False)
        QShortcut(QKeySequence(Qt.Key.Key_F1), self, lambda: open_help_topic("export"))

    def export(self) -> None:
        """Ask for a path and write to it. If files would be replaced, the user must confirm this first."""
        path = self.choose_path()
        if path is not None and confirm_replacement(self, self.windowTitle(), self.files_to_replace(path)):
            self._written_path = path
            self.write(path)

    def choose_path(self) -> Path | None:
        """Ask for the file or folder to write. Raise `InputError` if the settings are invalid."""
        raise NotImplementedError

    def files_to_replace(self, path: Path) -> list[Path]:
        """Return the files in a folder that the export would replace. For a single file the list is empty,
        because the file dialog has already asked."""
        return []

    def write(self, path: Path) -> None:
        """Start to write the export to this path."""
        raise NotImplementedError

    def offer(self, panel: str) -> None:
        """Prepare the dialog for an export of the current run. If `panel` is not empty, select this panel."""
        self.problem.hide()
        self.show_status("")

    def lay_out(
        self, *parts: QLayout | QWidget, extras: Sequence[QPushButton] = (), width: int = MIN_HEADING_WIDTH
    ) -> None:
        """Arrange these widgets between heading and buttons.

        Parameters
        ----------
        parts
            Widgets or layouts, from top to bottom.
        extras
            Additional buttons at the left.
        width
            Minimum width of the heading at an interface scale of 100 % [pixels].
        """
        self._extras = *extras, self.open_folder_button
        self.title_label.setMinimumWidth(theme_of(self).scaled_pixels(width))
        for extra in self._extras:
            extra.setAutoDefault(False)
        # A layout with columns gets the remaining space.
        fields = column(
            *((part, 1) if isinstance(part, QBoxLayout) else part for part in parts), gap=2 * GRID_UNIT
        )
        above = self.title_label, (fields, 1), self.problem, self.status_label, self.progress
        buttons, margins = (
            row(*self._extras, None, self.close_button, self.export_button),
            (3 * GRID_UNIT, 2 * GRID_UNIT) * 2,
        )
        self.setLayout(column(*above, buttons, gap=2 * GRID_UNIT, margins=margins))

    def ask_file(self, name: str, suffix: str, description: str) -> Path | None:
        """Ask for the file to write. Return None if the user cancels."""
        name_filter = f"{description} (*{suffix})"
        return ask_save_path(self, self.windowTitle(), EXPORT_PURPOSE, f"{name}{suffix}", name_filter, suffix)

    def ask_folder(self, title: str) -> Path | None:
        """Ask for the folder to write. Return None if the user cancels."""
        return ask_folder(self.parentWidget(), title, EXPORT_PURPOSE)

    def start_job(self, work: Callable[[Progress], object], describe_result: Callable[[object], str]) -> None:
        """Run `work` in a thread. `describe_result` receives the result and returns the status text."""
        self.refuse_if_busy()
        self.problem.hide()
        self.open_folder_button.hide()
        for extra in self._extras:
            extra.setEnabled(False)
        self.job = BackgroundJob(work, self, lambda outcome: self._finish_job(outcome, describe_result))
        self.job.progressed.connect(lambda share: self.progress.setValue(round(1000 * share)))
        self.progress.setValue(0)
        self.progress.show()
        self.show_status("")
        self.export_button.setText(tr("Cancel"))

    def refuse_if_busy(self) -> None:
        """Raise `InputError` if an export is running."""
        if self.job is not None:
            raise InputError(
                "the export", expected="one export at a time", found="an export that is still running",
                remedy="wait for it, or cancel it", topic="errors#exports",
            )  # fmt: skip

    def show_status(self, message: str) -> None:
        """Show a status text, or hide it if it is empty."""
        self.status_label.setText(message)
        self.status_label.setVisible(bool(message))

    def explain(self, refusal: InputError) -> None:
        """Show a refusal."""
        self.show_status("")
        self.problem.show_refusal_with_place(refusal)

    def shutdown(self) -> None:
        """Cancel the export and delete the dialog."""
        if self.job is not None:
            self.job.cancel_and_wait()
            self.job = None
        self.close()
        self.deleteLater()

    def done(self, result: int) -> None:
        if self.job is not None:
            self.job.cancel()
        super().done(result)

    def _start_or_cancel(self) -> None:
        if self.job is not None:
            self.job.cancel()
            return
        self.attempt(self.export)

    def attempt(self, action: Callable[[], object]) -> None:
        """Call `action`, and show its `InputError` if it raises one."""
        try:
            action()
        except InputError as refusal:
            self.explain(refusal)

    def _finish_job(self, outcome: object, describe_result: Callable[[object], str]) -> None:
        self.job = None
        for extra in self._extras:
            extra.setEnabled(True)
        self.progress.hide()
        self.export_button.setText(self._button_text)
        if isinstance(outcome, Cancelled):
            self.show_status(tr("Cancelled. Nothing was written, and an existing file is unchanged."))
        elif isinstance(outcome, InputError):
            self.explain(outcome)
        elif isinstance(outcome, BaseException):
            self.explain(
                internal_error(
                    outcome, "the export", "a file: nothing was written", "another format, or report it"
                )
            )
        else:
            self.show_status(describe_result(outcome))
            self.open_folder_button.setVisible(self._written_path is not None)

    def _open_folder(self) -> None:
        if self._written_path is not None:
            open_path(self._written_path if self._written_path.is_dir() else self._written_path.parent)


def open_path(path: Path) -> None:
    """Open a file or folder with the desktop's default program."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


def read_number(entry: LineEntry, name: str, unit: str) -> float:
    """Return the number in a field. If the text is not a number, raise an `InputError` that contains `name`, the name of the
    field."""
    expected = phrase("a number of {unit}", unit=unit)
    return require_number(entry.text(), name, "errors#exports", expected=expected, example="180")
