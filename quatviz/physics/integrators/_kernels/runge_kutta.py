"""Explicit Runge-Kutta methods, given by a tableau of fractions, and the step that is compiled from it."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations_with_replacement, groupby
from typing import Any

import numpy as np

from quatviz.physics.kernels.binder import Kernel, compile_source, compiler, overload, rhs, step
from quatviz.physics.kernels.blocks import RUNNING

Row = tuple[Fraction, ...]
Tree = tuple["Tree", ...]
"""A rooted tree, given as the tuple of the subtrees at its root."""
_CONDITION_TOLERANCE = Fraction(1, 10**13)
"""Error of an order condition that counts as rounding.

It is needed because tableaux with irrational entries are written in floats.
"""


@dataclass(frozen=True, init=False, eq=False)
class ButcherTableau:
    """Tableau of an explicit Runge-Kutta method.

    k_i = f(t + c_i dt, y + dt (a_i1 k_1 + ... + a_i,i-1 k_i-1)), y1 = y + dt (b_1 k_1 + ... + b_s k_s). Hairer,
    Norsett, Wanner, Solving Ordinary Differential Equations I, II.1.

    Parameters
    ----------
    a
        Rows of the second stage to the last, of 1, 2, ... entries. Entries are fractions, or anything that `Fraction`
        accepts: 1, "1/3", 0.25. The nodes c_i are the sums of the rows.
    b
        Weights (s).

    Raises
    ------
    ValueError
        If the rows have wrong lengths, or the weights do not sum to 1: the method would then solve another equation.

    Examples
    --------
    >>> heun = ButcherTableau([[1]], ["1/2", "1/2"])
    >>> heun.order
    2
    >>> heun.step(lambda t, y: -y, 0.0, np.array([1.0]), 0.1).tolist()  # 1 - 0.1 + 0.1^2 / 2
    [0.905]
    """

    a: tuple[Row, ...]
    b: Row

    def __init__(self, a: Sequence[Sequence[Any]], b: Sequence[Any]) -> None:
        object.__setattr__(self, "a", tuple(tuple(map(Fraction, row)) for row in a))
        object.__setattr__(self, "b", tuple(map(Fraction, b)))
        lengths = [len(row) for row in self.a]
        if lengths != list(range(1, len(self.b))):
            raise ValueError(
                f"rows of an explicit method of {len(self.b)} stages have 1, 2, ... entries, not {lengths}"
            )
        if abs(sum(self.b, Fraction(0)) - 1) > _CONDITION_TOLERANCE:
            raise ValueError(f"the weights b must sum to 1, not {sum(self.b)}")

    def __reduce__(self) -> Any:
        return ButcherTableau, (self.a, self.b)

    @property
    def c(self) -> Row:
        """The nodes, beginning with 0."""
        return tuple(sum(row, Fraction(0)) for row in ((), *self.a))

    @property
    def order(self) -> int:
        """Highest order whose conditions all hold, one condition for each rooted tree; HNW II.2, theorem 2.13."""
        order = 0
        while order < 10 and all(self._satisfies(tree) for tree in rooted_trees(order + 1)):
            order += 1
        return order

    def _satisfies(self, tree: Tree) -> bool:
        weight = sum(b * phi for b, phi in zip(self.b, self._elementary_weights(tree), strict=True))
        return abs(weight - Fraction(1, density(tree))) <= _CONDITION_TOLERANCE

    def _elementary_weights(self, tree: Tree) -> Row:
        """Return the elementary weight Phi_i of a tree for each stage i: the product over the branches of the
        tree of sum_j a_ij Phi_j(branch)."""
        product = [Fraction(1)] * len(self.b)
        for branch in tree:
            values = self._elementary_weights(branch)
            sums = [
                sum((a * v for a, v in zip(row, values, strict=False)), Fraction(0)) for row in ((), *self.a)
            ]
            product = [value * other for value, other in zip(product, sums, strict=True)]
        return tuple(product)

    def step(
        self, slope: Callable[[float, np.ndarray], np.ndarray], t: float, y: np.ndarray, dt: float
    ) -> np.ndarray:
        """Return `y` (k,) after one step of `dt` for y' = slope(t, y), in NumPy without compilation."""
        slopes: list[np.ndarray] = []
        for weights, node in self._float_stages:
            sums = [weight * k for weight, k in zip(weights, slopes, strict=False) if weight]
            stage_state = y + dt * sum(sums) if sums else y
            if node is None:
                return stage_state
            slopes.append(slope(t + node * dt, stage_state))
        raise AssertionError("the last row is that of the weights")

    @cached_property
    def _float_stages(self) -> list[tuple[list[float], float | None]]:
        """Rows of the tableau as floats, each with its node, followed by the weights b with None in place of
        a node."""
        rows: list[Row] = [(), *self.a]
        stages = [([float(entry) for entry in row], float(c)) for row, c in zip(rows, self.c, strict=True)]
        return [*stages, ([float(entry) for entry in self.b], None)]

    @cached_property
    def _numba_type_(self) -> Any:
        """numba's type, by which the numbers of the tableau are compile-time constants.

        The type is cached since numba requests it at each call of a kernel, and an interrupt by Ctrl-C meanwhile would
        be lost.
        """
        return compiler().constant_type(self)

    def __str__(self) -> str:
        return "; ".join(", ".join(map(str, row)) for row in (*self.a, self.b))


def node_count(tree: Tree) -> int:
    """Return the number of nodes of a tree."""
    return 1 + sum(map(node_count, tree))


def density(tree: Tree) -> int:
    """Return the density gamma of a tree, the product of the sizes of all its subtrees."""
    return node_count(tree) * math.prod(map(density, tree))


@cache
def rooted_trees(size: int) -> tuple[Tree, ...]:
    """Return all rooted trees of `size` nodes."""
    return tuple(_forests(size - 1, size - 1))


def _forests(size: int, largest: int) -> Iterator[Tree]:
    """Yield all multisets of trees that have `size` nodes in total, and at most `largest` nodes in each tree."""
    if size == 0:
        yield ()
    for tree_size in range(min(size, largest), 0, -1):
        for count in range(size // tree_size, 0, -1):
            for trees in combinations_with_replacement(rooted_trees(tree_size), count):
                for remaining in _forests(size - count * tree_size, tree_size - 1):
                    yield (*trees, *remaining)


# --- the step that is compiled from a tableau


@overload(step)
def _step(method, par, t, dt, y):
    tableau = getattr(method, "value", None)
    return compile_step(tableau, len(y)) if isinstance(tableau, ButcherTableau) else None


def compile_step(tableau: ButcherTableau, size: int) -> Kernel:
    """Return the function `f(method, par, t, dt, y) -> (RUNNING, y)` of a tableau for states of `size` components, to
    be compiled.

    Every sum is written out as source text, so that only the arithmetic of the tableau remains at run time.
    Separate kernels for the stages and sums would run as fast, but take twice as long to compile.
    """

    def for_each_component(component: str) -> str:
        return "".join(f"{component.replace('#', str(index))}, " for index in range(size))

    lines = [f"{for_each_component('y#')} = y", f"{for_each_component('k0_#')} = rhs(par, t, y)"]
    for stage, (row, c) in enumerate(zip(tableau.a, tableau.c[1:], strict=True), 1):
        point = f"({for_each_component(_stage_expression(row, stage))})"
        lines += [
            _factor_assignment(row, stage),
            f"{for_each_component(f'k{stage}_#')} = rhs(par, t + {float(c)!r} * dt, {point})",
        ]
    last = len(tableau.b)
    lines += [
        _factor_assignment(tableau.b, last),
        f"return RUNNING, ({for_each_component(_stage_expression(tableau.b, last))})",
    ]
    return compile_source("stepped", "method, par, t, dt, y", lines, rhs=rhs, RUNNING=RUNNING)


def _stage_expression(weights: Row, stage: int) -> str:
    """Return the source expression for one component of y + dt (w_1 k_1 + w_2 k_2 + ...).

    The weights are written over their common denominator, slopes of weight 0 are omitted, and adjacent slopes of
    equal weight are added before the multiplication: y + dt/6 (k_1 + 2 (k_2 + k_3) + k_4).
    """
    denominator = math.lcm(*(weight.denominator for weight in weights))
    scaled_weights = [(float(weight * denominator), index) for index, weight in enumerate(weights) if weight]
    terms = []
    for weight, group in groupby(scaled_weights, key=lambda pair: pair[0]):
        slopes = " + ".join(f"k{index}_#" for _, index in group)
        terms.append(f"({slopes})" if weight == 1.0 else f"{weight!r} * ({slopes})")
    return f"y# + part{stage} * ({' + '.join(terms)})"


def _factor_assignment(weights: Row, stage: int) -> str:
    """Return the source line that assigns dt divided by the common denominator of the weights."""
    return f"part{stage} = dt / {float(math.lcm(*(weight.denominator for weight in weights)))!r}"
