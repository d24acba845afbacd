"""The start page: what to go on with, files that were open, lessons, presets. It knows nothing of the run behind it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from quatviz.base.errors import InputError
from quatviz.base.translation import tr
from quatviz.display.document.user_files import PresetEntry
from quatviz.display.view_state.theme import UNIT
from quatviz.files.preset import Preset
from quatviz.teaching.help.entry_search import ranked
from quatviz.teaching.lessons import Lesson
from quatviz.teaching.lessons.parsing import Unread
from quatviz.teaching.lessons.user_lessons import is_own
from quatviz.ui.start.tiles import BodyTile, LessonTile, Tile, Turns
from quatviz.ui.widgets.actions import Acts, keeps_plain
from quatviz.ui.widgets.controls import (
    Button,
    ElidedLabel,
    RefusalLabel,
    SearchField,
    column,
    held,
    label,
    row,
    scrolling,
    tip,
)
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.style import Themed

_ASIDE = 3
"""How much farther a tile counts that is aside."""


class Grid(Guarded, QWidget):
    """As high as its tiles need; those that are hidden leave no gap. Columns are no narrower than `least` pixels where
    there is more than one, and filled row by row, or one after the other where the grid goes `down`."""

    def __init__(self, least: int, down: bool = False) -> None:
        super().__init__()
        self._least, self._down = least, down
        self.tiles: list[Tile] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def fill(self, tiles: Sequence[Tile]) -> None:
        """Show these tiles in place of others."""
        for old in self.tiles:
            old.hide()
            old.setParent(None)
            old.deleteLater()
        self.tiles = list(tiles)
        for tile in self.tiles:
            tile.setParent(self)
            tile.show()
        self.arrange()

    def set_least(self, least: int) -> None:
        """Another width that a column has at least [pixels]."""
        self._least = least
        self.arrange()

    def arrange(self) -> None:
        """Give every tile its place."""
        shown = [tile for tile in self.tiles if not tile.isHidden()]
        columns = max(1, (self.width() + UNIT) // (self._least + UNIT))
        rows = -(-len(shown) // columns)
        if self._down:
            columns = -(-len(shown) // rows) if rows else 1
        width = (self.width() - (columns - 1) * UNIT) // columns
        height = 0
        for number, tile in enumerate(shown):
            across, down = divmod(number, rows) if self._down else divmod(number, columns)[::-1]
            tile.resize(width, tile.height())
            high = tile.wanted_height
            tile.setGeometry(across * (width + UNIT), down * (high + UNIT), width, high)
            height = max(height, (down + 1) * (high + UNIT) - UNIT)
        self.setFixedHeight(height)

    def sizeHint(self) -> QSize:
        return QSize(self._least, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.arrange()


class Section(QWidget):
    """It goes away while a search finds nothing in it."""

    def __init__(self, title: str, grid: Grid, empty: str) -> None:
        super().__init__()
        self.setAccessibleName(title)
        grid.setAccessibleName(title)
        self.empty, self.grid = label("muted", empty), grid
        self._tiles: list[Tile] = []
        """All of them in their order, of which the grid has those first that were found."""
        self.setLayout(column(label("heading", title, wraps=False), self.empty, grid))

    def fill(self, tiles: Sequence[Tile]) -> None:
        """Show these tiles."""
        self.grid.fill(tiles)
        self._tiles = self.grid.tiles
        self.filter("")

    def filter(self, words: str) -> None:
        """Show those that have these words in them, as all lists order them."""
        tiles = {tile.entry: tile for tile in self._tiles}
        found = [tiles[entry] for entry in ranked(tiles, words)]
        for tile in self._tiles:
            tile.setVisible(tile in found)
        self.grid.tiles = [*found, *(tile for tile in self._tiles if tile not in found)]
        self.grid.setVisible(bool(found))
        self.empty.setVisible(not tiles)
        self.setVisible(bool(found) or not words.strip())
        self.grid.arrange()


def neighbour(tile: Tile, tiles: Sequence[Tile], key: Qt.Key) -> Tile | None:
    """Where an arrow key leads from a tile of one window: to the nearest one in its direction, or nowhere."""
    start = _place(tile)
    found: list[tuple[int, int, Tile]] = []
    for number, other in enumerate(tiles):
        place = _place(other)
        ahead = {
            Qt.Key.Key_Left: start.left() - place.right(),
            Qt.Key.Key_Right: place.left() - start.right(),
            Qt.Key.Key_Up: start.top() - place.bottom(),
            Qt.Key.Key_Down: place.top() - start.bottom(),
        }[key]
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            aside = max(place.top() - start.bottom(), start.top() - place.bottom(), 0)
        else:
            aside = max(place.left() - start.right(), start.left() - place.right(), 0)
        if other is not tile and ahead > 0:
            found.append((ahead + _ASIDE * aside, number, other))
    return min(found, default=(0, 0, None))[2]


def _place(tile: Tile) -> QRect:
    return QRect(tile.mapTo(tile.window(), QPoint()), tile.size())


_WIDEST = 150
"""Of what the page shows, in sizes of its type."""
_LEFT = 0.29
"""Of the page's width that what can be gone on with has at most,"""
_EMPTY = 0.6
"""and of that what it has while there is nothing: titles of lessons need the room."""
_FILES = 6
ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)


@dataclass(frozen=True)
class Going:
    """What can be gone on with: its run, and what to say of it."""

    preset: Preset
    words: str


class StartPage(Themed, QWidget):
    """Type to search; arrows and Tab lead from tile to tile; Enter takes one; Escape goes back to the run."""

    going_on = Signal()
    file_chosen = Signal(object)
    """The `Path` of a preset or a session."""
    lesson_chosen = Signal(object)
    """The `Path` of a lesson."""

    def __init__(self, acts: Acts[Any]) -> None:
        """`acts` are those of the window, three of which its buttons do."""
        super().__init__()
        self.setAccessibleName(tr("Start page"))
        self.title = label("display", "quatviz", wraps=False)
        self._about = ElidedLabel()
        self._about.setObjectName("muted")
        self._about.setText(tr("One rotation of a rigid body, written in many ways"))
        self._leave, self._find = acts["start_page"].trigger, acts["find"].trigger
        said = acts.tip("open", tr("Open a session or a preset"))
        self.open = Button(tr("Open…"), acts["open"].trigger, said)
        said = acts.tip("compare", tr("Compare formulations"))
        self.compare = Button(tr("Compare…"), acts["compare"].trigger, said)
        self.back = Button(tr("To the run"), self._leave, tr("Leave this page (Esc)"))
        self.search = SearchField(tr("Search lessons and presets"), tr("Search lessons, presets and files"))
        self.search.textChanged.connect(self._filter)
        self.search.returnPressed.connect(self._take_first)
        self.search.stepped.connect(self._enter)
        self.problem = RefusalLabel()
        self.going = Section(
            tr("Continue"),
            Grid(400),
            tr("Nothing to continue yet. What is open when you close the window is here."),
        )
        self.files = Section(
            tr("Recent files"),
            Grid(400),
            tr("None yet. Sessions, presets and lessons of yours that you open or save stand here."),
        )
        self.lessons = Section(tr("Lessons"), Grid(400, down=True), tr("There are no lessons."))
        self.presets = Section(tr("Presets"), Grid(216), tr("There are no presets."))
        self.sections = (self.going, self.files, self.lessons, self.presets)
        self.nothing = label("muted", wraps=False)
        self.turns = Turns(self)
        self._lessons: list[Lesson | Unread] = []
        self._cards: list[PresetEntry] = []
        self._lay_out()
        self._fit_type()

    @property
    def tiles(self) -> list[Tile]:
        """Every tile, seen or not, in the order of Tab."""
        return [tile for section in self.sections for tile in section.grid.tiles]

    def fill(
        self,
        going: Going | None,
        files: Sequence[Path],
        lessons: Sequence[Lesson | Unread],
        cards: Sequence[PresetEntry],
    ) -> None:
        """Show these, and no search."""
        self.problem.hide()
        self.search.clear()
        tiles: list[Tile] = []
        if going is not None:
            tiles.append(BodyTile(going.preset, going.preset.title, going.words, 2, flat=True))
            tiles[0].clicked.connect(self.going_on)
        self.going.fill(tiles)
        tiles = []
        for path in files[:_FILES]:
            tile = Tile(path.stem, str(path.parent))
            tile.setToolTip(tip(str(path)))
            tile.clicked.connect(lambda _=False, path=path: self.file_chosen.emit(path))
            tiles.append(tile)
        self.files.fill(tiles)
        self._inset()
        if list(lessons) != self._lessons:
            self._lessons = list(lessons)
            self.lessons.fill([self._lesson(number, lesson) for number, lesson in enumerate(lessons, 1)])
        if list(cards) != self._cards:  # to draw them all anew costs 10 MB until Python collects the old ones
            self._cards = list(cards)
            self.presets.fill([self._card(card) for card in cards])
        for tile in self.tiles:
            tile.installEventFilter(self)
        self.turns.take([tile for tile in self.tiles if isinstance(tile, BodyTile)])
        self.area.verticalScrollBar().setValue(0)
        self._chain()

    def begin(self) -> None:
        """Put the focus where Enter goes on, or where one can type."""
        first = self.going.grid.tiles
        (first[0] if first else self.search).setFocus(Qt.FocusReason.OtherFocusReason)

    def explain(self, refusal: InputError) -> None:
        """Say why something is not shown."""
        self.problem.explain(refusal)
        self.area.verticalScrollBar().setValue(0)

    def follow_theme(self) -> None:
        QTimer.singleShot(0, self, self._fit_type)  # when its tiles have followed too

    def _fit_type(self) -> None:
        """Widths and heights for the type of the theme."""
        theme = self.theme
        self.search.setMinimumWidth(12 * theme.normal)
        self.search.setMaximumWidth(22 * theme.normal)
        self.lessons.grid.set_least(22 * theme.normal)
        self.presets.grid.set_least(20 * theme.normal)
        for section in self.sections:
            section.grid.arrange()
        self._inset()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys of the tiles, and the focus, which is to be seen where it goes."""
        if not isinstance(watched, Tile):
            return False
        if event.type() == QEvent.Type.FocusIn:
            self.area.ensureWidgetVisible(watched, 0, 4 * UNIT)
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._take_key_of(watched, event)
        return False

    def _take_key_of(self, tile: Tile, event: QKeyEvent) -> bool:
        """Arrows lead from tile to tile, and letters to the search line."""
        if event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier):
            return False
        if event.key() in ARROWS:
            self._walk(tile, Qt.Key(event.key()))
            return True
        if event.text().isprintable() and event.text().strip():
            self.search.setFocus(Qt.FocusReason.OtherFocusReason)
            self.search.setText(self.search.text() + event.text())
            return True
        return False

    @property
    def _found(self) -> list[Tile]:
        return [tile for tile in self.tiles if not tile.isHidden() and tile.isEnabled()]

    def _take_first(self) -> None:
        """Of what is found."""
        if self._found and self.search.text().strip():
            self._found[0].click()

    def _enter(self, by: int) -> None:
        """An arrow goes from the search line to what is found."""
        if self._found and by > 0:
            self._found[0].setFocus(Qt.FocusReason.TabFocusReason)

    def event(self, event: QEvent) -> bool:
        """Plain keys are the page's."""
        return keeps_plain(event) or bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.search.text():
            self.search.clear()
            self.begin()
        else:
            self._leave()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.turns.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.turns.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._inset()

    def _lesson(self, number: int, lesson: Lesson | Unread) -> Tile:
        minutes = lesson.minutes if isinstance(lesson, Lesson) else 0
        tile = LessonTile(number, lesson.title, lesson.about, minutes, is_own(lesson))
        if isinstance(lesson, Unread):
            tile.setToolTip(tip(lesson.whole))
            tile.setAccessibleDescription(lesson.whole)
        tile.clicked.connect(lambda: self.lesson_chosen.emit(lesson.path))
        return tile

    def _card(self, card: PresetEntry) -> Tile:
        if card.preset is None:
            tile = Tile(card.title, card.summary, lines=2)
            tile.setEnabled(False)
            return tile
        made = BodyTile(card.preset, card.title, card.summary, 2, tr("yours") if card.own else "")
        made.clicked.connect(lambda: self.file_chosen.emit(card.path))
        return made

    def _filter(self, words: str) -> None:
        if words == "/":  # the key that finds anything, not what lessons are called
            self.search.clear()
            self._find()
            return
        for section in self.sections:
            section.filter(words)
        self._chain()
        found = any(not tile.isHidden() for tile in self.tiles)
        self.nothing.setText(tr("Nothing has “{words}” in it.", words=words.strip()))
        self.nothing.setVisible(not found and bool(words.strip()))

    def _walk(self, tile: Tile, key: Qt.Key) -> None:
        goal = neighbour(tile, [one for one in self.tiles if one.isVisible() and one.isEnabled()], key)
        if goal is not None:
            goal.setFocus(Qt.FocusReason.TabFocusReason)
        elif key == Qt.Key.Key_Up:
            self.search.setFocus(Qt.FocusReason.TabFocusReason)
            self.area.verticalScrollBar().setValue(0)

    def _chain(self) -> None:
        """Tab goes from the search line through the tiles in the order in which they are read."""
        for before, after in pairwise((self.search, self.open, self.compare, self.back, *self.tiles)):
            QWidget.setTabOrder(before, after)

    def _inset(self) -> None:
        """Widths that follow the window's, and margins that keep the page from growing wider than a person reads."""
        most = min(27 * self.theme.normal, round(_LEFT * self.width()))
        empty = not (self.going.grid.tiles or self.files.grid.tiles)
        self._left.setFixedWidth(round(_EMPTY * most) if empty else most)
        side = max(3 * UNIT, (self.width() - _WIDEST * self.theme.normal) // 2)
        for layout, above, below in ((self._head, 3 * UNIT, UNIT), (self._column, UNIT, 4 * UNIT)):
            layout.setContentsMargins(side, above, side, below)

    def _lay_out(self) -> None:
        self._head = row(
            self.title, (self._about, 1), (self.search, 2), self.open, self.compare, self.back, gap=2 * UNIT
        )
        self._left = held(column(self.going, self.files, None, gap=3 * UNIT))
        above = row(self._left, (column(self.lessons, None), 1), gap=4 * UNIT)
        self._column = column(self.problem, self.nothing, above, self.presets, None, gap=3 * UNIT)
        self.nothing.hide()
        self.area = scrolling(self._column)
        self.setLayout(column(self._head, (self.area, 1), gap=0))
