"""During playback a picture is painted one frame after it was started; otherwise at once."""

from dataclasses import replace

import numpy as np
from pytestqt.qtbot import QtBot
from scene_maker import (  # noqa: F401 (make is a fixture)
    IDENTITY,
    ROTATED,
    Maker,
    changed_pixels,
    grab_pixels,
    make,
    make_frame,
    pixels_of,
    without_labels,
)

from quatviz.display.scene.items.body_triad import BodyTriad
from quatviz.ui.scene.scene_view import SceneView


def shown(view: SceneView, p: np.ndarray, time: float, playing: bool) -> np.ndarray:
    view.show_frame(replace(make_frame(p, time), playing=playing))
    return grab_pixels(view)


def test_playing_picture_is_one_frame_late_and_resting_one_immediate(
    make: Maker,
) -> None:
    view = make([BodyTriad])
    still = shown(view, IDENTITY, 1.0, playing=False)
    turned = shown(view, ROTATED, 2.0, playing=False)
    assert len(changed_pixels(still, turned)) > 500
    assert len(changed_pixels(shown(view, IDENTITY, 3.0, playing=True), turned)) == 0
    assert len(changed_pixels(shown(view, ROTATED, 4.0, playing=True), still)) == 0
    assert len(changed_pixels(shown(view, IDENTITY, 5.0, playing=False), still)) == 0


def test_last_frame_of_a_waiting_cursor_is_painted(make: Maker) -> None:
    view = make([BodyTriad])
    turned = shown(view, ROTATED, 1.0, playing=False)
    shown(view, IDENTITY, 2.0, playing=False)
    shown(view, ROTATED, 3.0, playing=True)
    assert len(changed_pixels(shown(view, ROTATED, 3.0, playing=True), turned)) == 0


def test_camera_motion_is_painted_at_once(make: Maker) -> None:
    view = make([BodyTriad])
    shown(view, ROTATED, 2.0, playing=True)
    before = grab_pixels(view)
    view.camera.orbit(0.5, 0.2)
    view.redraw()
    assert len(changed_pixels(grab_pixels(view), before)) > 500


def on_screen(view: SceneView) -> np.ndarray:
    """Return what the screen shows after partial repaints."""
    return pixels_of(view.screen().grabWindow(view.winId()).toImage())


def test_partial_repaints_leave_no_traces(make: Maker, qtbot: QtBot) -> None:
    view = make()
    for number in range(6):
        p = np.array([np.cos(0.4 * number), *(np.sin(0.4 * number) * np.array([0.6, 0.0, 0.8]))])
        arrow = {"omega": np.array([1.0 - 0.3 * number, -0.5, 0.3 * number])}
        playing = replace(make_frame(p, 7.0 + number, arrow), playing=True)
        view.show_frame(playing)
        with qtbot.waitSignal(view.painted):
            view.show_frame(playing)  # the picture that was started
        screen = on_screen(view)
        assert len(changed_pixels(screen, grab_pixels(view))) == 0, "labels and picture, painted completely"
    other = make()
    other.show_frame(replace(playing, playing=False))
    assert len(changed_pixels(grab_pixels(without_labels(view)), grab_pixels(without_labels(other)))) == 0, (
        "drawn whole"
    )
