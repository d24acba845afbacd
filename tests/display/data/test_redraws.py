"""Which parts of a window need a redraw, and which of them a frame has time for."""

from quatviz.display.data.budget import FrameBudget
from quatviz.display.data.redraws import Redraws


def playing(redraws: Redraws, tick: int) -> None:
    """Start a frame of a playing run, 1/60 s after the last one."""
    redraws.budget.begin_frame(100.0 + tick / 60, playing=True)


def test_part_is_due_until_cleared() -> None:
    redraws = Redraws()
    assert not redraws.is_due("plot")
    redraws.mark("plot", "picture", "header")
    redraws.mark("plot", "picture")
    assert redraws.is_due("plot")
    assert redraws.is_due("plot", "rows", "header")
    assert not redraws.is_due("plot", "rows")
    assert not redraws.is_due("other", "picture")
    redraws.clear("plot", "picture")
    assert not redraws.is_due("plot", "picture")
    redraws.set_due("plot", "header", False)
    assert not redraws.is_due("plot")
    redraws.clear("plot", "picture")
    redraws.set_due("plot", "rows", True)
    assert redraws.any_due("rows")
    assert not redraws.any_due("frame")
    redraws.clear("plot")
    assert not redraws.any_due("rows")


def test_part_that_is_not_due_takes_no_time() -> None:
    redraws = Redraws()
    playing(redraws, 0)
    assert not any(redraws.take_picture(part) for part in range(100))
    assert not redraws.take_rows("plot", "plot", 1.0)
    assert not redraws.take_run("plot", "plot", 1.0)
    redraws.mark("plot", "picture", "rows", "late run")
    assert redraws.take_picture("plot")
    assert redraws.take_rows("plot", "plot", 1.0)
    assert redraws.take_run("plot", "plot", 1.0)
    assert redraws.is_due("plot", "rows"), "until they are read"


def test_playing_pictures_are_drawn_in_turns() -> None:
    redraws, drawn = Redraws(), []
    for part in range(20):
        redraws.mark(part, "picture")
    for tick in range(8):
        playing(redraws, tick)
        taken = [part for part in range(20) if redraws.take_picture(part, cost=2.0)]
        assert len(taken) <= 2, "as much as the frame has time for"
        drawn += taken
    playing(redraws, 8)
    assert len(drawn) == len(set(drawn))
    redraws.mark(drawn[0], "picture")
    assert not redraws.take_picture(drawn[0], cost=2.0), "the waiting parts come first"
    redraws.budget = FrameBudget()
    assert all(redraws.take_picture(part) for part in range(20) if redraws.is_due(part)), "all at rest"


def test_growth_waits_for_outdated_pictures_and_while_invisible() -> None:
    redraws = Redraws()
    redraws.mark("grown", "growth")
    redraws.mark("wrong", "growth", "picture", "curves")
    playing(redraws, 0)
    assert not redraws.take_picture("grown", growth_waits=True)
    assert redraws.take_picture("wrong", growth_waits=True)
    assert not redraws.is_due("wrong")
    assert redraws.take_picture("grown")
    for part in range(4):
        redraws.mark(part, "growth")
    assert not any(redraws.take_picture(part) for part in range(4)), "less time than for outdated pictures"
    redraws.mark(0, "picture")
    assert redraws.take_picture(0)


def test_picture_waits_for_its_minimum_interval_unless_urgent() -> None:
    redraws = Redraws()
    playing(redraws, 0)
    redraws.mark("globe", "picture")
    assert redraws.take_picture("globe", min_interval=0.5)
    redraws.mark("globe", "picture")
    playing(redraws, 1)
    assert not redraws.take_picture("globe", min_interval=0.5)
    assert redraws.is_due("globe", "picture")
    assert redraws.take_picture("globe", min_interval=0.5, urgent=True)
    redraws.mark("globe", "picture")
    playing(redraws, 40)
    assert redraws.take_picture("globe", min_interval=0.5)


def test_frame_that_moves_cursors_draws_nothing_unless_the_axis_jumped() -> None:
    redraws = Redraws()
    assert redraws.may_draw()
    playing(redraws, 0)
    assert redraws.budget.updates_readouts
    assert not redraws.may_draw()
    redraws.budget.note_axis_jump()
    assert redraws.may_draw()
    redraws = Redraws()
    playing(redraws, 0)
    playing(redraws, 1)
    assert not redraws.budget.updates_readouts
    assert redraws.may_draw()
