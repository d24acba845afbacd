"""The window of the help: pages at the left, with a field to search in them, and what is read at the right."""

from collections.abc import Callable, Iterable
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
from quatviz.teaching.help import Page, SearchHit, find_section, pages, search, search_words
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
    """Arrows choose, and what is chosen is shown."""

    chosen = Signal(str)
    """A topic."""

    def __init__(self) -> None:
        super().__init__(tr("Pages of the help"))
        self.setItemDelegate(_ContentsPainter(self))
        self.currentItemChanged.connect(self._choose)
        self.show_pages("")

    def show_pages(self, open_topic: str) -> None:
        """Every page; `open_topic` is the one that is open."""
        with QSignalBlocker(self):
            self.clear()
            for group, members in pages_by_group().items():
                self._add_row(group, "", "")
                for page in members:
                    self._add_row(page.title.partition(":")[0], page.name, "")
        self.select_topic(open_topic)

    def show_hits(self, hits: list[SearchHit], runs: list[SearchEntry]) -> None:
        """The places that a search found, the first of which is shown; behind them lessons and presets, which a click opens, or
        Enter where an arrow key has come to them."""
        count_texts = {0: tr("Nothing found"), 1: tr("1 place")}
        titles = {name: page.title.partition(":")[0] for name, page in pages().items()}
        with QSignalBlocker(self):
            self.clear()
            count = len(hits) + len(runs)
            self._add_row(count_texts.get(count, tr("{count} places", count=count)), "", "")
            for hit in hits:
                section = hit.section
                title = section.title if section.level == 1 else f"{titles[section.page]}: {section.title}"
                self._add_row(title, section.topic, hit.excerpt)
            for run in runs:
                text = tr("Open the {kind} “{title}”", kind=lowercase_first(run.location), title=run.title)
                self._add_row(
                    text if run.is_available else f"{run.title}: {run.location}", run, run.description
                )
        if hits:  # Enter replaces no run that nobody has chosen to replace
            self.setCurrentRow(1)

    def select_topic(self, topic: str) -> None:
        """This is what is shown."""
        with QSignalBlocker(self):
            for row in range(self.count()):
                if topic and self.item(row).data(_TOPIC_ROLE) in (topic, topic.partition("#")[0]):
                    self.setCurrentRow(row)
                    break

    def open_run(self, item: QListWidgetItem | None) -> bool:
        """Show the lesson or preset of a row; whether it has one."""
        run = item.data(_TOPIC_ROLE) if item is not None else None
        if isinstance(run, SearchEntry):
            run.callback()
        return isinstance(run, SearchEntry)

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
    """A line; for a place that was found a second one with the words around it."""

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

    def _font(self, index: QModelIndex | QPersistentModelIndex) -> QFont:
        theme = self.theme
        if index.data(_TOPIC_ROLE):
            weight = QFont.Weight.DemiBold if index.data(_EXCERPT_ROLE) else QFont.Weight.Normal
            return tabular_font(theme, theme.normal, weight)
        return tabular_font(theme, theme.small, QFont.Weight.DemiBold)


START_PAGE = "window"
TEXT_COLUMN_WIDTH = 52
"""Width of a column of text [type sizes]: some 95 letters."""
_MARGIN = 3 * GRID_UNIT
_MAX_RUNS = 4
"""Lessons and presets that a search lists at most."""
_SEARCH_DELAY_MS = 150
"""How long the search waits for the next letter."""


@dataclass
class Bookmark:
    """Where somebody has read: a topic, and how far down [pixels]; None begins at the topic's heading."""

    topic: str
    scroll_offset: int | None = None


class HelpWindow(Themed, QWidget):
    """Alt with the arrows goes back and forward, Ctrl F to the field, Escape forgets a search, then closes."""

    def __init__(
        self, parent: QWidget | None = None, runs: Callable[[], Iterable[SearchEntry]] = tuple
    ) -> None:
        """`runs` are the lessons and presets that can be found too."""
        super().__init__(parent, Qt.WindowType.Window)
        self._runs = runs
        self.setWindowTitle(tr("Help – quatviz"))
        self._shown_page = ""
        self._history: list[Bookmark] = []
        self._history_index = -1
        self.match_positions: list[int] = []
        """Where the words that are sought stand in the page that is shown."""
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
        self.text.setWordWrapMode(QTextOption.WrapMode.WordWrap)  # a column of names is as wide as they are
        self._title_label = label("muted", word_wrap=False)
        self._timer = QTimer(self, singleShot=True, interval=_SEARCH_DELAY_MS)
        self._lay_out()
        self._connect()
        self.follow_theme()

    # --- what is asked

    def open(self, topic: str = "") -> None:
        """Show a topic, or what was read last."""
        self.show()  # first, for a heading has its place only in a page that has its width
        if topic or not self._shown_page:
            self.search_field.clear()
            self.run_search()
            self.show_topic(topic or START_PAGE)
        bring_to_front(self)
        self.search_field.setFocus()

    def show_topic(self, topic: str) -> None:
        """Show a topic, and remember where one was before."""
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
        """Back, or forward again."""
        if 0 <= self._history_index + by < len(self._history):
            self._store_scroll()
            self._history_index += by
            self._show_bookmark(self._history[self._history_index])

    def run_search(self) -> None:
        """Search for what stands in the field, or show all pages."""
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
        """Close for good."""
        self._timer.stop()
        self.close()
        self.deleteLater()

    @property
    def topic(self) -> str:
        """What is shown."""
        return self._history[self._history_index].topic if self._history else ""

    def follow_theme(self) -> None:
        theme = self.theme
        self.text.setStyleSheet(f"QTextBrowser {{ background: {theme.surface}; color: {theme.text}; }}")
        self._rebuild_page()

    # --- how it is shown

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
        """Lay out anew what is shown."""
        if self._history:
            self._store_scroll()
            self._shown_page = ""
            self._show_bookmark(self._history[self._history_index])

    def _start_typesetting(self) -> None:
        """In a thread, what the page has that was not typeset on this machine before."""
        if self._shown_page and not self._typesetting.is_busy:  # the end of one leads to the next
            self._typesetting.start(find_formulae(pages()[self._shown_page].text))

    def _scroll_target(self, bookmark: Bookmark) -> int:
        """Where the heading of a topic stands, or, where words are sought, the first of them below it."""
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
        """Mark the words that are sought, and the formulae that have them."""
        words, ends = search_words(self.search_field.text()), {}
        if (
            self._document is not None
        ):  # words that stand there beside each other are meant so, as those of a key
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
        margins = GRID_UNIT, GRID_UNIT, 2 * GRID_UNIT, 0
        head = row(
            self.back_button, self.forward_button, GRID_UNIT, (self._title_label, 1), gap=0, margins=margins
        )
        page = wrap_layout(column(head, (self.text, 1)))
        self.setLayout(column(make_splitter((side, 320), (page, 820), stretch_index=1)))
        set_initial_size(self, 1140, 780)

    def _connect(self) -> None:
        self.contents.chosen.connect(self.show_topic)
        self.text.anchorClicked.connect(self._open_link)
        self.search_field.textChanged.connect(lambda _: self._timer.start())
        self.search_field.returnPressed.connect(self._open_or_search)
        self.contents.itemClicked.connect(self.contents.open_run)
        self.contents.itemActivated.connect(self.contents.open_run)
        self._timer.timeout.connect(self.run_search)

    def focus_search(self) -> None:
        """Let a person type what is sought."""
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


def page_document(page: Page, theme: Theme, width: int, ratio: float = 1.0) -> FormulaDocument:
    """The page in a column of `width` pixels, for a screen with `ratio` pixels to each of Qt's. Its headings stand in the
    order of `page.sections`. A formula that is not typeset yet stands there in letters."""
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
