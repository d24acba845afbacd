"""Traces of several lanes with constant values, for tests of plot headers."""

from types import SimpleNamespace
from typing import Any

from quatviz.display.data.scales import LinearScale
from quatviz.display.view_state.theme import DARK

SIX_VALUES = (0.0, -15.343, -38.863, 69.051, 53.709, 30.188)


def traces(values: tuple[float, ...]) -> list[Any]:
    return [
        SimpleNamespace(
            lane=f"lane {number}", label="", color=DARK.lanes[number], is_theory=False, is_part=False,
            value_at=lambda time, value=value: value,
        )
        for number, value in enumerate(values)
    ]  # fmt: skip


def make_scale() -> LinearScale:
    linear_scale = LinearScale()
    linear_scale.extend_to(-40.0, 125.0, 0.0, 0.0)
    return linear_scale
