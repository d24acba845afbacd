"""Where coordinates of the orientation jump though the body does not, and why.

An angle is known within half a turn, so it jumps by a whole turn where it leaves that range (a *wrap*); and at
det S = 0 the first and the third angle lose their meaning, so passing by throws them, often by half a turn
(*singular*). The second angle never jumps. Euler parameters that change their sign are a *flip*: p and -p are one
orientation.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from quatviz.base.translation import tr
from quatviz.physics.mechanics.euler_sequences import LOCKED, det_S, p_from_angles
from quatviz.physics.mechanics.rotations import rotate

NONE, WRAP, FLIP, SINGULAR = range(4)
ALL_CAUSES = WRAP, FLIP, SINGULAR
CAUSES = ("", "wrap", "flip", "singular")

THROWN = 45.0
"""Degrees from one row to the next that no line can stand for; past the pole half a turn is shared by few rows."""

STILL = 1.0
"""Degrees from one row to the next that are never a jump."""

_UNDETERMINED = 1e-6

Find = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
"""From rows (n, k) to those (m,) from which a component jumps to the next row, and the causes (m, k) of these jumps."""


def find(angles: np.ndarray, sequence: str) -> tuple[np.ndarray, np.ndarray]:
    """The rows (m,) of angles (n, 3) [deg] of a sequence from which one jumps to the next row, and the causes (m, 3).

    Two rows on either side of the singularity show it in the first and third angle alike: both turn by
    `THROWN` at least, as a compass does that is carried past the pole. A quick spin turns only one of them, and
    few rows show a quick turn beside the pole as a jump too: what tells is whether the way leads as close to it
    as where a lane in these angles gives up.
    """
    near = _moved(angles[:, 0], angles[:, 2])
    causes = np.full((len(near), 3), NONE, np.int8)
    if len(near) == 0:
        return near, causes
    raw = angles[near + 1, ::2] - angles[near, ::2]
    turned = np.abs((raw + 180.0) % 360.0 - 180.0)
    before, after = np.radians(angles[[near, near + 1]])
    ends = np.abs(det_S((before, after), sequence)).min(axis=0)
    wrapped = np.abs(raw) > 180.0
    thrown = np.all(turned > THROWN, axis=1, keepdims=True) | wrapped
    closely = np.zeros(len(near), bool)
    few = thrown.any(axis=1)
    closely[few] = np.minimum(ends[few], _nearest(before[few], after[few], sequence)) < LOCKED
    lost = (ends < _UNDETERMINED)[:, None] & (np.abs(raw) > STILL)
    singular = lost | (thrown & closely[:, None])
    causes[:, ::2] = np.where(singular, SINGULAR, np.where(wrapped, WRAP, NONE))
    jumping = causes.any(axis=1)
    return near[jumping], causes[jumping]


def _moved(*angles: np.ndarray) -> np.ndarray:
    """The rows (m,) from which one of the angles (n,) [deg] changes by more than `STILL` to the next."""
    moved = np.zeros(max(len(angles[0]) - 1, 0), dtype=bool)
    for angle in angles:
        step = angle[1:] - angle[:-1]
        moved |= np.abs(step, out=step) > STILL
    return np.flatnonzero(moved)


def _nearest(before: np.ndarray, after: np.ndarray, sequence: str) -> np.ndarray:
    """The least |det S| (n,) between angles (n, 3) [rad] and the next; inf where it is at one of these.

    |det S| is the sine of the angle between the axis of the first rotation and that of the third, whose tip goes from
    row to row along a great circle, as nearly as rows can tell.
    """
    a, b, c = (np.arange(3) + int(sequence[0]) - 1) % 3  # the first axis, and those across it
    tips = rotate(p_from_angles(np.stack((before, after)), sequence), np.eye(3)[int(sequence[2]) - 1])
    tip, later = tips
    normal = np.cross(tip, later)
    onward, back = normal[:, b] * tips[..., c] - normal[:, c] * tips[..., b]  # along the first axis
    between = onward * back < 0.0
    least = np.full(len(before), np.inf)
    least[between] = np.abs(normal[between, a]) / np.linalg.norm(normal[between], axis=1)
    return least


def flips(p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows (m,) of Euler parameters (n, 4) from which all change sign to the next row, and the causes (m, 4)."""
    # The last numbers of a lane may have grown beyond all bounds.
    with np.errstate(over="ignore", invalid="ignore"):
        along = sum(component[1:] * component[:-1] for component in p.T)
    turned = np.flatnonzero(np.less(along, 0.0))
    return turned, np.full((len(turned), 4), FLIP, np.int8)


_SAME = 1e-9
"""Relative difference that no event has made, but the arithmetic of what it was made of."""


def stepped(before: np.ndarray, behind: np.ndarray) -> np.ndarray:
    """Which components (k,) of a quantity are another behind the events at a sample than before them: no line leads there."""
    size = np.abs(before).max(
        initial=0.0, where=np.isfinite(before)
    )  # numbers may have grown beyond all bounds
    return ~np.isclose(before, behind, rtol=_SAME, atol=_SAME * size, equal_nan=True)


def breaks_text(counts: Iterable[Mapping[int, int]]) -> str:
    """Such as "1 singular, 3 wraps", or "2 to 3 wraps" where lanes differ; empty where there is none. The gravest
    comes first: where there is little room the last ones go."""
    lanes = list(counts)
    causes = [cause for cause in reversed(range(1, len(CAUSES))) if any(lane[cause] for lane in lanes)]
    return ", ".join(count_text(cause, *sorted(lane[cause] for lane in lanes)) for cause in causes)


def count_text(cause: int, *counts: int) -> str:
    """Such as "1 flip", "14 wraps" or "0 to 3 singular", from the least to the greatest of `counts`."""
    least, most = counts[0], counts[-1]
    number = tr("{least} to {most}", least=least, most=most) if least != most else f"{most}"
    if most == 1 and cause != SINGULAR:
        return {WRAP: tr("{number} wrap", number=number), FLIP: tr("{number} flip", number=number)}[cause]
    return {
        WRAP: tr("{number} wraps", number=number),
        FLIP: tr("{number} flips", number=number),
        SINGULAR: tr("{number} singular", number=number),
    }[cause]


def crowds(times: np.ndarray, apart: float) -> list[tuple[float, float, int]]:
    """Times (m,) [s] in order, as the first and last of those that are less than so far [s] `apart`, and how many they are."""
    if len(times) == 0:
        return []
    starts = np.flatnonzero(np.diff(times, prepend=-np.inf) >= apart)
    stops = np.append(starts[1:], len(times))
    return list(
        zip(times[starts].tolist(), times[stops - 1].tolist(), (stops - starts).tolist(), strict=True)
    )


def time_beside(times: Sequence[np.ndarray], time: float, direction: int, hair: float) -> float | None:
    """The next time (+1) or the one before (-1) [s] in any of these, each in order, further away than `hair`."""
    beside = []
    for one in times:
        place = int(np.searchsorted(one, time + direction * hair, "right" if direction > 0 else "left"))
        place -= direction < 0
        if 0 <= place < len(one):
            beside.append(float(one[place]))
    return min(beside, key=lambda other: abs(other - time), default=None)
