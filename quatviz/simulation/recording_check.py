"""Whether the angular velocity of a recording fits its attitude, at its own samples."""

import math
from typing import NamedTuple

import numpy as np

from quatviz.base.errors import phrase
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.mechanics.rotations import (
    conjugate,
    from_rotation_vector,
    multiply,
    normalize,
    relative_angle,
    to_rotation_vector,
)

DEGREE_FACTOR_TOLERANCE = 0.1
"""Relative deviation from 180/pi within which rates of a recording are taken to be in degrees per second."""
MAX_RATE_MISMATCH = 0.2
"""Relative error of the scale of a recording's angular velocity beyond which it does not fit the attitude."""
MIN_RECORDED_TURN = 0.5
"""Angle [rad] by which a recorded body must have turned before its rates are compared with its attitudes: less may be noise."""
MIN_CORRELATION = 0.7
"""Correlation of a recording's rates with its turns below which they have nothing to do with each other."""
MAX_FOLLOWED_TURN = 2.5
"""Angle [rad] by which a body may turn between two samples: of more than pi the shorter way is seen, and noise is added."""
MAX_ALIASED_ERROR = 0.5
"""Angle [rad] between a turn and the predicted one, full turns left out, within which both are taken to be the same."""
MIN_INTERVALS = 3
"""Number of intervals in which rates can be compared with attitudes."""


class RecordingCheck(NamedTuple):
    """`mismatch` says how rates contradict attitudes, `remark` what could not be compared; both phrases, or empty."""

    mismatch: str = ""
    remark: str = ""


def check_recording(formulation: Formulation, stop: float) -> RecordingCheck:
    """Compare the angular velocity of a recorded formulation with its attitude, up to the time `stop` [s].

    The turn from each recorded sample to the next is compared with the mean angular velocity times their distance: the regression
    of both gives the scale of the rates. Of a body that turns by more than half a turn in an interval only the rest is seen: such
    intervals are left out if the rates explain it.
    """
    samples = formulation.recorded_samples()
    if samples is None:
        return RecordingCheck()
    t, p, omega = samples
    count = int(np.searchsorted(t, stop * (1.0 + 1e-9), "right"))
    t, p, omega = t[:count], normalize(p[:count]), omega[:count]
    turns = to_rotation_vector(multiply(conjugate(p[:-1]), p[1:]))
    predicted = 0.5 * (omega[:-1] + omega[1:]) * np.diff(t)[:, None]
    is_known = np.isfinite(turns).all(axis=1) & np.isfinite(predicted).all(axis=1)
    turns, predicted = turns[is_known], predicted[is_known]
    is_fast = np.linalg.norm(predicted, axis=1) > MAX_FOLLOWED_TURN
    unseen = relative_angle(from_rotation_vector(predicted[is_fast]), from_rotation_vector(turns[is_fast]))
    mismatch = _describe_mismatch(turns[~is_fast], predicted[~is_fast])
    if not is_fast.any():
        return RecordingCheck(mismatch)
    is_explained = float(np.median(unseen)) < MAX_ALIASED_ERROR
    if not is_explained:  # the rates may be too large rather than the samples too few
        mismatch = mismatch or _describe_scale(turns, predicted)
    if mismatch:
        return RecordingCheck(mismatch)
    return RecordingCheck(
        remark=phrase(
            "in {count} of {total} intervals between its samples the recorded body turns by more than {turn:g} rad: there its "
            "angular velocity was not compared with its attitude",
            count=int(is_fast.sum()), total=len(is_fast), turn=MAX_FOLLOWED_TURN,
        )
    )  # fmt: skip


def _regression(turns: np.ndarray, predicted: np.ndarray) -> tuple[float, float]:
    """Scale and correlation of predicted turns (n, 3) [rad] with turns (n, 3) [rad]."""
    scale = float((predicted * turns).sum() / (turns * turns).sum())
    correlation = scale * math.sqrt(float((turns * turns).sum() / max((predicted * predicted).sum(), 1e-300)))
    return scale, correlation


def _describe_mismatch(turns: np.ndarray, predicted: np.ndarray) -> str:
    """How predicted turns (n, 3) [rad] contradict turns (n, 3) [rad] that are less than half a turn; "" where they fit."""
    if len(turns) < MIN_INTERVALS or np.linalg.norm(turns, axis=1).sum() < MIN_RECORDED_TURN:
        return ""
    if mismatch := _describe_scale(turns, predicted):
        return mismatch
    scale, correlation = _regression(turns, predicted)
    if correlation > MIN_CORRELATION and abs(scale - 1.0) > MAX_RATE_MISMATCH:
        return phrase("its angular velocity is {scale:.3g} times what its attitude says", scale=scale)
    if correlation < MIN_CORRELATION:
        return phrase("its angular velocity does not fit its attitude")
    return ""


def _describe_scale(turns: np.ndarray, predicted: np.ndarray) -> str:
    """That the rates behind predicted turns (n, 3) [rad] are in degrees, or were converted twice; "" where neither holds."""
    if len(turns) < MIN_INTERVALS or np.linalg.norm(turns, axis=1).sum() < MIN_RECORDED_TURN:
        return ""
    scale, _ = _regression(turns, predicted)
    degrees = 180.0 / math.pi
    if abs(scale / degrees - 1.0) < DEGREE_FACTOR_TOLERANCE:
        return phrase(
            "its angular velocity is {scale:.3g} times too large for its attitude: it is in degrees per second",
            scale=scale,
        )
    if abs(scale * degrees - 1.0) < DEGREE_FACTOR_TOLERANCE:
        return phrase(
            "its angular velocity is {scale:.3g} times too small for its attitude: it was converted twice",
            scale=1.0 / scale,
        )
    return ""
