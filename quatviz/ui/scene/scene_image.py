"""The picture of one view, and what it shares with others: drawn by OpenGL ahead of its time, or as lines without it, as finely as
its own pace allows."""

import logging
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QImage, QPainter

from quatviz.base.errors import InputError
from quatviz.base.translation import told, tr
from quatviz.display.scene.view_snapshot import Shot
from quatviz.ui.scene.gl_context import ContextLost, GLInfo, check_gl
from quatviz.ui.scene.wireframe import Wireframe

if TYPE_CHECKING:
    from quatviz.ui.scene.gl_resources import Graphics
    from quatviz.ui.scene.renderer import Canvas


log = logging.getLogger(__name__)

_TRUSTED = 100
"""Pictures after which a context that is lost is made anew."""


class Shared:
    """The graphics of a group of views: made for the first one that asks, deleted when the last has let go."""

    def __init__(self) -> None:
        self.graphics: Graphics | None = None
        """None while nobody draws."""
        self.users: set[object] = set()
        """Who draws with them."""

    @property
    def software(self) -> bool:
        """Whether the processor draws, as far as is known."""
        return self.graphics is not None and self.graphics.info.software

    def enter(self, user: object, info: GLInfo) -> "Graphics":
        """The graphics, which `user` draws with from now on; an `InputError` where there is no OpenGL context."""
        from quatviz.ui.scene.gl_resources import Graphics  # PyOpenGL reads its platform when first imported

        self.graphics = self.graphics or Graphics(info)
        self.users.add(user)
        return self.graphics

    def leave(self, user: object) -> None:
        """`user` draws no more."""
        self.users.discard(user)
        if self.graphics is not None and not self.users:
            self.graphics.release()
            self.graphics = None

    def forget(self, graphics: "Graphics") -> None:
        """These are lost, and nothing of theirs can be deleted: who enters next has new ones."""
        if self.graphics is graphics:
            self.graphics = None


class Picture:
    """`told` hears, once, that OpenGL has failed. Pictures with the same `shared` draw in one context. One that is lost is
    made anew, unless that happens again at once.

    While `ahead`, a picture is painted one frame after it was begun: under software OpenGL it is drawn meanwhile, and
    nobody waits for it. Otherwise it is painted as soon as it is asked for.
    """

    def __init__(self, told: Callable[[str], None], shared: Shared | None = None) -> None:
        self._told = told
        self._shared = shared or Shared()
        self._canvas: Canvas | None = None
        self._wireframe: Wireframe | None = None
        self.image: QImage | None = None
        """What was drawn last, and taken."""
        self._begun: Shot | None = None
        """What is being drawn."""
        self.shown: Shot | None = None
        """What the image shows."""
        self._changed = QRect()
        """What of the image has changed since somebody asked, in its own pixels."""
        self.stale = True
        """Whether something has changed since the last picture was begun."""
        self.ahead = False
        self.fineness = 1.0
        """Pixels drawn per pixel of the screen, each way."""
        self._drawn = _TRUSTED
        """Pictures drawn since the context was lost."""

    @property
    def as_lines(self) -> bool:
        """Whether OpenGL has failed."""
        return self._wireframe is not None

    @property
    def software(self) -> bool:
        """Whether the processor draws, as far as is known."""
        return self._shared.software

    @property
    def ready(self) -> bool:
        """Whether the image is what is painted next."""
        return self.ahead and self.image is not None and not self.stale

    def begin(self, shot: Shot) -> None:
        """Begin to draw, and finish what was begun before."""
        self.finish()
        self._attempt(shot)

    def finish(self) -> bool:
        """Wait for the picture that was begun; whether there was one."""
        begun = self._begun
        if begun is not None:
            self._attempt(begun, begun=True)
        return begun is not None

    def take_changed(self) -> QRectF:
        """Where the image has changed since this was asked last [logical pixels]."""
        changed, self._changed = self._changed, QRect()
        if self.shown is None:
            return QRectF()
        # A picture of another fineness is smoothed over its neighbours.
        part, ratio = changed.adjusted(-2, -2, 2, 2), 1.0 / self.shown.pixel_ratio
        return QRectF(part.x() * ratio, part.y() * ratio, part.width() * ratio, part.height() * ratio)

    def paint(self, painter: QPainter, area: QRectF, shoot: Callable[[], Shot]) -> None:
        """Paint it as it is now, of which `shoot` makes a shot, or, while `ahead` and nothing but time has changed, as it was
        a frame ago."""
        if self.stale and not self.as_lines:
            self._attempt(shoot())
            self.finish()
        elif self.image is None or not self.ahead:
            self.finish()
        if self.image is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, self.fineness != 1.0)
            painter.drawImage(area, self.image)
        elif self._wireframe is not None:
            self.shown = shoot()
            self._wireframe.draw(painter, area, self.shown)

    def release(self) -> None:
        """Delete what lives in the context."""
        canvas = self._canvas
        self._forget()
        self.stale = True
        try:
            if canvas is not None:
                with suppress(ContextLost):
                    canvas.release()
        finally:
            self._shared.leave(self)

    def _forget(self) -> None:
        self._canvas = self.image = self._begun = self.shown = None

    def _attempt(self, shot: Shot, begun: bool = False) -> None:
        """Begin a shot, or take it where that is done; once more from its beginning on where the context is lost meanwhile, and
        as lines from now on where OpenGL fails."""
        if self._wireframe is not None:
            return
        try:
            try:
                self._take() if begun else self._draw(shot)
            except ContextLost as loss:
                self._lose(loss)
                self._draw(shot)
                if begun:
                    self._take()
        except Exception as fault:
            log.error("the 3D view does without OpenGL", exc_info=fault)
            self._wireframe = Wireframe()
            try:
                self.release()  # other views may still draw in this context
            except Exception:
                log.exception("what was drawn with cannot be deleted")
            found = told(fault.found) if isinstance(fault, InputError) else f"{type(fault).__name__}: {fault}"
            self._told(
                tr("The 3D view is drawn as lines: {found}. quatviz doctor says what to install", found=found)
            )

    def _lose(self, loss: Exception) -> None:
        """Let go of what the context held, to draw in another one. Nothing of it can be deleted."""
        if self._drawn < _TRUSTED:
            raise loss
        self._drawn = 0
        if self._canvas is not None:
            self._shared.forget(self._canvas.graphics)
        self._forget()
        log.info("the 3D view is drawn in a new OpenGL context", exc_info=loss)
        self._told(tr("The OpenGL context was lost; the 3D view is drawn in a new one"))

    def _draw(self, shot: Shot) -> None:
        if self._canvas is None:
            info = check_gl()
            from quatviz.ui.scene.renderer import Canvas  # PyOpenGL reads its platform when first imported

            self._canvas = Canvas(self._shared.enter(self, info))
        self._begun, self.stale = shot, False
        self._canvas.draw(shot)
        self._drawn += 1

    def _take(self) -> None:
        if self._canvas is not None:
            self.image, changed = self._canvas.take()
            self._changed = self._changed.united(changed)
            self.shown, self._begun = self._begun, None
