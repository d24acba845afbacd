"""In whose conventions numbers are: read and written in any of them, and found where attitude and rates are both there.

Of attitude and rates that belong together p' = 1/2 L^T omega holds in the right conventions (mechanics contract, 1), and in few
others: all are tried, and ranked by the rate that it leaves over.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from quatviz.base.errors import InputError, Phrase, listed, phrase
from quatviz.base.formatting import in_words, scientific
from quatviz.base.parameters import LARGEST
from quatviz.base.translation import told, tr
from quatviz.physics.mechanics.euler_sequences import SEQUENCES, S, angles_from_p, p_from_angles
from quatviz.physics.mechanics.rotations import (
    conjugate,
    from_matrix,
    from_rotation_vector,
    normalise,
    orientation_matrix,
    rotate,
    rotate_back,
    to_rotation_vector,
)
from quatviz.physics.mechanics.scalar_last import scalar_first_from_last, scalar_last_from_first
from quatviz.recordings.kinematics import rates_of, stretches

WIDTHS = {"quaternion": 4, "matrix": 9, "angles": 3, "rotation_vector": 3}
"""In how many columns an attitude is given."""
SURE = 8.0
"""Logarithm of how much likelier the one of two conventions must be: less is chance."""
_NEAR = 1.05
"""As large as the least residual: what noise does to the arithmetic itself."""
_ROUNDING = 1e-9
"""Share of the rates: less than that is left over by none."""
_MOST = 20_000
"""Rows that are looked at, in pieces of `_PIECE`."""
_PIECE = 1_000
_AXIS = 0.05
"""Of the largest: a second axis about which a body turns by less than this is none."""
_FITS = 0.3
"""Of the rates: a convention that leaves more over fits badly."""

_SINGULAR = 1e-12
"""det S below which angles are singular."""
_AGAIN = 16
"""Conventions of angles that are tried again."""

_WORDS = {
    "scalar_first": "scalar first",
    "scalar_last": "scalar last",
    "body_to_space": "body to space",
    "space_to_body": "space to body",
    "hamilton": "Hamilton",
    "jpl": "JPL",
    "intrinsic": "about the turned axes",
    "extrinsic": "about the fixed axes",
    "body": "rates in body axes",
    "space": "rates in space axes",
    "angles": "rates of the angles",
}


@dataclass(frozen=True)
class Convention:
    """How the numbers of an attitude, and of rates beside it, are meant. The names are those of a preset's recording.

    `attitude` is "quaternion" (4), "matrix" (9, by rows), "angles" (3, in the order in which they are listed) or
    "rotation_vector" (3). Of matrices and others `direction` says which components they take to which. A quaternion of JPL's
    product, ij = -k, that takes space to body has the numbers of Hamilton's that takes body to space. Angles of `sequence` turn
    about the turned axes (`axes` "intrinsic") or about those that stay ("extrinsic"). Rates are those of the body, in `rate_axes`
    "body", "space" or as time derivatives of the "angles".

    >>> Convention(order="scalar_last").attitude_of([[0.0, 0.0, 1.0, 0.0]]).tolist()
    [[0.0, 0.0, 0.0, 1.0]]
    """

    attitude: str = "quaternion"
    _: KW_ONLY
    order: str = "scalar_first"
    direction: str = "body_to_space"
    product: str = "hamilton"
    sequence: str = "321"
    axes: str = "intrinsic"
    angle_unit: str = "rad"
    rate_axes: str = "body"
    rate_unit: str = "rad/s"

    def attitude_of(self, numbers: ArrayLike) -> np.ndarray:
        """p (n, 4), unit, scalar first, body to space, of the file's numbers (n, k)."""
        given = np.asarray(numbers, dtype=np.float64)
        match self.attitude:
            case "quaternion":
                p = normalise(scalar_first_from_last(given) if self.order == "scalar_last" else given)
            case "matrix":
                p = from_matrix(given.reshape((*given.shape[:-1], 3, 3)))
            case "angles":
                p = p_from_angles(self._listed(self._angle * given), self._turned)
            case _:
                p = from_rotation_vector(self._angle * given)
        return conjugate(p) if self._reversed else p

    def numbers_of(self, p: np.ndarray) -> np.ndarray:
        """The numbers (n, k) for a file of p (n, 4): what `attitude_of` reads."""
        p = conjugate(p) if self._reversed else p
        match self.attitude:
            case "quaternion":
                return scalar_last_from_first(p) if self.order == "scalar_last" else p
            case "matrix":
                return orientation_matrix(p).reshape(*p.shape[:-1], 9)
            case "angles":
                return self._listed(angles_from_p(p, self._turned)) / self._angle
            case _:
                return to_rotation_vector(p) / self._angle

    def rates_of(self, rates: ArrayLike, p: np.ndarray) -> np.ndarray:
        """omega (n, 3) [rad/s, body] of the file's rates (n, 3) beside attitudes p (n, 4)."""
        omega = self._rate * np.asarray(rates, dtype=np.float64)
        if self.rate_axes == "space":
            return rotate_back(p, omega)
        if self.rate_axes == "angles":
            turned = (self._slopes(p) @ self._listed(omega)[..., None])[..., 0]
            # Of the reverse rotation the body has the rate of space, which is the other way round.
            return -rotate(conjugate(p), turned) if self._reversed else turned
        return omega

    def rate_numbers_of(self, omega: np.ndarray, p: np.ndarray) -> np.ndarray:
        """The rates (n, 3) for a file of omega (n, 3) [rad/s, body] and p (n, 4): what `rates_of` reads."""
        if self.rate_axes == "space":
            omega = rotate(p, omega)
        elif self.rate_axes == "angles":
            turned = -rotate(p, omega) if self._reversed else omega
            slopes = self._slopes(p)
            # Where the angles are singular their rates are no numbers.
            slopes[np.abs(np.linalg.det(slopes)) < _SINGULAR] = np.nan
            omega = self._listed(np.linalg.solve(slopes, turned[..., None])[..., 0])
        return omega / self._rate

    @property
    def twin(self) -> "Convention | None":
        """The other convention that means the same numbers always, and so cannot be told apart from this."""
        if self.attitude != "quaternion":
            return None
        other = "body_to_space" if self.direction == "space_to_body" else "space_to_body"
        return replace(self, product="jpl" if self.product == "hamilton" else "hamilton", direction=other)

    @property
    def of_attitude(self) -> tuple[Phrase, ...]:
        """What it says of the attitude, in words."""
        direction = phrase(_WORDS[self.direction])
        match self.attitude:
            case "quaternion":
                return phrase(_WORDS[self.order]), direction, phrase(_WORDS[self.product])
            case "angles":
                turned = phrase(
                    "angles {sequence} {axes}",
                    sequence=in_words(self.sequence),
                    axes=phrase(_WORDS[self.axes]),
                )
                return turned, direction, self._angle_words
            case "rotation_vector":
                return direction, self._angle_words
            case _:
                return (direction,)

    @property
    def words(self) -> tuple[Phrase, ...]:
        """What it says, in words."""
        return *self.of_attitude, phrase(_WORDS[self.rate_axes]), self.rate_words

    @property
    def rate_words(self) -> Phrase:
        return phrase("in rad/s") if self.rate_unit == "rad/s" else phrase("in deg/s")

    @property
    def _angle_words(self) -> Phrase:
        return phrase("in rad") if self.angle_unit == "rad" else phrase("in deg")

    def __str__(self) -> str:
        return listed(self.words)

    @property
    def _reversed(self) -> bool:
        to_body = self.direction == "space_to_body"
        return to_body != (self.attitude == "quaternion" and self.product == "jpl")

    @property
    def _turned(self) -> str:
        """The sequence about turned axes: about fixed ones it is that from the last to the first."""
        return self.sequence if self.axes == "intrinsic" else self.sequence[::-1]

    def _listed(self, angles: np.ndarray) -> np.ndarray:
        return angles if self.axes == "intrinsic" else angles[..., ::-1]

    def _slopes(self, p: np.ndarray) -> np.ndarray:
        """S (n, 3, 3) of the rotation that the angles make."""
        turned = conjugate(p) if self._reversed else p
        return S(angles_from_p(turned, self._turned), self._turned)

    @property
    def _angle(self) -> float:
        return 1.0 if self.angle_unit == "rad" else np.pi / 180.0

    @property
    def _rate(self) -> float:
        return 1.0 if self.rate_unit == "rad/s" else np.pi / 180.0


class Candidate(NamedTuple):
    """A convention and how well it holds."""

    convention: Convention
    residual: float
    """What p' = 1/2 L^T omega leaves over, root mean square of the length [rad/s]."""
    share: float
    """The same beside the rates, the larger of those given and those of the attitudes: what is ranked by, for in a larger unit
    all is small."""
    unlikely: float
    """Logarithm of how much likelier the best is, if what is left over is noise: less than `SURE` is chance."""
    tied: bool
    """Whether it holds as well as the best, as far as these data tell."""


@dataclass(frozen=True)
class ConventionsFound:
    """All conventions, the best first."""

    candidates: tuple[Candidate, ...]
    speed: float
    """Root mean square of |omega| by the best [rad/s]."""
    excited: tuple[float, float, float]
    """Root mean squares of omega about the axes where they are largest, least, and between, in falling order [rad/s]."""
    rows: int
    """How many rows were compared."""
    of_angles: float = np.inf
    """What is left over, as a share, if the rates are the time derivatives of the angles."""

    @property
    def best(self) -> Candidate:
        return self.candidates[0]

    def best_that(self, says: Mapping[str, object]) -> Convention:
        """The convention that holds best of those that say so, some of which are written otherwise and mean the same; the best of
        all where none does."""
        written = (one for each in self.candidates for one in (each.convention, each.convention.twin))
        fit = (
            one for one in written if one is not None and all(getattr(one, key) == says[key] for key in says)
        )
        return next(fit, self.best.convention)

    @cached_property
    def ties(self) -> tuple[Candidate, ...]:
        """Others that hold as well as the best."""
        return tuple(each for each in self.candidates[1:] if each.tied)

    @property
    def clear(self) -> bool:
        """Whether the best holds, and no other that means other numbers does."""
        return not self.ties and self.fits and not self.of_angles < 0.5 * self.best.share

    @property
    def fits(self) -> bool:
        """Whether what the best leaves over is small beside the rates."""
        return self.best.share < _FITS

    @property
    def margin(self) -> float:
        """How many times the share of the rates the next one leaves over that is not tied; infinity where there is none."""
        others = [each.share for each in self.candidates[1:] if not each.tied]
        return others[0] / self.best.share if others and self.best.share else float("inf")

    @property
    def sentence(self) -> Phrase:
        """What was found, what cannot be told apart, and why."""
        best = self.best
        if self.of_angles < min(_FITS, 0.5 * best.share):
            return phrase(
                "the rates are the time derivatives of the angles, to {share:.2g} of their size: of their sequence, its direction "
                "and its axes they tell nothing",
                share=self.of_angles,
            )
        said = phrase(
            "{best}: leaves {residual:.2g} rad/s of {speed:.2g} over, the next one {margin:.3g} times as much",
            best=listed(best.convention.words), residual=best.residual, speed=self.speed, margin=self.margin,
        ) if np.isfinite(self.margin) else phrase(
            "{best}: leaves {residual:.2g} rad/s of {speed:.2g} over",
            best=listed(best.convention.words), residual=best.residual, speed=self.speed,
        )  # fmt: skip
        if not self.fits and len(self.ties) >= len(self.candidates) // 4:
            return phrase("nothing can be told: {why}", why=self._why())
        if not self.fits:
            said = phrase(
                "none fits well; the rates may belong to axes that are turned against those of the attitude, or to another time; "
                "the best is {said}",
                said=said,
            )
        if self.ties:
            said = phrase("{said}; {ties}", said=said, ties=self._of_ties())
        twin = best.convention.twin
        if twin is None:
            return said
        return phrase("{said}; {twin} is the same always", said=said, twin=listed(twin.of_attitude))

    def _of_ties(self) -> Phrase:
        names = listed(
            [
                phrase("({each})", each=listed(_differences(self.best.convention, each)))
                for each in self._tied()
            ],
            "or",
        )
        return phrase("cannot be told apart in these data from {names}: {why}", names=names, why=self._why())

    def _tied(self) -> list[Convention]:
        return [each.convention for each in self.ties][:4]

    def _why(self) -> Phrase:
        largest, second, _ = self.excited
        if not self.fits:
            return phrase("attitude and rates have no more in common than noise")
        if second < _AXIS * largest:
            return phrase("the body turns about one axis only, which stands still in the body and in space")
        return phrase("the body turns too little to show them apart from noise")


def _differences(one: Convention, other: Convention) -> list[Phrase]:
    """What another convention says that this does not."""
    return [said for own, said in zip(one.words, other.words, strict=True) if own != said]


def conventions_of(
    t: ArrayLike,
    attitude: ArrayLike,
    rates: ArrayLike,
    kind: str = "quaternion",
    progress: Callable[[float], object] | None = None,
) -> ConventionsFound:
    """The conventions that numbers are in: attitudes (n, k) of a kind and rates (n, 3) at times t (n,) [s].

    Every order, direction, unit, every frame of the rates, and of angles every sequence about turned and fixed axes is tried. The
    attitudes are differentiated on the group, and what differs from the rates is the residual. `progress` hears of the share that
    is done.

    >>> from quatviz.physics.exact import solve
    >>> from quatviz.physics.mechanics.body import Body
    >>> t = np.linspace(0.0, 5.0, 501)
    >>> p, omega = solve(Body(inertia=[1.0, 2.0, 2.5]), [], np.array([1.0, 0, 0, 0]), np.array([0.3, 2.0, 0.5])).at(t)
    >>> found = conventions_of(t, np.roll(p, -1, axis=1), np.degrees(omega))
    >>> str(found.best.convention), found.clear
    ('scalar last, body to space, Hamilton, rates in body axes, in deg/s', True)
    """
    times, numbers, given = _checked(t, attitude, rates, kind)
    rows = _looked_at(times, numbers, given)
    times, numbers, given = times[rows], numbers[rows], given[rows]
    tried = sorted(_tried(times, numbers, given, kind, progress or float), key=lambda one: one.share)
    if not tried or np.isfinite(tried[0].omega).all(axis=1).sum() < 3:
        raise InputError(
            "attitude and rates", expected="three rows or more that follow each other, with numbers for both",
            found=phrase("{count} rows with both", count=len(times)), remedy="look at what is missing, and where times have gaps",
            topic="recordings#which-column-is-what",
        )  # fmt: skip
    best = tried[0]
    omega = best.omega[np.isfinite(best.omega).all(axis=1)]
    largest, second, least = (np.linalg.svd(omega, compute_uv=False) / np.sqrt(len(omega))).tolist()
    speed = float(np.sqrt(np.mean(np.sum(omega**2, axis=1))))
    candidates = tuple(_candidate(best, one) for one in tried)
    of_angles = _of_angles(times, numbers, given) if kind == "angles" else np.inf
    return ConventionsFound(candidates, speed, (largest, second, least), best.rows, of_angles)


class _Tried(NamedTuple):
    convention: Convention
    residual: float
    share: float
    rows: int
    """Rows that are compared."""
    omega: np.ndarray
    """By the attitudes (n, 3) [rad/s, body]."""
    width: int
    """Rows by which a rate was smoothed, and whose errors therefore go together."""


def _tried(
    t: np.ndarray, numbers: np.ndarray, rates: np.ndarray, kind: str, progress: Callable[[float], object]
) -> list[_Tried]:
    """Every convention. Of angles there are many: those that come near are tried again, each smoothed as suits it."""
    every = list(_of_kind(kind))
    part = 1.0 if kind != "angles" else 0.5
    found = list(_compared(t, numbers, rates, _counted(every, progress, 0.0, part), kind == "angles"))
    if kind != "angles":
        return found
    found.sort(key=lambda one: one.share)
    near = list({_of_attitude(one.convention): None for one in found[:_AGAIN]})
    again = list(_compared(t, numbers, rates, _counted(near, progress, part, 1.0), False))
    better = {one.convention for one in again}
    return [*again, *(one for one in found if one.convention not in better)]


def _counted(
    conventions: list[Convention], progress: Callable[[float], object], low: float, high: float
) -> Iterator[Convention]:
    """These, and on the way from `low` to `high` how many are done."""
    for number, convention in enumerate(conventions):
        progress(low + (high - low) * number / len(conventions))
        yield convention


def _of_attitude(convention: Convention) -> Convention:
    """What needs a differentiation of its own: the direction, and how rates are meant, do not."""
    return replace(convention, direction="body_to_space", rate_axes="body", rate_unit="rad/s")


def _compared(
    t: np.ndarray, numbers: np.ndarray, rates: np.ndarray, conventions: Iterable[Convention], alike: bool
) -> Iterator[_Tried]:
    for convention, p, found, width in _differentiated(t, numbers, conventions, alike):
        omega = _with_squares(found)
        for axes, unit in product(("body", "space"), ("rad/s", "deg/s")):
            meant = replace(convention, rate_axes=axes, rate_unit=unit)
            given = meant.rates_of(rates, p)
            squares = np.stack([np.sum(each**2, axis=1) for each in (given - omega, given, omega)])
            squares = squares[:, np.isfinite(squares).all(axis=0)]
            if squares.size:
                residual, *speeds = np.sqrt(squares.mean(axis=1)).tolist()
                share = residual / max(speeds) if max(speeds) > 0.0 else 1.0
                yield _Tried(meant, residual, share, squares.shape[1], omega, width)


def _differentiated(
    t: np.ndarray, numbers: np.ndarray, conventions: Iterable[Convention], alike: bool
) -> Iterator[tuple[Convention, np.ndarray, np.ndarray, int]]:
    """Conventions, as they are and with the direction reversed, with p and omega by them, and how many rows a rate is made of:
    by what suits each best, or, `alike`, the first of each unit."""
    how: dict[str, tuple[int, int]] = {}
    for convention in conventions:
        p = convention.attitude_of(numbers)
        degree, width = how.get(convention.angle_unit, (None, None)) if alike else (None, None)
        found = rates_of(t, p, degree=degree, width=width)
        how[convention.angle_unit] = found.degree, found.width
        # Smoothed attitudes turn frames: else the noise of an attitude would speak against rates in space.
        yield convention, found.p, found.omega, found.width
        # The reverse rotation turns at the rate of space as the body sees it: no second derivative is needed.
        reverse = replace(convention, direction="space_to_body")
        yield reverse, conjugate(found.p), -rotate(found.p, found.omega), found.width


def _of_kind(kind: str) -> Iterator[Convention]:
    """Every convention of an attitude of a kind, but for the direction."""
    units = ("rad", "deg")
    if kind == "quaternion":
        yield from (Convention(kind, order=order) for order in ("scalar_first", "scalar_last"))
    elif kind == "matrix":
        yield Convention(kind)
    elif kind == "rotation_vector":
        yield from (Convention(kind, angle_unit=unit) for unit in units)
    else:
        for sequence, axes, unit in product(SEQUENCES, ("intrinsic", "extrinsic"), units):
            yield Convention(kind, sequence=sequence, axes=axes, angle_unit=unit)


def _candidate(best: _Tried, other: _Tried) -> Candidate:
    ratio = max(other.share, _ROUNDING) / max(best.share, _ROUNDING)
    # Of Gaussian noise in three components; rows of one window count once.
    unlikely = 3.0 * other.rows / max(best.width, other.width) * float(np.log(ratio))
    tied = unlikely < SURE or ratio < _NEAR
    return Candidate(other.convention, other.residual, other.share, unlikely, tied)


def _of_angles(t: np.ndarray, numbers: np.ndarray, rates: np.ndarray) -> float:
    """What is left over if the rates are the time derivatives of the angles, as a share of the rates, in whatever units."""
    least = np.inf
    for scale in (1.0, np.pi / 180.0):
        slopes = []
        for column in (scale * numbers).T:
            turns = np.zeros((len(t), 3))
            turns[:, 2] = column
            slopes.append(rates_of(t, from_rotation_vector(turns)).omega[:, 2])
        derivatives = np.stack(slopes, axis=1)
        for given in (rates, np.pi / 180.0 * rates):
            rest = given - derivatives
            known = np.isfinite(rest).all(axis=1)
            size = float(np.sum(given[known] ** 2))
            if size > 0.0:
                least = min(least, float(np.sqrt(np.sum(rest[known] ** 2) / size)))
    return float(least)


def _checked(
    t: ArrayLike, attitude: ArrayLike, rates: ArrayLike, kind: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    if kind not in WIDTHS:
        raise InputError(
            "kind", expected=phrase("one of {names}", names=", ".join(WIDTHS)), found=repr(kind),
            remedy="say what the attitude is given as", key="attitude", topic="recordings#which-column-is-what",
        )  # fmt: skip
    times = np.asarray(t, dtype=np.float64)
    numbers, given = np.asarray(attitude, dtype=np.float64), np.asarray(rates, dtype=np.float64)
    for name, array, width in (("attitude", numbers, WIDTHS[kind]), ("rates", given, 3)):
        if array.shape != (len(times), width):
            raise InputError(
                name, expected=phrase("numbers of the shape ({rows}, {width})", rows=len(times), width=width),
                found=phrase("the shape {shape}", shape=array.shape), remedy="give a row for each time",
                topic="recordings#from-a-script",
            )  # fmt: skip
    return times, _with_squares(numbers), _with_squares(given)


def _with_squares(values: np.ndarray) -> np.ndarray:
    """NaN where squares are no numbers any more: recordings leave out the same."""
    return np.where(np.abs(values) < LARGEST, values, np.nan)


def _looked_at(t: np.ndarray, numbers: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """Rows with both, in whole pieces where there are more than are needed."""
    good = np.concatenate(
        [np.arange(part.start, part.stop) for part in stretches(t, numbers, rates)] or [np.arange(0)]
    )
    if len(good) <= _MOST:
        return good
    firsts = np.linspace(0, len(good) - _PIECE, _MOST // _PIECE).astype(int)
    return good[np.unique(firsts[:, None] + np.arange(_PIECE))]


def words_beside(each: Candidate, best: Candidate) -> str:
    """A convention, what it leaves over, and how that stands to the best; of others only what they say otherwise."""
    own, other = each.convention.words, best.convention.words
    words = [one for one, two in zip(own, other, strict=True) if each is best or one != two]
    said = ", ".join(told(word) for word in words)
    left = tr("leaves {left:.2g} rad/s", left=each.residual)
    if each is best:
        return f"{said}: {left}"
    if each.tied:
        return tr("{said}: {left}, cannot be told from the best", said=said, left=left)
    times = each.share / max(best.share, 1e-300)
    many = f"{times:.3g}" if times < 1e4 else scientific(times)
    return tr("{said}: {left}, {times} times as much", said=said, left=left, times=many)
