"""The twelve sequences of Euler angles.

Sequence a-b-c means `A = R_a(t1) R_b(t2) R_c(t3)`: intrinsic rotations, body to space, with the angles `(..., 3)` [rad]
in the order of the rotations. S2 lists them backwards: its 3-2-1 vector is (bank, elevation, azimuth), that of quatviz
is (azimuth, pitch, bank). A sequence is written as text: "321", "313". Letters are accepted too: "zyx", "zxz".

In the formulas i and j are the first two axes, k is the axis that is neither, and `handedness` is +1 if (i, j, k) is a
cyclic order of (1, 2, 3), else -1.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from quatviz.base.deprecation import former_module_name
from quatviz.base.errors import refuse_unknown_name
from quatviz.physics.mechanics.rotations import Array, multiply, rotate_back, stack_components

SEQUENCES = ("121", "123", "131", "132", "212", "213", "231", "232", "312", "313", "321", "323")

LOCK_THRESHOLD = 5e-3
"""|det S| below which a lane in Euler angles ends because of gimbal lock: 0.29 degrees from the singularity."""

ANGLE_SYMBOLS = ("θ₁", "θ₂", "θ₃")
"""Symbols of the three angles of any sequence, in the order of the rotations."""

_SEQUENCE_SYMBOLS = {"321": ("ψ", "θ", "φ"), "313": ("φ", "θ", "ψ")}
"""Symbols of S2 for two sequences: azimuth, pitch and bank for 3-2-1; precession, nutation and spin for 3-1-3.

S2 says elevation instead of pitch. Here z points up, so that a positive elevation would point downwards.
"""

_SINGULAR_SINE = 1e-14
"""Sine of half the distance from the singularity below which t3 is set to 0, because rounding errors alone would
determine the individual values of t1 and t3."""


_AXIS_NUMBERS = str.maketrans("xyzXYZ", "123123")


def canonical_sequence(sequence: str) -> str:
    """Convert a sequence in letters, as SciPy writes it, to digits. All other text is returned unchanged.

    >>> canonical_sequence("zxz"), canonical_sequence("ZYX"), canonical_sequence("313")
    ('313', '321', '313')
    """
    digits = sequence.translate(_AXIS_NUMBERS)
    return digits if digits in SEQUENCES else sequence


def angle_symbols(sequence: str) -> tuple[str, str, str]:
    """Return the symbols of the angles of a sequence, in the order of the rotations.

    >>> angle_symbols("313"), angle_symbols("123")
    (('φ', 'θ', 'ψ'), ('θ₁', 'θ₂', 'θ₃'))
    """
    return _SEQUENCE_SYMBOLS.get(canonical_sequence(sequence), ANGLE_SYMBOLS)


def p_from_angles(angles: ArrayLike, sequence: str) -> Array:
    """Return unit Euler parameters p (..., 4) for the angles (..., 3) [rad]. The sign of p is that of the product of
    the three rotations.
    """
    p1, p2, p3 = _elementary_rotations(angles, sequence)
    return multiply(multiply(p1, p2), p3)


def angles_from_p(p: ArrayLike, sequence: str) -> Array:
    """Return the angles (..., 3) [rad] of the attitude `p/|p|` (..., 4). They are the same for p and -p.

    t1 and t3 are in (-pi, pi]; t2 is in [-pi/2, pi/2] for three distinct axes and in [0, pi] if the first axis repeats.
    At the singularity, at either end of the range of t2, only the sum or the difference of t1 and t3 is determined; t3
    is then 0. The angles are always finite and always reproduce the attitude, but near the singularity t1 and t3 jump
    and mean little by themselves.

    >>> angles = np.radians([30.0, 20.0, -10.0])
    >>> np.degrees(angles_from_p(p_from_angles(angles, "321"), "321")).round(9).tolist()
    [30.0, 20.0, -10.0]
    """
    i, j, k, handedness = _axes_and_handedness(sequence)
    p = np.asarray(p, dtype=np.float64)
    p = np.where(p[..., :1] < 0.0, -p, p)
    e0, ei, ej, ek = p[..., 0], p[..., 1 + i], p[..., 1 + j], p[..., 1 + k]
    if _has_repeated_axis(sequence):
        t1, t2, t3, _ = _repeated_axis_angles(e0, ei, ej, handedness * ek)
        return stack_components(_wrap_angle(t1), t2, _wrap_angle(t3))
    # R_k(t3) is R_i(t3) between quarter turns about j, so i-j-k is i-j-i with t2 shifted by a quarter turn. The shifted p is
    # p times that quarter turn, up to its length.
    shifted_p = e0 + handedness * ej, ei + ek, ej - handedness * e0, handedness * (ek - ei)
    t1, shifted_t2, t3, singular = _repeated_axis_angles(*shifted_p)
    if handedness > 0:
        # The shifted t2 is negative here. The opposite t2 between half turns about i gives the same rotation.
        half_turn = np.where(singular, 0.0, np.pi) if singular.any() else np.pi
        t1, shifted_t2, t3 = _wrap_angle(t1) - half_turn, -shifted_t2, _wrap_angle(t3) + half_turn
    return stack_components(_wrap_angle(t1), shifted_t2 + handedness * 0.5 * np.pi, _wrap_angle(t3))


def S(angles: ArrayLike, sequence: str) -> Array:
    """Return `S` (..., 3, 3) for the angles (..., 3) [rad]: `omega = S q'` [rad/s, body], with q' in the order of the
    rotations.

    Eq. S2(41) gives this matrix for 3-2-1 and eq. S2(46) for 3-1-3, with the columns in the opposite order.
    """
    _, p2, p3 = _elementary_rotations(angles, sequence)
    first, second, third = (np.eye(3)[axis] for axis in _axes(sequence))
    columns = rotate_back(multiply(p2, p3), first), rotate_back(p3, second), third
    return np.stack(np.broadcast_arrays(*columns), axis=-1)


def det_S(angles: ArrayLike, sequence: str) -> Array:
    """Return det S (...) in closed form, with the sign that belongs to S2's order of the angles.

    It is `sin t2` if the first axis repeats. For three distinct axes it is `cos t2`, with a minus for 1-2-3, 2-3-1
    and 3-1-2. It is zero at the singularity. The columns of `S` are in the opposite order of S2's, so that the
    determinant of `S` is minus this value.

    >>> float(abs(det_S(np.radians([10.0, 60.0, 5.0]), "321")).round(12))  # |cos 60 deg|
    0.5
    """
    t2 = np.asarray(angles, dtype=np.float64)[..., 1]
    if _has_repeated_axis(sequence):
        return np.sin(t2)
    return -_axes_and_handedness(sequence)[3] * np.cos(t2)


def unwrap_angles(angles: ArrayLike, previous: ArrayLike, period: float = 2.0 * np.pi) -> Array:
    """Return the angles (n, 3) with whole turns added, so that consecutive rows differ by at most half a turn, for
    display.

    Parameters
    ----------
    angles
        Angles (n, 3) in the unit of `period`.
    previous
        The row (3,) before the first one, in the same unit.
    period
        One turn, by default 2 pi rad.

    Notes
    -----
    A jump at a singularity is reduced to at most half a turn. A row that is not finite adds no turn.
    """
    angles = np.asarray(angles, dtype=np.float64)
    steps = np.diff(angles, axis=0, prepend=np.atleast_2d(previous))
    with np.errstate(invalid="ignore"):
        turns = np.nan_to_num(np.round(steps / period), nan=0.0, posinf=0.0, neginf=0.0)
    return angles - period * np.cumsum(turns, axis=0)


def second_angle_range(sequence: str) -> tuple[float, float]:
    """Return the range [deg] of the second angle. Values outside have an equivalent triple of angles inside.

    >>> second_angle_range("321"), second_angle_range("313")
    ((-90.0, 90.0), (0.0, 180.0))
    """
    _axes(sequence)
    return (0.0, 180.0) if _has_repeated_axis(sequence) else (-90.0, 90.0)


def _axes(sequence: str) -> tuple[int, int, int]:
    """Return the three axes of a sequence as indices 0, 1, 2."""
    sequence = canonical_sequence(sequence)
    if sequence not in SEQUENCES:
        remedy = "write three axes as digits, with no axis twice in a row"
        refuse_unknown_name(sequence, SEQUENCES, "Euler sequence", "sequence", remedy=remedy)
    first, second, third = (int(axis) - 1 for axis in sequence)
    return first, second, third


def _has_repeated_axis(sequence: str) -> bool:
    return sequence[0] == sequence[2]


def _axes_and_handedness(sequence: str) -> tuple[int, int, int, int]:
    """Return the axes i, j, k of a sequence and the handedness of (i, j, k), as defined in the docstring of
    this module.
    """
    i, j, _ = _axes(sequence)
    return i, j, 3 - i - j, 1 if (j - i) % 3 == 1 else -1


def _elementary_rotations(angles: ArrayLike, sequence: str) -> list[Array]:
    """Return the three elementary rotations as Euler parameters (..., 4)."""
    half = 0.5 * np.asarray(angles, dtype=np.float64)
    rotations = []
    for n, axis in enumerate(_axes(sequence)):
        p = np.zeros((*half.shape[:-1], 4))
        p[..., 0] = np.cos(half[..., n])
        p[..., 1 + axis] = np.sin(half[..., n])
        rotations.append(p)
    return rotations


def _repeated_axis_angles(e0: Array, ei: Array, ej: Array, ek: Array) -> tuple[Array, Array, Array, Array]:
    """Return t1, t2, t3 of the sequence i-j-i with t2 in [0, pi], and a mask that is True where they are singular.

    The arguments are e0, ei, ej and `handedness` times ek of Euler parameters p of any length. The angles follow from
    `p = |p| [cos(t2/2) (cos s, sin s i) + sin(t2/2) (cos d j + handedness sin d k)]`, where s = (t1 + t3)/2 and d = (t1
    - t3)/2.
    """
    cosine, sine = np.sqrt(e0 * e0 + ei * ei), np.sqrt(ej * ej + ek * ek)
    half_sum, half_difference = np.arctan2(ei, e0), np.arctan2(ek, ej)
    rounding = _SINGULAR_SINE * np.sqrt(cosine * cosine + sine * sine)
    singular = (sine <= rounding) | (cosine <= rounding)
    if singular.any():
        half_difference = np.where(sine <= rounding, half_sum, half_difference)
        half_sum = np.where(cosine <= rounding, half_difference, half_sum)
    t2 = 2.0 * np.arctan2(sine, cosine)
    return half_sum + half_difference, t2, half_sum - half_difference, singular


def _wrap_angle(angle: Array) -> Array:
    """Return the equivalent angle in (-pi, pi] of an angle that is within two turns of this range."""
    angle = np.where(angle > np.pi, angle - 2.0 * np.pi, angle)
    return np.where(angle <= -np.pi, angle + 2.0 * np.pi, angle)


_FORMER_NAMES = {
    "LOCKED": "LOCK_THRESHOLD",
    "LETTERS": "ANGLE_SYMBOLS",
    "letters": "angle_symbols",
    "unwrapped": "unwrap_angles",
    "second_range": "second_angle_range",
}


def __getattr__(name: str) -> Any:
    return former_module_name(__name__, _FORMER_NAMES, globals(), name)
