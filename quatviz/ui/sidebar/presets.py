"""What is being shown: the preset's title, source, summary and what to watch."""

from collections.abc import Callable
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QInputDialog, QLabel, QLineEdit, QMenu, QPlainTextEdit, QWidget

from quatviz.base.errors import InputError
from quatviz.base.markdown import unbroken
from quatviz.base.translation import told, tr
from quatviz.display.document.document import Document
from quatviz.display.document.user_files import delete, name_of, own_path, preset_entries, rename
from quatviz.display.view_state.session import read_session
from quatviz.display.view_state.theme import UNIT
from quatviz.files.preset import Preset
from quatviz.files.preset_edits import difference, origin_of, sentences
from quatviz.teaching.help.entry_search import Entry
from quatviz.ui.widgets.actions import Acts, pop_up
from quatviz.ui.widgets.controls import (
    Button,
    Callout,
    Dialog,
    IconButton,
    Part,
    QuietButton,
    RefusalLabel,
    column,
    held,
    keep_in_place,
    label,
    row,
)
from quatviz.ui.widgets.focus import in_sight
from quatviz.ui.widgets.search_popup import Finder
from quatviz.ui.widgets.style import Themed

_WIDTH, _ROWS = 480, 8
"""Of the gallery: pixels, and presets that are seen at once."""


class PresetCard(Themed, QWidget):
    """The words of the preset. Where the run was edited it says what, and marks what was said of the preset and may not hold
    of this run."""

    def __init__(self, document: Document, acts: Acts[Any]) -> None:
        super().__init__()
        self._document = document
        looks = "display", "muted", "", ""
        self._title, self._source, self._summary, self._watch = map(_selectable, looks)
        self._bar = QWidget()
        self._bar.setObjectName("bar")
        self._bar.setFixedWidth(2)
        self._bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.edited = label()
        said = acts.tip("reset_preset", tr("The run as the preset has it; it can be undone"))
        self.reset = QuietButton(tr("Reset to the preset"), acts["reset_preset"].trigger, said)
        self._notice = held(column(self.edited, row(self.reset, None), gap=0))
        self._edits: dict[str, str] = {}
        advice = row(self._bar, (self._watch, 1))
        self.setLayout(column(self._title, self._source, self._notice, self._summary, advice))
        self._shown: object = None
        """The words of which preset, and with which edits."""
        document.changed.connect(lambda _: self._follow())
        self._follow()

    def follow_theme(self) -> None:
        self._shown = None
        self._follow()

    def _follow(self) -> None:
        preset = self._document.state.preset
        origin = origin_of(preset)
        edits = difference(preset, origin or preset)
        shown = (preset.title, preset.source, preset.summary, preset.watch, edits, origin)
        if shown == self._shown:
            return
        self._shown = shown
        if edits != self._edits:  # the field that was edited is below these words
            self._edits = edits
            keep_in_place(self)
        self._title.setText(preset.title)
        self._source.setText(preset.source)
        for part, text in ((self._summary, preset.summary), (self._watch, preset.watch)):
            said = sentences(unbroken(text), edits, origin or preset)
            part.setText(" ".join(self._marked(one) if doubtful else escape(one) for one, doubtful in said))
        for part in (self._title, self._source, self._summary, self._watch):
            part.setVisible(bool(part.text()))
        self._bar.setVisible(bool(preset.watch))
        self._notice.setVisible(bool(edits))
        listed = ", ".join(edits.values())
        self.edited.setText(
            tr(
                "Edited: {parts}. What is paler and ends in (?) was said of the preset, and may not hold.",
                parts=listed,
            )
        )

    def _marked(self, sentence: str) -> str:
        return f'<span style="color: {self.theme.muted}">{escape(sentence)} (?)</span>'


def _selectable(look: str) -> QLabel:
    made = label(look, read=True)
    made.setTextFormat(Qt.TextFormat.RichText if not look else Qt.TextFormat.PlainText)
    made.setMinimumWidth(1)  # a word that is wider than the column is cut, and does not widen the window
    return made


Keep = Callable[[str, str, str], InputError | None]


class PresetDialog(Dialog):
    """Title, summary and what to watch. What is refused stays, with the reason below it."""

    def __init__(self, preset: Preset, keep: Keep, parent: QWidget) -> None:
        super().__init__(tr("Save as a preset"), parent)
        self._keep = keep
        self.title = QLineEdit(preset.title)
        self.summary = self._room(preset.summary)
        self.watch = self._room(preset.watch)
        self.note, self.problem = label("muted"), RefusalLabel()
        self.do, leave = Button(tr("Save"), self.submit), Button(tr("Cancel"), self.reject)
        self.do.setDefault(True)
        parts: list[Part] = []
        for words, field in (
            (tr("Title"), self.title),
            (tr("Summary: what it is, and why it matters"), self.summary),
            (tr("What to watch"), self.watch),
        ):
            name = label("", words, wraps=False)
            name.setBuddy(field)
            field.setAccessibleName(words)
            parts += [name, field, UNIT // 2]
        parts += [self.note, self.problem, row(None, leave, self.do)]
        self.setLayout(column(*parts, gap=UNIT // 2, margins=2 * UNIT))
        self.title.textChanged.connect(self._say)
        self.title.selectAll()
        self.resize(520, self.sizeHint().height())
        self._say()

    def submit(self) -> None:
        """Keep it, or say why that cannot be."""
        refusal = self._keep(self.title.text(), self.summary.toPlainText(), self.watch.toPlainText())
        if refusal is None:
            self.accept()
        self.problem.refuse(refusal)

    def _say(self) -> None:
        """What the preset will be called, and whether another one goes."""
        self.problem.hide()
        title = self.title.text()
        try:
            there = own_path(title).exists()
        except InputError as refusal:
            self.note.setText(tr("Needs {expected}.", expected=told(refusal.expected)))
        else:
            said = tr("In the gallery, and as “{title}” in commands.", title=name_of(title))
            self.note.setText(
                tr("{said} It replaces your preset of that name.", said=said) if there else said
            )

    def _room(self, text: str) -> QPlainTextEdit:
        room = QPlainTextEdit(" ".join(text.split()))
        room.setTabChangesFocus(True)
        room.setFixedHeight(88)
        return room


class PresetPicker(QWidget):
    """The head of the side column. What cannot be shown is explained beside it, and the run goes on."""

    refused = Signal(object)
    """An `InputError` is explained."""
    chosen = Signal(object)
    """The `Path` of a preset that is to be shown."""

    def __init__(self, document: Document, extras: tuple[IconButton, ...], acts: Acts[Any]) -> None:
        super().__init__()
        self._document = document
        said = acts.tip("gallery", tr("Choose a preset"))
        self.button = Button(tr("Presets"), self.show_gallery, said)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.other = QuietButton(tr("Open a session or a preset…"))
        self.gallery = Finder(self, tr("Presets"), tr("Search the presets"), _ROWS, 2, self.other)
        self.other.clicked.connect(self.gallery.hide)
        self.other.clicked.connect(acts["open"].trigger)
        self.problem = Callout(self)
        document.changed.connect(lambda _: self.problem.say(""))
        self.setLayout(row((self.button, 1), UNIT // 2, *extras, gap=UNIT // 2))

    def show_gallery(self) -> None:
        """Let a person choose."""
        entries = [
            Entry(
                preset.title,
                tr("yours") if preset.own else "",
                partial(self._choose, preset.path),
                about=preset.summary,
                known=preset.known,
                possible=preset.path is not None,
                more=partial(self.offer_own, preset.path) if preset.own and preset.path else None,
            )
            for preset in preset_entries()
        ]
        in_sight(self.button)  # or the list would hang over what is above the column
        corner = self.button.mapToGlobal(self.button.rect().bottomLeft()) + QPoint(0, UNIT // 2)
        self.gallery.open(entries, corner, _WIDTH, self._document.state.preset.title)

    def _choose(self, path: Path | None) -> None:
        """The keys are the run's now: space plays it, where the button that the list hung from would open that again."""
        self.chosen.emit(path)
        self.window().setFocus()

    def offer_own(self, path: Path, point: QPoint) -> QMenu:
        """What can be done with a preset of one's own; shown at a point of the screen."""
        menu = QMenu(self)
        menu.addAction(tr("Rename…"), lambda: self._ask_name(path))
        menu.addAction(
            tr("Delete"),
            lambda: self._change_own(lambda: delete(path), tr("Deleted “{name}”", name=path.stem)),
        )
        pop_up(menu, point)
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
        except InputError as refusal:
            self.explain(refusal)
        except OSError as error:
            self._document.said.emit(
                tr("That could not be done: {reason}", reason=error.strerror), "errors#files"
            )
        else:
            self._document.said.emit(done, "")

    def explain(self, refusal: InputError) -> None:
        """Say beside the button why something is not shown."""
        self.problem.explain(refusal)
        self.refused.emit(refusal)
