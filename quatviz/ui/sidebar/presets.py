"""What is being shown: the preset's title, source, summary and what to watch."""

from collections.abc import Callable
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QInputDialog, QLabel, QLineEdit, QMenu, QPlainTextEdit, QWidget

from quatviz.base.errors import InputError
from quatviz.base.markdown import prevent_breaks
from quatviz.base.translation import tr
from quatviz.display.document.document import Document
from quatviz.display.document.user_files import (
    delete_preset,
    own_preset_path,
    preset_entries,
    rename_preset,
)
from quatviz.display.view_state.session import read_session
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.files.preset import Preset
from quatviz.files.preset_edits import describe_edits, find_origin, mark_outdated_sentences
from quatviz.teaching.help.entry_search import SearchEntry
from quatviz.ui.widgets.actions import ActionRegistry, show_menu
from quatviz.ui.widgets.buttons import Button, IconButton, QuietButton
from quatviz.ui.widgets.callouts import Callout
from quatviz.ui.widgets.file_dialogs import confirm
from quatviz.ui.widgets.focus import scroll_into_view
from quatviz.ui.widgets.labels import MessageLabel, label
from quatviz.ui.widgets.layouts import LayoutItem, column, row, wrap_layout
from quatviz.ui.widgets.scrolling import preserve_scroll_position
from quatviz.ui.widgets.search_popup import SearchPopup
from quatviz.ui.widgets.style import Themed
from quatviz.ui.widgets.windows import Dialog

_GALLERY_WIDTH, _GALLERY_ROWS = 480, 8
"""Of the gallery: pixels, and presets that are seen at once."""


MAX_SHOWN_LENGTH = 4000
"""Characters of a text that a panel shows, two pages. The layout of a text takes time that grows with its length, and a file may
hold 200,000; the longest of a shipped preset has 536."""


def shorten_prose(text: str) -> str:
    """Return the beginning of a text, with an ellipsis if it is longer than a panel shows.

    >>> shorten_prose("as it is"), len(shorten_prose("a" * 200_000))
    ('as it is', 4001)
    """
    return text if len(text) <= MAX_SHOWN_LENGTH else f"{text[:MAX_SHOWN_LENGTH].rstrip()}…"


class PresetCard(Themed, QWidget):
    """Title and source of the preset; its `description` stands elsewhere. Where the run was edited it says what, and marks
    sentences of the description that may not hold of this run."""

    def __init__(self, document: Document, actions: ActionRegistry[Any]) -> None:
        super().__init__()
        self._document = document
        styles = "display", "muted", "", ""
        self._title, self._source, self._summary, self._watch = map(_selectable_label, styles)
        self._bar = QWidget()
        self._bar.setObjectName("bar")
        self._bar.setFixedWidth(2)
        self._bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.edits_label = label()
        tooltip = actions.tooltip("reset_preset", tr("The run as the preset has it; it can be undone"))
        self.reset_button = QuietButton(tr("Revert to preset"), actions["reset_preset"].trigger, tooltip)
        self._notice = wrap_layout(column(self.edits_label, row(self.reset_button, None), gap=0))
        self._edits: dict[str, str] = {}
        advice = row(self._bar, (self._watch, 1))
        self.setLayout(column(self._title, self._source, self._notice))
        self.description = wrap_layout(column(self._summary, advice))
        """Summary and what to watch, for a section of their own."""
        self._shown: object = None
        """The words of which preset, and with which edits."""
        document.changed.connect(lambda _: self._update_texts())
        self._update_texts()

    def follow_theme(self) -> None:
        self._shown = None
        self._update_texts()

    def _update_texts(self) -> None:
        preset = self._document.state.preset
        origin = find_origin(preset)
        edits = describe_edits(preset, origin or preset)
        shown = (preset.title, preset.source, preset.summary, preset.watch, edits, origin)
        if shown == self._shown:
            return
        self._shown = shown
        if edits != self._edits:  # the field that was edited is below these words
            self._edits = edits
            preserve_scroll_position(self)
        self._title.setText(preset.title)
        self._source.setText(shorten_prose(preset.source))
        for part, text in (
            (self._summary, shorten_prose(preset.summary)),
            (self._watch, shorten_prose(preset.watch)),
        ):
            marked_sentences = mark_outdated_sentences(prevent_breaks(text), edits, origin or preset)
            part.setText(
                " ".join(
                    self._mark_doubtful(sentence) if is_doubtful else escape(sentence)
                    for sentence, is_doubtful in marked_sentences
                )
            )
        for part in (self._title, self._source, self._summary, self._watch):
            part.setVisible(bool(part.text()))
        self._bar.setVisible(bool(preset.watch))
        self._notice.setVisible(bool(edits))
        listed = ", ".join(edits.values())
        self.edits_label.setText(
            tr(
                "Edited: {parts}. Grey sentences marked (?) describe the original preset and may no longer be true.",
                parts=listed,
            )
        )

    def _mark_doubtful(self, sentence: str) -> str:
        return f'<span style="color: {self.theme.muted}">{escape(sentence)} (?)</span>'


def _selectable_label(style: str) -> QLabel:
    text_label = label(style, selectable=True)
    text_label.setTextFormat(Qt.TextFormat.RichText if not style else Qt.TextFormat.PlainText)
    text_label.setMinimumWidth(
        1
    )  # a word that is wider than the column is cut, and does not widen the window
    return text_label


SavePreset = Callable[[str, str, str], InputError | None]


class PresetDialog(Dialog):
    """Title, summary and what to watch. What is refused stays, with the reason below it."""

    def __init__(self, preset: Preset, save: SavePreset, parent: QWidget) -> None:
        super().__init__(tr("Save as a preset"), parent)
        self._save = save
        self.title = QLineEdit(preset.title)
        self.summary = self._make_text_area(preset.summary)
        self.watch = self._make_text_area(preset.watch)
        self.note, self.problem = label("muted"), MessageLabel()
        self.save_button, cancel_button = Button(tr("Save"), self.submit), Button(tr("Cancel"), self.reject)
        self.save_button.setDefault(True)
        parts: list[LayoutItem] = []
        for words, field in (
            (tr("Title"), self.title),
            (tr("Summary: what it is, and why it matters"), self.summary),
            (tr("What to watch"), self.watch),
        ):
            name = label("", words, word_wrap=False)
            name.setBuddy(field)
            field.setAccessibleName(words)
            parts += [name, field, GRID_UNIT // 2]
        parts += [self.note, self.problem, row(None, cancel_button, self.save_button)]
        self.setLayout(column(*parts, gap=GRID_UNIT // 2, margins=2 * GRID_UNIT))
        self.title.textChanged.connect(self._update_note)
        self.title.selectAll()
        self.resize(520, self.sizeHint().height())
        self._update_note()

    def submit(self) -> None:
        """Keep it, or say why that cannot be."""
        refusal = self._save(self.title.text(), self.summary.toPlainText(), self.watch.toPlainText())
        if refusal is None:
            self.accept()
        self.problem.show_refusal(refusal)

    def _update_note(self) -> None:
        """What the preset will be called, and whether another one goes."""
        self.problem.hide()
        title = self.title.text()
        try:
            path = own_preset_path(title)
        except InputError as refusal:
            self.note.setText(tr("Needs {expected}.", expected=tr(refusal.expected)))
        else:
            message = tr("In the gallery, and as “{title}” in commands.", title=path.stem)
            self.note.setText(
                tr("{said} It replaces your preset of that title.", said=message)
                if path.exists()
                else message
            )

    def _make_text_area(self, text: str) -> QPlainTextEdit:
        area = QPlainTextEdit(" ".join(text.split()))
        area.setTabChangesFocus(True)
        area.setFixedHeight(88)
        return area


class PresetPicker(QWidget):
    """The head of the side column. What cannot be shown is explained beside it, and the run goes on."""

    refused = Signal(object)
    """An `InputError` is explained."""
    chosen = Signal(object)
    """The `Path` of a preset that is to be shown."""

    def __init__(
        self, document: Document, extras: tuple[IconButton, ...], actions: ActionRegistry[Any]
    ) -> None:
        super().__init__()
        self._document = document
        tooltip = actions.tooltip("gallery", tr("Choose a preset"))
        self.button = Button(tr("Presets"), self.show_gallery, tooltip)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.open_button = QuietButton(tr("Open a session or a preset…"))
        self.gallery = SearchPopup(
            self, tr("Presets"), tr("Search the presets"), _GALLERY_ROWS, 2, self.open_button
        )
        self.open_button.clicked.connect(self.gallery.hide)
        self.open_button.clicked.connect(actions["open"].trigger)
        self.problem = Callout(self)
        document.changed.connect(lambda _: self.problem.show_message(""))
        self.setLayout(row((self.button, 1), GRID_UNIT // 2, *extras, gap=GRID_UNIT // 2))

    def show_gallery(self) -> None:
        """Let a person choose."""
        entries = [
            SearchEntry(
                preset.title,
                tr("yours") if preset.is_own else "",
                partial(self._choose, preset.path),
                description=preset.summary,
                keywords=preset.search_terms,
                is_available=preset.path is not None,
                open_menu=partial(self.show_preset_menu, preset.path)
                if preset.is_own and preset.path
                else None,
            )
            for preset in preset_entries()
        ]
        scroll_into_view(self.button)  # or the list would hang over what is above the column
        corner = self.button.mapToGlobal(self.button.rect().bottomLeft()) + QPoint(0, GRID_UNIT // 2)
        self.gallery.open(entries, corner, _GALLERY_WIDTH, self._document.state.preset.title)

    def _choose(self, path: Path | None) -> None:
        """The keys are the run's now: space plays it, where the button that the list hung from would open that again."""
        self.chosen.emit(path)
        self.window().setFocus()

    def show_preset_menu(self, path: Path, point: QPoint) -> QMenu:
        """What can be done with a preset of one's own; shown at a point of the screen."""
        menu = QMenu(self)
        menu.addAction(tr("Rename…"), lambda: self._ask_name(path))
        menu.addAction(
            tr("Delete"),
            lambda: self._ask_to_delete(path),
        )
        show_menu(menu, point)
        return menu

    def _ask_to_delete(self, path: Path) -> None:
        """Delete a preset of one's own after a question: no step of the document brings it back."""
        self.gallery.hide()
        question = tr("Delete the preset “{name}”? This cannot be undone.", name=path.stem)
        if confirm(self.window(), tr("Delete the preset"), question):
            self._run_file_operation(lambda: delete_preset(path), tr("Deleted “{name}”", name=path.stem))

    def _ask_name(self, path: Path) -> None:
        self.gallery.hide()
        title, is_accepted = QInputDialog.getText(
            self.window(), tr("Rename the preset"), tr("Title"), text=read_session(path).preset.title
        )
        if is_accepted:
            self.rename_own(path, title)

    def rename_own(self, path: Path, title: str) -> None:
        """Give a preset of one's own another title."""
        self._run_file_operation(lambda: rename_preset(path, title), tr("Renamed to “{title}”", title=title))

    def _run_file_operation(self, operation: Callable[[], object], success_text: str) -> None:
        self.gallery.hide()
        try:
            operation()
        except InputError as refusal:
            self.explain(refusal)
        except OSError as error:
            self._document.message_emitted.emit(
                tr("That could not be done: {reason}", reason=error.strerror), "errors#files"
            )
        else:
            self._document.message_emitted.emit(success_text, "")

    def explain(self, refusal: InputError) -> None:
        """Say beside the button why something is not shown."""
        self.problem.show_refusal_with_place(refusal)
        self.refused.emit(refusal)
