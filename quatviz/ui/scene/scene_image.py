"""The picture of one view, and what it shares with others: drawn by OpenGL ahead of its time, or as lines without it, as finely as
its own pace allows."""

import logging
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QImage, QPainter

from quatviz.base.errors import PLUGIN_EXCEPTIONS, InputError, exception_summary
from quatviz.base.translation import tr
from quatviz.display.data.redraws import Redraws
from quatviz.display.scene.view_snapshot import ViewSnapshot
from quatviz.ui.scene.gl_context import ContextLost, GLInfo, check_gl
from quatviz.ui.scene.wireframe import WireframeRenderer

if TYPE_CHECKING:
    from quatviz.ui.scene.gl_resources import GraphicsContext
    from quatviz.ui.scene.renderer import OffscreenCanvas


log = logging.getLogger(__name__)

_DRAWS_BEFORE_RETRY = 100
"""Pictures after which a context that is lost is made anew."""


class SharedGraphics:
    """The graphics of a group of views: made for the first one that asks, deleted when the last has let go."""

    def __init__(self) -> None:
        self.graphics: GraphicsContext | None = None
        """None while nobody draws."""
        self.users: set[object] = set()
        """Who draws with them."""

    @property
    def is_software(self) -> bool:
        """Whether the processor draws, as far as is known."""
        return self.graphics is not None and self.graphics.info.is_software

    def acquire(self, user: object, info: GLInfo) -> "GraphicsContext":
        """The graphics, which `user` draws with from now on; an `InputError` where there is no OpenGL context."""
        from quatviz.ui.scene.gl_resources import (
            GraphicsContext,  # PyOpenGL reads its platform when first imported
        )

        self.graphics = self.graphics or GraphicsContext(info)
        self.users.add(user)
        return self.graphics

    def release(self, user: object) -> None:
        """`user` draws no more."""
        self.users.discard(user)
        if self.graphics is not None and not self.users:
            self.graphics.release()
            self.graphics = None

    def discard(self, graphics: "GraphicsContext") -> None:
        """These are lost, and nothing of theirs can be deleted: who enters next has new ones."""
        if self.graphics is graphics:
            self.graphics = None


class SceneImage:
    """`told` hears, once, that OpenGL has failed. Pictures with the same `shared` draw in one context. One that is lost is
    made anew, unless that happens again at once.

    While `draws_ahead`, a picture is painted one frame after it was begun: under software OpenGL it is drawn meanwhile, and
    nobody waits for it. Otherwise it is painted as soon as it is asked for.
    """

    def __init__(
        self,
        report: Callable[[str], None],
        shared: SharedGraphics | None = None,
        redraws: Redraws | None = None,
    ) -> None:
        self._report, self._redraws = report, redraws or Redraws()
        self._shared = shared or SharedGraphics()
        self._canvas: OffscreenCanvas | None = None
        self._wireframe: WireframeRenderer | None = None
        self.image: QImage | None = None
        """What was drawn last, and taken."""
        self._pending_snapshot: ViewSnapshot | None = None
        """What is being drawn."""
        self.shown_snapshot: ViewSnapshot | None = None
        """What the image shows."""
        self._changed_rect = QRect()
        """What of the image has changed since somebody asked, in its own pixels."""
        self.invalidate()
        self.draws_ahead = False
        self.resolution = 1.0
        """Pixels drawn per pixel of the screen, each way."""
        self._draws_since_loss = _DRAWS_BEFORE_RETRY
        """Pictures drawn since the context was lost."""

    @property
    def is_wireframe(self) -> bool:
        """Whether OpenGL has failed."""
        return self._wireframe is not None

    @property
    def is_software(self) -> bool:
        """Whether the processor draws, as far as is known."""
        return self._shared.is_software

    def invalidate(self) -> None:
        """Note that something has changed since the last picture was begun."""
        self._redraws.mark(self, "picture")

    @property
    def is_stale(self) -> bool:
        """Whether something has changed since the last picture was begun."""
        return self._redraws.is_due(self, "picture")

    @property
    def is_ready(self) -> bool:
        """Whether the image is what is painted next."""
        return self.draws_ahead and self.image is not None and not self.is_stale

    def start(self, snapshot: ViewSnapshot) -> None:
        """Begin to draw, and finish what was begun before."""
        self.finish()
        self._draw_or_fall_back(snapshot)

    def finish(self) -> bool:
        """Wait for the picture that was begun; whether there was one."""
        pending = self._pending_snapshot
        if pending is not None:
            self._draw_or_fall_back(pending, is_finishing=True)
        return pending is not None

    def take_changed_rect(self) -> QRectF:
        """Where the image has changed since this was asked last [logical pixels]."""
        changed, self._changed_rect = self._changed_rect, QRect()
        if self.shown_snapshot is None:
            return QRectF()
        # A picture of another fineness is smoothed over its neighbours.
        rect, ratio = changed.adjusted(-2, -2, 2, 2), 1.0 / self.shown_snapshot.pixel_ratio
        return QRectF(rect.x() * ratio, rect.y() * ratio, rect.width() * ratio, rect.height() * ratio)

    def paint(self, painter: QPainter, area: QRectF, make_snapshot: Callable[[], ViewSnapshot]) -> None:
        """Paint it as it is now, of which `make_snapshot` makes a shot, or, while `draws_ahead` and nothing but time has
        changed, as it was a frame ago."""
        if self.is_stale and not self.is_wireframe:
            self._draw_or_fall_back(make_snapshot())
            self.finish()
        elif self.image is None or not self.draws_ahead:
            self.finish()
        if self.image is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, self.resolution != 1.0)
            painter.drawImage(area, self.image)
        elif self._wireframe is not None:
            self.shown_snapshot = make_snapshot()
            self._wireframe.draw(painter, area, self.shown_snapshot)

    def release(self) -> None:
        """Delete what lives in the context."""
        canvas = self._canvas
        self._clear()
        self.invalidate()
        try:
            if canvas is not None:
                with suppress(ContextLost):
                    canvas.release()
        finally:
            self._shared.release(self)

    def _clear(self) -> None:
        self._canvas = self.image = self._pending_snapshot = self.shown_snapshot = None

    def _draw_or_fall_back(self, snapshot: ViewSnapshot, is_finishing: bool = False) -> None:
        """Begin a shot, or take it where that is done; once more from its beginning on where the context is lost meanwhile, and
        as lines from now on where OpenGL fails."""
        if self._wireframe is not None:
            return
        try:
            try:
                self._read_image() if is_finishing else self._draw(snapshot)
            except ContextLost as loss:
                self._handle_context_loss(loss)
                self._draw(snapshot)
                if is_finishing:
                    self._read_image()
        except PLUGIN_EXCEPTIONS as fault:
            log.error("the 3D view does without OpenGL", exc_info=fault)
            self._wireframe = WireframeRenderer()
            try:
                self.release()  # other views may still draw in this context
            except PLUGIN_EXCEPTIONS:
                log.exception("what was drawn with cannot be deleted")
            reason = tr(fault.found) if isinstance(fault, InputError) else exception_summary(fault)
            self._report(
                tr(
                    "The 3D view is drawn as lines: {found}. quatviz doctor says what to install",
                    found=reason,
                )
            )

    def _handle_context_loss(self, loss: BaseException) -> None:
        """Let go of what the context held, to draw in another one. Nothing of it can be deleted."""
        if self._draws_since_loss < _DRAWS_BEFORE_RETRY:
            raise loss
        self._draws_since_loss = 0
        if self._canvas is not None:
            self._shared.discard(self._canvas.graphics)
        self._clear()
        log.info("the 3D view is drawn in a new OpenGL context", exc_info=loss)
        self._report(tr("The OpenGL context was lost; the 3D view is drawn in a new one"))

    def _draw(self, snapshot: ViewSnapshot) -> None:
        if self._canvas is None:
            info = check_gl()
            from quatviz.ui.scene.renderer import (
                OffscreenCanvas,  # PyOpenGL reads its platform when first imported
            )

            self._canvas = OffscreenCanvas(self._shared.acquire(self, info))
        self._pending_snapshot = snapshot
        self._redraws.clear(self, "picture")
        self._canvas.draw(snapshot)
        self._draws_since_loss += 1

    def _read_image(self) -> None:
        if self._canvas is not None:
            self.image, changed = self._canvas.read_image()
            self._changed_rect = self._changed_rect.united(changed)
            self.shown_snapshot, self._pending_snapshot = self._pending_snapshot, None
