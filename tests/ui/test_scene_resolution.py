"""Resolution of pictures: reduced while frames are late, full again afterwards."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot
from scene_maker import IDENTITY, ROTATED, Maker, changed_pixels, grab_pixels, make, make_frame  # noqa: F401 (make is a fixture)

from quatviz.display.data.budget import (
    MEDIAN_FRAMES,
    MIN_FAST_FRAMES,
    RESOLUTION_LEVELS,
    AdaptiveResolution,
    FrameBudget,
)
from quatviz.display.scene.items.body import BodyItem
from quatviz.display.scene.items.ground import Ground
from quatviz.display.scene.items.omega import OmegaArrow
from quatviz.display.view_state.theme import LIGHT
from quatviz.ui.scene import renderer, scene_view
from quatviz.ui.scene.scene_view import SceneView
from quatviz.ui.widgets.style import set_own_theme


class Clock:
    """Clock that advances only when set."""

    now = 0.0


def run(pace: AdaptiveResolution, clock: Clock, frames: int, interval: float) -> float:
    for _ in range(frames):
        clock.now += interval
        pace.begin_frame(clock.now)
    return pace.resolution


def test_late_pictures_lower_the_resolution_stepwise() -> None:
    clock = Clock()
    pace = AdaptiveResolution()
    assert run(pace, clock, MEDIAN_FRAMES, 0.050) == RESOLUTION_LEVELS[0], "too few frames are no evidence"
    assert run(pace, clock, 1, 0.050) == RESOLUTION_LEVELS[1]
    assert run(pace, clock, 2 * MEDIAN_FRAMES, 0.050) == RESOLUTION_LEVELS[-1]
    assert run(pace, clock, 200, 0.050) == RESOLUTION_LEVELS[-1]


def test_timely_pictures_keep_full_resolution() -> None:
    clock = Clock()
    assert run(AdaptiveResolution(), clock, 500, 0.030) == RESOLUTION_LEVELS[0]


def test_single_long_frame_changes_nothing() -> None:
    clock = Clock()
    pace = AdaptiveResolution()
    run(pace, clock, MEDIAN_FRAMES, 0.020)
    run(pace, clock, 3, 0.400)
    assert run(pace, clock, MEDIAN_FRAMES, 0.020) == RESOLUTION_LEVELS[0]


def test_pause_is_not_a_late_frame() -> None:
    clock = Clock()
    pace = AdaptiveResolution()
    for _ in range(4 * MEDIAN_FRAMES):
        run(pace, clock, 2, 0.020)
        pace.pause()
        clock.now += 10.0
    assert pace.resolution == RESOLUTION_LEVELS[0]


def test_higher_resolution_is_retried_at_growing_intervals() -> None:
    clock = Clock()
    pace = AdaptiveResolution()
    run(pace, clock, MEDIAN_FRAMES + 1, 0.050)
    assert run(pace, clock, 2 * MIN_FAST_FRAMES, 0.018) == RESOLUTION_LEVELS[1]
    assert run(pace, clock, 2 * MEDIAN_FRAMES, 0.018) == RESOLUTION_LEVELS[0]
    run(pace, clock, MEDIAN_FRAMES + 1, 0.050)
    assert run(pace, clock, 3 * MIN_FAST_FRAMES, 0.018) == RESOLUTION_LEVELS[1], "it was too slow before"
    assert run(pace, clock, 3 * MIN_FAST_FRAMES, 0.018) == RESOLUTION_LEVELS[0]


def play(view: SceneView, frames: int) -> None:
    for number in range(frames):
        view.show_frame(replace(make_frame(ROTATED, 10.0 + number), playing=True))
        grab_pixels(view)


def test_late_view_is_coarse_while_playing_and_fine_at_rest(make: Maker) -> None:
    view = make([BodyItem])
    clock = Clock()
    budget = FrameBudget()
    for number in range(MEDIAN_FRAMES + 3):
        clock.now += 0.1
        budget.begin_frame(clock.now, playing=True)
        view.show_frame(replace(make_frame(ROTATED, 10.0 + number), playing=True, budget=budget))
        grab_pixels(view)
    assert view.image is not None
    assert view.image.width() == round(RESOLUTION_LEVELS[1] * 640)
    view.show_frame(make_frame(ROTATED, 99.0))
    grab_pixels(view)
    assert view.image.width() == 640


def test_copied_background_equals_a_drawn_one(make: Maker) -> None:
    view = make([BodyItem, Ground])
    view.show_frame(make_frame(IDENTITY, 1.0))
    view.camera.orbit(0.3, 0.1)
    view.redraw()
    drawn = grab_pixels(view)
    view.show_frame(make_frame(ROTATED, 2.0))
    grab_pixels(view)
    view.show_frame(make_frame(IDENTITY, 3.0))
    assert len(changed_pixels(grab_pixels(view), drawn)) == 0, (
        "the third picture from one camera pose copies its background"
    )


def test_background_follows_camera_and_theme(make: Maker) -> None:
    view = make([Ground])
    pictures = []
    for number in range(3):
        view.show_frame(make_frame(IDENTITY, 1.0 + number))
        view.redraw()
        pictures.append(grab_pixels(view))
    view.camera.orbit(0.6, 0.2)
    view.redraw()
    moved = grab_pixels(view)
    assert len(changed_pixels(moved, pictures[-1])) > 200
    set_own_theme(view, LIGHT)
    assert np.mean(grab_pixels(view)) > np.mean(moved) + 30
    view.set_item_visible("ground", False)
    view.redraw()
    grab_pixels(view)
    view.redraw()
    assert len(changed_pixels(grab_pixels(view), moved)) > 200


@pytest.fixture
def resting_views(make: Maker, monkeypatch: pytest.MonkeyPatch) -> Maker:
    """Return a factory of views that are drawn with smooth edges at rest."""
    monkeypatch.setattr(scene_view, "REST_DELAY_MS", 50)
    return make


def edge_shades(view: SceneView) -> int:
    """Return the number of shades in the picture: smooth edges are blended with the background."""
    view.text_overlay.is_active = False
    return len(np.unique(grab_pixels(view).reshape(-1, 3), axis=0))


def test_picture_at_rest_has_smooth_edges(
    resting_views: Maker, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(renderer, "MAX_ANTIALIASED_SECONDS", 0.0)
    view = resting_views([OmegaArrow])
    view.move_camera(lambda camera: camera.zoom(1.0))
    assert not view.is_at_rest, "it is drawn fast while the camera moves"
    rough = edge_shades(view)
    qtbot.waitUntil(lambda: view.is_at_rest)
    smooth = edge_shades(view)
    assert smooth > rough
    view.move_camera(lambda camera: camera.zoom(1.0))
    assert edge_shades(view) == rough


def test_moving_and_resting_pictures_reuse_their_buffers(
    resting_views: Maker, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Creating a multisampled buffer takes several milliseconds, which every click would wait for."""
    created_samples: list[int] = []
    make_frame_buffer = renderer.make_frame_buffer

    def noted(size: tuple[int, int], samples: int = 0) -> object:
        created_samples.append(samples)
        return make_frame_buffer(size, samples)

    monkeypatch.setattr(renderer, "MAX_ANTIALIASED_SECONDS", 0.0)
    monkeypatch.setattr(renderer, "make_frame_buffer", noted)
    view = resting_views([OmegaArrow])
    moving, resting = [], []
    for _ in range(3):
        view.move_camera(lambda camera: camera.zoom(1.0))
        moving.append(grab_pixels(view))
        qtbot.waitUntil(lambda: view.is_at_rest)
        resting.append(grab_pixels(view))
    assert sorted(created_samples) == [0, renderer.SAMPLES]
    for pictures in (moving, resting):
        assert all(np.array_equal(picture, pictures[0]) for picture in pictures)


def test_view_rests_when_playback_stops(resting_views: Maker, qtbot: QtBot) -> None:
    view = resting_views([OmegaArrow])
    playing = replace(make_frame(ROTATED, 10.0), playing=True)
    view.show_frame(playing)
    assert not view.is_at_rest
    with qtbot.waitSignal(view.painted):
        view.show_frame(replace(playing, playing=False))
        qtbot.waitUntil(lambda: view.is_at_rest)


def test_hidden_view_has_no_rest_timer(resting_views: Maker) -> None:
    """A theme redraws all views, also one that was shut down."""
    view = resting_views([OmegaArrow])
    view.hide()
    view.redraw()
    assert not [timer for timer in view.findChildren(QTimer) if timer.isActive()]


def test_fast_moving_pictures_have_smooth_edges(
    resting_views: Maker, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(renderer, "MAX_ANTIALIASED_SECONDS", 0.0)
    view = resting_views([OmegaArrow])
    view.move_camera(lambda camera: camera.zoom(1.0))
    rough = edge_shades(view)
    qtbot.waitUntil(lambda: view.is_at_rest)
    smooth = edge_shades(view)
    monkeypatch.setattr(renderer, "MAX_ANTIALIASED_SECONDS", 1e9)
    view.move_camera(lambda camera: camera.zoom(1.0))
    assert edge_shades(view) == smooth > rough
