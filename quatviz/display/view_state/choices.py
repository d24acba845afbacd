"""Choices that panels share: the frame of a vector, the Euler sequence, and the display of signs and turns."""

from dataclasses import dataclass

from quatviz.base.formatting import humanize
from quatviz.base.translation import tr
from quatviz.physics.mechanics.euler_sequences import SEQUENCES


@dataclass(frozen=True)
class Choice:
    """A choice between a few `options`. Options have internal names; `title` and `texts` are the words that
    the user reads. Panels may share a choice."""

    name: str
    title: str
    options: tuple[str, ...]
    texts: tuple[str, ...]
    noun: str = ""
    """Word that follows the options when these are shown side by side, such as "frame"; "" for none."""
    in_menu: bool = False
    """True if the options are in a menu because their texts are long."""

    def text(self, option: str) -> str:
        """Return the text of an option."""
        return tr(self.texts[self.options.index(option)])


SEQUENCE_CHOICE = Choice(
    "sequence", "Sequence", SEQUENCES, tuple(humanize(sequence) for sequence in SEQUENCES)
)

SIGN_CHOICE = Choice(
    "sign", "Sign", ("raw", "continuous", "canonical"), ("raw", "continuous", "canonical"), "sign"
)
"""Choice of the sign of p, since p and -p are the same attitude: as computed, continuous in time, or
canonical. See `display.data.derived_sources`."""

ANGLE_RANGE_CHOICE = Choice("turns", "Turns", ("wrapped", "unwrapped"), ("wrapped", "unwrapped"))
"""Choice of the range of angles: wrapped, or continuous in time."""

AXES_CHOICE = Choice(
    "axes", "Axes of vector components", ("shared", "own"), ("shared by all components", "separate")
)
"""Choice of the axes of vector components: one shared by all components, or one for each."""


SCALAR_CHOICE = Choice(
    "scalar", "Order of the Euler parameters", ("first", "last"), ("scalar first", "scalar last")
)
"""Choice of the position of the scalar Euler parameter: first as e₀, or last as ε₄ as in part of the literature."""

SCALAR_LAST = {1: "ε₁", 2: "ε₂", 3: "ε₃", 0: "ε₄"}
"""Symbols of the components of p by index, in the order with the scalar last."""


def frame_choice(name: str) -> Choice:
    """Return a choice of the frame in which the components of a vector are shown."""
    return Choice(name, "Frame", ("body", "space"), ("body", "space"), "frame")


FRAME_CHOICES = (frame_choice("omega_frame"), frame_choice("h_frame"))
"""The choices between body and space components of omega and of h."""

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
"""Choices that every run has, by name. Panels may have additional choices."""
