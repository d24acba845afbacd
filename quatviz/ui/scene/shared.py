"""Who draws with the graphics of a window: made for the first view that asks, deleted when the last has let go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quatviz.ui.scene.gl_support import GLInfo

if TYPE_CHECKING:
    from quatviz.ui.scene.graphics import Graphics


class ContextLost(RuntimeError):
    """The driver has taken the context away, as after a reset of the graphics card: all that lived in it is gone."""


class Shared:
    """The graphics of a group of views."""

    def __init__(self) -> None:
        self.graphics: Graphics | None = None
        """None while nobody draws."""
        self._users: set[object] = set()

    @property
    def software(self) -> bool:
        """Whether the processor draws, as far as is known."""
        return self.graphics is not None and self.graphics.info.software

    def enter(self, user: object, info: GLInfo) -> Graphics:
        """The graphics, which `user` draws with from now on; a `Refusal` where there is no OpenGL context."""
        if self.graphics is None:
            # PyOpenGL reads its platform when first imported, which the check has set.
            from quatviz.ui.scene.graphics import Graphics

            self.graphics = Graphics(info)
        self._users.add(user)
        return self.graphics

    def leave(self, user: object) -> None:
        """`user` draws no more."""
        self._users.discard(user)
        if self.graphics is not None and not self._users:
            self.graphics.release()
            self.graphics = None

    def forget(self, graphics: Graphics) -> None:
        """These are lost, and nothing of theirs can be deleted: who enters next has new ones."""
        if self.graphics is graphics:
            self.graphics = None
