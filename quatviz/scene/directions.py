"""From where a person may look at the body by name."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Direction:
    """`back` points from the body to the eye, in space; None for one that the run decides."""

    title: str
    key: str
    back: tuple[float, float, float] | None


DIRECTIONS = {
    "front": Direction("From the front, along x", "1", (1.0, 0.0, 0.0)),
    "side": Direction("From the side, along y", "2", (0.0, -1.0, 0.0)),
    "top": Direction("From above, along z", "3", (0.0, 0.0, 1.0)),
    "along_h": Direction("Along the angular momentum h", "4", None),
    "isometric": Direction("Isometric", "5", (1.0, -1.0, 1.0)),
}
