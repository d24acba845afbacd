"""Meshes in the memory of one OpenGL context: the same triangles stand there once, however many views draw them."""

from __future__ import annotations

import hashlib

import numpy as np
from OpenGL import GL


class VertexBuffers:
    """Buffers by what they hold, each kept for as long as somebody draws from it."""

    def __init__(self) -> None:
        self._held: dict[bytes, tuple[int, int]] = {}
        """Digest of the vertices -> the buffer, and how many draw from it."""
        self._digests: dict[int, bytes] = {}

    def __len__(self) -> int:
        return len(self._held)

    def of(self, vertices: np.ndarray) -> int:
        """The buffer that holds `vertices`, until it is let go."""
        data = np.ascontiguousarray(vertices)
        digest = hashlib.blake2b(data.data, digest_size=16).digest()
        buffer, users = self._held.get(digest) or (new_buffer(data), 0)
        self._held[digest] = (buffer, users + 1)
        self._digests[buffer] = digest
        return buffer

    def let_go(self, buffer: int) -> None:
        """One draws from it no more."""
        digest = self._digests[buffer]
        users = self._held[digest][1] - 1
        if users:
            self._held[digest] = (buffer, users)
        else:
            del self._held[digest], self._digests[buffer]
            GL.glDeleteBuffers(1, [buffer])


def new_buffer(data: np.ndarray) -> int:
    """A buffer of its own that holds `data`."""
    buffer = int(GL.glGenBuffers(1))
    GL.glBindBuffer(GL.GL_ARRAY_BUFFER, buffer)
    GL.glBufferData(GL.GL_ARRAY_BUFFER, data.nbytes, data, GL.GL_STATIC_DRAW)
    return buffer
