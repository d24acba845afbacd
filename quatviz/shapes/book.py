"""A closed book: two covers and a spine around the pages."""

from quatviz.geometry.polyhedron import Polyhedron, block, joined
from quatviz.shapes.base import Shape


class Book(Shape):
    name = "book"
    title = "Book"

    @classmethod
    def solid(cls) -> Polyhedron:
        """Longest along x, thinnest along z; the spine stands on the side of negative y."""
        x, y, z, cover, edge = 0.12, 0.085, 0.02, 0.003, 0.004
        return joined(
            block([-x, -y, z - cover], [x, y, z]),
            block([-x, -y, -z], [x, y, cover - z]),
            block([-x, -y, cover - z], [x, cover - y, z - cover]),
            block([edge - x, cover - y, cover - z], [x - edge, y - edge, z - cover]),
        )
