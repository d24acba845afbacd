"""The 3D views as they are filmed: off the screen, at any size, without what only a hand needs."""

from __future__ import annotations

import copy

from quatviz.ui.frame import Frame
from quatviz.ui.lane_look import lane_line
from quatviz.ui.plotting.numbers import fixed
from quatviz.ui.scene.plan import drawn
from quatviz.ui.scene.view import SceneView
from quatviz.ui.scene.views import Views
from quatviz.ui.theme import Theme


class FilmedViews(Views):
    """No buttons and no mark of the active view; the names of the lanes and the time in their places. It is never shown,
    and draws in a context of its own: a picture that is too large for it does no harm to the window."""

    def __init__(self, theme: Theme, ratio: float, digits: int) -> None:
        self._ratio, self._digits = ratio, digits
        super().__init__(theme)
        self.setMinimumSize(1, 1)

    def see_as(self, other: Views) -> None:
        """Show what `other` shows, from where it does. To be said once a frame is shown."""
        self.sequence = other.sequence
        self.wish(other.wishes)
        self.arrange(copy.deepcopy(other.plan))
        if self._frame is not None:
            self.show_frame(self._frame)
        look_from(self, other)

    def _make(self) -> SceneView:
        view = super()._make()
        self._buttons[-1].hide()
        view.ratio = self._ratio
        return view

    def _tell_views(self, frame: Frame) -> None:
        super()._tell_views(frame)
        lines = {lane.name: lane_line(self._theme, lane.name, lane.colour) for lane in frame.lanes}
        for view in self.shown:
            view.words.active, view.words.stamp = False, ""
            if not view.words.heading:
                view.words.heading = tuple(lines[name] for name in drawn(frame))
        corner = max(self.shown, key=lambda view: (-view.y(), view.x()))
        corner.words.stamp = f"t = {fixed(frame.time, self._digits)} s"


def look_from(views: Views, other: Views) -> None:
    """See as many views from where `other` sees them, differences as large."""
    views.magnification = other.magnification
    for view, seen in zip(views.shown, other.shown, strict=True):
        view.camera = copy.copy(seen.camera)
        view.camera.reshape(seen.aspect, view.aspect)
    views.renew()
