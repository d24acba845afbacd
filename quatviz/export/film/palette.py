"""Color palette of a GIF, chosen from one frame and kept while it is adequate for the following frames.

With a constant palette, unchanged pixels need not be stored, and colors do not flicker. For a frame of 640 by 480
pixels, this module takes 10 ms; the corresponding filter of FFmpeg took 1 s.
"""

import heapq

import numpy as np

_NOT_ASSIGNED = -1
_CHECK_STRIDE = 3
"""Stride of the pixels that are checked for wrong colors, in both directions."""
_MAX_COLOR_ERROR = 40
"""Largest error of a color that counts as right: the sum of the absolute differences of red, green and blue levels."""
_MAX_WRONG_SHARE = 0.002
"""Fraction of pixels with wrong colors above which a new palette is chosen."""
_COLORS_PER_BATCH = 4096
"""Number of colors that are compared with the palette at once."""


class ColorPalette:
    """Palette of 256 colors for the frames of one film, chosen anew when a frame needs other colors."""

    def __init__(self) -> None:
        self._colors = np.zeros((256, 4), np.uint8)
        """Alpha, red, green and blue of the palette entries (256, 4)."""
        self._numbers: np.ndarray | None = None
        """Index of the nearest palette entry for each packed color. Entries are computed when they are first needed."""
        self.choice_count = 0
        """Number of palettes chosen so far."""

    def quantize(self, picture: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the palette indices (height, width) of the pixels of a picture, and the palette (256, 4).

        The picture (height, width, 4) has the channels blue, green, red and unused.
        """
        if picture.dtype != np.uint8:
            raise TypeError(f"a picture of bytes is wanted, not of {picture.dtype}")
        if self._numbers is None:
            self._choose(picture)
        numbers = self._look_up(picture)
        if not self._is_adequate(picture, numbers):
            self._choose(picture)
            numbers = self._look_up(picture)
        return numbers, self._colors

    def _choose(self, picture: np.ndarray) -> None:
        packed, counts = np.unique(picture.view(np.uint32)[..., 0] & 0xFFFFFF, return_counts=True)
        chosen = _median_cut(_unpack_rgb(packed), counts, 255)
        self._colors = np.zeros((256, 4), np.uint8)  # the last entry is transparent, for unchanged pixels
        self._colors[: len(chosen), 0] = 255
        self._colors[: len(chosen), 1:] = chosen
        self._numbers = np.full(2**24, _NOT_ASSIGNED, np.int16)
        self.choice_count += 1

    def _look_up(self, picture: np.ndarray) -> np.ndarray:
        assert self._numbers is not None
        packed = picture.view(np.uint32)[..., 0] & 0xFFFFFF
        numbers = self._numbers[packed]
        if numbers.min() == _NOT_ASSIGNED:
            new = np.unique(packed[numbers == _NOT_ASSIGNED])
            for start in range(0, len(new), _COLORS_PER_BATCH):
                part = new[start : start + _COLORS_PER_BATCH]
                self._numbers[part] = self._nearest(part)
            numbers = self._numbers[packed]
        return numbers.astype(np.uint8)

    def _nearest(self, packed: np.ndarray) -> np.ndarray:
        target = _unpack_rgb(packed).astype(np.float32)
        solid = np.flatnonzero(self._colors[:, 0])
        candidates = self._colors[solid, 1:].astype(np.float32)
        distances = (candidates**2).sum(axis=1) - 2 * target @ candidates.T
        return solid[distances.argmin(axis=1)].astype(np.int16)

    def _is_adequate(self, picture: np.ndarray, numbers: np.ndarray) -> bool:
        expected = picture[::_CHECK_STRIDE, ::_CHECK_STRIDE, 2::-1].astype(int)
        actual = self._colors[numbers[::_CHECK_STRIDE, ::_CHECK_STRIDE], 1:].astype(int)
        return float((np.abs(expected - actual).sum(axis=2) > _MAX_COLOR_ERROR).mean()) <= _MAX_WRONG_SHARE


def _unpack_rgb(packed: np.ndarray) -> np.ndarray:
    """Return red, green and blue levels (n, 3) of colors (n,) that are packed into one integer each."""
    return np.stack([packed >> shift & 255 for shift in (16, 8, 0)], axis=1)


def _median_cut(colors: np.ndarray, counts: np.ndarray, max_count: int) -> np.ndarray:
    """Return at most `max_count` representative colors (k, 3) of the colors `colors` (n, 3), which occur `counts`
    (n,) times.

    The colors are divided into sets. The set with the largest squared error is repeatedly split at its mean. Each
    result is the mean of a set.
    """

    def make_set(members: np.ndarray) -> tuple[float, int, int, np.ndarray, np.ndarray]:
        own, weights = colors[members], counts[members]
        mean = weights @ own / weights.sum()
        spread = weights @ (own - mean) ** 2
        axis = int(spread.argmax())
        return -float(spread[axis]), int(members[0]), axis, mean, members

    sets = [make_set(np.arange(len(colors)))]
    while len(sets) < max_count and sets[0][0] < 0:
        _, _, axis, mean, members = heapq.heappop(sets)
        low = colors[members, axis] <= mean[axis]
        for half in (members[low], members[~low]):
            heapq.heappush(sets, make_set(half))
    return np.round([mean for _, _, _, mean, _ in sets])
