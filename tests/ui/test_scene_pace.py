"""How finely pictures are drawn: coarsely while they would be late, finely again when they are not."""

from dataclasses import replace

import numpy as np
from scene_maker import STILL, TURNED, Maker, changed, frame, make, picture  # noqa: F401 (make is a fixture)

from quatviz.display.data.budget import FRAMES, LEVELS, PATIENCE, FrameBudget, Pace
from quatviz.display.scene.items.body import BodyItem
from quatviz.display.scene.items.ground import Ground
from quatviz.display.view_state.theme import LIGHT
from quatviz.ui.scene.scene_view import SceneView
from quatviz.ui.widgets.style import wear


class Clock:
    """A clock that goes on by as much as it is told."""

    now = 0.0


def run(pace: Pace, clock: Clock, frames: int, interval: float) -> float:
    for _ in range(frames):
        clock.now += interval
        pace.beat(clock.now)
    return pace.fineness


def test_a_late_picture_is_drawn_more_coarsely_step_by_step() -> None:
    clock = Clock()
    pace = Pace()
    assert run(pace, clock, FRAMES, 0.050) == LEVELS[0], "too few frames tell nothing"
    assert run(pace, clock, 1, 0.050) == LEVELS[1]
    assert run(pace, clock, 2 * FRAMES, 0.050) == LEVELS[-1]
    assert run(pace, clock, 200, 0.050) == LEVELS[-1]


def test_a_picture_in_time_stays_fine() -> None:
    clock = Clock()
    assert run(Pace(), clock, 500, 0.030) == LEVELS[0]


def test_one_long_frame_changes_nothing() -> None:
    clock = Clock()
    pace = Pace()
    run(pace, clock, FRAMES, 0.020)
    run(pace, clock, 3, 0.400)
    assert run(pace, clock, FRAMES, 0.020) == LEVELS[0]


def test_a_pause_is_no_late_frame() -> None:
    clock = Clock()
    pace = Pace()
    for _ in range(4 * FRAMES):
        run(pace, clock, 2, 0.020)
        pace.rest()
        clock.now += 10.0
    assert pace.fineness == LEVELS[0]


def test_a_finer_one_is_tried_again_and_more_seldom_each_time() -> None:
    clock = Clock()
    pace = Pace()
    run(pace, clock, FRAMES + 1, 0.050)
    assert run(pace, clock, 2 * PATIENCE, 0.018) == LEVELS[1]
    assert run(pace, clock, 2 * FRAMES, 0.018) == LEVELS[0]
    run(pace, clock, FRAMES + 1, 0.050)
    assert run(pace, clock, 3 * PATIENCE, 0.018) == LEVELS[1], "it was too slow before"
    assert run(pace, clock, 3 * PATIENCE, 0.018) == LEVELS[0]


def play(view: SceneView, frames: int) -> None:
    for number in range(frames):
        view.show_frame(replace(frame(TURNED, 10.0 + number), playing=True))
        picture(view)


def test_a_view_that_is_late_is_coarse_while_it_plays_and_fine_at_rest(make: Maker) -> None:
    view = make([BodyItem])
    clock = Clock()
    budget = FrameBudget()
    for number in range(FRAMES + 3):
        clock.now += 0.1
        budget.begin(clock.now, playing=True)
        view.show_frame(replace(frame(TURNED, 10.0 + number), playing=True, budget=budget))
        picture(view)
    assert view.image is not None
    assert view.image.width() == round(LEVELS[1] * 640)
    view.show_frame(frame(TURNED, 99.0))
    picture(view)
    assert view.image.width() == 640


def test_what_rests_behind_is_the_same_copied_as_drawn(make: Maker) -> None:
    view = make([BodyItem, Ground])
    view.show_frame(frame(STILL, 1.0))
    view.camera.orbit(0.3, 0.1)
    view.redraw()
    drawn = picture(view)
    view.show_frame(frame(TURNED, 2.0))
    picture(view)
    view.show_frame(frame(STILL, 3.0))
    assert len(changed(picture(view), drawn)) == 0, "the third picture from one place copies its backdrop"


def test_a_backdrop_follows_the_camera_and_the_theme(make: Maker) -> None:
    view = make([Ground])
    pictures = []
    for number in range(3):
        view.show_frame(frame(STILL, 1.0 + number))
        view.redraw()
        pictures.append(picture(view))
    view.camera.orbit(0.6, 0.2)
    view.redraw()
    moved = picture(view)
    assert len(changed(moved, pictures[-1])) > 200
    wear(view, LIGHT)
    assert np.mean(picture(view)) > np.mean(moved) + 30
    view.set_item_visible("ground", False)
    view.redraw()
    picture(view)
    view.redraw()
    assert len(changed(picture(view), moved)) > 200
