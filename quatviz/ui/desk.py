"""What comes into the window and goes out of it: sessions, presets of one's own, runs as text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from quatviz.core.body import Body
from quatviz.core.errors import Refusal, phrase
from quatviz.core.initial import Initial
from quatviz.core.preset import Preset, RunSettings
from quatviz.core.session import Session, View
from quatviz.core.session_text import format_session
from quatviz.core.short_text import from_short, to_short
from quatviz.export.files import write_text
from quatviz.export.mesh_beside import bring_mesh
from quatviz.ui.editing import Editor
from quatviz.ui.own_presets import keep
from quatviz.ui.preset_dialog import PresetDialog
from quatviz.ui.preset_picker import PresetPicker
from quatviz.ui.recent import RecentFiles
from quatviz.ui.recovery import adopted, read_kept
from quatviz.ui.tr import tr, translated

_KIND = "Sessions (*.toml)"


class Desk(QObject):
    """New, open, recent, save, copy, paste, drop. Whatever replaces the run can be undone; what is refused is explained
    below the button of the presets."""

    said = Signal(str, str)

    def __init__(self, editor: Editor, picker: PresetPicker, window: QWidget) -> None:
        super().__init__(window)
        self._editor, self._picker, self._window = editor, picker, window
        self.recent = RecentFiles()
        self.view: Callable[[], View] = View
        """How the window shows its run now."""
        self.kept = Path()
        """Where the mesh of a session that is restored is brought."""
        self.takers: dict[str, Callable[[Path], None]] = {".toml": self.open}
        """Who takes a file that is dropped on the window, by its ending."""
        self._file: Path | None = None
        self._title = ""
        picker.taken.connect(self._taken)

    @property
    def session(self) -> Session:
        """What would be saved now."""
        return Session(self._editor.state.preset, self.view())

    @property
    def file(self) -> Path | None:
        """Where the session that is shown is kept, if it is."""
        return self._file if self._editor.state.preset.title == self._title else None

    def doings(self) -> dict[str, Callable[[], object]]:
        """What each action does that has to do with files and the clipboard."""
        return {
            "new": self.new,
            "open": self.ask_open,
            "save": self.save,
            "save_as": self.ask_save,
            "save_preset": self.ask_save_preset,
            "copy_run": self.copy_run,
            "paste_run": self.paste_run,
        }

    def new(self) -> None:
        """Begin with a plain body."""
        self._picker.show_session(Session(plain_run()), tr("new run"))

    def ask_open(self) -> None:
        """Let a person choose a session or a preset file."""
        path, _ = QFileDialog.getOpenFileName(self._window, tr("Open a session or a preset"), "", tr(_KIND))
        if path:
            self.open(Path(path))

    def open(self, path: Path) -> None:
        """Show the session or the preset in a file."""
        self._picker.take(path)

    def restore(self, path: Path) -> None:
        """Show what was kept for recovery; it has no file of its own."""
        try:
            session = adopted(read_kept(path), self.kept)
        except Refusal as refusal:
            self._picker.explain(refusal)
            return
        self._picker.show_session(session, tr("restore “{title}”", title=session.preset.title))

    def save(self) -> None:
        """Write the session where it is kept, or ask where."""
        if self.file is None:
            self.ask_save()
        else:
            self.save_as(self.file)

    def ask_save(self) -> None:
        """Let a person say where the session is to be kept."""
        name = self._editor.state.preset.name or "run"
        start = str(self.file or f"{name}.toml")
        path, _ = QFileDialog.getSaveFileName(self._window, tr("Save the session"), start, tr(_KIND))
        if path:
            self.save_as(Path(path))

    def save_as(self, path: Path) -> None:
        """Write the session to a file, which is where it is kept from now on."""
        path = path if path.suffix else path.with_suffix(".toml")
        try:
            bring_mesh(self.session.preset.body, path.parent)
            write_text(path, format_session(self.session))
        except Refusal as refusal:
            refusal = translated(refusal)
            found = tr(
                "{place} could not be written: {found}; {remedy}",
                place=refusal.place,
                found=refusal.found,
                remedy=refusal.remedy,
            )
            self.said.emit(found, refusal.topic)
            return
        self.keep_at(path)
        self.said.emit(tr("Saved as {path}", path=path), "")

    def ask_save_preset(self) -> None:
        """Let a person give the run words, and keep it as a preset."""
        dialog = PresetDialog(self._editor.state.preset, self.save_preset, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def save_preset(self, title: str, summary: str, watch: str) -> Refusal | None:
        """Keep the run as a preset of one's own."""
        try:
            path = keep(self._editor.state.preset, title, summary, watch)
        except Refusal as refusal:
            return refusal
        self.said.emit(tr("Saved as a preset: “{path}” in the gallery and in commands", path=path.stem), "")
        return None

    def copy_run(self) -> None:
        """Put the run on the clipboard as a short text."""
        word = to_short(self.session)
        QGuiApplication.clipboard().setText(word)
        self.said.emit(
            tr(
                "The run is copied as a text of {count} characters; Ctrl V shows it elsewhere",
                count=len(word),
            ),
            "",
        )

    def paste_run(self) -> None:
        """Show the run that is on the clipboard."""
        try:
            session = from_short(QGuiApplication.clipboard().text())
        except Refusal as refusal:
            self._picker.explain(refusal)
            return
        self._picker.show_session(session, tr("paste “{title}”", title=session.preset.title))

    def drop(self, path: Path) -> None:
        """Take in a file that was dropped on the window."""
        take = self.takers.get(path.suffix.lower())
        if take is not None:
            take(path)
            return
        self._picker.explain(
            Refusal(
                str(path),
                expected=phrase("a file ending in {names}", names=", ".join(self.takers)),
                found=phrase("the ending {suffix!r}", suffix=path.suffix) if path.suffix else "no ending",
                remedy="drop a preset, a session or a mesh",
                topic="sessions#the-file",
            )
        )

    def fill_recent(self, menu: QMenu) -> None:
        """Offer the files that were open last."""
        menu.clear()
        for path in self.recent.paths:
            action = menu.addAction(path.name, lambda path=path: self.open(path))
            action.setToolTip(str(path))
        menu.setToolTipsVisible(True)
        if menu.isEmpty():
            menu.addAction(tr("None yet")).setEnabled(False)
        else:
            menu.addSeparator()
            menu.addAction(tr("Forget them"), self.recent.clear)

    def _taken(self, path: Path, kept: bool) -> None:
        """A file is shown now; it is where the session is kept, if it is one."""
        self._file = None
        if kept:
            self.keep_at(path)
        else:
            self.recent.add(path)

    def keep_at(self, path: Path | None) -> None:
        """The session that is shown is kept in this file."""
        self._file, self._title = path, self._editor.state.preset.title
        if path is not None:
            self.recent.add(path)


def dropped_file(data: QMimeData) -> Path | None:
    """The one file on this machine that is being dropped, if it is one."""
    urls = data.urls()
    return Path(urls[0].toLocalFile()) if len(urls) == 1 and urls[0].isLocalFile() else None


def plain_run() -> Preset:
    """A body with three moments, spun nearly about the middle one, where something happens."""
    return Preset(
        title="Untitled",
        body=Body(inertia=[3.0, 2.0, 1.5]),
        initial=Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0.02, 2.0, 0.0]),
        run=RunSettings(duration=30.0, dt=1e-3, sample_interval=0.01),
        lanes=["newton_euler"],  # type: ignore[list-item]
    )
