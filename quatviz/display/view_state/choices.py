"""Choices that panels share: the frame of a vector, the Euler sequence, how signs and turns are shown."""

from dataclasses import dataclass

from quatviz.base.formatting import humanize
from quatviz.base.translation import tr
from quatviz.physics.mechanics.euler_sequences import SEQUENCES


@dataclass(frozen=True)
class Choice:
    """One of a few `options`, by name; `title` and `texts` are what people read. Panels may share a choice."""

    name: str
    title: str
    options: tuple[str, ...]
    texts: tuple[str, ...]
    noun: str = ""
    """What stands behind options that are side by side."""
    in_menu: bool = False
    """Whether the options are in a menu though they are few, because they are long."""

    def text(self, option: str) -> str:
        """What people read for it."""
        return tr(self.texts[self.options.index(option)])


SEQUENCE_CHOICE = Choice(
    "sequence", "Sequence", SEQUENCES, tuple(humanize(sequence) for sequence in SEQUENCES)
)

SIGN_CHOICE = Choice("sign", "Sign", ("raw", "continuous", "canonical"), ("raw", "continuous", "canonical"))
"""How p and -p, which are one orientation, are told apart; see `display.data.derived_sources`."""

ANGLE_RANGE_CHOICE = Choice("turns", "Turns", ("wrapped", "unwrapped"), ("wrapped", "unwrapped"))
"""Whether angles stay within their range."""

AXES_CHOICE = Choice(
    "axes", "Axes of a vector", ("shared", "own"), ("the same for all components", "each its own")
)
"""Whether the components of a vector are drawn to one scale."""


SCALAR_CHOICE = Choice(
    "scalar", "Order of the Euler parameters", ("first", "last"), ("scalar first", "scalar last")
)
"""Whether the scalar is shown as e₀ before the vector, or as ε₄ behind it, as some texts number the parameters."""

SCALAR_LAST = {1: "ε₁", 2: "ε₂", 3: "ε₃", 0: "ε₄"}
"""Components of p in the order with the scalar last, with their symbols there."""


def frame_choice(name: str) -> Choice:
    """The frame in which a vector's components are shown."""
    return Choice(name, "Frame", ("body", "space"), ("body", "space"), "frame")


FRAME_CHOICES = (frame_choice("omega_frame"), frame_choice("h_frame"))
"""Those in which omega and h are shown."""

COMMON_CHOICES = {
    choice.name: choice
    for choice in (
        SEQUENCE_CHOICE,
        SIGN_CHOICE,
        ANGLE_RANGE_CHOICE,
        AXES_CHOICE,
        SCALAR_CHOICE,
        *FRAME_CHOICES,
    )
}
"""Choices that are the same in every run, by name; panels may have others."""
