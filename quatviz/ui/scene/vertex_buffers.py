"""Meshes in the memory of one OpenGL context: the same triangles stand there once, however many views draw them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from OpenGL import GL


@dataclass(frozen=True)
class Triangles:
    """A buffer of different vertices, and one of the numbers (uint16 or uint32) of three for each triangle: a vertex that
    six triangles share is computed once, which under software OpenGL is most of what a mesh costs."""

    vertices: int
    elements: int
    count: int
    kind: int


class VertexBuffers:
    """Triangles by what they hold, each kept for as long as somebody draws from them."""

    def __init__(self) -> None:
        self._held: dict[bytes, tuple[Triangles, int]] = {}
        """Digest of the vertices -> the buffers, and how many draw from them."""
        self._digests: dict[Triangles, bytes] = {}

    def __len__(self) -> int:
        return len(self._held)

    def of(self, vertices: np.ndarray) -> Triangles:
        """The buffers that hold `vertices`, three rows a triangle, until they are let go."""
        data = np.ascontiguousarray(vertices)
        digest = hashlib.blake2b(data.data, digest_size=16).digest()
        held, users = self._held.get(digest) or (_uploaded(data), 0)
        self._held[digest] = (held, users + 1)
        self._digests[held] = digest
        return held

    def let_go(self, held: Triangles) -> None:
        """One draws from them no more."""
        digest = self._digests[held]
        users = self._held[digest][1] - 1
        if users:
            self._held[digest] = (held, users)
        else:
            del self._held[digest], self._digests[held]
            GL.glDeleteBuffers(2, [held.vertices, held.elements])


def new_buffer(data: np.ndarray, target: int = GL.GL_ARRAY_BUFFER) -> int:
    """A buffer of its own that holds `data`."""
    buffer = int(GL.glGenBuffers(1))
    GL.glBindBuffer(target, buffer)
    GL.glBufferData(target, data.nbytes, data, GL.GL_STATIC_DRAW)
    return buffer


def indexed(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different rows (m, k) in the order of their first appearance, and for each row its number among them (n,)."""
    whole = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()
    _, first, numbers = np.unique(whole, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), np.uint32)
    place[order] = np.arange(len(order))
    return rows[first[order]], place[numbers].astype(np.uint16 if len(order) < 2**16 else np.uint32)


def _uploaded(data: np.ndarray) -> Triangles:
    vertices, numbers = indexed(data)
    kind = GL.GL_UNSIGNED_SHORT if numbers.dtype == np.uint16 else GL.GL_UNSIGNED_INT
    return Triangles(
        new_buffer(vertices), new_buffer(numbers, GL.GL_ELEMENT_ARRAY_BUFFER), len(numbers), int(kind)
    )
