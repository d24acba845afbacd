"""What a painted panel draws on: the window's painter, or paper."""

from typing import Literal, NamedTuple, Protocol

from quatviz.display.view_state.theme import Theme

Size = Literal["small", "normal", "large"]
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

    def inside(self, left: float, top: float, right: float, bottom: float) -> "Box":
        """What is left of it without these margins."""
        return Box(self.x + left, self.y + top, self.width - left - right, self.height - top - bottom)


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

    def advance(self, text: str, size: Size = "normal") -> float:
        """How wide a text is."""

    def line(self, size: Size = "normal") -> float:
        """How high a line of text is."""

    def elided(self, text: str, room: float, size: Size = "normal") -> str:
        """A text with its middle left out, as far as that is needed to be no wider than `room`."""

    def write(
        self, x: float, baseline: float, text: str, colour: str, size: Size = "normal", align: Align = "left"
    ) -> None:
        """A line of text that begins at x, or stands about it, or ends there."""

    def write_in(
        self, box: Box, text: str, colour: str, size: Size = "normal", align: Align = "left"
    ) -> None:
        """A line of text half-way up a box."""

    def wrapped(self, text: str, room: float, size: Size = "small") -> list[str]:
        """The lines of a text that is no wider than `room`."""

    def fill(self, box: Box, colour: str) -> None:
        """A plain rectangle."""

    def ramp(self, box: Box, colours: tuple[str, ...]) -> None:
        """A rectangle whose colour goes through these from left to right."""


def lightness(colour: str) -> float:
    """From 0 for black to 1 for white, half-way between the greatest and the least of red, green and blue."""
    parts = [int(colour[at : at + 2], 16) / 255.0 for at in (1, 3, 5)]
    return (max(parts) + min(parts)) / 2.0


def component_colour(theme: Theme, number: int, count: int) -> str:
    """The colour of a component: four are scalar first, three are x, y, z, one is the scalar's grey."""
    colours = theme.components[1:] if count == 3 else theme.components
    return colours[number % len(colours)]
