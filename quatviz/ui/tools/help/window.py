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
from quatviz.base.formatting import within
from quatviz.base.markdown import formulae_of
from quatviz.base.translation import told, tr
from quatviz.display.view_state.theme import UNIT, Theme
from quatviz.teaching.help import Hit, Page, find, pages, search, sought
from quatviz.teaching.help.actions import Act, Menu
from quatviz.teaching.help.entry_search import Entry, ranked
from quatviz.teaching.help.pages import grouped
from quatviz.ui.widgets.actions import Acts
from quatviz.ui.widgets.controls import (
    IconButton,
    RowPainter,
    SearchField,
    SteppedList,
    bring_forward,
    column,
    divided,
    held,
    label,
    open_at,
    row,
)
from quatviz.ui.widgets.painting import write
from quatviz.ui.widgets.richtext import FormulaDocument, headings
from quatviz.ui.widgets.style import Themed, tabular, tint
from quatviz.ui.widgets.typeset import Typesetting

_TOPIC = Qt.ItemDataRole.UserRole
_BELOW = Qt.ItemDataRole.UserRole + 1


class Contents(SteppedList):
    """Arrows choose, and what is chosen is shown."""

    chosen = Signal(str)
    """A topic."""

    def __init__(self) -> None:
        super().__init__(tr("Pages of the help"))
        self.setItemDelegate(_Painter(self))
        self.currentItemChanged.connect(self._choose)
        self.show_pages("")

    def show_pages(self, shown: str) -> None:
        """Every page; `shown` is the one that is open."""
        with QSignalBlocker(self):
            self.clear()
            for group, members in grouped().items():
                self._add(group, "", "")
                for page in members:
                    self._add(page.title.partition(":")[0], page.name, "")
        self.mark(shown)

    def show_hits(self, hits: list[Hit], runs: list[Entry]) -> None:
        """The places that a search found, the first of which is shown; behind them lessons and presets, which a click opens, or
        Enter where an arrow key has come to them."""
        places = {0: tr("Nothing found"), 1: tr("1 place")}
        titles = {name: page.title.partition(":")[0] for name, page in pages().items()}
        with QSignalBlocker(self):
            self.clear()
            count = len(hits) + len(runs)
            self._add(places.get(count, tr("{count} places", count=count)), "", "")
            for hit in hits:
                section = hit.section
                title = section.title if section.level == 1 else f"{titles[section.page]}: {section.title}"
                self._add(title, section.topic, hit.excerpt)
            for run in runs:
                said = tr("Open the {kind} “{title}”", kind=within(run.where), title=run.title)
                self._add(said if run.possible else f"{run.title}: {run.where}", run, run.about)
        if hits:  # Enter replaces no run that nobody has chosen to replace
            self.setCurrentRow(1)

    def mark(self, topic: str) -> None:
        """This is what is shown."""
        with QSignalBlocker(self):
            for row in range(self.count()):
                if topic and self.item(row).data(_TOPIC) in (topic, topic.partition("#")[0]):
                    self.setCurrentRow(row)
                    break

    def open_run(self, item: QListWidgetItem | None) -> bool:
        """Show the lesson or preset of a row; whether it has one."""
        run = item.data(_TOPIC) if item is not None else None
        if isinstance(run, Entry):
            run.do()
        return isinstance(run, Entry)

    def _add(self, text: str, topic: str | Entry, below: str) -> None:
        item = QListWidgetItem(text)
        item.setData(_TOPIC, topic)
        item.setData(_BELOW, below)
        if not topic:
            item.setFlags(Qt.ItemFlag.NoItemFlags)
        elif below:
            item.setToolTip(f"{text}\n{below}")
        self.addItem(item)

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None and item.data(_TOPIC) and isinstance(item.data(_TOPIC), str):
            self.chosen.emit(item.data(_TOPIC))


class _Painter(RowPainter):
    """A line; for a place that was found a second one with the words around it."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        lines = QFontMetricsF(self._font(index)).height()
        if index.data(_BELOW):
            lines += QFontMetricsF(tabular(self.theme, self.theme.small)).height()
        return QSize(0, round(lines) + (2 * UNIT if not index.data(_TOPIC) and index.row() else UNIT))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme, topic = self.theme, index.data(_TOPIC)
        rect = self.begin(painter, option, theme.window, bool(topic))
        room = rect.adjusted(UNIT, UNIT / 2, -UNIT, -UNIT / 2)
        ink, where = (
            (theme.text, Qt.AlignmentFlag.AlignTop) if topic else (theme.muted, Qt.AlignmentFlag.AlignBottom)
        )
        write(painter, room, index.data(), self._font(index), ink, where)
        if index.data(_BELOW):
            small, foot = tabular(theme, theme.small), Qt.AlignmentFlag.AlignBottom
            write(painter, room, index.data(_BELOW), small, theme.muted, foot)
        painter.restore()

    def _font(self, index: QModelIndex | QPersistentModelIndex) -> QFont:
        theme = self.theme
        if index.data(_TOPIC):
            weight = QFont.Weight.DemiBold if index.data(_BELOW) else QFont.Weight.Normal
            return tabular(theme, theme.normal, weight)
        return tabular(theme, theme.small, QFont.Weight.DemiBold)


START = "window"
MEASURE = 52
"""Width of a column of text [type sizes]: some 95 letters."""
_MARGIN = 3 * UNIT
_RUNS = 4
"""Lessons and presets that a search lists at most."""
_PAUSE_MS = 150
"""How long the search waits for the next letter."""


@dataclass
class Bookmark:
    """Where somebody has read: a topic, and how far down [pixels]; None begins at the topic's heading."""

    topic: str
    down: int | None = None


class HelpWindow(Themed, QWidget):
    """Alt with the arrows goes back and forward, Ctrl F to the field, Escape forgets a search, then closes."""

    def __init__(self, parent: QWidget | None = None, runs: Callable[[], Iterable[Entry]] = tuple) -> None:
        """`runs` are the lessons and presets that can be found too."""
        super().__init__(parent, Qt.WindowType.Window)
        self._runs = runs
        self.setWindowTitle(tr("Help – quatviz"))
        self._shown = ""
        self._places: list[Bookmark] = []
        self._at = -1
        self.marks: list[int] = []
        """Where the words that are sought stand in the page that is shown."""
        self._document: FormulaDocument | None = None
        self._typesetting = Typesetting(self)
        self._typesetting.ended.connect(lambda _: self._renew())
        self.acts: Acts[HelpWindow] = Acts(ACTS, self, parent=self)
        self.addActions(list(self.acts))
        self.back, self.forward = (
            IconButton(icon, words, self.acts[act].trigger, self.acts.keys(act))
            for icon, words, act in (("undo", tr("Back"), "back"), ("redo", tr("Forward"), "forward"))
        )
        self.field = SearchField(tr("Search the help"))
        self.contents = Contents()
        self.field.stepped.connect(self.contents.step)
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)
        self.text.setAccessibleName(tr("Page of the help"))
        self.text.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.text.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.text.setLineWrapMode(QTextBrowser.LineWrapMode.FixedPixelWidth)
        self.text.setWordWrapMode(QTextOption.WrapMode.WordWrap)  # a column of names is as wide as they are
        self._where = label("muted", wraps=False)
        self._timer = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._lay_out()
        self._connect()
        self.follow_theme()

    # --- what is asked

    def open(self, topic: str = "") -> None:
        """Show a topic, or what was read last."""
        self.show()  # first, for a heading has its place only in a page that has its width
        if topic or not self._shown:
            self.field.clear()
            self.seek()
            self.go(topic or START)
        bring_forward(self)
        self.field.setFocus()

    def go(self, topic: str) -> None:
        """Show a topic, and remember where one was before."""
        try:
            section = find(topic)
        except InputError as refusal:
            self._where.setText(f"{told(refusal.place)}: {told(refusal.found)}")
            return
        self._remember()
        self._places = [*self._places[: self._at + 1], Bookmark(section.topic)]
        self._at = len(self._places) - 1
        self._show(self._places[-1])

    def turn(self, by: int) -> None:
        """Back, or forward again."""
        if 0 <= self._at + by < len(self._places):
            self._remember()
            self._at += by
            self._show(self._places[self._at])

    def seek(self) -> None:
        """Search for what stands in the field, or show all pages."""
        self._timer.stop()
        words = self.field.text().strip()
        if words:
            self.contents.show_hits(search(words), ranked(self._runs(), words)[:_RUNS])
        else:
            self.contents.show_pages(self._places[self._at].topic if self._places else "")
        self._highlight()

    def _enter(self) -> None:
        if not self.contents.open_run(self.contents.currentItem()):
            self.seek()

    def shut_down(self) -> None:
        """Close for good."""
        self._timer.stop()
        self.close()
        self.deleteLater()

    @property
    def topic(self) -> str:
        """What is shown."""
        return self._places[self._at].topic if self._places else ""

    def follow_theme(self) -> None:
        theme = self.theme
        self.text.setStyleSheet(f"QTextBrowser {{ background: {theme.surface}; color: {theme.text}; }}")
        self._renew()

    # --- how it is shown

    def _show(self, place: Bookmark) -> None:
        name = place.topic.partition("#")[0]
        if name != self._shown:
            page, ratio = pages()[name], self.devicePixelRatioF()
            before, self._document = self._document, document_of(page, self.theme, self._width, ratio)
            self._document.setParent(self.text)
            self.text.setDocument(self._document)
            if before is not None:
                before.deleteLater()
            self.text.setLineWrapColumnOrWidth(self._width)
            self._shown = name
            self._typeset()
        if not self.field.text().strip():
            self.contents.mark(place.topic)
        self.back.setEnabled(self._at > 0)
        self.forward.setEnabled(self._at < len(self._places) - 1)
        self._where.setText(pages()[name].title)
        self._highlight()
        self.text.verticalScrollBar().setValue(self._top_of(place) if place.down is None else place.down)

    def _renew(self) -> None:
        """Lay out anew what is shown."""
        if self._places:
            self._remember()
            self._shown = ""
            self._show(self._places[self._at])

    def _typeset(self) -> None:
        """In a thread, what the page has that was not typeset on this machine before."""
        if self._shown and not self._typesetting.busy:  # the end of one leads to the next
            self._typesetting.begin(formulae_of(pages()[self._shown].text))

    def _top_of(self, place: Bookmark) -> int:
        """Where the heading of a topic stands, or, where words are sought, the first of them below it."""
        section = find(place.topic)
        number = pages()[section.page].sections.index(section)
        found = headings(self.text.document())
        layout = self.text.document().documentLayout()
        top = 0.0 if section.level == 1 else layout.blockBoundingRect(found[number]).top() - 2 * UNIT
        start = found[number].position()
        marked = next((at for at in self.marks if at >= start), None)
        if marked is not None:
            line = layout.blockBoundingRect(self.text.document().findBlock(marked)).top()
            if line > top + 0.8 * self.text.viewport().height():
                top = line - 6 * UNIT
        return round(max(top, 0.0))

    def _highlight(self) -> None:
        """Mark the words that are sought, and the formulae that have them."""
        words, ends = sought(self.field.text()), {}
        if (
            self._document is not None
        ):  # words that stand there beside each other are meant so, as those of a key
            together = self._document.places([" ".join(words)]) if len(words) > 1 else []
            ends = dict(together or self._document.places(words))
        look = QTextCharFormat()
        look.setBackground(QBrush(tint(self.theme.accent, self.theme.surface, 0.35)))
        look.setForeground(QBrush(QColor(self.theme.text)))
        made, self.marks = [], sorted(ends)
        for start in self.marks:
            selection = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self.text.document())
            cursor.setPosition(start)
            cursor.setPosition(ends[start], QTextCursor.MoveMode.KeepAnchor)
            selection.cursor, selection.format = cursor, look
            made.append(selection)
        self.text.setExtraSelections(made)

    def _remember(self) -> None:
        if self._places:
            self._places[self._at].down = self.text.verticalScrollBar().value()

    def _follow(self, url: QUrl) -> None:
        if url.scheme() in ("http", "https"):
            QDesktopServices.openUrl(url)
            return
        name = Path(url.path()).stem or self._shown
        self.go(f"{name}#{url.fragment()}" if url.hasFragment() else name)

    # --- layout

    @property
    def _width(self) -> int:
        return min(self.text.viewport().width() - 1, MEASURE * _size(self.theme))

    def _lay_out(self) -> None:
        margins = 2 * UNIT, 2 * UNIT, UNIT, UNIT
        side = held(column(self.field, (self.contents, 1), margins=margins))
        margins = UNIT, UNIT, 2 * UNIT, 0
        head = row(self.back, self.forward, UNIT, (self._where, 1), gap=0, margins=margins)
        page = held(column(head, (self.text, 1)))
        self.setLayout(column(divided((side, 320), (page, 820), grows=1)))
        open_at(self, 1140, 780)

    def _connect(self) -> None:
        self.contents.chosen.connect(self.go)
        self.text.anchorClicked.connect(self._follow)
        self.field.textChanged.connect(lambda _: self._timer.start())
        self.field.returnPressed.connect(self._enter)
        self.contents.itemClicked.connect(self.contents.open_run)
        self.contents.itemActivated.connect(self.contents.open_run)
        self._timer.timeout.connect(self.seek)

    def to_field(self) -> None:
        """Let a person type what is sought."""
        self.field.setFocus()
        self.field.selectAll()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._typeset()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._typesetting.stop()
        super().closeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.text.setLineWrapColumnOrWidth(self._width)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.field.text():
            self.field.clear()
            self.seek()
        else:
            self.close()


ACTS: tuple[Menu[HelpWindow], ...] = (
    Menu(
        "Help",
        (
            Act("back", "Back", lambda w: w.turn(-1), ("Alt+Left",)),
            Act("forward", "Forward", lambda w: w.turn(1), ("Alt+Right",)),
            Act("find", "Search the help", lambda w: w.to_field(), ("Ctrl+F",)),
            Act("close", "Close the window", lambda w: w.close(), ("Ctrl+W", "F1")),
        ),
    ),
)


def document_of(page: Page, theme: Theme, width: int, ratio: float = 1.0) -> FormulaDocument:
    """The page in a column of `width` pixels, for a screen with `ratio` pixels to each of Qt's. Its headings stand in the
    order of `page.sections`. A formula that is not typeset yet stands there in letters."""
    document = FormulaDocument()
    document.ratio = ratio
    document.setDocumentMargin(_MARGIN)
    room = width - 2 * _MARGIN
    folder = resources.asset("help")
    document.hold(page.text, theme, _size(theme), room, links=True, folder=folder, pictures=page.pictures)
    return document


def _size(theme: Theme) -> int:
    return theme.normal + 1
