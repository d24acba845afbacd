"""With more curves than stripes, none is striped: comparing all pairs would block the window for seconds."""

import numpy as np

from quatviz.export.figures.stripes import MAX_STRIPED_CURVES, assign_path_turns


def turns_of(count: int) -> np.ndarray:
    times, pixels = np.linspace(0.0, 1.0, 400), np.column_stack([np.linspace(0, 400, 400), np.zeros(400)])
    return np.array(assign_path_turns([times] * count, [pixels] * count, [np.ones(400, dtype=bool)] * count))


def test_many_agreeing_curves_are_drawn_without_stripes() -> None:
    assert not turns_of(2).all()
    assert not turns_of(MAX_STRIPED_CURVES).all()
    assert turns_of(MAX_STRIPED_CURVES + 1).all()
