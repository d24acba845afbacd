"""What can be chosen on the start page: one button for each run, file and lesson, painted with its words, and whose body turns."""

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from statistics import median
from time import perf_counter

from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen

from quatviz.base.translation import tr
from quatviz.display.view_state.theme import UNIT
from quatviz.files.preset import Preset
from quatviz.simulation.preview import Turning
from quatviz.teaching.help.entry_search import Entry
from quatviz.ui.start.body_renderer import BodyPicture
from quatviz.ui.widgets.controls import Pressable, tip
from quatviz.ui.widgets.painting import broken, write
from quatviz.ui.widgets.style import tabular, tint

_ROUND = 6.0
_PICTURE = 0.56
"""Height of a preset's picture over its width."""


class Tile(Pressable):
    """A title, and words below it. Enter and a click choose it; what else is typed is the page's."""

    def __init__(self, title: str, words: str, lines: int = 1, aside: str = "") -> None:
        super().__init__()
        self._words, self._lines, self._aside = " ".join(words.split()), lines, aside
        self.title = title
        self.setText(title.replace("&", "&&"))  # or Qt would make a key of the letter behind it
        self.setAccessibleName(f"{title}, {aside}" if aside else title)
        self.setAccessibleDescription(self._words)
        self.setToolTip(tip(f"{title}\n{self._words}"))  # for a long title is shortened
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def entry(self) -> Entry:
        """By which it is found."""
        return Entry(self.title, self._aside, self.click, about=self._words)

    @property
    def wanted_height(self) -> int:
        """Of its words and what stands above them [pixels]."""
        title, small = (QFontMetricsF(font).height() for font in self._fonts())
        return round(title + self._lines * small) + 3 * UNIT

    def sizeHint(self) -> QSize:
        return QSize(200, self.wanted_height)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.wanted_height)

    def draw(self, painter: QPainter) -> None:
        theme = self.theme
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        strong = self.isEnabled() and (self.underMouse() or self.isDown())
        painter.setPen(QPen(QColor(theme.muted if strong else theme.line), 1.0))
        painter.setBrush(tint(theme.accent, theme.raised, 0.18) if self.isDown() else QColor(theme.raised))
        painter.drawRoundedRect(box, _ROUND, _ROUND)
        self._paint_words(painter, self._paint_picture(painter, box))
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 2.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), _ROUND, _ROUND)

    def _paint_picture(self, painter: QPainter, box: QRectF) -> QRectF:
        """What stands beside the words; the room that it leaves them."""
        return box

    def _paint_words(self, painter: QPainter, box: QRectF) -> None:
        theme = self.theme
        title, small = self._fonts()
        room = box.adjusted(1.5 * UNIT, UNIT, -1.5 * UNIT, -UNIT)
        metrics, low = QFontMetricsF(title), QFontMetricsF(small)
        width = room.width()
        painter.setFont(small)
        painter.setPen(QColor(theme.muted))
        base = room.top() + metrics.height() + 0.5 * UNIT + low.ascent()
        if self._aside:  # below the title, which is to be read whole
            wide = low.horizontalAdvance(self._aside)
            painter.drawText(QPointF(room.right() - wide, base), self._aside)
            width -= wide + 2 * UNIT
        for number, line in enumerate(broken(self._words, low, width, self._lines)):
            painter.drawText(QPointF(room.left(), base + number * low.height()), line)
        painter.setFont(title)
        painter.setPen(QColor(theme.text if self.isEnabled() else theme.muted))
        said = metrics.elidedText(self.title, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(QPointF(room.left(), room.top() + metrics.ascent()), said)

    def _fonts(self) -> tuple[QFont, QFont]:
        theme = self.theme
        return tabular(theme, theme.normal, QFont.Weight.DemiBold), tabular(theme, theme.small)


class LessonTile(Tile):
    """A lesson, with its number before its title."""

    def __init__(self, number: int, title: str, words: str, minutes: int, own: bool = False) -> None:
        said = tr("yours") if own else "", tr("{minutes} min", minutes=minutes) if minutes else ""
        super().__init__(title, words, 2, ", ".join(filter(None, said)))
        self._number = str(number)
        self.setAccessibleName(tr("Lesson {number}: {title}", number=number, title=self.accessibleName()))

    def _paint_picture(self, painter: QPainter, box: QRectF) -> QRectF:
        theme = self.theme
        font, wide = tabular(theme, theme.title, QFont.Weight.DemiBold), 2.6 * theme.title
        room = QRectF(box.left(), box.top(), wide, box.height())
        colour = theme.accent if self.isEnabled() else theme.muted
        write(painter, room, self._number, font, colour, Qt.AlignmentFlag.AlignCenter)
        return box.adjusted(wide - 1.5 * UNIT, 0, 0, 0)


class BodyTile(Tile):
    """A run with its body, above the words or, where it lies `flat`, beside them. `turn` lets it turn."""

    def __init__(
        self, preset: Preset, title: str, words: str, lines: int, aside: str = "", flat: bool = False
    ) -> None:
        super().__init__(title, words, lines, aside)
        self._preset, self._flat = preset, flat
        self._body: tuple[BodyPicture, Turning] | None = None
        self.cost = 0.0
        """Of its last picture [s]; 0 where it has none yet."""

    @property
    def entry(self) -> Entry:
        return replace(super().entry, known=self._preset.source)

    @property
    def wanted_height(self) -> int:
        return super().wanted_height + (0 if self._flat else round(_PICTURE * self.width()))

    def turn(self, elapsed: float) -> None:
        """Let the body go on by so long [s]."""
        if self._body is not None:
            self._body[1].advance(elapsed)
            self.update()

    def _paint_picture(self, painter: QPainter, box: QRectF) -> QRectF:
        if self._body is None:  # only where it is seen
            self._body = BodyPicture(self._preset.body), Turning(self._preset)
            self._upright = self._body[1].rotation
        picture, turning = self._body
        if self._flat:
            place = QRectF(box.left(), box.top(), 1.4 * box.height(), box.height())
            rest = box.adjusted(place.width(), 0, 0, 0)
        else:
            place = QRectF(box.left(), box.top(), box.width(), round(_PICTURE * self.width()))
            rest = box.adjusted(0, place.height(), 0, 0)
        scale = self.devicePixelRatioF()
        size = (place.size() * scale).toSize()
        began = perf_counter()
        image = picture.draw(turning.rotation, self._upright, size, self.theme)
        self.cost = perf_counter() - began
        round_ = QPainterPath()
        round_.addRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), _ROUND, _ROUND)
        painter.save()
        painter.setClipPath(round_)
        painter.drawImage(place, image)
        painter.restore()
        return rest


EVERY_MS = 100
"""Between two pictures, of whichever body."""
TURN = 30
"""Pictures until another body has its turn."""
SLOW = 0.025
"""Seconds that a picture may cost, where bodies are to turn unasked."""
_JUDGED = 8


class Turns(QTimer):
    """The body under the mouse, or else that with the focus, turns for as long as it is there. While there is none, those
    that are seen take turns, unless this machine draws so slowly that the page had better stand still."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent, interval=EVERY_MS)
        self._tiles: Sequence[BodyTile] = ()
        self._turn: BodyTile | None = None
        self._left = 0
        self._costs: deque[float] = deque(maxlen=_JUDGED)
        self.timeout.connect(self.beat)

    @property
    def still(self) -> bool:
        """Whether bodies turn only where a person looks at one."""
        return len(self._costs) == _JUDGED and median(self._costs) > SLOW

    def take(self, tiles: Sequence[BodyTile]) -> None:
        """These are all bodies now."""
        self._tiles, self._turn = tiles, None
        self._costs.clear()

    def beat(self) -> None:
        """One picture."""
        seen = [tile for tile in self._tiles if tile.isVisible() and not tile.visibleRegion().isEmpty()]
        watched = [tile for tile in seen if tile.underMouse()] or [tile for tile in seen if tile.hasFocus()]
        tile = watched[0] if watched else self._next(seen)
        if tile is not None:
            self._costs.extend([tile.cost] if tile.cost else [])
            tile.turn(EVERY_MS / 1000)

    def _next(self, seen: Sequence[BodyTile]) -> BodyTile | None:
        if self.still:
            return None
        self._left -= 1
        if self._turn is None or self._left <= 0 or self._turn not in seen:
            number = seen.index(self._turn) + 1 if self._turn in seen else 0
            self._turn, self._left = (seen[number % len(seen)] if seen else None), TURN
        return self._turn
