"""The start page: what to go on with, files that were open, lessons, presets. It knows nothing of the run behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from quatviz.core.errors import Refusal
from quatviz.core.latex import in_letters
from quatviz.core.preset import Preset
from quatviz.lessons import Lesson
from quatviz.ui.fonts import tabular
from quatviz.ui.gallery import Card
from quatviz.ui.guard import guarded
from quatviz.ui.refusal_label import RefusalLabel
from quatviz.ui.start.grid import Grid
from quatviz.ui.start.section import Section
from quatviz.ui.start.tiles import BodyTile, LessonTile, Tile
from quatviz.ui.start.turns import Turns
from quatviz.ui.start.walk import neighbour
from quatviz.ui.theme import UNIT, Theme
from quatviz.ui.tr import tr

_WIDEST = 150
"""Of what the page shows, in sizes of its type."""
_LEFT = 0.29
"""Of the page's width that what can be gone on with has at most."""
_FILES = 6


@dataclass(frozen=True)
class Going:
    """What can be gone on with: its run, and what to say of it."""

    preset: Preset
    words: str


class StartPage(QWidget):
    """Type to search; arrows and Tab lead from tile to tile; Enter takes one; Escape goes back to the run."""

    going_on = Signal()
    file_chosen = Signal(object)
    """The `Path` of a preset or a session."""
    lesson_chosen = Signal(object)
    """A `Lesson`."""
    open_wanted = Signal()
    left = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setAccessibleName(tr("Start page"))
        self.title, self._about = (
            QLabel("quatviz"),
            QLabel(tr("One rotation of a rigid body, written in many ways")),
        )
        self._about.setObjectName("muted")
        self._about.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.search, self.open, self.back = (
            QLineEdit(),
            QPushButton(tr("Open…")),
            QPushButton(tr("To the run")),
        )
        self.search.setPlaceholderText(tr("Search lessons and presets"))
        self.search.setAccessibleName(tr("Search lessons, presets and files"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.search.installEventFilter(self)
        self.open.setToolTip(tr("Open a session or a preset (Ctrl O)"))
        self.open.clicked.connect(self.open_wanted)
        self.back.setToolTip(tr("Leave this page (Esc)"))
        self.back.clicked.connect(self.left)
        self.problem = RefusalLabel()
        self.going = Section(
            tr("Continue"),
            Grid(400),
            tr("Nothing to continue yet. What is open when you close the window is here."),
        )
        self.files = Section(
            tr("Recent files"),
            Grid(400),
            tr("None yet. Sessions and presets that you open or save stand here."),
        )
        self.lessons = Section(tr("Lessons"), Grid(400, down=True), tr("There are no lessons."))
        self.presets = Section(tr("Presets"), Grid(216), tr("There are no presets."))
        self.sections = (self.going, self.files, self.lessons, self.presets)
        self.nothing = QLabel()
        self.nothing.setObjectName("muted")
        self.turns = Turns(self)
        self._lessons: list[Lesson] = []
        self._cards: list[Card] = []
        self._lay_out()
        self.restyle(theme)

    @property
    def tiles(self) -> list[Tile]:
        """Every tile, seen or not, in the order of Tab."""
        return [tile for section in self.sections for tile in section.grid.tiles]

    def fill(
        self, going: Going | None, files: Sequence[Path], lessons: Sequence[Lesson], cards: Sequence[Card]
    ) -> None:
        """Show these, and no search."""
        theme = self._theme
        self.problem.hide()
        self.search.clear()
        tiles: list[Tile] = []
        if going is not None:
            tiles.append(BodyTile(theme, going.preset, going.preset.title, going.words, 2, flat=True))
            tiles[0].clicked.connect(self.going_on)
        self.going.fill(tiles)
        tiles = []
        for path in files[:_FILES]:
            tile = Tile(theme, path.stem, str(path.parent))
            tile.setToolTip(str(path))
            tile.clicked.connect(lambda _=False, path=path: self.file_chosen.emit(path))
            tiles.append(tile)
        self.files.fill(tiles)
        if list(lessons) != self._lessons:
            self._lessons = list(lessons)
            self.lessons.fill([self._lesson(number, lesson) for number, lesson in enumerate(lessons, 1)])
        if list(cards) != self._cards:  # to draw them all anew costs 10 MB until Python collects the old ones
            self._cards = list(cards)
            self.presets.fill([self._card(card) for card in cards])
        for tile in self.tiles:
            if not tile.joined:
                self._join(tile)
        self.turns.take([tile for tile in self.tiles if isinstance(tile, BodyTile)])
        self.area.verticalScrollBar().setValue(0)
        self._chain()

    def begin(self) -> None:
        """Put the focus where Enter goes on, or where one can type."""
        first = self.going.grid.tiles
        (first[0] if first else self.search).setFocus(Qt.FocusReason.OtherFocusReason)

    def explain(self, refusal: Refusal) -> None:
        """Say why something is not shown."""
        self.problem.explain(refusal)
        self.area.verticalScrollBar().setValue(0)

    def restyle(self, theme: Theme) -> None:
        """Take the colours and the type of another theme."""
        self._theme = theme
        self.title.setFont(tabular(theme, theme.display))
        self.title.setStyleSheet(f"color: {theme.text}; font-size: {theme.display}px; font-weight: 600;")
        self.search.setFixedWidth(22 * theme.normal)
        self.lessons.grid.set_least(22 * theme.normal)
        self.presets.grid.set_least(17 * theme.normal)
        for tile in self.tiles:
            tile.restyle(theme)
        for section in self.sections:
            section.grid.arrange()
        self._inset()

    @guarded
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """From the search line Enter takes the first of what is found, and an arrow goes there."""
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        found = [tile for tile in self.tiles if not tile.isHidden() and tile.isEnabled()]
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if found and self.search.text().strip():
                found[0].click()
            return True
        if event.key() == Qt.Key.Key_Down and found:
            found[0].setFocus(Qt.FocusReason.TabFocusReason)
            return True
        return False

    @guarded
    def event(self, event: QEvent) -> bool:
        """Plain keys are the page's, for they would do something to a run that nobody sees."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            modifiers = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
            named = Qt.Key.Key_F1 <= event.key() <= Qt.Key.Key_F35
            if not event.modifiers() & ~modifiers and not named and event.text() != "?":
                event.accept()
                return True
        return bool(super().event(event))

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.search.text():
            self.search.clear()
            self.begin()
        else:
            self.left.emit()

    @guarded
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.turns.start()

    @guarded
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.turns.stop()

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._inset()

    def _join(self, tile: Tile) -> None:
        """Let its keys lead through the page."""
        tile.joined = True
        tile.walked.connect(lambda key: self._walk(tile, key))
        tile.typed.connect(self._type)
        tile.reached.connect(lambda: self.area.ensureWidgetVisible(tile, 0, 4 * UNIT))
        if isinstance(tile, BodyTile):
            self.turns.join(tile)

    def _lesson(self, number: int, lesson: Lesson) -> Tile:
        tile = LessonTile(self._theme, number, lesson.title, in_letters(lesson.summary), lesson.minutes)
        tile.clicked.connect(lambda: self.lesson_chosen.emit(lesson))
        return tile

    def _card(self, card: Card) -> Tile:
        theme = self._theme
        if card.preset is None:
            tile = Tile(theme, card.title, card.summary, lines=2)
            tile.setEnabled(False)
            return tile
        made = BodyTile(theme, card.preset, card.title, card.summary, 2, tr("yours") if card.own else "")
        made.clicked.connect(lambda: self.file_chosen.emit(card.path))
        return made

    def _filter(self, words: str) -> None:
        for section in self.sections:
            section.filter(words)
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

    def _type(self, text: str) -> None:
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)
        self.search.setText(self.search.text() + text)

    def _chain(self) -> None:
        """Tab goes from the search line through the tiles in the order in which they are read."""
        before: QWidget = self.search
        for part in (self.open, self.back, *self.tiles):
            QWidget.setTabOrder(before, part)
            before = part

    def _inset(self) -> None:
        """Widths that follow the window's, and margins that keep the page from growing wider than a person reads."""
        self._left.setFixedWidth(min(27 * self._theme.normal, round(_LEFT * self.width())))
        side = max(3 * UNIT, (self.width() - _WIDEST * self._theme.normal) // 2)
        for layout, above, below in ((self._head, 3 * UNIT, UNIT), (self._column, UNIT, 4 * UNIT)):
            layout.setContentsMargins(side, above, side, below)

    def _lay_out(self) -> None:
        self._head = head = QHBoxLayout()
        head.setSpacing(2 * UNIT)
        head.addWidget(self.title)
        head.addWidget(self._about, 1)
        for part in (self.search, self.open, self.back):
            head.addWidget(part)
        self._left = QWidget()
        left = QVBoxLayout(self._left)
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(3 * UNIT)
        left.addWidget(self.going)
        left.addWidget(self.files)
        left.addStretch(1)
        above = QHBoxLayout()
        above.setSpacing(4 * UNIT)
        above.addWidget(self._left)
        right = QVBoxLayout()
        right.addWidget(self.lessons)
        right.addStretch(1)
        above.addLayout(right, 1)
        inside = QWidget()
        self._column = column = QVBoxLayout(inside)
        column.setSpacing(3 * UNIT)
        column.addWidget(self.problem)
        column.addWidget(self.nothing)
        column.addLayout(above)
        column.addWidget(self.presets)
        column.addStretch(1)
        self.nothing.hide()
        self.area = QScrollArea()
        self.area.setWidget(inside)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addLayout(head)
        box.addWidget(self.area, 1)
