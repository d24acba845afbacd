"""Head of the side column. It has the button that chooses a preset, and the preset's title, source, summary and advice on
what to watch."""

from collections.abc import Callable
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QInputDialog, QLabel, QLineEdit, QMenu, QWidget

from quatviz.base.errors import InputError
from quatviz.base.markdown import prevent_breaks
from quatviz.base.translation import tr
from quatviz.display.document.document import Document
from quatviz.display.document.lane_laws import compared_laws_title
from quatviz.display.document.user_files import (
    DeletedPreset,
    delete_preset,
    deleted_presets,
    own_preset_path,
    preset_entries,
    rename_preset,
    restore_preset,
)
from quatviz.display.view_state.session import read_session
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.files.preset import Preset
from quatviz.files.preset_edits import (
    OUTDATED_MARK,
    describe_edits,
    edits_notice,
    find_origin,
    mark_outdated_sentences,
    marked_text,
    shown_title,
)
from quatviz.teaching.help.entry_search import SearchEntry
from quatviz.ui.widgets.actions import ActionRegistry, menu_text, show_menu
from quatviz.ui.widgets.buttons import Button, IconButton, QuietButton
from quatviz.ui.widgets.focus import scroll_into_view
from quatviz.ui.widgets.inline_message import InlineMessage
from quatviz.ui.widgets.labels import MessageLabel, label
from quatviz.ui.widgets.layouts import LayoutItem, column, row, wrap_layout
from quatviz.ui.widgets.scrolling import preserve_scroll_position
from quatviz.ui.widgets.search_popup import SearchPopup
from quatviz.ui.widgets.style import Themed
from quatviz.ui.widgets.text_block import PlainTextArea
from quatviz.ui.widgets.windows import Dialog, set_initial_size

_GALLERY_WIDTH, _GALLERY_ROWS = 480, 8
"""Width of the gallery [pixels] and number of presets visible at once."""
_DIALOG_WIDTH, _TEXT_LINES = 520, 4
"""Width of the dialog that saves a preset [pixels], and visible lines of its texts."""


MAX_SHOWN_LENGTH = 4000
"""Maximum number of characters shown of a text, about two pages.

The time to lay out a text grows with its length, and a file may contain 200,000 characters. The longest text of a
shipped preset has 536.
"""


MAX_SHOWN_TITLE_LENGTH = 200
"""Maximum number of characters shown of a title, about ten lines. A longer one would fill the side column."""


def shorten_prose(text: str, max_length: int = MAX_SHOWN_LENGTH) -> str:
    """Return the beginning of a text, with an ellipsis if the text is longer than `max_length` characters.

    >>> shorten_prose("as it is"), len(shorten_prose("a" * 200_000))
    ('as it is', 4001)
    """
    return text if len(text) <= max_length else f"{text[:max_length].rstrip()}…"


class PresetCard(Themed, QWidget):
    """Title and source of the preset. If the run was edited, the card also lists the edits, and marks sentences of the
    description that may no longer be true."""

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
        tooltip = actions.tooltip(
            "reset_preset", tr("Discard all edits of the preset. Undo restores the edits")
        )
        self.reset_button = QuietButton(tr("Revert to preset"), actions["reset_preset"].trigger, tooltip)
        self._notice = wrap_layout(column(self.edits_label, row(self.reset_button, None), gap=0))
        self._edits: dict[str, str] = {}
        advice = row(self._bar, (self._watch, 1))
        self.setLayout(column(self._title, self._source, self._notice))
        self.description = wrap_layout(column(self._summary, advice))
        self.description.setObjectName("presetDescription")
        """Label with the summary and the advice on what to watch. The column shows it in a section of its own."""
        self._shown: object = None
        """Texts, edits and original preset that are displayed. An update with the same values is skipped."""
        document.changed.connect(lambda _: self._update_texts())
        self._update_texts()

    def follow_theme(self) -> None:
        self._shown = None
        self._update_texts()

    def _update_texts(self) -> None:
        preset = self._document.state.preset
        origin = find_origin(preset)
        edits = describe_edits(preset, origin or preset)
        shown = (preset.title, preset.source, preset.summary, preset.watch, edits, origin, preset.origin)
        if shown == self._shown:
            return
        self._shown = shown
        if edits != self._edits:  # keep an edited field below these texts in view
            self._edits = edits
            preserve_scroll_position(self)
        self._title.setText(shorten_prose(shown_title(preset), MAX_SHOWN_TITLE_LENGTH))
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
        notice = edits_notice(preset, edits)
        self._notice.setVisible(bool(notice))
        self.reset_button.setVisible(bool(edits))
        self.edits_label.setText(notice)

    def _mark_doubtful(self, sentence: str) -> str:
        return f'<span style="color: {self.theme.muted}">{escape(sentence)} {OUTDATED_MARK}</span>'


def _selectable_label(style: str) -> QLabel:
    text_label = label(style, selectable=True)
    text_label.setTextFormat(Qt.TextFormat.RichText if not style else Qt.TextFormat.PlainText)
    text_label.setMinimumWidth(1)  # a word wider than the column is clipped instead of widening the window
    return text_label


SavePreset = Callable[[str, str, str], InputError | None]
Result = TypeVar("Result")


class PresetDialog(Dialog):
    """Dialog that saves a preset under a title, with a summary and advice on what to watch. If saving is
    refused, the dialog shows the reason."""

    def __init__(self, preset: Preset, save: SavePreset, parent: QWidget | None) -> None:
        super().__init__(tr("Save as a preset"), parent)
        self._save = save
        self.title = QLineEdit(compared_laws_title(preset) or shown_title(preset))
        self.summary = self._make_text_area(marked_text(preset.summary, preset))
        self.watch = self._make_text_area(marked_text(preset.watch, preset))
        self.note, self.problem = label("muted"), MessageLabel()
        self.save_button, cancel_button = Button(tr("Save"), self.submit), Button(tr("Cancel"), self.reject)
        self.save_button.setDefault(True)
        parts: list[LayoutItem] = []
        for words, field in (
            (tr("Title"), self.title),
            (tr("Summary: what the preset shows, and why it matters"), self.summary),
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
        set_initial_size(self, _DIALOG_WIDTH, 0)
        self._update_note()

    def submit(self) -> None:
        """Save the preset and close, or show why it cannot be saved."""
        refusal = self._save(self.title.text(), self.summary.toPlainText(), self.watch.toPlainText())
        if refusal is None:
            self.accept()
        self.problem.show_refusal(refusal)

    def _update_note(self) -> None:
        """Show the name that the preset will have in commands, and whether it replaces another preset."""
        self.problem.hide()
        title = self.title.text()
        try:
            path = own_preset_path(title)
        except InputError as refusal:
            self.note.setText(tr("Expected {expected}.", expected=tr(refusal.expected)))
        else:
            message = tr("The preset appears in the gallery, and as “{title}” in commands.", title=path.stem)
            self.note.setText(
                tr("{message} Your preset of the same title is replaced.", message=message)
                if path.exists()
                else message
            )

    def _make_text_area(self, text: str) -> PlainTextArea:
        area = PlainTextArea(" ".join(text.split()))
        area.setTabChangesFocus(True)
        margin = 2 * round(area.document().documentMargin() + area.frameWidth())
        area.setFixedHeight(_TEXT_LINES * area.fontMetrics().lineSpacing() + margin)
        return area


class PresetPicker(QWidget):
    """Button that opens the gallery of presets. If a preset is refused, the reason is shown below the button."""

    refused = Signal(object)
    """A preset was refused. Emitted with the `InputError` that is explained below the button."""
    chosen = Signal(object)
    """A preset was chosen. Emitted with its `Path`."""
    deleted = Signal(object)
    """A preset of the user was deleted. Emitted with its `DeletedPreset`."""

    def __init__(
        self, document: Document, extras: tuple[IconButton, ...], actions: ActionRegistry[Any]
    ) -> None:
        super().__init__()
        self._document = document
        tooltip = actions.tooltip("gallery", tr("Choose a preset"))
        self.button = Button(tr("Presets"), self.show_gallery, tooltip)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.open_button = QuietButton(tr("Open a session, a preset or a recording…"))
        self.gallery = SearchPopup(
            self, tr("Presets"), tr("Search the presets"), _GALLERY_ROWS, 2, self.open_button
        )
        self.open_button.clicked.connect(self.gallery.hide)
        self.open_button.clicked.connect(actions["open"].trigger)
        self.problem = InlineMessage(self.button)
        document.changed.connect(lambda _: self.problem.show_message(""))
        buttons = row((self.button, 1), GRID_UNIT // 2, *extras, gap=GRID_UNIT // 2)
        self.setLayout(column(buttons, self.problem.space, gap=0))

    def show_gallery(self) -> None:
        """Open the gallery of presets."""
        entries = [
            SearchEntry(
                preset.title,
                preset.badge,
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
        scroll_into_view(self.button)  # otherwise the list would cover what is above the column
        corner = self.button.mapToGlobal(self.button.rect().bottomLeft()) + QPoint(0, GRID_UNIT // 2)
        self.gallery.open(entries, corner, _GALLERY_WIDTH, self._document.state.preset.title)

    def _choose(self, path: Path | None) -> None:
        """Load the chosen preset. The window takes the focus, so that Space plays the run instead of opening the
        gallery again."""
        self.chosen.emit(path)
        self.window().setFocus()

    def show_preset_menu(self, path: Path, point: QPoint) -> QMenu:
        """Show the context menu of a preset that the user has saved, at a position on the screen."""
        menu = QMenu(self)
        menu.addAction(tr("Rename…"), lambda: self._ask_name(path))
        menu.addAction(tr("Delete"), lambda: self._delete(path))
        show_menu(menu, point)
        return menu

    def _delete(self, path: Path) -> None:
        """Delete one of the user's presets. It can be restored later."""
        self._run_file_operation(lambda: delete_preset(path), lambda deleted: self.deleted.emit(deleted))

    def restore(self, deleted: DeletedPreset) -> None:
        """Restore a deleted preset."""
        self._run_file_operation(
            lambda: restore_preset(deleted),
            lambda title: self._show_message(tr("Restored “{title}”", title=title)),
        )

    def fill_deleted(self, menu: QMenu) -> None:
        """Fill the menu of deleted presets. An entry restores its preset."""
        for deleted in deleted_presets():
            menu.addAction(menu_text(deleted.title), partial(self.restore, deleted))
        if menu.isEmpty():
            menu.addAction(tr("No deleted presets")).setEnabled(False)

    def _ask_name(self, path: Path) -> None:
        self.gallery.hide()
        title, is_accepted = QInputDialog.getText(
            self.window(), tr("Rename the preset"), tr("Title"), text=read_session(path).preset.title
        )
        if is_accepted:
            self.rename_own(path, title)

    def rename_own(self, path: Path, title: str) -> None:
        """Let the user change the title of a preset that the user has saved."""
        self._run_file_operation(
            lambda: rename_preset(path, title),
            lambda _: self._show_message(tr("Renamed to “{title}”", title=title)),
        )

    def _run_file_operation(
        self, operation: Callable[[], Result], report_success: Callable[[Result], object]
    ) -> None:
        """Run an operation on a preset of the user. Report its result, or explain why it failed."""
        self.gallery.hide()
        try:
            result = operation()
        except InputError as refusal:
            self.explain(refusal)
        except OSError as error:
            self._document.message_emitted.emit(
                tr("The operation failed: {reason}", reason=error.strerror), "errors#files"
            )
        else:
            self._document.changed.emit(self._document.state)  # the origin of the run may be this preset
            report_success(result)

    def _show_message(self, message: str) -> None:
        self._document.message_emitted.emit(message, "")

    def explain(self, refusal: InputError) -> None:
        """Show below the button why a preset was refused."""
        self.problem.show_refusal_with_place(refusal)
        self.refused.emit(refusal)
