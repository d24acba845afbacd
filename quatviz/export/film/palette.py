"""The 256 colours of a GIF: chosen from a picture, and kept for as long as they fit those that follow.

The same colours from frame to frame let what stands still be left out of the file, and do not flicker. FFmpeg's own filter
for it took 1 s for each picture of 640 by 480, this takes 10 ms.
"""

import heapq

import numpy as np

_NOT_ASSIGNED = -1
_CHECK_STRIDE = 3
"""Pixels across and down of which one is looked at, to tell whether the colours still fit."""
_MAX_COLOR_ERROR = 40
"""Levels of red, green and blue together by which a colour is wrong."""
_MAX_WRONG_SHARE = 0.002
"""Share of the pixels that may be."""
_COLORS_PER_BATCH = 4096
"""Colours that are compared with the palette at a time."""


class ColorPalette:
    """Colours of one film."""

    def __init__(self) -> None:
        self._colours = np.zeros((256, 4), np.uint8)
        """Alpha, red, green, blue."""
        self._numbers: np.ndarray | None = None
        """The number of the nearest colour, by red, green and blue in one number; found when it is first asked for."""
        self.choice_count = 0
        """How often colours were chosen."""

    def quantize(self, picture: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """A picture (height, width, 4), blue green red first, as numbers (height, width) of colours (256, 4)."""
        if picture.dtype != np.uint8:
            raise TypeError(f"a picture of bytes is wanted, not of {picture.dtype}")
        if self._numbers is None:
            self._choose(picture)
        numbers = self._look_up(picture)
        if not self._is_adequate(picture, numbers):
            self._choose(picture)
            numbers = self._look_up(picture)
        return numbers, self._colours

    def _choose(self, picture: np.ndarray) -> None:
        packed, counts = np.unique(picture.view(np.uint32)[..., 0] & 0xFFFFFF, return_counts=True)
        chosen = _median_cut(_unpack_rgb(packed), counts, 255)
        self._colours = np.zeros((256, 4), np.uint8)  # the last is seen through: what stands still
        self._colours[: len(chosen), 0] = 255
        self._colours[: len(chosen), 1:] = chosen
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
        solid = np.flatnonzero(self._colours[:, 0])
        candidates = self._colours[solid, 1:].astype(np.float32)
        distances = (candidates**2).sum(axis=1) - 2 * target @ candidates.T
        return solid[distances.argmin(axis=1)].astype(np.int16)

    def _is_adequate(self, picture: np.ndarray, numbers: np.ndarray) -> bool:
        expected = picture[::_CHECK_STRIDE, ::_CHECK_STRIDE, 2::-1].astype(int)
        actual = self._colours[numbers[::_CHECK_STRIDE, ::_CHECK_STRIDE], 1:].astype(int)
        return float((np.abs(expected - actual).sum(axis=2) > _MAX_COLOR_ERROR).mean()) <= _MAX_WRONG_SHARE


def _unpack_rgb(packed: np.ndarray) -> np.ndarray:
    """Red, green and blue, (n, 3), of colours that are one number each."""
    return np.stack([packed >> shift & 255 for shift in (16, 8, 0)], axis=1)


def _median_cut(colours: np.ndarray, counts: np.ndarray, max_count: int) -> np.ndarray:
    """As many colours (k, 3) as there may be `max_count`, each the mean of some: of all sets of `colours` (n, 3), which the
    picture has `counts` times, the one that errs most is cut in two at its mean, until there are enough."""

    def make_set(members: np.ndarray) -> tuple[float, int, int, np.ndarray, np.ndarray]:
        own, weights = colours[members], counts[members]
        mean = weights @ own / weights.sum()
        spread = weights @ (own - mean) ** 2
        axis = int(spread.argmax())
        return -float(spread[axis]), int(members[0]), axis, mean, members

    sets = [make_set(np.arange(len(colours)))]
    while len(sets) < max_count and sets[0][0] < 0:
        _, _, axis, mean, members = heapq.heappop(sets)
        low = colours[members, axis] <= mean[axis]
        for half in (members[low], members[~low]):
            heapq.heappush(sets, make_set(half))
    return np.round([mean for _, _, _, mean, _ in sets])
