"""Region of states in which a formulation is wrong, if it is correct elsewhere: an interval of time or of another
quantity.
"""

import math
from collections.abc import Iterator

import numpy as np

from quatviz.base.errors import phrase
from quatviz.verification.judging.rate_table import RateTable

_MIN_STATES = 4
"""Smallest number of states inside and outside a region. With fewer states, some quantity may separate them
by chance."""
_CLEARLY_RIGHT = 1e-3
"""Largest error of the rates outside a region, relative to the median error inside it, at which the states outside
count as correct."""


def describe_region(table: RateTable) -> str:
    """Return the region in which the rates of a table are wrong, or "" if they are wrong everywhere or nowhere.

    A region is an interval of one quantity, such as "for t > 1 s" or "where ω3 < 0".
    """
    wrong = table.is_wrong
    if wrong.all() or not wrong.any():
        return ""
    sizes = np.abs(table.differences).max(axis=1)
    if sizes[~wrong].max() > _CLEARLY_RIGHT * np.median(sizes[wrong]):
        return ""
    if min(wrong.sum(), (~wrong).sum()) >= _MIN_STATES:
        candidates = [
            (_interval(values, inside), name, unit, template)
            for inside, template in ((wrong, "{where}"), (~wrong, "except {where}"))
            for name, unit, values in _quantities(table)
        ]
        intervals = [candidate for candidate in candidates if candidate[0] is not None]
        # A one-sided bound is simpler than an interval, which may separate the states by chance.
        intervals.sort(key=lambda candidate: not any(map(math.isinf, candidate[0] or ())))
        for interval, name, unit, template in intervals:
            assert interval is not None
            return phrase(template, where=_interval_text(name, unit, *interval))
    return phrase("at {wrong} of {count} random states", wrong=int(wrong.sum()), count=len(table))


def _quantities(table: RateTable) -> Iterator[tuple[str, str, np.ndarray]]:
    """Yield name, unit and values (n,) of each quantity whose limits may describe a region of wrong states."""
    yield "t", " s", table.t
    for symbol, unit, vectors in (
        ("ω", " rad/s", table.omega), ("e", "", table.p), ("h", " kg m²/s", table.h), ("n", " N m", table.torque),
    ):  # fmt: skip
        first = 0 if symbol == "e" else 1
        for k in range(vectors.shape[1]):
            yield f"{symbol}{k + first}", unit, vectors[:, k]
        for k in range(vectors.shape[1]):
            yield f"|{symbol}{k + first}|", unit, np.abs(vectors[:, k])
        if symbol != "e":
            yield f"|{symbol}|", unit, np.linalg.norm(vectors, axis=1)
            yield f"the largest |{symbol}_k|", unit, np.abs(vectors).max(axis=1)
    for row in range(3):
        for column in range(3):
            yield f"A{row + 1}{column + 1}", "", table.A[:, row, column]
    omega = table.omega
    for j, k in ((0, 1), (1, 2), (0, 2)):
        yield f"ω{j + 1} ω{k + 1}", " rad²/s²", omega[:, j] * omega[:, k]
    yield "e·ω", " rad/s", np.einsum("ni,ni->n", table.p[:, 1:], omega)
    yield "T", " J", 0.5 * np.einsum("ni,ni->n", omega, table.h)


def _interval(values: np.ndarray, inside: np.ndarray) -> tuple[float, float] | None:
    """Return the limits of an interval that contains exactly those `values` (n,) that the mask `inside` (n,)
    selects, or None if there is no such interval."""
    order = np.argsort(values)
    sorted_inside = inside[order]
    (positions,) = np.nonzero(sorted_inside)
    first, last = int(positions[0]), int(positions[-1])
    if last - first + 1 != len(positions):
        return None
    sorted_values = values[order]
    low = -math.inf if first == 0 else _shortest_between(sorted_values[first - 1], sorted_values[first])
    high = (
        math.inf
        if last == len(values) - 1
        else _shortest_between(sorted_values[last], sorted_values[last + 1])
    )
    return low, high


def _interval_text(name: str, unit: str, low: float, high: float) -> str:
    where = "for" if name == "t" else "where"
    if math.isinf(low):
        return f"{where} {name} < {high:g}{unit if high else ''}"
    if math.isinf(high):
        return f"{where} {name} > {low:g}{unit if low else ''}"
    return f"{where} {low:g} < {name} < {high:g}{unit}"


def _shortest_between(low: float, high: float) -> float:
    """Return the number with the fewest digits between `low` and `high`. Of several such numbers, prefer those that
    end in 1, 5 or 2, as limits in programs often do, then the one nearest to the middle."""
    if low < 0.0 < high:
        return 0.0
    middle = 0.5 * (low + high)
    for digits in range(1, 16):
        spacing = 10.0 ** (math.floor(math.log10(max(abs(low), abs(high), 1e-300))) - digits + 1)
        center = round(middle / spacing)
        candidates = [k for k in range(center - 4, center + 5) if low < k * spacing < high]
        if candidates:
            best = min(candidates, key=lambda k: (_roundness(k), abs(k * spacing - middle)))
            return float(f"{best * spacing:.12g}")
    return middle


def _roundness(number: int) -> int:
    """Return 0 if the last digit of a number is 0, 1, 2 or 5, and 1 otherwise, as a sort key that prefers round
    limits."""
    return int(abs(number) % 10 not in (0, 1, 2, 5))
