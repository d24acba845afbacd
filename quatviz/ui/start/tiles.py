"""Tiles of the start page: painted buttons for runs, files and lessons. Tiles of runs show a rotating body."""

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from statistics import median
from time import perf_counter

from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen

from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.files.preset import Preset
from quatviz.simulation.preview import PreviewMotion
from quatviz.teaching.help.entry_search import SearchEntry
from quatviz.ui.start.body_renderer import BodyRenderer
from quatviz.ui.widgets.buttons import PaintedButton
from quatviz.ui.widgets.labels import tooltip_text
from quatviz.ui.widgets.painting import break_lines, draw_elided_text
from quatviz.ui.widgets.style import tabular_font, tint

_CORNER_RADIUS = 6.0
_PICTURE_ASPECT = 0.56
"""Height of a preset's picture divided by its width."""


class Tile(PaintedButton):
    """Button with a title and text below. Enter and a click choose it; other keys are left to the page."""

    def __init__(self, title: str, words: str, lines: int = 1, badge: str = "") -> None:
        super().__init__()
        self._words, self._lines, self._badge = " ".join(words.split()), lines, badge
        self.title = title
        self.setText(title.replace("&", "&&"))  # otherwise Qt makes a shortcut of the next letter
        self.setAccessibleName(f"{title}, {badge}" if badge else title)
        self.setAccessibleDescription(self._words)
        self.setToolTip(tooltip_text(f"{title}\n{self._words}"))  # a long title is elided
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def entry(self) -> SearchEntry:
        """Title and texts of the tile, in the form that the search uses."""
        return SearchEntry(self.title, self._badge, self.click, description=self._words)

    @property
    def preferred_height(self) -> int:
        """Preferred height of the tile [pixels]."""
        title, small = (QFontMetricsF(font).height() for font in self._fonts())
        return round(title + self._lines * small) + 3 * GRID_UNIT

    def sizeHint(self) -> QSize:
        return QSize(200, self.preferred_height)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.preferred_height)

    def draw(self, painter: QPainter) -> None:
        theme = self.theme
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        is_highlighted = self.isEnabled() and (self.underMouse() or self.isDown())
        painter.setPen(QPen(QColor(theme.muted if is_highlighted else theme.line), 1.0))
        painter.setBrush(tint(theme.accent, theme.raised, 0.18) if self.isDown() else QColor(theme.raised))
        painter.drawRoundedRect(box, _CORNER_RADIUS, _CORNER_RADIUS)
        self._paint_text(painter, self._paint_picture(painter, box))
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 2.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), _CORNER_RADIUS, _CORNER_RADIUS)

    def _paint_picture(self, painter: QPainter, box: QRectF) -> QRectF:
        """Paint the picture beside the text, and return the rectangle left for the text."""
        return box

    def _paint_text(self, painter: QPainter, box: QRectF) -> None:
        theme = self.theme
        title, small = self._fonts()
        text_box = box.adjusted(1.5 * GRID_UNIT, GRID_UNIT, -1.5 * GRID_UNIT, -GRID_UNIT)
        metrics, small_metrics = QFontMetricsF(title), QFontMetricsF(small)
        title_lines = break_lines(self.title, metrics, text_box.width(), min(self._lines, 2))
        title_bottom = text_box.top() + len(title_lines) * metrics.height()
        width = text_box.width()
        painter.setFont(small)
        painter.setPen(QColor(theme.muted))
        base = title_bottom + 0.5 * GRID_UNIT + small_metrics.ascent()
        if self._badge:  # below the title, which must not be cut
            wide = small_metrics.horizontalAdvance(self._badge)
            painter.drawText(QPointF(text_box.right() - wide, base), self._badge)
            width -= wide + 2 * GRID_UNIT
        line_count = self._lines + 1 - len(title_lines)
        for number, line in enumerate(break_lines(self._words, small_metrics, width, line_count)):
            painter.drawText(QPointF(text_box.left(), base + number * small_metrics.height()), line)
        painter.setFont(title)
        painter.setPen(QColor(theme.text if self.isEnabled() else theme.muted))
        for number, line in enumerate(title_lines):
            text = metrics.elidedText(line, Qt.TextElideMode.ElideRight, text_box.width())
            painter.drawText(
                QPointF(text_box.left(), text_box.top() + metrics.ascent() + number * metrics.height()), text
            )

    def _fonts(self) -> tuple[QFont, QFont]:
        theme = self.theme
        return tabular_font(theme, theme.normal, QFont.Weight.DemiBold), tabular_font(theme, theme.small)


class LessonTile(Tile):
    """Tile of a lesson, with its number before the title."""

    def __init__(self, number: int, title: str, words: str, minutes: int, is_own: bool = False) -> None:
        badges = tr("your lesson") if is_own else "", tr("{minutes} min", minutes=minutes) if minutes else ""
        super().__init__(title, words, 2, ", ".join(filter(None, badges)))
        self._number = str(number)
        self.setAccessibleName(tr("Lesson {number}: {title}", number=number, title=self.accessibleName()))

    def _paint_picture(self, painter: QPainter, box: QRectF) -> QRectF:
        theme = self.theme
        font, wide = tabular_font(theme, theme.title, QFont.Weight.DemiBold), 2.6 * theme.title
        number_box = QRectF(box.left(), box.top(), wide, box.height())
        color = theme.accent if self.isEnabled() else theme.muted
        draw_elided_text(painter, number_box, self._number, font, color, Qt.AlignmentFlag.AlignCenter)
        return box.adjusted(wide - 1.5 * GRID_UNIT, 0, 0, 0)


class BodyTile(Tile):
    """Tile of a run that shows its rotating body, above the text or, if `flat`, beside it. `advance` rotates the body."""

    def __init__(
        self,
        preset: Preset,
        title: str,
        words: str,
        lines: int,
        badge: str = "",
        horizontal: bool = False,
        keywords: str = "",
    ) -> None:
        super().__init__(title, words, lines, badge)
        self._preset, self._is_horizontal, self._keywords = preset, horizontal, keywords or preset.source
        self._body: tuple[BodyRenderer, PreviewMotion] | None = None
        self.render_seconds = 0.0
        """Time to render the last picture [s], 0 before the first one."""

    @property
    def entry(self) -> SearchEntry:
        return replace(super().entry, keywords=self._keywords)

    @property
    def preferred_height(self) -> int:
        return super().preferred_height + (
            0 if self._is_horizontal else round(_PICTURE_ASPECT * self.width())
        )

    def advance(self, elapsed: float) -> None:
        """Rotate the body by this time [s]."""
        if self._body is not None:
            self._body[1].advance(elapsed)
            self.update()

    def _paint_picture(self, painter: QPainter, box: QRectF) -> QRectF:
        if self._body is None:  # only if visible
            self._body = BodyRenderer(self._preset.body), PreviewMotion(self._preset)
            self._reference_rotation = self._body[1].rotation
        renderer, turning = self._body
        if self._is_horizontal:
            picture_rect = QRectF(box.left(), box.top(), 1.4 * box.height(), box.height())
            text_rect = box.adjusted(picture_rect.width(), 0, 0, 0)
        else:
            picture_rect = QRectF(box.left(), box.top(), box.width(), round(_PICTURE_ASPECT * self.width()))
            text_rect = box.adjusted(0, picture_rect.height(), 0, 0)
        scale = self.devicePixelRatioF()
        size = (picture_rect.size() * scale).toSize()
        started = perf_counter()
        image = renderer.render(turning.rotation, self._reference_rotation, size, self.theme)
        self.render_seconds = perf_counter() - started
        clip_path = QPainterPath()
        clip_path.addRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), _CORNER_RADIUS, _CORNER_RADIUS)
        painter.save()
        painter.setClipPath(clip_path)
        painter.drawImage(picture_rect, image)
        painter.restore()
        return text_rect


ANIMATION_INTERVAL_MS = 100
"""Interval between two frames of the rotating body [ms]."""
FRAMES_PER_TILE = 30
"""Number of frames for which one tile is animated before the next one."""
MAX_FRAME_SECONDS = 0.025
"""Longest median render time of a frame [s]. If rendering is slower, only the tile with the mouse or the focus is animated."""
_MEASURED_FRAMES = 8


class TileAnimator(QTimer):
    """Timer that rotates the body of one tile at a time.

    This is the tile under the mouse, or else the tile with the focus. If there is neither, the visible tiles
    take turns, unless rendering is too slow on this machine.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent, interval=ANIMATION_INTERVAL_MS)
        self._tiles: Sequence[BodyTile] = ()
        self._current_tile: BodyTile | None = None
        self._frames_left = 0
        self._frame_times: deque[float] = deque(maxlen=_MEASURED_FRAMES)
        self.timeout.connect(self.advance_frame)

    @property
    def is_paused(self) -> bool:
        """True if only a body under the mouse or with the focus rotates, because rendering is slow."""
        return len(self._frame_times) == _MEASURED_FRAMES and median(self._frame_times) > MAX_FRAME_SECONDS

    def set_tiles(self, tiles: Sequence[BodyTile]) -> None:
        """Replace the tiles that are animated."""
        self._tiles, self._current_tile = tiles, None
        self._frame_times.clear()

    def advance_frame(self) -> None:
        """Draw the next picture of the rotating body."""
        visible = [tile for tile in self._tiles if tile.isVisible() and not tile.visibleRegion().isEmpty()]
        watched = [tile for tile in visible if tile.underMouse()] or [
            tile for tile in visible if tile.hasFocus()
        ]
        tile = watched[0] if watched else self._next_tile(visible)
        if tile is not None:
            self._frame_times.extend([tile.render_seconds] if tile.render_seconds else [])
            tile.advance(ANIMATION_INTERVAL_MS / 1000)

    def _next_tile(self, visible: Sequence[BodyTile]) -> BodyTile | None:
        if self.is_paused:
            return None
        self._frames_left -= 1
        if self._current_tile is None or self._frames_left <= 0 or self._current_tile not in visible:
            number = visible.index(self._current_tile) + 1 if self._current_tile in visible else 0
            self._current_tile, self._frames_left = (
                (visible[number % len(visible)] if visible else None),
                FRAMES_PER_TILE,
            )
        return self._current_tile
