"""Where Euler angles jump though the body does not, and why.

An angle is known within half a turn, so it jumps by a whole turn where it leaves that range (a *wrap*); and at
det S = 0 the first and the third angle lose their meaning, so passing by throws them, often by half a turn
(*singular*). The second angle never jumps.
"""

from __future__ import annotations

import numpy as np

from quatviz.core.euler_sequences import det_S
from quatviz.formulations.euler_angles import EulerAngles

NONE, WRAP, SINGULAR = range(3)
CAUSES = ("", "wrap", "singular")

LOCKED = EulerAngles.threshold
"""|det S| at which a lane in these angles gives up: any jump in a row this close is laid to the singularity."""

NEAR = 0.5
"""|det S| beyond which two rows can not lie on either side of the singularity: they would be 60 degrees apart."""

THROWN = 45.0
"""Degrees from one row to the next that no line can stand for; past the pole half a turn is shared by few rows."""

_UNDETERMINED = 1e-6


def find(angles: np.ndarray, sequence: str) -> np.ndarray:
    """Cause of the jump from each row to the next, (n - 1, 3), of angles (n, 3) [deg] of a sequence.

    Two rows on either side of the singularity show it in the first and third angle alike: both turn by
    `THROWN` at least, as a compass does that is carried past the pole. A quick spin turns only one of them.
    """
    raw = np.diff(angles, axis=0)
    turned = np.abs((raw + 180.0) % 360.0 - 180.0)
    closeness = np.abs(det_S(np.radians(angles), sequence))
    nearest = np.minimum(closeness[1:], closeness[:-1])
    passed = (turned[:, 0] > THROWN) & (turned[:, 2] > THROWN) & (nearest < NEAR)
    wrapped = np.abs(raw) > 180.0
    lost = (nearest < _UNDETERMINED)[:, None] & (np.abs(raw) > 1.0)
    singular = passed[:, None] | lost | (wrapped & (nearest < LOCKED)[:, None])
    causes = np.where(singular, SINGULAR, np.where(wrapped, WRAP, NONE))
    causes[:, 1] = NONE
    return causes.astype(np.int8)
