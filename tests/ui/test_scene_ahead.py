"""While a run plays, a picture is painted one frame after it was begun; otherwise at once."""

from dataclasses import replace

import numpy as np
from pytestqt.qtbot import QtBot
from scene_maker import (  # noqa: F401 (make is a fixture)
    STILL,
    TURNED,
    Maker,
    bare,
    changed,
    frame,
    make,
    picture,
    pixels_of,
)

from quatviz.display.scene.items.body_triad import BodyTriad
from quatviz.ui.scene.scene_view import SceneView


def shown(view: SceneView, p: np.ndarray, time: float, playing: bool) -> np.ndarray:
    view.show_frame(replace(frame(p, time), playing=playing))
    return picture(view)


def test_a_playing_picture_comes_one_frame_late_with_its_labels_and_a_resting_one_at_once(
    make: Maker,
) -> None:
    view = make([BodyTriad])
    still = shown(view, STILL, 1.0, playing=False)
    turned = shown(view, TURNED, 2.0, playing=False)
    assert len(changed(still, turned)) > 500
    assert len(changed(shown(view, STILL, 3.0, playing=True), turned)) == 0
    assert len(changed(shown(view, TURNED, 4.0, playing=True), still)) == 0
    assert len(changed(shown(view, STILL, 5.0, playing=False), still)) == 0


def test_the_last_frame_of_a_cursor_that_waits_is_brought_to_the_screen(make: Maker) -> None:
    view = make([BodyTriad])
    turned = shown(view, TURNED, 1.0, playing=False)
    shown(view, STILL, 2.0, playing=False)
    shown(view, TURNED, 3.0, playing=True)
    assert len(changed(shown(view, TURNED, 3.0, playing=True), turned)) == 0


def test_a_camera_that_is_moved_meanwhile_is_seen_at_once(make: Maker) -> None:
    view = make([BodyTriad])
    shown(view, TURNED, 2.0, playing=True)
    before = picture(view)
    view.camera.orbit(0.5, 0.2)
    view.redraw()
    assert len(changed(picture(view), before)) > 500


def on_screen(view: SceneView) -> np.ndarray:
    """What has come to the screen, part by part."""
    return pixels_of(view.screen().grabWindow(view.winId()).toImage())


def test_painting_only_what_has_changed_leaves_nothing_of_the_frames_before(
    make: Maker, qtbot: QtBot
) -> None:
    view = make()
    for number in range(6):
        p = np.array([np.cos(0.4 * number), *(np.sin(0.4 * number) * np.array([0.6, 0.0, 0.8]))])
        arrow = {"omega": np.array([1.0 - 0.3 * number, -0.5, 0.3 * number])}
        playing = replace(frame(p, 7.0 + number, arrow), playing=True)
        view.show_frame(playing)
        with qtbot.waitSignal(view.painted):
            view.show_frame(playing)  # the picture that was begun
        screen = on_screen(view)
        assert len(changed(screen, picture(view))) == 0, "words and picture, painted whole"
    other = make()
    other.show_frame(replace(playing, playing=False))
    assert len(changed(picture(bare(view)), picture(bare(other)))) == 0, "drawn whole"
