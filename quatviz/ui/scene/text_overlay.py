"""Text over a 3D view: legend, heading and labels without overlaps, drawn from cached images."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter

from quatviz.base.formatting.text_layout import fold_to_lines, shorten_alike, wrap_measurement
from quatviz.base.translation import tr
from quatviz.display.scene.base import Label
from quatviz.display.view_state.theme import GRID_UNIT, Theme
from quatviz.ui.widgets.buttons import BUTTON_SIZE
from quatviz.ui.widgets.style import tabular_font

_RING_STEP = 10.0
_DIRECTIONS = ((1, -1), (1, 0), (1, 1), (-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1))
_LABEL_OFFSETS = tuple(
    (_RING_STEP * ring * x, x / 2, _RING_STEP * ring * y, y / 4)
    for ring in (1.0, 2.2, 3.4, 5.0)
    for x, y in _DIRECTIONS
)
"""Candidate positions of a label's center relative to its point, best first.

A candidate has four numbers: the horizontal offset in pixels and, added to it, as a fraction of the label's width; and
the vertical offset in pixels and, added to it, as a fraction of the label's height.
"""
_KEEP_CLEARANCE, _CLEARANCE, _RETURN_CLEARANCE = 2.0, 3.0, 6.0
"""Distances from other texts [pixels] that a label needs to keep its position, to take another position, and to move
back closer to its point. They differ to prevent flicker."""
_NEARER_CANDIDATES, _CANDIDATES = (
    tuple((index, clearance) for index in range(len(_LABEL_OFFSETS)))
    for clearance in (_RETURN_CLEARANCE, _CLEARANCE)
)
"""Two tuples of candidate positions, the first for moving a label closer to its point, the second for any other move. A
candidate is a pair: the index in `_LABEL_OFFSETS`, and the distance that it needs from other texts [pixels]."""
_HALO_WIDTH = 3.0
_SMALL_VIEW_LINES = 12.0
"""Size at which a view counts as small, as a multiple of the normal font size of labels. If its width or height is
smaller, labels use the small font."""
_AREA_MARGIN = 4
"""Distance of all text from the edges of the view [pixels]."""
_CORNER_MARGIN = 10
"""Distance of the legend lines in the lower left corner from the edges of the view [pixels]."""
_HALO_ALPHA = 192
_HALO_OFFSETS = tuple(
    QPointF(radius * math.cos(turn * math.pi / 6), radius * math.sin(turn * math.pi / 6))
    for radius in (1.25, 2.25)
    for turn in range(12)
)
_CACHE_SIZE = 64
"""Largest number of cached text images and of cached folded lines. A limit is needed, because texts in old scales are
never used again."""


@dataclass(frozen=True, eq=False)
class TextImage:
    """An image of a text, with the size of the text [logical pixels]."""

    image: QImage
    width: float
    height: float


class PlacedText(NamedTuple):
    """A text image at a position [logical pixels]."""

    left: float
    top: float
    right: float
    bottom: float
    text_image: TextImage

    @classmethod
    def at(cls, left: float, top: float, text_image: TextImage) -> "PlacedText":
        return cls(left, top, left + text_image.width, top + text_image.height, text_image)

    @property
    def box(self) -> QRectF:
        return QRectF(self.left, self.top, self.right - self.left, self.bottom - self.top)


def _is_free(edges: tuple[float, float, float, float], clearance: float, texts: Sequence[PlacedText]) -> bool:
    """Return True if no text is within the distance `clearance` of a rectangle (left, top, right, bottom)."""
    left, top, right, bottom = edges
    left, top, right, bottom = left - clearance, top - clearance, right + clearance, bottom + clearance
    for text_left, text_top, text_right, text_bottom, _ in texts:
        if text_left < right and left < text_right and text_top < bottom and top < text_bottom:
            return False
    return True


class LabelPlacer:
    """Placement of the labels of a view without overlaps.

    A label keeps its position until another text occupies it, or until a position nearer to the point becomes free.
    """

    def __init__(self, theme: Callable[[], Theme]) -> None:
        self._theme = theme
        self._placed_labels: dict[str, PlacedText] = {}
        """Current position of each label, by text."""
        self._render_cached, self._fold_cached = (
            lru_cache(_CACHE_SIZE)(_render_text),
            lru_cache(_CACHE_SIZE)(_fold_text),
        )
        self._shorten_cached = lru_cache(_CACHE_SIZE)(_shorten_alike)
        self._last_offsets: WeakKeyDictionary[Label, int] = WeakKeyDictionary()

    @property
    def boxes(self) -> dict[str, QRectF]:
        """Rectangle of each label, by text."""
        return {text: placed.box for text, placed in self._placed_labels.items()}

    def place_labels(
        self,
        labels: Sequence[Label],
        points: np.ndarray,
        area: QRectF,
        ratio: float,
        occupied: Sequence[PlacedText] = (),
    ) -> list[PlacedText]:
        """Place labels beside `points` (n, 2) [logical pixels], outside the `occupied` areas. A point behind the eye is NaN."""
        self._placed_labels, theme = {}, self._theme()
        pixels = theme.small if self.is_small(area) else theme.title + 2
        bounds, all_occupied = (area.left(), area.top(), area.right(), area.bottom()), list(occupied)
        for label, (x, y) in sorted(
            zip(labels, points.tolist(), strict=True), key=lambda labelled: labelled[0].priority
        ):
            if label.visible and math.isfinite(x) and math.isfinite(y):
                text_image = self.text_image(label.text, label.color, ratio, pixels)
                placed = self._place_label(label, x, y, text_image, bounds, all_occupied, occupied)
                self._placed_labels[label.text] = placed
                all_occupied.append(placed)
        return all_occupied[len(occupied) :]

    def is_small(self, area: QRectF) -> bool:
        """Return True if the view is small. Labels then use the small font, to leave space for the body."""
        return min(area.width(), area.height()) <= _SMALL_VIEW_LINES * (self._theme().title + 2)

    def place_corner_lines(
        self, lines: Sequence[tuple[str, str]], area: QRectF, ratio: float
    ) -> list[PlacedText]:
        """Place lines of (text, color) in the lower left corner.

        A line that is too long loses words but never digits or units, because a reader can guess a lane's name but not a
        number. A line without a number may take two rows.
        """
        small, placed = self._theme().small, list[PlacedText]()
        x, y = area.left() + _CORNER_MARGIN, area.bottom() - 8
        folded = self._fold_corner_lines(lines, area.width())
        for rows, (_, color) in zip(reversed(folded), reversed(lines), strict=True):
            for line in reversed(rows):
                text_image = self.text_image(line, color, ratio, small)
                y -= self.line_height + 2 * _HALO_WIDTH * (not placed)
                placed.append(PlacedText.at(x, y, text_image))
        return placed

    def corner_row_counts(self, lines: Sequence[tuple[str, str]], width: float) -> list[int]:
        """Return how many rows each corner line takes in a view of this width [pixels]."""
        return [len(rows) for rows in self._fold_corner_lines(lines, width)]

    def _fold_corner_lines(self, lines: Sequence[tuple[str, str]], width: float) -> list[list[str]]:
        """Return the text of each corner line, split into rows that fit a view of this width [pixels]."""
        available, small = width - 2 * (_CORNER_MARGIN + _HALO_WIDTH), self._theme().small
        texts = self._shorten_cached(tuple(text for text, _ in lines), available, self._theme(), small)
        return [self.fold_text(text, available, small, 1 if " = " in text else 2) for text in texts]

    @property
    def line_height(self) -> float:
        """Height of a text line in the lower left corner [pixels]. Halos are not included, because those of adjacent
        lines overlap."""
        return _metrics(self._theme(), self._theme().small).height()

    def _place_label(
        self, label: Label, x: float, y: float, text_image: TextImage,
        bounds: tuple[float, float, float, float], all_occupied: Sequence[PlacedText], occupied: Sequence[PlacedText],
    ) -> PlacedText:  # fmt: skip
        """Return the label at a position where it overlaps no other text.

        If there is no such position, it may overlap other labels, but none of the `occupied` texts.
        """
        last_index, width, height = self._last_offsets.get(label, 0), text_image.width, text_image.height
        nearer_count = last_index - last_index % len(_DIRECTIONS)
        candidates = *_NEARER_CANDIDATES[:nearer_count], (last_index, _KEEP_CLEARANCE), *_CANDIDATES
        for others, (offset_index, clearance) in product((all_occupied, occupied), candidates):
            across, of_width, down, of_height = _LABEL_OFFSETS[offset_index]
            left, top = x + across + (of_width - 0.5) * width, y + down + (of_height - 0.5) * height
            edges = left, top, left + width, top + height
            is_inside = (
                left >= bounds[0] and top >= bounds[1] and edges[2] <= bounds[2] and edges[3] <= bounds[3]
            )
            if is_inside and _is_free(edges, clearance, others):
                self._last_offsets[label] = offset_index
                break
        else:
            if (
                bounds[0] <= x <= bounds[2] and bounds[1] - height <= y <= bounds[3] + height
            ):  # keep the label at the edge uncut
                left = min(max(left, bounds[0]), bounds[2] - width)
                top = min(max(top, bounds[1]), bounds[3] - height)
                edges = left, top, left + width, top + height
        return PlacedText(*edges, text_image)

    def text_image(self, text: str, color: str, ratio: float, pixels: int | None = None) -> TextImage:
        """Return the image of a text whose letters are `pixels` high."""
        theme = self._theme()
        return self._render_cached(text, color, theme, pixels or theme.title + 2, ratio)

    def fold_text(self, text: str, width: float, pixels: int, max_lines: int) -> list[str]:
        """Fold a text into at most `max_lines` lines of `width` [pixels] in a font of `pixels` height. Words are dropped if
        necessary.

        A measurement ("name = value") may have its value on a second line. If the value does not fit there, it is dropped.
        """
        return self._fold_cached(text, width, self._theme(), pixels, max_lines)


@lru_cache
def _metrics(theme: Theme, pixels: int) -> QFontMetricsF:
    return QFontMetricsF(tabular_font(theme, pixels, QFont.Weight.DemiBold))


def _shorten_alike(texts: tuple[str, ...], width: float, theme: Theme, pixels: int) -> list[str]:
    return shorten_alike(texts, width, _metrics(theme, pixels).horizontalAdvance)


def _fold_text(text: str, width: float, theme: Theme, pixels: int, max_lines: int) -> list[str]:
    advance = _metrics(theme, pixels).horizontalAdvance
    if max_lines > 1 or " = " not in text:
        return fold_to_lines(text, width, max_lines, advance)
    return wrap_measurement(text, width, advance)


def _render_text(text: str, color: str, theme: Theme, pixels: int, ratio: float) -> TextImage:
    """Render a text with a halo, which makes it readable on any background.

    The halo consists of copies of the text around it. Stroking the outline would take twenty times as long, and at the
    beginning of a run a text with a growing scale is rendered in every frame.
    """
    font = tabular_font(theme, pixels, QFont.Weight.DemiBold)
    metrics = QFontMetricsF(font)
    width, height = metrics.horizontalAdvance(text) + 2 * _HALO_WIDTH, metrics.height() + 2 * _HALO_WIDTH
    image = QImage(int(width * ratio) + 1, int(height * ratio) + 1, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(0)
    baseline_start = QPointF(_HALO_WIDTH, _HALO_WIDTH + metrics.ascent())
    with QPainter(image) as painter:
        painter.setFont(font)
        painter.setPen(QColor(theme.sky_bottom))
        for offset in _HALO_OFFSETS:
            painter.drawText(baseline_start + offset, text)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationIn)
        painter.fillRect(QRectF(0, 0, width + 1, height + 1), QColor(0, 0, 0, _HALO_ALPHA))
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        painter.setPen(QColor(color))
        painter.drawText(baseline_start, text)
    return TextImage(image, image.width() / ratio, image.height() / ratio)


ColoredText = tuple[str, str]
"""A text and its color."""

CAMERA_KEY = "camera"
"""Key of the legend line that names the camera frame. The line is omitted if there is a heading, which names the frame
too."""
_MAX_LEGEND_FRACTION = 0.25
"""Largest fraction of the view's height for the legend, so that it does not cover the body in the middle."""
_MIN_LEGEND_LINES = 2
"""Minimum number of legend lines, also in views of small height. Most views need two, for the scales of ω and h."""
_ACTIVE_LINE_HEIGHT = 2
"""Height of the mark above the active view [pixels]."""


def _text_area(view_rect: QRectF) -> QRectF:
    """Return the area of a view for text."""
    return view_rect.adjusted(_AREA_MARGIN, _AREA_MARGIN, -_AREA_MARGIN, -_AREA_MARGIN)


class TextOverlay:
    """The text over one 3D view: heading, legend and labels."""

    def __init__(
        self, theme: Callable[[], Theme], previous_lines: Callable[[], Collection[ColoredText]] = tuple
    ) -> None:
        """Create the overlay.

        `theme` returns the current theme. `previous_lines` returns the legend lines of earlier views, which are not repeated
        here.
        """
        self._theme = theme
        self.labels = LabelPlacer(theme)
        self.title_lines: tuple[ColoredText, ...] = ()
        """Lines of the heading at the top of the view. The first one is in large type."""
        self.brief_title = ""
        """Short form of the first title line, used where the full form needs two rows, or ""."""
        self.stamp = ""
        """Text in the upper right corner, such as the time in a picture."""
        self.inset = QSize(0, 0)
        """Space in the upper left corner used by another widget [pixels]."""
        self.is_active = False
        """True if the view is marked as active by a line at its top."""
        self.shows_labels_only = False
        """True if only labels are painted, without headings and legends."""
        self._previous_lines = previous_lines
        self._title_in_corner: tuple[ColoredText, ...] = ()
        """Heading lines that are shown in the corner, above the legend. Empty if the heading is at the top of the view."""
        self._placed_texts: list[PlacedText] = []
        self._corner_texts: list[PlacedText] = []
        self._legend_key: object = None
        """Key of the lines and sizes from which `_legend` was last computed."""
        self._legend: list[ColoredText] = []
        """Cached legend lines that fit in the view. They are cached because later views ask for the lines of all
        earlier views in every frame."""

    def update_layout(
        self, view_rect: QRectF, labels: Sequence[Label], points: np.ndarray, legend_lines: Mapping[str, ColoredText],
        is_wireframe: bool, ratio: float,
    ) -> QRectF:  # fmt: skip
        """Lay out the text of a view.

        Parameters
        ----------
        view_rect
            Rectangle of the view [logical pixels].
        labels
            Labels of the items.
        points
            Label positions, shape (n, 2) [logical pixels].
        legend_lines
            Legend lines by key.
        is_wireframe
            True if the scene is drawn without OpenGL.
        ratio
            Device pixel ratio.

        Returns
        -------
        QRectF
            The area that differs from the last layout.
        """
        area, previous = _text_area(view_rect), set(self._placed_texts)
        if self.shows_labels_only:
            legend_lines, self.title_lines = {}, ()
        title_lines = self._split_title(area)
        occupied = [*self._place_title(title_lines, area, ratio), *self._place_stamp(area, ratio)]
        legend = self.visible_legend(legend_lines, is_wireframe, view_rect.height(), view_rect.width())
        self._corner_texts = self.labels.place_corner_lines([*legend, *self._title_in_corner], area, ratio)
        labelled = self.labels.place_labels(
            labels, points, area, ratio, [*occupied, *self._corner_texts, *self._reserved_corners(area)]
        )
        self._placed_texts = [*occupied, *labelled, *self._corner_texts]
        changed = previous.symmetric_difference(self._placed_texts)
        if not changed:
            return QRectF()
        left, top = min(text.left for text in changed), min(text.top for text in changed)
        right, bottom = max(text.right for text in changed), max(text.bottom for text in changed)
        return QRectF(left, top, right - left, bottom - top)

    def _split_title(self, area: QRectF) -> tuple[ColoredText, ...]:
        """Return the heading lines for the top of the view. In a small view, return (), because the body fills the
        width and the heading is put in the lower corner instead."""
        is_small = self.labels.is_small(area)
        title_lines = self._fit_title_lines(area, is_small)
        self._title_in_corner, title_lines = (title_lines, ()) if is_small else ((), title_lines)
        return title_lines

    def foot_height(
        self, view_rect: QRectF, legend_lines: Mapping[str, ColoredText], is_wireframe: bool
    ) -> float:
        """Return the height at the bottom of a small view that is covered by text [pixels]. Return 0 for a large view,
        in which the text does not cover the body."""
        area = _text_area(view_rect)
        if self.shows_labels_only or not self.labels.is_small(area):
            return 0.0
        self._split_title(area)
        legend = self.visible_legend(legend_lines, is_wireframe, view_rect.height(), view_rect.width())
        row_counts = self.labels.corner_row_counts([*legend, *self._title_in_corner], area.width())
        return sum(row_counts) * self.labels.line_height

    @property
    def _button_size(self) -> int:
        """Side of the menu button in the upper right corner [pixels]."""
        return self._theme().scaled_pixels(BUTTON_SIZE)

    @property
    def legend_size(self) -> QSize:
        """Size of the legend in the lower left corner [pixels]."""
        if not self._corner_texts:
            return QSize(0, 0)
        right, top = (
            max(text.right for text in self._corner_texts),
            min(text.top for text in self._corner_texts),
        )
        return QSize(math.ceil(right), math.ceil(self._corner_texts[0].bottom - top))

    def paint(self, painter: QPainter, view_rect: QRectF) -> None:
        """Paint the text as `update_layout` has arranged it."""
        for placed in self._placed_texts:
            painter.drawImage(placed.box, placed.text_image.image)
        if self.is_active:
            painter.fillRect(
                QRectF(0, 0, view_rect.width(), _ACTIVE_LINE_HEIGHT), QColor(self._theme().accent)
            )

    def visible_legend(
        self,
        legend_lines: Mapping[str, ColoredText],
        is_wireframe: bool,
        height: float,
        width: float = math.inf,
    ) -> list[ColoredText]:
        """Return the legend lines for a view of this size. If not all of them fit, the last ones are kept.

        A line that needs two rows in a narrow view counts as two lines, so that the body stays visible.
        """
        lines = [line for key, line in legend_lines.items() if not (key == CAMERA_KEY and self.title_lines)]
        if is_wireframe:
            lines.insert(0, (tr("drawn as lines, without OpenGL"), self._theme().muted))
        already_shown = self._previous_lines()
        remaining = [line for line in lines if line not in already_shown]
        key = (remaining, height, width, len(self._title_in_corner), self._theme())
        if key != self._legend_key:
            self._legend_key, self._legend = key, self._lines_that_fit(remaining, height, width)
        return self._legend

    def _lines_that_fit(
        self, remaining: Sequence[ColoredText], height: float, width: float
    ) -> list[ColoredText]:
        """Return the last of the remaining legend lines that fit in a view of this size."""
        max_rows = max(
            int(_MAX_LEGEND_FRACTION * height / self.labels.line_height) - len(self._title_in_corner),
            _MIN_LEGEND_LINES,
        )
        row_counts = self.labels.corner_row_counts(remaining, width - 2 * _AREA_MARGIN)
        kept: list[ColoredText] = []
        for line, row_count in zip(reversed(remaining), reversed(row_counts), strict=True):
            max_rows -= row_count
            if max_rows < 0:
                break
            kept.insert(0, line)
        return kept

    def _fit_title_lines(self, area: QRectF, is_small: bool) -> tuple[ColoredText, ...]:
        """Return the title lines. The first one is `brief_title` if the full form needs two rows."""
        if not self.title_lines or not self.brief_title:
            return self.title_lines
        (title, color), *others = self.title_lines
        theme = self._theme()
        if is_small:
            pixels, available = theme.small, area.width() - 2 * (_CORNER_MARGIN + _HALO_WIDTH)
        else:
            pixels, available = theme.title, area.width() - self._button_size - 2 * (GRID_UNIT + _HALO_WIDTH)
        fits = len(self.labels.fold_text(title, available, pixels, 2)) == 1
        return ((title if fits else self.brief_title, color), *others)

    def _place_title(
        self, title_lines: Sequence[ColoredText], area: QRectF, ratio: float
    ) -> list[PlacedText]:
        placed, x, y = [], area.left() + GRID_UNIT + self.inset.width(), area.top() + GRID_UNIT
        widest = max(
            (self._text_image(*line, ratio).width for line in self._fold_title(title_lines, math.inf)),
            default=0.0,
        )
        if self.inset.width() and widest > area.right() - x - self._button_size - GRID_UNIT:
            x, y = area.left() + GRID_UNIT, y + self.inset.height() - GRID_UNIT
        available = (
            area.right() - x - self._button_size - GRID_UNIT
        )  # stop before the button in the other corner
        for line in self._fold_title(title_lines, available):
            text_image = self._text_image(*line, ratio)
            placed.append(PlacedText.at(x, y, text_image))
            y += text_image.height - GRID_UNIT / 2
        return placed

    def _fold_title(self, title_lines: Sequence[ColoredText], available: float) -> list[tuple[int, str, str]]:
        """Return the heading folded into lines (font size, text, color). A lane's name may take two lines."""
        theme, lines = self._theme(), []
        for index, (text, color) in enumerate(title_lines):
            pixels, max_lines = (theme.small, 1) if index else (theme.title, 2)
            parts = self.labels.fold_text(text, available - 2 * _HALO_WIDTH, pixels, max_lines)
            lines += [(pixels, part, color) for part in parts]
        return lines

    def _reserved_corners(self, area: QRectF) -> list[PlacedText]:
        """Return the rectangles in the upper corners that labels must avoid: those of the menu button and of the inset."""
        nothing, left, top, right = TextImage(QImage(), 0.0, 0.0), area.left(), area.top(), area.right()
        width, height = self.inset.width(), self.inset.height()
        corners = [
            PlacedText(
                right - GRID_UNIT - self._button_size,
                top,
                right,
                top + GRID_UNIT + self._button_size,
                nothing,
            )
        ]
        return [*corners, PlacedText(left, top, left + width, top + height, nothing)] if width else corners

    def _place_stamp(self, area: QRectF, ratio: float) -> list[PlacedText]:
        if not self.stamp:
            return []
        text_image = self.labels.text_image(self.stamp, self._theme().text, ratio, self._theme().title)
        return [
            PlacedText.at(area.right() - GRID_UNIT - text_image.width, area.top() + GRID_UNIT, text_image)
        ]

    def _text_image(self, pixels: int, text: str, color: str, ratio: float) -> TextImage:
        return self.labels.text_image(text, color, ratio, pixels)
