"""Help window, with the list of pages and a search field at the left, and the page at the right."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSignalBlocker, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QBrush,
    QCloseEvent,
    QColor,
    QDesktopServices,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QResizeEvent,
    QShowEvent,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QListWidgetItem, QStyleOptionViewItem, QTextBrowser, QTextEdit, QWidget

from quatviz.base import resources
from quatviz.base.errors import InputError
from quatviz.base.formatting import lowercase_first
from quatviz.base.markdown import find_formulae
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT, Theme
from quatviz.teaching.help import HelpPage, SearchHit, find_section, pages, search, search_words
from quatviz.teaching.help.actions import Action, Menu
from quatviz.teaching.help.entry_search import SearchEntry, rank_entries
from quatviz.teaching.help.pages import pages_by_group
from quatviz.ui.widgets.actions import ActionRegistry
from quatviz.ui.widgets.buttons import IconButton
from quatviz.ui.widgets.labels import label
from quatviz.ui.widgets.layouts import column, make_splitter, row, wrap_layout
from quatviz.ui.widgets.lists import ListRowDelegate, NavigableList, SearchField
from quatviz.ui.widgets.painting import draw_elided_text
from quatviz.ui.widgets.richtext import FormulaDocument, heading_blocks
from quatviz.ui.widgets.style import Themed, tabular_font, tint
from quatviz.ui.widgets.typeset import Typesetter
from quatviz.ui.widgets.windows import bring_to_front, set_initial_size

_TOPIC_ROLE = Qt.ItemDataRole.UserRole
_EXCERPT_ROLE = Qt.ItemDataRole.UserRole + 1


class HelpContents(NavigableList):
    """List of the help pages, or of search results. An entry that the user selects with the arrow keys is shown at once."""

    chosen = Signal(str)
    """A topic was chosen. Emitted with its name."""
    run_opened = Signal()
    """Emitted when a lesson or preset of the list was opened."""

    def __init__(self) -> None:
        super().__init__(tr("Help contents"))
        self.setItemDelegate(_ContentsPainter(self))
        self.currentItemChanged.connect(self._choose)
        self.show_pages("")

    def show_pages(self, open_topic: str) -> None:
        """List all pages, and select `open_topic`."""
        with QSignalBlocker(self):
            self.clear()
            for group, members in pages_by_group().items():
                self._add_row(group, "", "")
                for page in members:
                    self._add_row(page.title.partition(":")[0], page.name, "")
        self.select_topic(open_topic)

    def width_of_titles(self) -> int:
        """Return the width at which no listed title is elided [pixels]."""
        delegate = self.itemDelegate()
        assert isinstance(delegate, _ContentsPainter)
        rows = map(self.model().index, range(self.count()), [0] * self.count())
        text_width = max(map(delegate.title_width, rows), default=0.0)
        return math.ceil(text_width) + 2 * GRID_UNIT + self.verticalScrollBar().sizeHint().width()

    def show_hits(self, hits: list[SearchHit], runs: list[SearchEntry]) -> None:
        """List the matches of a search, and show the first one.

        Lessons and presets are listed after the last matching help page. The remaining Python functions and classes follow. A
        lesson or preset is opened by a click or Enter, not by selecting it.
        """
        count_texts = {0: tr("No results"), 1: tr("1 result")}
        titles = {name: page.title.partition(":")[0] for name, page in pages().items()}
        with QSignalBlocker(self):
            self.clear()
            count = len(hits) + len(runs)
            self._add_row(count_texts.get(count, tr("{count} results", count=count)), "", "")
            first_count = max((row for row, hit in enumerate(hits, 1) if not hit.is_generated), default=0)
            for hit in hits[:first_count]:
                self._add_hit(hit, titles)
            for run in runs:
                self._add_run(run)
            for hit in hits[first_count:]:
                self._add_hit(hit, titles)
        if hits:  # Enter must not replace the run unless the user selected an entry
            self.setCurrentRow(1 if first_count else 1 + len(runs))

    def select_topic(self, topic: str) -> None:
        """Select the entry of this topic in the list."""
        with QSignalBlocker(self):
            for row in range(self.count()):
                if topic and self.item(row).data(_TOPIC_ROLE) in (topic, topic.partition("#")[0]):
                    self.setCurrentRow(row)
                    break

    def open_run(self, item: QListWidgetItem | None) -> bool:
        """Open the lesson or preset listed in this row. Return False if the row is a help topic."""
        run = item.data(_TOPIC_ROLE) if item is not None else None
        if isinstance(run, SearchEntry):
            run.callback()
            self.run_opened.emit()
        return isinstance(run, SearchEntry)

    def _add_hit(self, hit: SearchHit, titles: Mapping[str, str]) -> None:
        section = hit.section
        title = section.title if section.level == 1 else f"{titles[section.page]}: {section.title}"
        self._add_row(title, section.topic, hit.excerpt)

    def _add_run(self, run: SearchEntry) -> None:
        text = tr("Open the {category} “{title}”", category=lowercase_first(run.location), title=run.title)
        self._add_row(text if run.is_available else f"{run.title}: {run.location}", run, run.description)

    def _add_row(self, text: str, topic: str | SearchEntry, excerpt: str) -> None:
        item = QListWidgetItem(text)
        item.setData(_TOPIC_ROLE, topic)
        item.setData(_EXCERPT_ROLE, excerpt)
        if not topic:
            item.setFlags(Qt.ItemFlag.NoItemFlags)
        elif excerpt:
            item.setToolTip(f"{text}\n{excerpt}")
        self.addItem(item)

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None and item.data(_TOPIC_ROLE) and isinstance(item.data(_TOPIC_ROLE), str):
            self.chosen.emit(item.data(_TOPIC_ROLE))


class _ContentsPainter(ListRowDelegate):
    """Painter of one row of the list. A search result has a second line with the text around the match."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        lines = QFontMetricsF(self._font(index)).height()
        if index.data(_EXCERPT_ROLE):
            lines += QFontMetricsF(tabular_font(self.theme, self.theme.small)).height()
        return QSize(
            0, round(lines) + (2 * GRID_UNIT if not index.data(_TOPIC_ROLE) and index.row() else GRID_UNIT)
        )

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme, topic = self.theme, index.data(_TOPIC_ROLE)
        rect = self.begin_row(painter, option, theme.window, bool(topic))
        room = rect.adjusted(GRID_UNIT, GRID_UNIT / 2, -GRID_UNIT, -GRID_UNIT / 2)
        color, where = (
            (theme.text, Qt.AlignmentFlag.AlignTop) if topic else (theme.muted, Qt.AlignmentFlag.AlignBottom)
        )
        draw_elided_text(painter, room, index.data(), self._font(index), color, where)
        if index.data(_EXCERPT_ROLE):
            small, foot = tabular_font(theme, theme.small), Qt.AlignmentFlag.AlignBottom
            draw_elided_text(painter, room, index.data(_EXCERPT_ROLE), small, theme.muted, foot)
        painter.restore()

    def title_width(self, index: QModelIndex | QPersistentModelIndex) -> float:
        """Return the width of a row's first line, with its margins [pixels]."""
        return QFontMetricsF(self._font(index)).horizontalAdvance(index.data()) + 2 * GRID_UNIT

    def _font(self, index: QModelIndex | QPersistentModelIndex) -> QFont:
        theme = self.theme
        if index.data(_TOPIC_ROLE):
            weight = QFont.Weight.DemiBold if index.data(_EXCERPT_ROLE) else QFont.Weight.Normal
            return tabular_font(theme, theme.normal, weight)
        return tabular_font(theme, theme.small, QFont.Weight.DemiBold)


START_PAGE = "window"
TEXT_COLUMN_WIDTH = 52
"""Width of the text column, as a multiple of the type size. A line has about 95 characters."""
_MARGIN = 3 * GRID_UNIT
_MAX_SIDE_SHARE = 0.4
"""Largest initial share of the window width for the list of pages."""
_MAX_RUNS = 4
"""Maximum number of lessons and presets in a list of search results."""
_SEARCH_DELAY_MS = 150
"""Delay after the last keystroke before the search starts [ms]."""


@dataclass
class Bookmark:
    """Position in the help: a topic, and the scroll offset [pixels] or None for the position of the topic's heading."""

    topic: str
    scroll_offset: int | None = None


class HelpWindow(Themed, QWidget):
    """Window that shows the help pages.

    Alt+Left and Alt+Right move in the history, Ctrl+F moves the focus to the search field, and Escape clears the search or
    closes the window.
    """

    run_opened = Signal()
    """Emitted when a lesson or preset was opened from a list of search results."""

    def __init__(
        self, parent: QWidget | None = None, runs: Callable[[], Iterable[SearchEntry]] = tuple
    ) -> None:
        """Create the window. `runs` returns the lessons and presets that the search also covers."""
        super().__init__(parent, Qt.WindowType.Window)
        self._runs = runs
        self.setWindowTitle(tr("Help – quatviz"))
        self._shown_page = ""
        self._history: list[Bookmark] = []
        self._history_index = -1
        self.match_positions: list[int] = []
        """Positions of the search matches in the page that is shown."""
        self._document: FormulaDocument | None = None
        self._typesetting = Typesetter(self)
        self._typesetting.finished.connect(lambda _: self._rebuild_page())
        self.action_registry: ActionRegistry[HelpWindow] = ActionRegistry(ACTIONS, self, parent=self)
        self.addActions(list(self.action_registry))
        self.back_button, self.forward_button = (
            IconButton(
                icon,
                words,
                self.action_registry[action_name].trigger,
                self.action_registry.shortcut_text(action_name),
            )
            for icon, words, action_name in (("undo", tr("Back"), "back"), ("redo", tr("Forward"), "forward"))
        )
        self.search_field = SearchField(tr("Search the help"))
        self.contents = HelpContents()
        self.search_field.stepped.connect(self.contents.step)
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)
        self.text.setAccessibleName(tr("Page of the help"))
        self.text.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.text.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.text.setLineWrapMode(QTextBrowser.LineWrapMode.FixedPixelWidth)
        self.text.setWordWrapMode(QTextOption.WrapMode.WordWrap)  # the list is as wide as its titles
        self._title_label = label("muted", word_wrap=False)
        self._timer = QTimer(self, singleShot=True, interval=_SEARCH_DELAY_MS)
        self._lay_out()
        self._connect()
        self.follow_theme()

    # --- commands

    def open(self, topic: str = "") -> None:
        """Show a topic, or the one shown last."""
        self.show()  # first, because positions of headings depend on the page's width
        if topic or not self._shown_page:
            self.search_field.clear()
            self.run_search()
            self.show_topic(topic or START_PAGE)
        bring_to_front(self)
        self.search_field.setFocus()

    def show_topic(self, topic: str) -> None:
        """Show a topic and add it to the history."""
        try:
            section = find_section(topic)
        except InputError as refusal:
            self._title_label.setText(f"{tr(refusal.place)}: {tr(refusal.found)}")
            return
        self._store_scroll()
        self._history = [*self._history[: self._history_index + 1], Bookmark(section.topic)]
        self._history_index = len(self._history) - 1
        self._show_bookmark(self._history[-1])

    def move_in_history(self, by: int) -> None:
        """Go back in the history of topics for a negative argument, or forward for a positive one."""
        if 0 <= self._history_index + by < len(self._history):
            self._store_scroll()
            self._history_index += by
            self._show_bookmark(self._history[self._history_index])

    def run_search(self) -> None:
        """Search for the text in the field, or list all pages if the field is empty."""
        self._timer.stop()
        words = self.search_field.text().strip()
        if words:
            self.contents.show_hits(search(words), rank_entries(self._runs(), words)[:_MAX_RUNS])
        else:
            self.contents.show_pages(self._history[self._history_index].topic if self._history else "")
        self._highlight()

    def _open_or_search(self) -> None:
        if not self.contents.open_run(self.contents.currentItem()):
            self.run_search()

    def shutdown(self) -> None:
        """Stop a pending search and delete the window."""
        self._timer.stop()
        self.close()
        self.deleteLater()

    @property
    def topic(self) -> str:
        """Topic that is shown."""
        return self._history[self._history_index].topic if self._history else ""

    def follow_theme(self) -> None:
        theme = self.theme
        self.text.setStyleSheet(f"QTextBrowser {{ background: {theme.surface}; color: {theme.text}; }}")
        self._rebuild_page()

    # --- display

    def _show_bookmark(self, bookmark: Bookmark) -> None:
        name = bookmark.topic.partition("#")[0]
        if name != self._shown_page:
            page, ratio = pages()[name], self.devicePixelRatioF()
            before, self._document = self._document, page_document(page, self.theme, self._text_width, ratio)
            self._document.setParent(self.text)
            self.text.setDocument(self._document)
            if before is not None:
                before.deleteLater()
            self.text.setLineWrapColumnOrWidth(self._text_width)
            self._shown_page = name
            self._start_typesetting()
        if not self.search_field.text().strip():
            self.contents.select_topic(bookmark.topic)
        self.back_button.setEnabled(self._history_index > 0)
        self.forward_button.setEnabled(self._history_index < len(self._history) - 1)
        self._title_label.setText(pages()[name].title)
        self._highlight()
        self.text.verticalScrollBar().setValue(
            self._scroll_target(bookmark) if bookmark.scroll_offset is None else bookmark.scroll_offset
        )

    def _rebuild_page(self) -> None:
        """Lay out the current page again, and keep its scroll position."""
        if self._history:
            self._store_scroll()
            self._shown_page = ""
            self._show_bookmark(self._history[self._history_index])

    def _start_typesetting(self) -> None:
        """Typeset the formulas of the page in a thread, unless they are cached."""
        if self._shown_page and not self._typesetting.is_busy:  # when a run ends, the next one starts
            self._typesetting.start(find_formulae(pages()[self._shown_page].text))

    def _scroll_target(self, bookmark: Bookmark) -> int:
        """Return the scroll position [pixels] that shows the topic's heading at the top.

        If the first search match below the heading would be out of sight there, the returned position shows this match instead.
        """
        section = find_section(bookmark.topic)
        number = pages()[section.page].sections.index(section)
        blocks = heading_blocks(self.text.document())
        layout = self.text.document().documentLayout()
        top = 0.0 if section.level == 1 else layout.blockBoundingRect(blocks[number]).top() - 2 * GRID_UNIT
        start = blocks[number].position()
        first_match = next((position for position in self.match_positions if position >= start), None)
        if first_match is not None:
            line = layout.blockBoundingRect(self.text.document().findBlock(first_match)).top()
            if line > top + 0.8 * self.text.viewport().height():
                top = line - 6 * GRID_UNIT
        return round(max(top, 0.0))

    def _highlight(self) -> None:
        """Highlight the search words in the page, and the formulas that contain them."""
        words, ends = search_words(self.search_field.text()), {}
        if self._document is not None:  # adjacent words take precedence, such as the name of a shortcut
            phrase_matches = self._document.find_words([" ".join(words)]) if len(words) > 1 else []
            ends = dict(phrase_matches or self._document.find_words(words))
        text_format = QTextCharFormat()
        text_format.setBackground(QBrush(tint(self.theme.accent, self.theme.surface, 0.35)))
        text_format.setForeground(QBrush(QColor(self.theme.text)))
        selections, self.match_positions = [], sorted(ends)
        for start in self.match_positions:
            selection = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self.text.document())
            cursor.setPosition(start)
            cursor.setPosition(ends[start], QTextCursor.MoveMode.KeepAnchor)
            selection.cursor, selection.format = cursor, text_format
            selections.append(selection)
        self.text.setExtraSelections(selections)

    def _store_scroll(self) -> None:
        if self._history:
            self._history[self._history_index].scroll_offset = self.text.verticalScrollBar().value()

    def _open_link(self, url: QUrl) -> None:
        if url.scheme() in ("http", "https"):
            QDesktopServices.openUrl(url)
            return
        name = Path(url.path()).stem or self._shown_page
        self.show_topic(f"{name}#{url.fragment()}" if url.hasFragment() else name)

    # --- layout

    @property
    def _text_width(self) -> int:
        return min(self.text.viewport().width() - 1, TEXT_COLUMN_WIDTH * _font_size(self.theme))

    def _lay_out(self) -> None:
        margins = 2 * GRID_UNIT, 2 * GRID_UNIT, GRID_UNIT, GRID_UNIT
        side = wrap_layout(column(self.search_field, (self.contents, 1), margins=margins))
        head = row(
            *(self.back_button, self.forward_button, GRID_UNIT, (self._title_label, 1)),
            gap=0,
            margins=(GRID_UNIT, GRID_UNIT, 2 * GRID_UNIT, 0),
        )
        page = wrap_layout(column(head, (self.text, 1)))
        splitter = make_splitter((side, 320), (page, 820), stretch_index=1)
        self.setLayout(column(splitter))
        set_initial_size(self, 1140, 780)
        list_width = self.contents.width_of_titles() + margins[0] + margins[2]
        side_width = min(max(list_width, 320), round(_MAX_SIDE_SHARE * self.width()))
        splitter.setSizes([side_width, self.width() - side_width])

    def _connect(self) -> None:
        self.contents.chosen.connect(self.show_topic)
        self.contents.run_opened.connect(self.run_opened)
        self.text.anchorClicked.connect(self._open_link)
        self.search_field.textChanged.connect(lambda _: self._timer.start())
        self.search_field.returnPressed.connect(self._open_or_search)
        self.contents.itemClicked.connect(self.contents.open_run)
        self.contents.itemActivated.connect(self.contents.open_run)
        self._timer.timeout.connect(self.run_search)

    def focus_search(self) -> None:
        """Move the focus to the search field."""
        self.search_field.setFocus()
        self.search_field.selectAll()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._start_typesetting()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._typesetting.stop()
        super().closeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.text.setLineWrapColumnOrWidth(self._text_width)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.search_field.text():
            self.search_field.clear()
            self.run_search()
        else:
            self.close()


ACTIONS: tuple[Menu[HelpWindow], ...] = (
    Menu(
        "Help",
        (
            Action("back", "Back", lambda w: w.move_in_history(-1), ("Alt+Left",)),
            Action("forward", "Forward", lambda w: w.move_in_history(1), ("Alt+Right",)),
            Action("find", "Search the help", lambda w: w.focus_search(), ("Ctrl+F",)),
            Action("close", "Close the window", lambda w: w.close(), ("Ctrl+W", "F1")),
        ),
    ),
)


def page_document(page: HelpPage, theme: Theme, width: int, ratio: float = 1.0) -> FormulaDocument:
    """Return the layout of a page in a column of this width [pixels].

    Headings are in the order of `page.sections`. Formulas that are not typeset yet are written in letters.

    Parameters
    ----------
    page
        The help page.
    theme
        Theme with colors and type sizes.
    width
        Width of the column [pixels].
    ratio
        Device pixels per logical pixel of the screen.
    """
    document = FormulaDocument()
    document.pixel_ratio = ratio
    document.setDocumentMargin(_MARGIN)
    room = width - 2 * _MARGIN
    folder = resources.asset_path("help")
    document.set_markdown(
        page.text, theme, _font_size(theme), room, links=True, folder=folder, images=page.pictures
    )
    return document


def _font_size(theme: Theme) -> int:
    return theme.normal + 1
