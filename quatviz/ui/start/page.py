"""Start page: tiles with recent work, lessons and presets, and a search field."""

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
from quatviz.display.document.user_files import OTHER_GROUP, OWN_GROUP, PRESET_GROUPS, PresetEntry
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.files.preset import Preset
from quatviz.teaching.help.entry_search import rank_entries
from quatviz.teaching.lessons import Lesson
from quatviz.teaching.lessons.parsing import UnreadableLesson
from quatviz.teaching.lessons.user_lessons import is_user_lesson
from quatviz.ui.start.tiles import BodyTile, LessonTile, Tile, TileAnimator
from quatviz.ui.widgets.actions import ActionRegistry, accept_plain_key
from quatviz.ui.widgets.buttons import Button
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.labels import ElidedLabel, MessageLabel, label, tooltip_text
from quatviz.ui.widgets.layouts import column, row, wrap_layout
from quatviz.ui.widgets.lists import SearchField
from quatviz.ui.widgets.scrolling import make_scroll_area
from quatviz.ui.widgets.style import Themed

_SIDEWAYS_PENALTY = 3
"""Weight of the distance perpendicular to the direction of an arrow key, relative to the distance along it, in the search for
the nearest tile."""


class TileGrid(Guarded, QWidget):
    """Grid of tiles, filled row by row. Its height fits the tiles, and hidden tiles leave no gap. Columns are at
    least `min_column_width` pixels wide, except for a single column."""

    def __init__(self, min_column_width: int) -> None:
        super().__init__()
        self._min_column_width = min_column_width
        self.tiles: list[Tile] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_tiles(self, tiles: Sequence[Tile]) -> None:
        """Replace the tiles."""
        for old in self.tiles:
            old.hide()
            old.setParent(None)
            old.deleteLater()
        self.tiles = list(tiles)
        for tile in self.tiles:
            tile.setParent(self)
            tile.show()
        self.arrange()

    def set_min_column_width(self, min_column_width: int) -> None:
        """Set the minimum width of a column [pixels]."""
        self._min_column_width = min_column_width
        self.arrange()

    def arrange(self) -> None:
        """Compute positions and sizes of the visible tiles."""
        shown = [tile for tile in self.tiles if not tile.isHidden()]
        columns = max(1, (self.width() + GRID_UNIT) // (self._min_column_width + GRID_UNIT))
        width = (self.width() - (columns - 1) * GRID_UNIT) // columns
        height = 0
        for number, tile in enumerate(shown):
            row_index, column_index = divmod(number, columns)
            tile.resize(width, tile.height())
            tile_height = tile.preferred_height
            tile.setGeometry(
                column_index * (width + GRID_UNIT), row_index * (tile_height + GRID_UNIT), width, tile_height
            )
            height = max(height, (row_index + 1) * (tile_height + GRID_UNIT) - GRID_UNIT)
        self.setFixedHeight(height)

    def sizeHint(self) -> QSize:
        return QSize(self._min_column_width, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.arrange()


class TileSection(QWidget):
    """Section of tiles with a heading. It is hidden if a search matches none of its tiles.

    If the section has no tiles at all, it shows the text `empty`, or is hidden if that text is empty.
    """

    def __init__(self, title: str, grid: TileGrid, empty: str = "") -> None:
        super().__init__()
        self.setAccessibleName(title)
        grid.setAccessibleName(title)
        self.empty_label, self.grid = label("muted", empty), grid
        self.all_tiles: list[Tile] = []
        """All tiles in their original order, visible or not. In the grid, tiles that match the search come first."""
        self.setLayout(column(label("heading", title, word_wrap=False), self.empty_label, grid))

    def set_tiles(self, tiles: Sequence[Tile]) -> None:
        """Replace the tiles and show all of them."""
        self.grid.set_tiles(tiles)
        self.all_tiles = self.grid.tiles
        self.show_matches("")

    def show_matches(self, words: str) -> None:
        """Show the tiles that match the words of a search, the best match first. Without words all tiles are
        shown."""
        show_matches_in([self], words)

    def show_tiles(self, matches: Sequence[Tile], words: str) -> None:
        """Show only the tiles in `matches`, in this order, for the search text `words`."""
        for tile in self.all_tiles:
            tile.setVisible(tile in matches)
        self.grid.tiles = [*matches, *(tile for tile in self.all_tiles if tile not in matches)]
        self.grid.setVisible(bool(matches))
        self.empty_label.setVisible(not self.all_tiles)
        self.setVisible(bool(matches) or (bool(self.empty_label.text()) and not words.strip()))
        self.grid.arrange()


def show_matches_in(sections: Sequence[TileSection], words: str) -> list[TileSection]:
    """Show in each section the tiles that match the words of a search, best first.

    If no tile of any section contains all words, the tiles with the most words are shown.

    Returns
    -------
    list of TileSection
        The sections in the order of their best matches. Without words they keep their order.
    """
    tiles = {tile.entry: (section, tile) for section in sections for tile in section.all_tiles}
    ranked = [tiles[entry] for entry in rank_entries(tiles, words)]
    for section in sections:
        section.show_tiles([tile for owner, tile in ranked if owner is section], words)
    if not words.strip():
        return list(sections)
    return list(dict.fromkeys((*(owner for owner, _ in ranked), *sections)))


def neighbor(tile: Tile, tiles: Sequence[Tile], key: Qt.Key) -> Tile | None:
    """Return the tile that an arrow key moves to: the nearest one in that direction, or None."""
    start = _window_rect(tile)
    candidates: list[tuple[int, int, Tile]] = []
    for number, other in enumerate(tiles):
        rect = _window_rect(other)
        ahead = {
            Qt.Key.Key_Left: start.left() - rect.right(),
            Qt.Key.Key_Right: rect.left() - start.right(),
            Qt.Key.Key_Up: start.top() - rect.bottom(),
            Qt.Key.Key_Down: rect.top() - start.bottom(),
        }[key]
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            aside = max(rect.top() - start.bottom(), start.top() - rect.bottom(), 0)
        else:
            aside = max(rect.left() - start.right(), start.left() - rect.right(), 0)
        if other is not tile and ahead > 0:
            candidates.append((ahead + _SIDEWAYS_PENALTY * aside, number, other))
    return min(candidates, default=(0, 0, None))[2]


def _window_rect(tile: Tile) -> QRect:
    return QRect(tile.mapTo(tile.window(), QPoint()), tile.size())


_MAX_PAGE_WIDTH = 150
"""Maximum width of the page's content, as a multiple of the type size."""
_MAX_LEFT_SHARE = 0.29
"""Maximum share of the page's width for the left column, with recent work."""
_EMPTY_LEFT_SHARE = 0.6
"""Width of the left column if it has no entries, relative to its maximum width. The titles of lessons use the remaining
space."""
_MAX_RECENT_FILES = 6
ARROW_KEYS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)


@dataclass(frozen=True)
class ContinueEntry:
    """Content of the tile *Continue*: the preset of earlier work, and a line of text about it."""

    preset: Preset
    words: str


class StartPage(Themed, QWidget):
    """Page of tiles. Typing starts a search, arrow keys and Tab move between tiles, Enter opens a tile and Escape returns to the
    run."""

    continue_requested = Signal()
    file_chosen = Signal(object)
    """A preset or session was chosen. Emitted with its `Path`."""
    lesson_chosen = Signal(object)
    """A lesson was chosen. Emitted with its `Path`."""

    def __init__(self, actions: ActionRegistry[Any]) -> None:
        """Build the page. Three of its buttons trigger `actions` of the window."""
        super().__init__()
        self.setAccessibleName(tr("Start page"))
        self.title = label("display", "quatviz", word_wrap=False)
        self._about = ElidedLabel(whole_only=True)
        self._about.setObjectName("muted")
        self._about.setText(tr("One rotation of a rigid body, computed with many formulations"))
        self._leave_page, self._find_anything = actions["start_page"].trigger, actions["find"].trigger
        tooltip = actions.tooltip("open", tr("Open a session, a preset or a recording"))
        self.open_button = Button(tr("Open…"), actions["open"].trigger, tooltip)
        tooltip = actions.tooltip("compare", tr("Compare formulations"))
        self.compare_button = Button(tr("Compare formulations…"), actions["compare"].trigger, tooltip)
        self.back_button = Button(tr("Back to the run"), self._leave_page, tr("Leave this page (Esc)"))
        self.search = SearchField(tr("Search this page"), tr("Search lessons, presets and files"))
        self.search.textChanged.connect(self._show_matches)
        self.search.returnPressed.connect(self._open_first_match)
        self.search.stepped.connect(self._focus_first_match)
        self.problem = MessageLabel()
        self.continue_section = TileSection(
            tr("Continue"),
            TileGrid(400),
            tr("Nothing to continue yet. The run that is open when you close the window appears here."),
        )
        self.files_section = TileSection(
            tr("Recent files"),
            TileGrid(400),
            tr("No recent files. Sessions, presets and lessons that you open or save are listed here."),
        )
        self.lessons_section = TileSection(tr("Lessons"), TileGrid(400), tr("There are no lessons."))
        self.preset_sections = {
            group: TileSection(tr("Presets: {group}", group=tr(group)), TileGrid(216))
            for group in (OWN_GROUP, *PRESET_GROUPS, OTHER_GROUP)
        }
        """Sections of tiles with presets, by the name of the preset group."""
        self.sections = (
            self.continue_section,
            self.files_section,
            self.lessons_section,
            *self.preset_sections.values(),
        )
        self.no_matches_label = label("muted", word_wrap=False)
        self.animator = TileAnimator(self)
        self._lessons: list[Lesson | UnreadableLesson] = []
        self._preset_entries: list[PresetEntry] = []
        self._lay_out()
        self._fit_to_font()

    @property
    def preset_tiles(self) -> list[Tile]:
        """All tiles of presets in tab order, visible or not."""
        preset_sections = self.sections[-len(self.preset_sections) :]
        return [tile for section in preset_sections for tile in section.grid.tiles]

    @property
    def tiles(self) -> list[Tile]:
        """All tiles in tab order, visible or not."""
        return [tile for section in self.sections for tile in section.grid.tiles]

    def show_entries(
        self,
        continue_entry: ContinueEntry | None,
        files: Sequence[Path],
        lessons: Sequence[Lesson | UnreadableLesson],
        presets: Sequence[PresetEntry],
    ) -> None:
        """Fill the page with tiles for these entries, and clear the search."""
        self.problem.hide()
        self.search.clear()
        tiles: list[Tile] = []
        if continue_entry is not None:
            tiles.append(
                BodyTile(
                    continue_entry.preset,
                    continue_entry.preset.title,
                    continue_entry.words,
                    2,
                    horizontal=True,
                )
            )
            tiles[0].clicked.connect(self.continue_requested)
        self.continue_section.set_tiles(tiles)
        tiles = []
        for path in files[:_MAX_RECENT_FILES]:
            tile = Tile(path.stem, str(path.parent))
            tile.setToolTip(tooltip_text(str(path)))
            tile.clicked.connect(lambda _=False, path=path: self.file_chosen.emit(path))
            tiles.append(tile)
        self.files_section.set_tiles(tiles)
        self._update_margins()
        if list(lessons) != self._lessons:
            self._lessons = list(lessons)
            self.lessons_section.set_tiles(
                [self._make_lesson_tile(number, lesson) for number, lesson in enumerate(lessons, 1)]
            )
        if (
            list(presets) != self._preset_entries
        ):  # rebuilding all tiles costs 10 MB until Python collects the old ones
            self._preset_entries = list(presets)
            for group, section in self.preset_sections.items():
                section.set_tiles(
                    [self._make_preset_tile(entry) for entry in presets if entry.group == group]
                )
        for tile in self.tiles:
            tile.installEventFilter(self)
        self.animator.set_tiles([tile for tile in self.tiles if isinstance(tile, BodyTile)])
        self.area.verticalScrollBar().setValue(0)
        self._update_tab_order()

    def focus_first(self) -> None:
        """Move the focus to the entry *Continue*, or to the search field if there is no such entry."""
        first = self.continue_section.grid.tiles
        (first[0] if first else self.search).setFocus(Qt.FocusReason.OtherFocusReason)

    def explain(self, refusal: InputError) -> None:
        """Show on the page why a file was refused."""
        self.problem.show_refusal_with_place(refusal)
        self.area.verticalScrollBar().setValue(0)

    def follow_theme(self) -> None:
        QTimer.singleShot(0, self, self._fit_to_font)  # once the tiles have their new theme too

    def _fit_to_font(self) -> None:
        """Adapt widths and heights of the widgets to the theme's type size."""
        theme = self.theme
        self.search.setMinimumWidth(12 * theme.normal)
        self.search.setMaximumWidth(19 * theme.normal)
        self.lessons_section.grid.set_min_column_width(22 * theme.normal)
        for section in self.preset_sections.values():
            section.grid.set_min_column_width(20 * theme.normal)
        for section in self.sections:
            section.grid.arrange()
        self._update_margins()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle keys of the tiles, and scroll to the tile that gets the focus."""
        if not isinstance(watched, Tile):
            return False
        if event.type() == QEvent.Type.FocusIn:
            self.area.ensureWidgetVisible(watched, 0, 4 * GRID_UNIT)
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._handle_tile_key(watched, event)
        return False

    def _handle_tile_key(self, tile: Tile, event: QKeyEvent) -> bool:
        """Move the focus between tiles on arrow keys, and pass letters to the search field."""
        if event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier):
            return False
        if event.key() in ARROW_KEYS:
            self._move_focus(tile, Qt.Key(event.key()))
            return True
        if event.text().isprintable() and event.text().strip():
            self.search.setFocus(Qt.FocusReason.OtherFocusReason)
            self.search.setText(self.search.text() + event.text())
            return True
        return False

    @property
    def _selectable_tiles(self) -> list[Tile]:
        return [tile for tile in self.tiles if not tile.isHidden() and tile.isEnabled()]

    def _open_first_match(self) -> None:
        """Open the entry that matches the search best."""
        if self._selectable_tiles and self.search.text().strip():
            self._selectable_tiles[0].click()

    def _focus_first_match(self, by: int) -> None:
        """Move the focus from the search field to the first match if the user moves down (`by` > 0)."""
        if self._selectable_tiles and by > 0:
            self._selectable_tiles[0].setFocus(Qt.FocusReason.TabFocusReason)

    def event(self, event: QEvent) -> bool:
        """Accept plain keys, so that they do not trigger shortcuts of the window."""
        return accept_plain_key(event) or bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.search.text():
            self.search.clear()
            self.focus_first()
        else:
            self._leave_page()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.animator.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.animator.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_margins()

    def _make_lesson_tile(self, number: int, lesson: Lesson | UnreadableLesson) -> Tile:
        minutes = lesson.minutes if isinstance(lesson, Lesson) else 0
        tile = LessonTile(number, lesson.title, lesson.description, minutes, is_user_lesson(lesson))
        if isinstance(lesson, UnreadableLesson):
            tile.setToolTip(tooltip_text(lesson.full_message))
            tile.setAccessibleDescription(lesson.full_message)
        tile.clicked.connect(lambda: self.lesson_chosen.emit(lesson.path))
        return tile

    def _make_preset_tile(self, entry: PresetEntry) -> Tile:
        if entry.preset is None:
            tile = Tile(entry.title, entry.summary, lines=2)
            tile.setEnabled(False)
            return tile
        body_tile = BodyTile(
            entry.preset, entry.title, entry.summary, 2, entry.badge, keywords=entry.search_terms
        )
        body_tile.clicked.connect(lambda: self.file_chosen.emit(entry.path))
        return body_tile

    def _show_matches(self, words: str) -> None:
        if words == "/":  # this key opens the search in the whole program
            self.search.clear()
            self._find_anything()
            return
        for section in (self.continue_section, self.files_section, self.lessons_section):
            section.show_matches(words)
        self._order_preset_sections(show_matches_in([*self.preset_sections.values()], words))
        self._update_tab_order()
        has_match = any(not tile.isHidden() for tile in self.tiles)
        self.no_matches_label.setText(tr("No results for “{words}”.", words=words.strip()))
        self.no_matches_label.setVisible(not has_match and bool(words.strip()))

    def _order_preset_sections(self, ordered: Sequence[TileSection]) -> None:
        """Arrange the preset sections in this order from top to bottom."""
        if self.sections[-len(ordered) :] == tuple(ordered):
            return
        first = min(self._body_layout.indexOf(section) for section in ordered)
        for section in ordered:
            self._body_layout.removeWidget(section)
        for index, section in enumerate(ordered, first):
            self._body_layout.insertWidget(index, section)
        self.sections = (*self.sections[: -len(ordered)], *ordered)

    def _move_focus(self, tile: Tile, key: Qt.Key) -> None:
        target = neighbor(
            tile, [other for other in self.tiles if other.isVisible() and other.isEnabled()], key
        )
        if target is not None:
            target.setFocus(Qt.FocusReason.TabFocusReason)
        elif key == Qt.Key.Key_Up:
            self.search.setFocus(Qt.FocusReason.TabFocusReason)
            self.area.verticalScrollBar().setValue(0)

    def _update_tab_order(self) -> None:
        """Set the tab order: the search field, the buttons, and then the tiles in reading order."""
        for before, after in pairwise(
            (self.search, self.open_button, self.compare_button, self.back_button, *self.tiles)
        ):
            QWidget.setTabOrder(before, after)

    def _update_margins(self) -> None:
        """Adapt the left column to the width of the page, and widen the margins of a wide page to keep lines short."""
        max_left_width = min(27 * self.theme.normal, round(_MAX_LEFT_SHARE * self.width()))
        empty = not (self.continue_section.grid.tiles or self.files_section.grid.tiles)
        self._left_column.setFixedWidth(
            round(_EMPTY_LEFT_SHARE * max_left_width) if empty else max_left_width
        )
        side = max(3 * GRID_UNIT, (self.width() - _MAX_PAGE_WIDTH * self.theme.normal) // 2)
        for layout, above, below in (
            (self._header_layout, 3 * GRID_UNIT, GRID_UNIT),
            (self._body_layout, GRID_UNIT, 4 * GRID_UNIT),
        ):
            layout.setContentsMargins(side, above, side, below)

    def _lay_out(self) -> None:
        self._header_layout = row(
            self.title,
            (self._about, 1),
            (self.search, 2),
            self.open_button,
            self.compare_button,
            self.back_button,
            gap=2 * GRID_UNIT,
        )
        self._left_column = wrap_layout(
            column(self.continue_section, self.files_section, None, gap=3 * GRID_UNIT)
        )
        above = row(self._left_column, (column(self.lessons_section, None), 1), gap=4 * GRID_UNIT)
        self._body_layout = column(
            self.problem,
            self.no_matches_label,
            above,
            *self.preset_sections.values(),
            None,
            gap=3 * GRID_UNIT,
        )
        self.no_matches_label.hide()
        self.area = make_scroll_area(self._body_layout)
        self.setLayout(column(self._header_layout, (self.area, 1), gap=0))
