"""What comes into the window and goes out of it: sessions, presets of one's own, runs as text."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from quatviz.base import resources
from quatviz.base.errors import InputError, phrase
from quatviz.base.translation import tr, translated
from quatviz.display.document.document import Document
from quatviz.display.document.state import snapshot_of, state_of
from quatviz.display.document.user_files import Kept, RecentFiles, adopted, keep, plain_run, read_kept
from quatviz.display.view_state.session import Session, format_session, from_short, read_session, to_short
from quatviz.display.view_state.view_state import Look, chosen_of
from quatviz.files.files import offered, write_text, written
from quatviz.files.preset_edits import difference, origin_of
from quatviz.files.preset_files import SUFFIXES
from quatviz.files.preset_reading import located
from quatviz.recordings.readers import READERS
from quatviz.teaching.lessons.user_lessons import own_files
from quatviz.ui.sidebar.presets import PresetDialog, PresetPicker
from quatviz.ui.widgets.controls import tip

_KIND = f"Sessions ({' '.join('*' + suffix for suffix in SUFFIXES)})"


class Desk(QObject):
    """New, open, recent, save, copy, paste, drop. Whatever replaces the run can be undone; what is refused is explained
    below the button of the presets."""

    def __init__(
        self,
        document: Document,
        picker: PresetPicker,
        window: QWidget,
        look: Callable[[], Look] = Look,
        dress: Callable[[Look], object] = lambda look: None,
        takers: Mapping[str, Callable[[Path], object]] | None = None,
        take_recordings: Callable[[Sequence[Path]], object] = lambda paths: None,
        leave_lesson: Callable[[], object] = lambda: None,
    ) -> None:
        """`look` is how the window shows its run now, `dress` shows it in another way, and `takers` take what is
        dropped on the window and is no preset, by its ending; `take_recordings` takes recordings, and `leave_lesson` makes
        way for what is opened."""
        super().__init__(window)
        self._document, self._picker, self._window = document, picker, window
        self._look, self._dress = look, dress
        self._take_recordings, self._leave_lesson = take_recordings, leave_lesson
        self._takers = {**dict.fromkeys(SUFFIXES, self.open), **(takers or {})}
        self.recent = RecentFiles()
        self.kept = Kept()
        """What is kept of this window in case the process is killed."""
        self._file: Path | None = None
        self._title = ""
        self._seen: tuple[int, int] | None = None
        """When the file was written that is shown, and how long it is."""
        picker.chosen.connect(self.open)

    @property
    def session(self) -> Session:
        """What would be saved now."""
        return Session(self._document.state.preset, self._look())

    @property
    def file(self) -> Path | None:
        """Where the session that is shown is kept, if it is."""
        return self._file if self._document.state.preset.title == self._title else None

    def new(self) -> None:
        """Begin with a plain body."""
        self.show(Session(plain_run()), tr("new run"))

    def ask_open(self) -> None:
        """Let a person choose a session, a preset, or whatever else may be dropped."""
        path, _ = QFileDialog.getOpenFileName(self._window, tr("Open a session or a preset"), "", tr(_KIND))
        if path:
            self.drop(Path(path))

    def open(self, path: Path) -> bool:
        """Show the session or the preset in a file, or say why that cannot be; whether it is shown."""
        session = self._read(lambda: read_session(path))
        if session is None:
            return False
        self._leave_lesson()
        shown = self.show(session, tr("choose “{title}”", title=session.preset.title))
        if shown and path.parent not in (resources.preset_folder(), resources.own_preset_folder()):
            self._file = None
            if session.look is not None and not session.proposed:
                self.keep_at(path)
            else:
                self.recent.add(path)
        return shown

    def _read(self, read: Callable[[], Session]) -> Session | None:
        """What is read; None where it is refused, which is explained."""
        try:
            return read()
        except InputError as refusal:
            self._picker.explain(refusal)
            return None

    def show(self, session: Session, text: str) -> bool:
        """Show a session as one step called `text`, or say why that cannot be; whether it is shown."""
        shown = replace(state_of(session), look=chosen_of(session.shown(self._look())))
        refused = self._document.open(text, lambda _: shown, snapshot_of(session))
        if refused is not None:
            self._picker.explain(located(refused, session.preset))
            return False
        self._dress(session.shown(self._look()))
        if session.proposed:  # which names the panels alone that it is about
            self._document.know(chosen_of(self._look()))
        return True

    def ask_import(self) -> None:
        """Let a person choose files with recordings."""
        endings = " ".join(f"*{suffix}" for suffix in offered(READERS.claimed))
        kinds = tr("Recordings ({endings})", endings=endings)
        paths, _ = QFileDialog.getOpenFileNames(self._window, tr("Import recordings"), "", kinds)
        if paths:
            self._take_recordings([Path(path) for path in paths])

    def restore(self, path: Path) -> None:
        """Show what was kept for recovery; it has no file of its own."""
        session = self._read(lambda: adopted(read_kept(path), self.kept.folder))
        if session is not None and self.show(session, tr("restore “{title}”", title=session.preset.title)):
            self.kept.take(path)

    def save(self) -> None:
        """Write the session where it is kept, or ask where: if it is kept nowhere, or another window has saved there since."""
        if self.file is None:
            self.ask_save()
        elif written(self.file) not in (None, self._seen):
            changed = tr("{path} was changed since it was opened or saved here", path=self.file)
            self._document.said.emit(changed, "sessions#the-file")
            self.ask_save()
        else:
            self.save_as(self.file)

    def ask_save(self) -> None:
        """Let a person say where the session is to be kept."""
        name = self._document.state.preset.name or "run"
        start = str(self.file or f"{name}.toml")
        path, _ = QFileDialog.getSaveFileName(self._window, tr("Save the session"), start, tr(_KIND))
        if path:
            self.save_as(Path(path))

    def save_as(self, path: Path) -> None:
        """Write the session to a file, which is where it is kept from now on."""
        path = path if path.suffix else path.with_suffix(".toml")
        try:
            self.session.preset.bring_files(path.parent)
            write_text(path, format_session(self.session))
        except InputError as refusal:
            refusal = translated(refusal)
            found = tr(
                "{place} could not be written: {found}; {remedy}",
                place=refusal.place,
                found=refusal.found,
                remedy=refusal.remedy,
            )
            self._document.said.emit(found, refusal.topic)
            return
        self.keep_at(path)
        self._document.said.emit(tr("Saved as {path}", path=path), "")

    def ask_save_preset(self) -> None:
        """Let a person give the run words, and keep it as a preset."""
        PresetDialog(self._document.state.preset, self.save_preset, self._window).open()

    def save_preset(self, title: str, summary: str, watch: str) -> InputError | None:
        """Keep the run as a preset of one's own."""
        try:
            path = keep(self._document.state.preset, title, summary, watch)
        except InputError as refusal:
            return refusal
        self._document.changed.emit(self._document.state)  # it may be what the preset of its title has now
        self._document.said.emit(
            tr("Saved as a preset: “{path}” in the gallery and in commands", path=path.stem), ""
        )
        return None

    @property
    def resettable(self) -> bool:
        """Whether the run differs from the preset that it was made from."""
        preset = self._document.state.preset
        origin = origin_of(preset)
        return origin is not None and bool(difference(preset, origin))

    def reset(self) -> None:
        """Have the run as its preset has it again, as one step; how it is shown stays."""
        origin = origin_of(self._document.state.preset)
        if origin is not None:
            self._document.open(tr("reset to the preset"), lambda state: state.reset(origin))

    def copy_run(self) -> None:
        """Put the run on the clipboard as a short text."""
        word = to_short(self.session)
        QGuiApplication.clipboard().setText(word)
        self._document.said.emit(
            tr(
                "The run is copied as a text of {count} characters; pasted, it is shown elsewhere",
                count=len(word),
            ),
            "",
        )

    def paste_run(self) -> None:
        """Show the run that is on the clipboard."""
        session = self._read(lambda: from_short(QGuiApplication.clipboard().text()))
        if session is not None:
            self.show(session, tr("paste “{title}”", title=session.preset.title))

    def drop(self, *paths: Path) -> None:
        """Take in files that were dropped on the window: recordings together, others one after another."""
        recordings = []
        for path in paths:
            suffix = path.suffix.lower()
            if suffix in self._takers:
                self._takers[suffix](path)
            elif suffix in READERS.claimed:
                recordings.append(path)
            else:
                self._refuse_ending(path)
        if recordings:
            self._take_recordings(recordings)

    def _refuse_ending(self, path: Path) -> None:
        self._picker.explain(
            InputError(
                str(path),
                expected=phrase(
                    "a file ending in {names}", names=", ".join((*self._takers, *offered(READERS.claimed)))
                ),
                found=phrase("the ending {suffix!r}", suffix=path.suffix) if path.suffix else "no ending",
                remedy="take a preset, a session, a recording, a lesson or a mesh",
                topic="sessions#the-file",
            )
        )

    @property
    def recents(self) -> list[Path]:
        """What the menu and the start page offer: files that were open last, and lessons of one's own that were presented."""
        return [*self.recent.paths, *own_files().paths]

    def fill_recent(self, menu: QMenu) -> None:
        """Offer them, and to forget them."""
        for path in self.recents:
            action = menu.addAction(path.name, lambda path=path: self.drop(path))
            action.setToolTip(tip(str(path)))
        menu.setToolTipsVisible(True)
        if menu.isEmpty():
            menu.addAction(tr("None yet")).setEnabled(False)
        else:
            menu.addSeparator()
            forget = menu.addAction(tr("Forget them"), self.recent.clear)
            forget.triggered.connect(own_files().clear)

    def keep_at(self, path: Path | None) -> None:
        """The session that is shown is kept in this file."""
        self._file, self._title = path, self._document.state.preset.title
        self._seen = written(path) if path is not None else None
        if path is not None:
            self.recent.add(path)


def dropped_files(data: QMimeData) -> list[Path]:
    """The files on this machine that are being dropped."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
