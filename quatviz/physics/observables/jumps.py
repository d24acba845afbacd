"""Jumps of attitude coordinates that the body does not make, and their causes.

An angle is determined up to a whole turn, so it jumps by a turn where it leaves its range (a *wrap*). At det S = 0 the
first and the third angle are undetermined, so they change abruptly when the attitude passes nearby, often by half a
turn (*singular*). The second angle never jumps. A change of sign of Euler parameters is a *flip*: p and -p are the same
attitude.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from quatviz.base.translation import tr
from quatviz.physics.mechanics.euler_sequences import LOCK_THRESHOLD, det_S, p_from_angles
from quatviz.physics.mechanics.rotations import rotate

NONE, WRAP, FLIP, SINGULAR = range(4)
ALL_CAUSES = WRAP, FLIP, SINGULAR
CAUSES = ("", "wrap", "flip", "singular")

SINGULAR_JUMP_ANGLE = 45.0
"""Smallest change [deg] of both the first and the third angle, from one row to the next, that counts as a jump
at the singularity.

Near the singularity, a jump by half a turn is spread over a few rows.
"""

SMOOTH_STEP_ANGLE = 1.0
"""Largest change [deg] of an angle from one row to the next that never counts as a jump."""

_UNDETERMINED_DET_S = 1e-6

JumpFinder = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
"""Function from rows (n, k) to the indices (m,) of rows before a jump, and the causes (m, k) of the jumps."""


def find_angle_jumps(angles: np.ndarray, sequence: str) -> tuple[np.ndarray, np.ndarray]:
    """Find the jumps of the Euler angles (n, 3) [deg] of a sequence.

    Parameters
    ----------
    angles
        Euler angles (n, 3) [deg] in the order of the rotations.
    sequence
        Euler sequence such as "321".

    Returns
    -------
    tuple of numpy.ndarray
        Indices (m,) of the rows from which an angle jumps to the next row, and the causes (m, 3).

    Notes
    -----
    Between two rows on either side of the singularity both the first and the third angle change by
    `SINGULAR_JUMP_ANGLE` at least, like a compass that is carried past the pole. A fast spin changes only one of them.
    With few rows a fast rotation beside the pole looks like a jump as well, so the path must also come as close to the
    singularity as `LOCK_THRESHOLD`.
    """
    rows = _moving_rows(angles[:, 0], angles[:, 2])
    causes = np.full((len(rows), 3), NONE, np.int8)
    if len(rows) == 0:
        return rows, causes
    raw = angles[rows + 1, ::2] - angles[rows, ::2]
    changes = np.abs((raw + 180.0) % 360.0 - 180.0)
    before, after = np.radians(angles[[rows, rows + 1]])
    end_det_S = np.abs(det_S((before, after), sequence)).min(axis=0)
    is_wrapped = np.abs(raw) > 180.0
    is_large = np.all(changes > SINGULAR_JUMP_ANGLE, axis=1, keepdims=True) | is_wrapped
    is_near_pole = np.zeros(len(rows), bool)
    candidates = is_large.any(axis=1)
    is_near_pole[candidates] = (
        np.minimum(end_det_S[candidates], _smallest_det_S(before[candidates], after[candidates], sequence))
        < LOCK_THRESHOLD
    )
    is_undetermined = (end_det_S < _UNDETERMINED_DET_S)[:, None] & (np.abs(raw) > SMOOTH_STEP_ANGLE)
    singular = is_undetermined | (is_large & is_near_pole[:, None])
    causes[:, ::2] = np.where(singular, SINGULAR, np.where(is_wrapped, WRAP, NONE))
    is_jump = causes.any(axis=1)
    return rows[is_jump], causes[is_jump]


def _moving_rows(*angles: np.ndarray) -> np.ndarray:
    """Return the indices (m,) of rows from which one of the angles (n,) [deg] changes by more than
    `SMOOTH_STEP_ANGLE`."""
    is_moving = np.zeros(max(len(angles[0]) - 1, 0), dtype=bool)
    for angle in angles:
        step = angle[1:] - angle[:-1]
        is_moving |= np.abs(step, out=step) > SMOOTH_STEP_ANGLE
    return np.flatnonzero(is_moving)


def _smallest_det_S(before: np.ndarray, after: np.ndarray, sequence: str) -> np.ndarray:
    """Return the smallest |det S| (n,) on the way from angles (n, 3) [rad] to the next ones, or inf if the smallest
    value is at one of the ends.

    |det S| is the sine of the angle between the first and the third rotation axis. On the way, the tip of the third
    axis is assumed to move along a great circle.
    """
    a, b, c = (np.arange(3) + int(sequence[0]) - 1) % 3  # the first axis, and the two perpendicular to it
    directions = rotate(p_from_angles(np.stack((before, after)), sequence), np.eye(3)[int(sequence[2]) - 1])
    direction, next_direction = directions
    normal = np.cross(direction, next_direction)
    forward, backward = (
        normal[:, b] * directions[..., c] - normal[:, c] * directions[..., b]
    )  # components along the first axis
    is_between = forward * backward < 0.0
    smallest = np.full(len(before), np.inf)
    smallest[is_between] = np.abs(normal[is_between, a]) / np.linalg.norm(normal[is_between], axis=1)
    return smallest


def find_sign_flips(p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the indices (m,) of rows of Euler parameters (n, 4) before a change of sign, and the causes (m, 4)."""
    # The last values of a diverging lane may overflow.
    with np.errstate(over="ignore", invalid="ignore"):
        dot_products = sum(component[1:] * component[:-1] for component in p.T)
    rows = np.flatnonzero(np.less(dot_products, 0.0))
    return rows, np.full((len(rows), 4), FLIP, np.int8)


_RELATIVE_TOLERANCE = 1e-9
"""Relative difference up to which a change at an event counts as rounding error and not as an effect of the
event.
"""


def changed_components(values_before: np.ndarray, values_after: np.ndarray) -> np.ndarray:
    """Return a mask, (k,) or (m, k) for m samples, of the components of a quantity that events at the samples changed.

    Curves are interrupted between the two values of such a component.
    """
    size = np.abs(values_before).max(
        axis=-1, keepdims=True, initial=0.0, where=np.isfinite(values_before)
    )  # values of a diverging lane may be infinite
    return ~np.isclose(
        values_before, values_after, rtol=_RELATIVE_TOLERANCE, atol=_RELATIVE_TOLERANCE * size, equal_nan=True
    )


def format_jump_counts(counts: Iterable[Mapping[int, int]]) -> str:
    """Return text such as "1 singularity, 3 wraps", or "2 to 3 wraps" if the counts of lanes differ, or "" without
    jumps.

    `counts` has, for each lane, the number of jumps by cause. The most serious cause comes first, since a narrow
    label cuts off the end.
    """
    lanes = list(counts)
    causes = [cause for cause in reversed(range(1, len(CAUSES))) if any(lane[cause] for lane in lanes)]
    return ", ".join(format_jump_count(cause, *sorted(lane[cause] for lane in lanes)) for cause in causes)


def format_jump_count(cause: int, *counts: int) -> str:
    """Return text such as "1 flip", "14 wraps" or "0 to 3 singularities" for the jumps of one cause.

    `counts` are the numbers of jumps in the lanes, ascending.
    """
    smallest, largest = counts[0], counts[-1]
    number = tr("{least} to {most}", least=smallest, most=largest) if smallest != largest else f"{largest}"
    if largest == 1:
        return {
            WRAP: tr("{number} wrap", number=number),
            FLIP: tr("{number} flip", number=number),
            SINGULAR: tr("{number} singularity", number=number),
        }[cause]
    return {
        WRAP: tr("{number} wraps", number=number),
        FLIP: tr("{number} flips", number=number),
        SINGULAR: tr("{number} singularities", number=number),
    }[cause]


def cluster_times(times: np.ndarray, min_distance: float) -> list[tuple[float, float, int]]:
    """Group ascending times (m,) [s] whose distances are less than `min_distance` [s]. Return the first time, the last
    time and the number of times of each group."""
    if len(times) == 0:
        return []
    starts = np.flatnonzero(np.diff(times, prepend=-np.inf) >= min_distance)
    stops = np.append(starts[1:], len(times))
    return list(
        zip(times[starts].tolist(), times[stops - 1].tolist(), (stops - starts).tolist(), strict=True)
    )


def neighboring_time(
    times: Sequence[np.ndarray], time: float, direction: int, tolerance: float
) -> float | None:
    """Return the time [s] nearest to `time` among all series, after it (`direction` +1) or before it (-1), and more
    than `tolerance` [s] away.

    `times` are the series, each in ascending order. The result is None if no series has such a time.
    """
    candidates = []
    for series in times:
        index = int(
            np.searchsorted(series, time + direction * tolerance, "right" if direction > 0 else "left")
        )
        index -= direction < 0
        if 0 <= index < len(series):
            candidates.append(float(series[index]))
    return min(candidates, key=lambda other: abs(other - time), default=None)
