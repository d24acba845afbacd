"""Explanation of a residual by a few wrong terms in single components of an equation."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from quatviz.verification.judging.fits import FIT_TOLERANCE, amount_text, join, times_text

_MAX_TERMS = 3
"""Largest number of wrong terms that an explanation may contain for one component of an equation."""
_MIN_DETERMINANT = 1e-10
"""Smallest determinant of the Gram matrix of normalized columns at which the columns count as linearly independent."""


class CandidateTerm(NamedTuple):
    """A term that one component of an equation may contain: its name, its values (n,), and its correct
    factor, which is 0 for a term that does not belong there."""

    name: str
    values: np.ndarray
    right_factor: float = 0.0


def sparse_rows(
    residual: np.ndarray, terms_of: Callable[[int], Sequence[CandidateTerm]], names: Sequence[str]
) -> tuple[int, str] | None:
    """Explain each component of a residual (n, k) by a few wrong terms. Return the number of terms and a
    sentence, or None if a component needs too many terms."""
    size = float(np.abs(residual).max())
    sentences, count = [], 0
    for row in range(residual.shape[1]):
        if np.abs(residual[:, row]).max() <= 1e-8 * size:
            continue
        matches = few_terms(residual[:, row], terms_of(row))
        if matches is None:
            return None
        count += len(matches)
        sentences.append(f"in {names[row]}: {_terms_text(matches)}")
    return (count, "; ".join(sentences)) if sentences else None


def _terms_text(matches: Sequence[tuple[CandidateTerm, float]]) -> str:
    """Describe terms that have wrong factors, terms that should not occur, and a term that stands in place of
    another."""
    missing = [term for term, value in matches if term.right_factor and abs(term.right_factor + value) < 1e-6]
    if len(matches) == 2 and len(missing) == 1:
        ((added, value),) = [match for match in matches if match[0] is not missing[0]]
        ratio = value / missing[0].right_factor
        if not added.right_factor and abs(abs(ratio) - 1.0) < 1e-5:
            return f"{'-' if ratio < 0.0 else ''}{added.name} for {missing[0].name}"
    texts = [
        f"{term.name} {times_text((term.right_factor + value) / term.right_factor)}"
        if term.right_factor
        else f"an additional {amount_text(value)} {term.name}".rstrip()
        for term, value in matches
    ]
    return join(texts)


def few_terms(
    residual: np.ndarray, terms: Sequence[CandidateTerm]
) -> list[tuple[CandidateTerm, float]] | None:
    """Return the smallest set of at most `_MAX_TERMS` terms whose linear combination equals a residual (n,), with
    their coefficients. Return None if there is no such set."""
    columns = np.stack([term.values for term in terms], axis=1)
    lengths = np.linalg.norm(columns, axis=0)
    columns = columns / np.where(lengths > 0.0, lengths, 1.0)
    products, moments, squared = columns.T @ columns, columns.T @ residual, float(residual @ residual)
    for count in range(1, _MAX_TERMS + 1):
        selections = _selections(len(terms), count)
        matrices = products[selections[:, :, None], selections[:, None, :]]
        selections = selections[np.linalg.det(matrices) > _MIN_DETERMINANT]
        if not len(selections):
            continue
        matrices, right = products[selections[:, :, None], selections[:, None, :]], moments[selections]
        explained = np.einsum("mi,mi->m", right, np.linalg.solve(matrices, right[..., None])[..., 0])
        # Rounding makes the remaining part inexact, so that the best selection is fitted again.
        if squared - explained.max() <= 2.0 * FIT_TOLERANCE**2 * squared:
            best = selections[np.argmax(explained)]
            coefficients = np.linalg.lstsq(columns[:, best], residual, rcond=None)[0]
            if np.linalg.norm(residual - columns[:, best] @ coefficients) <= FIT_TOLERANCE * np.sqrt(squared):
                return [
                    (terms[k], float(value / lengths[k])) for k, value in zip(best, coefficients, strict=True)
                ]
    return None


@lru_cache(maxsize=16)
def _selections(total: int, count: int) -> np.ndarray:
    """Return all selections (m, count) of `count` out of `total` indices."""
    return np.array(list(combinations(range(total), count)))
