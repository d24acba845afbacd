"""Helpers for tests of films: their frames, and the difference between pictures."""

from pathlib import Path

import numpy as np
from PySide6.QtGui import QImage

from quatviz.ui.tools.export.frame_sources import image_bytes


def frames_of(path: Path) -> list[np.ndarray]:
    """Return the frames (height, width, 3) in RGB."""
    import av

    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def pixels_of(image: QImage) -> np.ndarray:
    """Return one picture (height, width, 3) in RGB."""
    return image_bytes(image)[..., 2::-1]


def mean_difference(image: np.ndarray, other: np.ndarray) -> float:
    """Return the mean absolute difference in gray levels."""
    return float(np.abs(image.astype(int) - other.astype(int)).mean())


def assert_shows(frames: list[np.ndarray], number: int, still: np.ndarray) -> None:
    """Assert that this frame, and no other, shows the still picture within the encoding loss."""
    distances = [mean_difference(frame, still) for frame in frames]
    assert np.argmin(distances) == number
    assert distances[number] < 5.0
    assert np.median(distances) > 1.2 * distances[number], "the frames differ from each other"
