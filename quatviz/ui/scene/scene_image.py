"""The picture of one 3D view. OpenGL draws it or, without OpenGL, QPainter draws it as a wireframe."""

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
"""Smallest number of pictures between two losses of the OpenGL context after which a new context is created. If fewer
pictures were drawn, OpenGL counts as failed, and the scene is drawn as a wireframe from then on."""


class SharedGraphics:
    """The OpenGL context of a group of views, created for the first user and deleted after the last."""

    def __init__(self) -> None:
        self.graphics: GraphicsContext | None = None
        """The shared context, or None while no view uses it."""
        self.users: set[object] = set()
        """Views that use the context now."""

    @property
    def is_software(self) -> bool:
        """True if software rendering is known to be in use."""
        return self.graphics is not None and self.graphics.info.is_software

    def acquire(self, user: object, info: GLInfo) -> "GraphicsContext":
        """Return the context, and register its user. The first call creates the context.

        Raises
        ------
        InputError
            If no OpenGL context can be created.
        """
        from quatviz.ui.scene.gl_resources import (
            GraphicsContext,  # PyOpenGL reads its platform when first imported
        )

        self.graphics = self.graphics or GraphicsContext(info)
        self.users.add(user)
        return self.graphics

    def release(self, user: object) -> None:
        """Remove a user of the context. If it was the last one, the context is deleted."""
        self.users.discard(user)
        if self.graphics is not None and not self.users:
            self.graphics.release()
            self.graphics = None

    def discard(self, graphics: "GraphicsContext") -> None:
        """Forget a lost context without deleting its resources. The next user gets a new context."""
        if self.graphics is graphics:
            self.graphics = None


class SceneImage:
    """The picture of one view.

    Images with the same `shared` graphics use one OpenGL context. A lost context is replaced by a new one, unless that
    is lost soon as well. `report` is called once if OpenGL fails. With `draws_ahead`, each picture is painted one frame
    after its drawing was started, so that software rendering runs in parallel with other work. Otherwise it is painted
    at once.
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
        """The last picture that was finished, or None."""
        self._pending_snapshot: ViewSnapshot | None = None
        """Snapshot of the scene whose picture is being drawn, or None."""
        self.shown_snapshot: ViewSnapshot | None = None
        """Snapshot of the scene from which `image` was drawn, or None."""
        self._changed_rect = QRect()
        """Part of the image that changed since the last call of `take_changed_rect` [image pixels]."""
        self.invalidate()
        self.draws_ahead = False
        self.resolution = 1.0
        """Rendered pixels per device pixel, in each direction."""
        self._draws_since_loss = _DRAWS_BEFORE_RETRY
        """Number of pictures drawn since the OpenGL context was lost."""

    @property
    def is_wireframe(self) -> bool:
        """True if OpenGL has failed and the scene is drawn as a wireframe."""
        return self._wireframe is not None

    @property
    def is_software(self) -> bool:
        """True if software rendering is known to be in use."""
        return self._shared.is_software

    def invalidate(self) -> None:
        """Mark the image as outdated, so that the next paint draws a new one."""
        self._redraws.mark(self, "picture")

    @property
    def is_stale(self) -> bool:
        """True if something has changed since the drawing of the last picture was started."""
        return self._redraws.is_due(self, "picture")

    @property
    def is_ready(self) -> bool:
        """True if the finished image is up to date, so that the next paint shows it without drawing."""
        return self.draws_ahead and self.image is not None and not self.is_stale

    def start(self, snapshot: ViewSnapshot) -> None:
        """Finish the previous picture, and start to draw the picture of a snapshot."""
        self.finish()
        self._draw_or_fall_back(snapshot)

    def finish(self) -> bool:
        """Wait for the started picture. Return True if there was one."""
        pending = self._pending_snapshot
        if pending is not None:
            self._draw_or_fall_back(pending, is_finishing=True)
        return pending is not None

    def take_changed_rect(self) -> QRectF:
        """Return the rectangle of the image that has changed since the last call [logical pixels]."""
        changed, self._changed_rect = self._changed_rect, QRect()
        if self.shown_snapshot is None:
            return QRectF()
        # An image of another resolution is interpolated across neighboring pixels.
        rect, ratio = changed.adjusted(-2, -2, 2, 2), 1.0 / self.shown_snapshot.pixel_ratio
        return QRectF(rect.x() * ratio, rect.y() * ratio, rect.width() * ratio, rect.height() * ratio)

    def paint(self, painter: QPainter, area: QRectF, make_snapshot: Callable[[], ViewSnapshot]) -> None:
        """Paint the picture. If it is outdated, a new picture of the snapshot that `make_snapshot` returns is drawn first.

        If `draws_ahead` is True and only the time has changed, the painted image is one frame old.
        """
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
        """Delete the OpenGL resources."""
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
        """Start or finish a picture. If the OpenGL context was lost, try once more in a new context. If
        OpenGL fails, draw the wireframe from now on."""
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
            log.error("the 3D view is drawn without OpenGL", exc_info=fault)
            self._wireframe = WireframeRenderer()
            try:
                self.release()  # other views may still use the context
            except PLUGIN_EXCEPTIONS:
                log.exception("the OpenGL resources cannot be deleted")
            reason = tr(fault.found) if isinstance(fault, InputError) else exception_summary(fault)
            self._report(
                tr(
                    "The 3D view is drawn as lines: {reason}. Run quatviz doctor to see what to install",
                    reason=reason,
                )
            )

    def _handle_context_loss(self, loss: BaseException) -> None:
        """Drop all resources of the lost context, which can no longer be deleted. A new context is created for the next
        picture.

        If the previous context was lost shortly before, raise `loss`.
        """
        if self._draws_since_loss < _DRAWS_BEFORE_RETRY:
            raise loss
        self._draws_since_loss = 0
        if self._canvas is not None:
            self._shared.discard(self._canvas.graphics)
        self._clear()
        log.info("the 3D view is drawn in a new OpenGL context", exc_info=loss)
        self._report(tr("The OpenGL context was lost; the 3D view is drawn in a new context"))

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
