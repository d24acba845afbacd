"""Curves, components and quiet text stand out from the ground in every theme."""

from __future__ import annotations

import numpy as np
import pytest

from quatviz.ui.theme import THEMES, Theme


def luminance(colour: str) -> float:
    """Relative luminance by WCAG."""
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(parts <= 0.03928, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_curves_stand_out_from_the_ground(theme: Theme) -> None:
    for colour in (*theme.lanes, *theme.components, theme.muted):
        pair = sorted([luminance(colour), luminance(theme.surface)])
        assert (pair[1] + 0.05) / (pair[0] + 0.05) >= 3.0, colour
