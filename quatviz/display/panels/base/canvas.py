"""The canvas on which painted panels draw, in the window or in a figure."""

from typing import Literal, NamedTuple, Protocol

from quatviz.display.view_state.theme import Theme

FontSize = Literal["small", "normal", "large"]
"""A font size of the theme."""
Align = Literal["left", "center", "right"]


class Rect(NamedTuple):
    """A rectangle in pixels; y points downward."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    def contains(self, other: "Rect") -> bool:
        """Return True if the box `other` is inside this box."""
        return (
            self.x <= other.x
            and other.right <= self.right
            and self.y <= other.y
            and other.bottom <= self.bottom
        )

    def intersects(self, other: "Rect") -> bool:
        """Return True if the boxes overlap by more than an edge."""
        return (
            self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom
        )

    def shrunk(
        self, left_margin: float, top_margin: float, right_margin: float, bottom_margin: float
    ) -> "Rect":
        """Return a smaller box, without the given margins [pixels]."""
        return Rect(
            self.x + left_margin,
            self.y + top_margin,
            self.width - left_margin - right_margin,
            self.height - top_margin - bottom_margin,
        )


class Canvas(Protocol):
    """Drawing area from (0, 0) to (`width`, `height`) [pixels], with the font sizes of the theme. Colors are
    `#rrggbb`."""

    theme: Theme
    width: float
    height: float
    gutter: float
    """x position of the left edge of the plots [pixels]. The numbers of their axes are to the left of it."""
    margin: float
    """Width of the margin to the right of the plots [pixels]."""

    def text_width(self, text: str, size: FontSize = "normal") -> float:
        """Return the width of a text in one line [pixels]."""

    def line_height(self, size: FontSize = "normal") -> float:
        """Return the height of a line of text [pixels]."""

    def elide(self, text: str, max_width: float, size: FontSize = "normal") -> str:
        """Return the text, with its middle elided if it is wider than `max_width`."""

    def draw_text(
        self,
        x: float,
        baseline: float,
        text: str,
        color: str,
        size: FontSize = "normal",
        align: Align = "left",
    ) -> None:
        """Draw a line of text that starts, is centered or ends at x, depending on `align`."""

    def draw_text_in(
        self, box: Rect, text: str, color: str, size: FontSize = "normal", align: Align = "left"
    ) -> None:
        """Draw a line of text, vertically centered in a box."""

    def wrap(self, text: str, max_width: float, size: FontSize = "small") -> list[str]:
        """Return the lines of a text wrapped to the width `max_width`."""

    def fill_box(self, box: Rect, color: str) -> None:
        """Fill a rectangle with one color."""

    def fill_gradient(self, box: Rect, colors: tuple[str, ...]) -> None:
        """Fill a rectangle with a horizontal gradient through these colors."""


def lightness(color: str) -> float:
    """Return the lightness of a color as in HSL, from 0 for black to 1 for white."""
    parts = [int(color[position : position + 2], 16) / 255.0 for position in (1, 3, 5)]
    return (max(parts) + min(parts)) / 2.0


def component_color(theme: Theme, number: int, count: int) -> str:
    """Return the color of component `number` of `count`. Four components are scalar first, three are x, y and
    z, and a single one is gray."""
    colors = theme.components[1:] if count == 3 else theme.components
    return colors[number % len(colors)]
