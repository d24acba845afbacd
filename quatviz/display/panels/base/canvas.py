"""What a painted panel draws on: the window's painter, or paper."""

from typing import Literal, NamedTuple, Protocol

from quatviz.display.view_state.theme import Theme

FontSize = Literal["small", "normal", "large"]
"""A type of the theme's scale."""
Align = Literal["left", "centre", "right"]


class Box(NamedTuple):
    """A rectangle; y grows downward."""

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

    def contains(self, other: "Box") -> bool:
        """Whether all of another one is in it."""
        return (
            self.x <= other.x
            and other.right <= self.right
            and self.y <= other.y
            and other.bottom <= self.bottom
        )

    def intersects(self, other: "Box") -> bool:
        """Whether they have more than an edge in common."""
        return (
            self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom
        )

    def shrunk(
        self, left_margin: float, top_margin: float, right_margin: float, bottom_margin: float
    ) -> "Box":
        """What is left of it without these margins."""
        return Box(
            self.x + left_margin,
            self.y + top_margin,
            self.width - left_margin - right_margin,
            self.height - top_margin - bottom_margin,
        )


class Canvas(Protocol):
    """Room from (0, 0) to (`width`, `height`) in the pixels of a screen with the theme's type sizes. Colours are names such as
    `#1a2b3c`."""

    theme: Theme
    width: float
    height: float
    gutter: float
    """Where plots begin: left of it stand the numbers of their axes."""
    margin: float
    """What plots leave free at their right."""

    def text_width(self, text: str, size: FontSize = "normal") -> float:
        """How wide a text is."""

    def line_height(self, size: FontSize = "normal") -> float:
        """How high a line of text is."""

    def elide(self, text: str, room: float, size: FontSize = "normal") -> str:
        """A text with its middle left out, as far as that is needed to be no wider than `room`."""

    def draw_text(
        self,
        x: float,
        baseline: float,
        text: str,
        colour: str,
        size: FontSize = "normal",
        align: Align = "left",
    ) -> None:
        """A line of text that begins at x, or stands about it, or ends there."""

    def draw_text_in(
        self, box: Box, text: str, colour: str, size: FontSize = "normal", align: Align = "left"
    ) -> None:
        """A line of text half-way up a box."""

    def wrap(self, text: str, room: float, size: FontSize = "small") -> list[str]:
        """The lines of a text that is no wider than `room`."""

    def fill_box(self, box: Box, colour: str) -> None:
        """A plain rectangle."""

    def fill_gradient(self, box: Box, colours: tuple[str, ...]) -> None:
        """A rectangle whose colour goes through these from left to right."""


def lightness(colour: str) -> float:
    """From 0 for black to 1 for white, half-way between the greatest and the least of red, green and blue."""
    parts = [int(colour[position : position + 2], 16) / 255.0 for position in (1, 3, 5)]
    return (max(parts) + min(parts)) / 2.0


def component_colour(theme: Theme, number: int, count: int) -> str:
    """The colour of a component: four are scalar first, three are x, y, z, one is the scalar's grey."""
    colours = theme.components[1:] if count == 3 else theme.components
    return colours[number % len(colours)]
