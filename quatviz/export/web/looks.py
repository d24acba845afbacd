"""Colours of the page: those of the window's dark and light themes."""

from __future__ import annotations

from dataclasses import asdict

from quatviz.look.theme import DARK, LIGHT, Theme

_NAMES = (
    "window",
    "surface",
    "raised",
    "line",
    "text",
    "muted",
    "accent",
    "danger",
    "lanes",
    "components",
    "omega",
    "h",
    "torque",
    "ring",
    "sky_top",
    "sky_bottom",
    "ground_line",
    "body",
)
"""What the page draws with."""


def _colours(theme: Theme) -> dict[str, object]:
    values = asdict(theme)
    return {name: list(value) if isinstance(value := values[name], tuple) else value for name in _NAMES}


LOOKS = {theme.name: _colours(theme) for theme in (DARK, LIGHT)}
