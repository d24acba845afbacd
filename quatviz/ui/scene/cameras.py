"""Where the cameras of all views stand, as texts that a session keeps."""

from __future__ import annotations

from collections.abc import Mapping

from quatviz.ui.scene.views import Views

_KEY = "camera_"
"""With the number of the view behind it."""


def cameras_of(views: Views) -> dict[str, str]:
    """Target, direction and reach of the camera of each view that is seen."""
    return {f"{_KEY}{place}": view.camera.to_text(view.aspect) for place, view in enumerate(views.shown, 1)}


def stand(views: Views, texts: Mapping[str, str]) -> None:
    """Let cameras stand where `cameras_of` said that they did; where it said nothing they stay."""
    for place, view in enumerate(views.shown, 1):
        text = texts.get(f"{_KEY}{place}", "")
        if text:
            views.out_of_line = False  # linked ones need not come together: they stood somewhere before
            view.camera.take(text, view.aspect)
            view.redraw()
