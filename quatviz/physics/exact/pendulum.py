"""Rotation about a principal axis under gravity or guided springs: a pendulum in one or two times the angle."""

from typing import Any

import numpy as np

from quatviz.base.errors import phrase
from quatviz.physics.exact._multiprecision import (
    LEAST,
    Clock,
    carlson_F,
    complete_K,
    context,
    cross,
    dot,
    floats,
    many,
    times,
    to_third_axis,
    turned,
)
from quatviz.physics.exact._theta import Theta
from quatviz.physics.exact._uniform_field import force_in_body, is_simple, torque
from quatviz.physics.exact.base import ROUNDING, Problem, Solution, named
from quatviz.physics.loads.guided_spring import GuidedSpring
from quatviz.physics.mechanics.rotations import multiply


class Pendulum(Solution):
    """The disk of S3 example 1, and every plane pendulum: V = -S cos(n phi + delta) of the angle phi about a principal axis a,
    n = 1 for forces that are constant in space, 2 for guided springs.

    chi = n phi + delta obeys chi'' = -W^2 sin chi, W = n sqrt(S/J_a). With k^2 = sin^2(chi/2) + (chi'/2W)^2: to and fro for
    k < 1, sin(chi/2) = k sn(W t + u0 | k^2); round and round for k > 1, chi/2 = am(k W t + u0 | 1/k^2); and k = 1 between.
    """

    name = "pendulum"
    title = "rotation about a principal axis"
    needs = "omega and every torque along one principal axis, and either constant forces or guided springs, not both"
    source = "S3(45, 46); Whittaker, Analytical Dynamics, 44"
    conditions = (
        r"$\omega$ and every torque along one principal axis: the disk of S3 example 1, every physical pendulum; "
        "guided springs or constant forces, not both; to and fro, round and round, and between"
    )
    functions = "sn, cn, dn, am"
    order = 40

    @classmethod
    def misfit(cls, problem: Problem) -> str:
        others = [load for load in problem.loads if not is_simple(load)]
        if others:
            return phrase("{loads} acts", loads=named(others))
        axis = _axis(problem)
        if axis is None:
            return phrase("nothing turns the body")
        J = times(problem.inertia, axis)
        off = cross(axis, J)
        if dot(off, off) > (ROUNDING * dot(axis, J)) ** 2:
            return phrase("it does not start to turn about a principal axis")
        once, twice = _pulls(problem, axis)
        if once is None or twice is None:
            return phrase("a torque pulls the axis aside")
        if once and twice:
            return phrase("constant forces and guided springs act together")
        return ""

    def __init__(self, problem: Problem) -> None:
        math = context()
        axis = _axis(problem)
        assert axis is not None
        once, twice = _pulls(problem, axis)
        self._n = 2 if twice else 1
        pull = twice or once or math.mpc(0)
        J = dot(axis, times(problem.inertia, axis))
        self._axis, self._p = floats(axis), floats(problem.unit_p)
        self._set_swing(abs(pull), pull, self._n**2 * abs(pull) / J, self._n * dot(axis, problem.rate))
        self._half_at_start = self._swing(np.zeros(1))[0][0]

    def at(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        half, rate, whole = self._swing(t)
        # half the angle of the body is chi/2n, and whole turns of chi/2 are half turns of n in it
        angle = (half - self._half_at_start + np.pi * np.mod(whole, 2 * self._n)) / self._n
        turn = np.concatenate((np.cos(angle)[:, None], np.sin(angle)[:, None] * self._axis), axis=1)
        return multiply(self._p, turn), (rate / self._n)[:, None] * self._axis

    def _set_swing(self, size: Any, pull: Any, W2: Any, rate: Any) -> None:
        """The constants of chi/2: kind, amplitude, phase. `rate`, chi', is not negative: omega gives the axis its sense."""
        math = context()
        cos2 = (1 + pull.real / size) / 2 if size else math.mpf(1)
        sin = math.sqrt(abs(1 - cos2)) * (-1 if pull.imag < 0 else 1)
        lively = rate**2 / (4 * W2) if size else math.mpf(0)
        k2, complement = 1 - cos2 + lively, cos2 - lively
        self._k = 1.0
        self._theta: Theta | None = None
        self._clock: Clock | None = None
        if not size or (lively < LEAST and min(cos2, 1 - cos2) < LEAST):
            self._kind = "uniform"  # no pull, or a rest that stays one
            self._clock = Clock(rate / (2 * math.pi), math.mpf(0))
            self._rate = float(rate)
            return
        W = math.sqrt(W2)
        if abs(complement) < LEAST:
            self._kind = "between"
            self._W = float(W)
            self._start = float(math.asinh(sin / math.sqrt(cos2)))
        elif complement > 0:
            self._kind = "swings"
            k = math.sqrt(k2)
            K = complete_K(complement)
            self._theta = Theta(K, complete_K(k2))
            start = carlson_F(sin / k, lively / k2, cos2)
            self._clock = Clock(W / (2 * K), start / (2 * K))
            self._k, self._rate = float(k), float(2 * W * k)
        else:
            self._kind = "turns"
            k = math.sqrt(k2)
            K = complete_K(-complement / k2)
            self._theta = Theta(K, complete_K(1 / k2))
            start = carlson_F(sin, cos2, lively / k2)
            self._clock = Clock(W * k / (2 * K), start / (2 * K))
            self._rate = float(2 * W * k)

    def _swing(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """chi/2 (n,) but for `whole` times pi, chi' (n,) [rad/s], and `whole` (n,)."""
        still = np.zeros(len(t))
        if self._clock is None:
            u = self._W * t + self._start
            sech = 2.0 * np.exp(-abs(u)) / (1.0 + np.exp(-2.0 * abs(u)))
            half = np.arctan2(np.tanh(u), sech)
            return half, 2.0 * self._W * sech, still
        fraction, whole = self._clock.at(t)
        if self._theta is None:
            return np.pi * fraction, np.full(len(t), self._rate), whole
        sn, cn, dn = self._theta.sn_cn_dn(2.0 * self._theta.K * fraction)
        if self._kind == "swings":
            side = 1.0 - 2.0 * np.mod(whole, 2.0)
            return np.arctan2(side * self._k * sn, dn), self._rate * side * cn, still
        return np.arctan2(sn, cn), self._rate * dn, whole


def _axis(problem: Problem) -> list[Any] | None:
    """The unit axis, in the body, about which it turns or begins to turn; None where nothing turns it."""
    axis = problem.rate if any(problem.rate) else torque(problem)
    size = context().sqrt(dot(axis, axis))
    return [component / size for component in axis] if size else None


def _pulls(problem: Problem, axis: list[Any]) -> tuple[Any, Any]:
    """S exp(i delta) [J] of the constant forces and of the springs; 0 where they cancel, None where they pull aside."""
    math = context()
    turn = to_third_axis(axis)
    once, twice, allowed, allowed_twice = math.mpc(0), math.mpc(0), math.mpf(0), math.mpf(0)
    aside = [math.mpc(0), math.mpc(0)]
    for load in problem.loads:
        (F, f), (U, u) = (_split(turned(turn, v)) for v in force_in_body(problem, load))
        size = math.sqrt((abs(F) ** 2 + f**2) * (abs(U) ** 2 + u**2))
        if type(load) is GuidedSpring:
            flat = max(abs(F * u), abs(f * U)) <= ROUNDING * size
            idle = max(abs(F * U), abs(f * u)) <= ROUNDING * size
            if not flat and not idle:
                return None, None
            twice -= 0 if idle else many(load.stiffness) * (math.conj(F) * U) ** 2 / 4
            allowed_twice += many(load.stiffness) * size**2
        else:
            once += math.conj(F) * U
            aside[0] += u * F
            aside[1] += f * U
            allowed += size
    if max(map(abs, aside)) > ROUNDING * allowed:
        return None, None
    return (
        once if abs(once) > ROUNDING * allowed else math.mpc(0),
        twice if abs(twice) > ROUNDING * allowed_twice else math.mpc(0),
    )


def _split(v: list[Any]) -> tuple[Any, Any]:
    """The components across the third axis as a complex number, and the one along it."""
    return context().mpc(v[0], v[1]), v[2]
