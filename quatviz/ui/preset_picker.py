"""Choosing another preset or session: from the gallery, from a file; and what can be done with one's own presets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QInputDialog, QMenu, QPushButton, QVBoxLayout, QWidget

from quatviz import resources
from quatviz.core.errors import Refusal
from quatviz.core.preset_text import located
from quatviz.core.session import Session, View
from quatviz.core.session_text import read_session
from quatviz.ui.editing import Editor
from quatviz.ui.gallery import Gallery
from quatviz.ui.icon_button import IconButton
from quatviz.ui.own_presets import delete, rename
from quatviz.ui.refusal_label import RefusalLabel
from quatviz.ui.session_view import state_of
from quatviz.ui.theme import UNIT, Theme
from quatviz.ui.tr import tr


class PresetPicker(QWidget):
    """The head of the side column. What cannot be shown is explained below it, and the run goes on."""

    said = Signal(str, str)
    """A sentence for the status row."""
    refused = Signal(object)
    """A `Refusal` is explained."""
    open_wanted = Signal()
    """A file is to be asked for."""
    taken = Signal(object, bool)
    """The `Path` of a file that is shown now, and whether it is a session."""

    def __init__(self, theme: Theme, editor: Editor, extras: tuple[IconButton, ...]) -> None:
        super().__init__()
        self._editor = editor
        self.opening: Callable[[View | None], None] = lambda view: None
        """Told before a session is shown, with its view; and with None where it is not shown after all."""
        self.opened: Callable[[View], None] = lambda view: None
        """Told when it is shown."""
        self.button = QPushButton(tr("Presets"))
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.setToolTip(tr("Choose a preset (Ctrl P)"))
        self.button.clicked.connect(self.show_gallery)
        self.gallery = Gallery(theme, self)
        self.gallery.chosen.connect(self.take)
        self.gallery.open_wanted.connect(self.open_wanted)
        self.gallery.own_wanted.connect(self.offer_own)
        self.problem = RefusalLabel()
        editor.changed.connect(lambda _: self.problem.hide())
        row = QHBoxLayout()
        row.setSpacing(UNIT // 2)
        row.addWidget(self.button, 1)
        row.addSpacing(UNIT // 2)
        for extra in extras:
            row.addWidget(extra)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(UNIT)
        column.addLayout(row)
        column.addWidget(self.problem)

    def show_gallery(self) -> None:
        """Let a person choose."""
        self.gallery.show_below(self.button, self._editor.state.preset.title)

    def take(self, path: Path) -> bool:
        """Show the preset or session in a file, or say why that cannot be; whether it is shown."""
        try:
            session = read_session(path)
        except Refusal as refusal:
            self.explain(refusal)
            return False
        shown = self.show_session(session, tr("choose “{title}”", title=session.preset.title))
        shipped = path.parent in (resources.preset_folder(), resources.own_preset_folder())
        if shown and not shipped:
            self.taken.emit(path, session.view != View())
        return shown

    def show_session(self, session: Session, text: str) -> bool:
        """Show a session as one step called `text`, or say why that cannot be; whether it is shown."""
        with_view = session.view != View()
        if with_view:
            self.opening(session.view)
        refused = self._editor.propose(text, lambda _: state_of(session), anew=True)
        if refused is not None:
            self.opening(None)
            self.explain(located(refused, session.preset))
        elif with_view:
            self.opened(session.view)
        return refused is None

    def offer_own(self, path: Path, point: QPoint) -> QMenu:
        """What can be done with a preset of one's own; shown at a point of the screen."""
        menu = QMenu(self)
        menu.addAction(tr("Rename…"), lambda: self._ask_name(path))
        menu.addAction(
            tr("Delete"),
            lambda: self._change_own(lambda: delete(path), tr("Deleted “{name}”", name=path.stem)),
        )
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(point)
        return menu

    def _ask_name(self, path: Path) -> None:
        self.gallery.hide()
        title, said = QInputDialog.getText(
            self.window(), tr("Rename the preset"), tr("Title"), text=read_session(path).preset.title
        )
        if said:
            self.rename_own(path, title)

    def rename_own(self, path: Path, title: str) -> None:
        """Give a preset of one's own another title."""
        self._change_own(lambda: rename(path, title), tr("Renamed to “{title}”", title=title))

    def _change_own(self, do: Callable[[], object], done: str) -> None:
        self.gallery.hide()
        try:
            do()
        except Refusal as refusal:
            self.explain(refusal)
        except OSError as error:
            self.said.emit(tr("That could not be done: {reason}", reason=error.strerror), "errors#files")
        else:
            self.said.emit(done, "")

    def restyle(self, theme: Theme) -> None:
        """Take the colours of another theme."""
        self.gallery.restyle(theme)

    def explain(self, refusal: Refusal) -> None:
        """Say below the button why something is not shown."""
        self.problem.explain(refusal)
        self.refused.emit(refusal)
