"""Actions of the window for files: sessions, presets of the user, and runs as text on the clipboard."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QDateTime, QMimeData, QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from quatviz.base import resources
from quatviz.base.errors import InputError, phrase
from quatviz.base.translation import tr, translated_error
from quatviz.display.document.document import Document
from quatviz.display.document.lane_laws import compared_laws_title
from quatviz.display.document.state import State
from quatviz.display.document.user_files import (
    RecentFiles,
    RecoveryFile,
    default_preset,
    move_files_to,
    preset_name,
    read_saved_session,
    save_own_preset,
    unsaved_sessions,
)
from quatviz.display.view_state.session import (
    Session,
    format_session,
    from_short_text,
    read_session,
    to_short_text,
)
from quatviz.display.view_state.view_state import ViewState
from quatviz.files.files import supported_endings, write_preset_text
from quatviz.files.preset import Preset
from quatviz.files.preset_edits import describe_edits, find_origin
from quatviz.files.preset_files import PRESET_SUFFIXES
from quatviz.files.preset_reading import locate_error
from quatviz.physics.geometry.meshes import is_mesh
from quatviz.physics.observables.read_options import ReadOptions
from quatviz.recordings.readers import READERS
from quatviz.teaching.lessons.user_lessons import recent_lesson_files
from quatviz.ui.sidebar.presets import PresetDialog, PresetPicker
from quatviz.ui.widgets.actions import menu_text
from quatviz.ui.widgets.file_dialogs import ask_open_path, ask_save_path
from quatviz.ui.widgets.labels import tooltip_text
from quatviz.ui.window.recording_reader import RecordingReader

_SESSION_PURPOSE = "session"
_SESSION_PATTERNS = " ".join(f"*{suffix}" for suffix in PRESET_SUFFIXES)
_SESSION_FILTER = f"Sessions ({_SESSION_PATTERNS})"


class FileActions(QObject):
    """Actions for files and the clipboard: new, open, recent, save, copy, paste and drop.

    Opening a run can be undone. A refusal is explained below the preset button.
    """

    def __init__(
        self,
        document: Document,
        picker: PresetPicker,
        window: QWidget,
        view_state: Callable[[], ViewState] = ViewState,
        drop_handlers: Mapping[str, Callable[[Path], object]] | None = None,
        open_in_tools: Callable[[Sequence[Path]], Sequence[Path]] = lambda paths: paths,
        leave_lesson: Callable[[], object] = lambda: None,
    ) -> None:
        """Create the actions.

        Parameters
        ----------
        document
            Document of the window.
        picker
            Preset button that shows refusals.
        window
            Parent of dialogs.
        view_state
            Returns the current view state with the cursor.
        drop_handlers
                Functions that open dropped files other than presets, by suffix.
        open_in_tools
            Opens files such as recordings in the tools that read them, and returns the other files.
        leave_lesson
            Ends a lesson before something is opened.
        """
        super().__init__(window)
        self._document, self._picker, self._window = document, picker, window
        self._view_state = view_state
        self._open_in_tools, self._leave_lesson = open_in_tools, leave_lesson
        self._drop_handlers = {**dict.fromkeys(PRESET_SUFFIXES, self.open), **(drop_handlers or {})}
        self._reader = RecordingReader(window)
        self.recent_files = RecentFiles()
        self.recovery_file = RecoveryFile()
        """File in which the session is saved regularly, in case the process is killed."""
        picker.chosen.connect(self.open)

    @property
    def session(self) -> Session:
        """The current session in the form in which it is saved."""
        return Session(self._document.state.preset, self._view_state())

    @property
    def own_session(self) -> Session:
        """The session of the user's own run, even while a lesson shows the run of a scene."""
        own_run = self._document.own_run
        return self.session if own_run is None else Session(own_run.state.preset, own_run.view_state)

    @property
    def file(self) -> Path | None:
        """File of the displayed session, or None if the session was never saved."""
        return self._document.file.path

    def new(self) -> None:
        """Show the default run."""
        self._leave_lesson()
        self.show_session(Session(default_preset()), tr("new run"))

    def ask_open(self) -> None:
        """Ask for a file with a session, a preset or a recording, and open it."""
        recordings = " ".join(f"*{suffix}" for suffix in supported_endings(READERS.entries_by_ending))
        filters = (
            tr("Sessions and recordings ({endings})", endings=f"{_SESSION_PATTERNS} {recordings}"),
            tr(_SESSION_FILTER),
            tr("Recordings ({endings})", endings=recordings),
        )
        path = ask_open_path(
            self._window,
            tr("Open a session, a preset or a recording"),
            _SESSION_PURPOSE,
            ";;".join(filters),
        )
        if path is not None:
            self.drop(path)

    def open(self, path: Path) -> bool:
        """Open a session or preset, or explain why it cannot be opened. Return True if it is shown at once, as
        `open_session` does."""
        session = self._read_or_explain(lambda: read_session(path))
        return session is not None and self.open_session(session, path)

    def open_session(self, session: Session, path: Path, on_ended: Callable[[bool], object] = bool) -> bool:
        """Show a session that was read from a file. Return True if it is shown at once.

        If the session has large recordings, these are first read in the background, with a dialog that can be cancelled.
        False is then returned.

        Parameters
        ----------
        session
            Session to show.
        path
            File of the session.
        on_ended
            Called with True when the session is shown, or with False if it is refused or its reading is cancelled.
        """

        def show(is_read: bool) -> bool:
            is_shown = is_read and self._show_opened(session, path)
            on_ended(is_shown)
            return is_shown

        if self._reader.is_needed(session.preset):
            self._reader.read(session.preset, show)
            return False
        return show(True)

    def shutdown(self) -> None:
        """Stop reading recordings."""
        self._reader.shutdown()

    def _show_opened(self, session: Session, path: Path) -> bool:
        """Show a session that was read from a file. Return True if it is shown."""
        self._leave_lesson()
        is_shown = self.show_session(session, tr("open “{title}”", title=session.preset.title))
        if is_shown and path.parent not in (resources.preset_folder(), resources.user_preset_folder()):
            if session.view_state is not None and not session.is_proposed:
                self.set_file(path, session.signature)
            else:
                self.recent_files.add(path)
        return is_shown

    def _read_or_explain(self, read: Callable[[], Session]) -> Session | None:
        """Return the result of `read`. If `read` raises an `InputError`, explain it and return None."""
        try:
            return read()
        except InputError as refusal:
            self._picker.explain(refusal)
            return None

    def show_session(self, session: Session, text: str) -> bool:
        """Show a session as one undo step named `text`, or explain why it cannot be shown. Return True if it is shown."""
        refusal = self._document.open_session(text, session)
        if refusal is not None:
            self._picker.explain(locate_error(refusal, session.preset))
        return refusal is None

    def restore(self, path: Path) -> None:
        """Show a recovered session, which has no file yet."""
        session = self._read_or_explain(
            lambda: move_files_to(read_saved_session(path), self.recovery_file.folder)
        )
        if session is None:
            return

        def show(is_read: bool) -> None:
            if not is_read:
                return
            self._leave_lesson()
            if self.show_session(session, tr("restore “{title}”", title=session.preset.title)):
                self.recovery_file.adopt(path)
                self._document.mark_unsaved()

        if self._reader.is_needed(session.preset):
            self._reader.read(session.preset, show)
        else:
            show(True)

    def save(self) -> None:
        """Save the session to its file. Ask for a file if the session has none, or if another window has changed the file."""
        self._save(self._document.state, self.session)

    def save_own_run(self) -> None:
        """Save the user's own run, even during a lesson."""
        self._save(self._document.own_state, self.own_session)

    def _save(self, state: State, session: Session) -> None:
        assert state.file is not None
        path = state.file.path
        if path is not None and not state.file.was_changed_elsewhere:
            self._write(path, state, session)
            return
        if path is not None:
            changed = tr("{path} was changed by another program since it was opened or saved here", path=path)
            self._document.message_emitted.emit(changed, "sessions#the-file")
        new_path = self._ask_path(state)
        if new_path is not None:
            self._write(new_path, state, session)

    def ask_save(self) -> None:
        """Ask for a file and save the session there."""
        path = self._ask_path(self._document.state)
        if path is not None:
            self.save_as(path)

    def _ask_path(self, state: State) -> Path | None:
        current = state.file.path if state.file is not None else None
        name = preset_name(compared_laws_title(state.preset)) or state.preset.name or "run"
        return ask_save_path(
            self._window, tr("Save the session"), _SESSION_PURPOSE,
            current or f"{name}.toml", tr(_SESSION_FILTER), ".toml",
        )  # fmt: skip

    def save_as(self, path: Path) -> None:
        """Save the session to a file, which becomes the file of the session."""
        self._write(path, self._document.state, self.session)

    def _write(self, path: Path, state: State, session: Session) -> None:
        """Write a session to a file, and record that the current state is saved there."""
        try:
            text = format_session(session)
            session.preset.copy_files(path.parent)
            write_preset_text(path, text)
        except InputError as refusal:
            refusal = translated_error(refusal)
            message = tr(
                "{place} could not be written: {found}; {remedy}",
                place=refusal.place,
                found=refusal.found,
                remedy=refusal.remedy,
            )
            self._document.message_emitted.emit(message, refusal.topic)
            return
        self._document.mark_saved(path, state)
        self.recent_files.add(path)
        missing = _missing_files(session.preset, path.parent)
        if missing:
            message = tr(
                "Saved as {path}. Not saved, because moved or deleted since the run was opened: {names}",
                path=path,
                names=", ".join(missing),
            )
        else:
            message = tr("Saved as {path}", path=path)
        self._document.message_emitted.emit(message, "sessions#the-file" if missing else "")

    def ask_save_preset(self) -> None:
        """Ask for title and texts and save the run as a preset."""
        PresetDialog(self._document.state.preset, self.save_preset, self._window).open()

    def save_preset(self, title: str, summary: str, watch: str) -> InputError | None:
        """Save the run as a preset of the user. Return an error or None."""
        try:
            path = save_own_preset(self._document.state.preset, title, summary, watch)
        except InputError as refusal:
            return refusal
        self._document.changed.emit(self._document.state)  # the origin of the run may be this new preset
        self._document.message_emitted.emit(
            tr(
                "Saved as preset “{name}”. It is listed in the gallery and can be used by name in commands.",
                name=path.stem,
            ),
            "",
        )
        return None

    @property
    def can_reset(self) -> bool:
        """True if the run differs from its preset."""
        preset = self._document.state.preset
        origin = find_origin(preset)
        return origin is not None and bool(describe_edits(preset, origin))

    def reset(self) -> None:
        """Revert the run to its preset as one undo step; the view stays."""
        origin = find_origin(self._document.state.preset)
        if origin is not None:
            self._document.open(tr("revert to preset"), lambda state: state.reset(origin), is_new_file=False)

    def copy_run(self) -> None:
        """Copy the run to the clipboard as a short text."""
        try:
            short_text = to_short_text(self.session)
        except InputError as refusal:
            self._picker.explain(refusal)
            return
        QGuiApplication.clipboard().setText(short_text)
        self._document.message_emitted.emit(
            tr(
                "Copied the run as text ({count} characters); paste the text in another window to open the run",
                count=len(short_text),
            ),
            "",
        )

    def paste_run(self) -> None:
        """Show the run whose text is on the clipboard."""
        session = self._read_or_explain(lambda: from_short_text(QGuiApplication.clipboard().text()))
        if session is not None:
            self._leave_lesson()
            self.show_session(session, tr("paste “{title}”", title=session.preset.title))

    def drop(self, *paths: Path) -> None:
        """Open dropped files: all recordings, and the first run, mesh and lesson, since a window shows only one of each.

        Opening hundreds of runs would block the window, and their undo steps would replace those of the user's run.
        """
        others: list[Path] = []
        paths_by_handler: dict[Callable[[Path], object], Path] = {}
        ignored: list[Path] = []
        for path in paths:
            handler = self._drop_handlers.get(path.suffix.lower())
            if handler is None:
                others.append(path)
            elif handler in paths_by_handler:
                ignored.append(path)
            else:
                paths_by_handler[handler] = path
        for handler, path in paths_by_handler.items():
            handler(path)
        refused = self._open_in_tools(others)
        if refused:
            self._refuse_ending(refused[-1])
        if ignored:
            names = ", ".join(path.name for path in paths_by_handler.values())
            self._document.message_emitted.emit(
                tr(
                    "Opened {names}. Files not opened: {count}. Drop one run, mesh or lesson at a time.",
                    names=names,
                    count=len(ignored),
                ),
                "sessions#the-file",
            )

    def _refuse_ending(self, path: Path) -> None:
        self._picker.explain(
            InputError(
                str(path),
                expected=phrase(
                    "a file ending in {names}",
                    names=", ".join((*self._drop_handlers, *supported_endings(READERS.entries_by_ending))),
                ),
                found=phrase("the ending {suffix!r}", suffix=path.suffix) if path.suffix else "no ending",
                remedy="choose a preset, a session, a recording, a lesson or a mesh",
                topic="sessions#the-file",
            )
        )

    @property
    def recent_paths(self) -> list[Path]:
        """Files that the user has opened recently, and lessons that the user has presented recently."""
        return [*self.recent_files.paths, *recent_lesson_files().paths]

    def fill_recent(self, menu: QMenu) -> None:
        """Fill the menu with recent files, and with runs that were closed without saving."""
        for path in self.recent_paths:
            action = menu.addAction(menu_text(path.name), lambda path=path: self.drop(path))
            action.setToolTip(tooltip_text(str(path)))
        menu.setToolTipsVisible(True)
        if menu.isEmpty():
            menu.addAction(tr("No recent files")).setEnabled(False)
        else:
            menu.addSeparator()
            clear_action = menu.addAction(tr("Clear list"), self.recent_files.clear)
            clear_action.triggered.connect(recent_lesson_files().clear)
        sessions = unsaved_sessions()
        if sessions:
            menu.addSeparator()
        for session in sessions:
            when = QDateTime.fromSecsSinceEpoch(int(session.closed_at)).toString("d MMM, HH:mm")
            text = tr("Closed without saving on {when}: {title}", when=when, title=session.title)
            menu.addAction(menu_text(text), lambda path=session.path: self.restore(path))

    def set_file(self, path: Path | None, signature: tuple[int, int] | None = None) -> None:
        """Set the file to which the displayed session belongs. `signature` is that of the file when it was read."""
        self._document.mark_saved(path, signature=signature)
        if path is not None:
            self.recent_files.add(path)


def _missing_files(preset: Preset, folder: Path) -> list[str]:
    """Return the names of the files of a preset (mesh and recordings) that are missing in `folder`."""
    recordings = (lane.recording for lane in preset.lanes)
    names = [options.file for options in recordings if isinstance(options, ReadOptions)]
    if is_mesh(preset.body.shape):
        names.insert(0, preset.body.shape)
    return [name for name in dict.fromkeys(names) if not (folder / name).is_file()]


def dropped_files(data: QMimeData) -> list[Path]:
    """Return the paths of the local files that are dropped on the window."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
