"""A body and loads in words, for what has no form of its own: what a branch changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from quatviz.core.expression import Expression
from quatviz.core.parameters import declared
from quatviz.ui.tr import tr
from quatviz.ui.words import in_words, short_number, spoken, unit_text


def words_of(parts: Mapping[str, Any]) -> list[str]:
    """A line for each body, and for each list of loads."""
    return [f"{spoken(name)}: {_told(value)}" for name, value in parts.items()]


def described(thing: Any) -> str:
    """What is declared of a body or a load and differs from what it is without a word, with units."""
    said = []
    for name, parameter in declared(type(thing)).items():
        value = getattr(thing, name)
        if value is not None and not (parameter.required is False and _same(value, parameter.default)):
            unit = f" {unit_text(parameter.unit)}" if parameter.unit else ""
            said.append(f"{in_words(name) if len(name) > 2 else name} {_value(value)}{unit}")
    return ", ".join(said)


def _told(value: Any) -> str:
    if not isinstance(value, tuple):
        return described(value)
    loads = [f"{in_words(load.name)} ({described(load)})" for load in value]
    return "; ".join(loads) or tr("none")


def _same(value: Any, default: Any) -> bool:
    return default is not None and bool(
        np.array_equal(np.asarray(value, object), np.asarray(default, object))
    )


def _value(value: Any) -> str:
    if isinstance(value, np.ndarray):
        diagonal = value.ndim == 2 and np.array_equal(value, np.diag(np.diag(value)))
        return _value(tuple((np.diag(value) if diagonal else value).ravel().tolist()))
    if isinstance(value, tuple):
        return ", ".join(map(_value, value))
    if isinstance(value, Expression):
        return value.text
    return short_number(value) if isinstance(value, float) else str(value)
