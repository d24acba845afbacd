"""The shape protocol and all shapes that a body can have. Mesh files are read by `physics.geometry.meshes`."""

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

import numpy as np

from quatviz.base.registry import Registry
from quatviz.physics.geometry.polhodes import principal_moments
from quatviz.physics.geometry.polyhedron import Polyhedron, align_axis, lathe, make_box, merge_polyhedra


class VolumeProperties(NamedTuple):
    """Volume [m^3] and center of mass (3,) [m] of a shape, and its inertia per density (3, 3) [m^5] about the center of
    mass."""

    volume: float
    centre: np.ndarray
    inertia: np.ndarray


class Shape(ABC):
    """A solid of uniform density. Contract for a new shape:

    1. This module, or an outside package behind an entry point of the group `quatviz.shapes`, defines a concrete
       subclass. `name` is the `shape` of a preset's `[body]`; `title` is shown to the user.
    2. `solid` returns the surface in body axes in its natural size [m]. The surface is closed, and its faces are
       counterclockwise seen from outside. Parts may touch or be apart, but must not overlap: shared volume would be
       counted twice.
    3. `sized` stretches the surface to `size`, the lengths [m] of its bounding box, and moves its center of mass to
       the origin.
    4. `volume_properties` is computed from the surface. A round shape, whose surface is only approximated by flat faces,
       overrides it with exact formulas.
    """

    name: ClassVar[str]
    title: ClassVar[str]

    @classmethod
    @abstractmethod
    def solid(cls) -> Polyhedron:
        """Return the surface of the shape in its natural size [m], in body axes."""

    @classmethod
    def sized(cls, size: np.ndarray | None) -> Polyhedron:
        """Return the surface with its center of mass at the origin.

        It is stretched to the bounding box `size` (3,) [m], or has its natural size if `size` is None.
        """
        solid = cls.solid()
        if size is not None:
            solid = solid.scaled(np.asarray(size) / solid.extents)
        return solid.translated(-solid.mass_properties()[1])

    @classmethod
    def volume_properties(cls, size: np.ndarray | None) -> VolumeProperties:
        """Return the volume properties of the surface that `sized` returns."""
        return VolumeProperties(*cls.sized(size).mass_properties())


_LUMP_COUNT = 9
_ICOSAHEDRON_FACES = (
    "0 11 5 0 5 1 0 1 7 0 7 10 0 10 11 1 5 9 5 11 4 11 10 2 10 7 6 7 1 8 "
    "3 9 4 3 4 2 3 2 6 3 6 8 3 8 9 4 9 5 2 4 11 6 2 10 8 6 7 9 8 1"
)
"""Indices of the three vertices of each triangle of an icosahedron, one triangle after another."""
_SUBDIVISIONS = 3
"""Number of times that each triangle of an icosahedron is divided into four."""


class Asteroid(Shape):
    """An asteroid: a lumpy stone, longest along x."""

    name = "asteroid"
    title = "Asteroid"

    @classmethod
    def solid(cls) -> Polyhedron:
        """Return a sphere with lumps and dents of a fixed seed, rotated so that the body axes are its principal
        axes."""
        sphere = _unit_sphere()
        random = np.random.default_rng(433)
        radius = np.ones(len(sphere.vertices))
        for _ in range(_LUMP_COUNT):
            direction = random.normal(size=3)
            direction /= np.linalg.norm(direction)
            radius += random.uniform(-0.22, 0.3) * np.exp(
                (sphere.vertices @ direction - 1.0) / random.uniform(0.06, 0.3)
            )
        radius += 0.012 * random.normal(size=len(radius))
        stone = Polyhedron(sphere.vertices * radius[:, None] * [0.5, 0.36, 0.3], sphere.faces)
        _, center, inertia = stone.mass_properties()
        _, axes = principal_moments(inertia)
        return Polyhedron((stone.vertices - center) @ axes, stone.faces)


def _unit_sphere() -> Polyhedron:
    """Return an icosahedron with repeatedly subdivided triangles, on the unit sphere."""
    g = 0.5 * (1.0 + np.sqrt(5.0))
    vertices = [(-1, g, 0), (1, g, 0), (-1, -g, 0), (1, -g, 0), (0, -1, g), (0, 1, g)]
    vertices += [(0, -1, -g), (0, 1, -g), (g, 0, -1), (g, 0, 1), (-g, 0, -1), (-g, 0, 1)]
    points = np.array(vertices, dtype=np.float64) / np.hypot(1.0, g)
    faces = np.array(_ICOSAHEDRON_FACES.split(), dtype=int).reshape(-1, 3)
    for _ in range(_SUBDIVISIONS):
        edges = np.sort(np.concatenate([faces[:, [i, (i + 1) % 3]] for i in range(3)]), axis=1)
        unique, inverse = np.unique(edges, axis=0, return_inverse=True)
        middle = points[unique].mean(axis=1)
        numbers = len(points) + inverse.reshape(3, -1)
        points = np.concatenate((points, middle / np.linalg.norm(middle, axis=1, keepdims=True)))
        a, b, c = faces.T
        ab, bc, ca = numbers
        faces = np.concatenate(
            [np.stack(three, axis=1) for three in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))]
        )
    return Polyhedron(points, faces)


class Book(Shape):
    """A closed book: two covers and a spine around the pages."""

    name = "book"
    title = "Book"

    @classmethod
    def solid(cls) -> Polyhedron:
        """Return the book, longest along x and thinnest along z, with its spine on the side of negative y."""
        x, y, z, cover, edge = 0.12, 0.085, 0.02, 0.003, 0.004
        return merge_polyhedra(
            make_box([-x, -y, z - cover], [x, y, z]),
            make_box([-x, -y, -z], [x, y, cover - z]),
            make_box([-x, -y, cover - z], [x, cover - y, z - cover]),
            make_box([edge - x, cover - y, cover - z], [x - edge, y - edge, z - cover]),
        )


class Box(Shape):
    """A rectangular block."""

    name = "box"
    title = "Box"

    @classmethod
    def solid(cls) -> Polyhedron:
        return make_box([-0.5, -0.35, -0.2], [0.5, 0.35, 0.2])


class Cone(Shape):
    """A right cone about z with its apex below.

    A body whose center of mass is 3/4 of the height above its pivot, along body z, stands on its apex.
    """

    name = "cone"
    title = "Cone"
    natural_size: ClassVar[tuple[float, float, float]] = (0.5, 0.5, 1.0)

    @classmethod
    def solid(cls) -> Polyhedron:
        across, _, high = cls.natural_size
        return lathe([(0.0, 0.0), (0.5 * across, high)])

    @classmethod
    def volume_properties(cls, size: np.ndarray | None) -> VolumeProperties:
        """Return the exact properties of a cone.

        A circular cone of mass m, height h and base radius r has the moments 3/10 m r^2 about its axis and
        3/80 m (4 r^2 + h^2) across it, at the center of mass, which is a quarter of the height below the base.
        """
        a, b, h = cls.natural_size if size is None else np.asarray(size)
        volume = np.pi / 12.0 * a * b * h
        moments = np.array([b * b + h * h, a * a + h * h, a * a + b * b])
        return VolumeProperties(volume, np.zeros(3), volume * 3.0 / 80.0 * np.diag(moments))


class Cylinder(Shape):
    """A cylinder about z."""

    name = "cylinder"
    title = "Cylinder"
    natural_size: ClassVar[tuple[float, float, float]] = (0.4, 0.4, 1.0)

    @classmethod
    def solid(cls) -> Polyhedron:
        across, _, high = cls.natural_size
        return lathe([(0.5 * across, -0.5 * high), (0.5 * across, 0.5 * high)])

    @classmethod
    def volume_properties(cls, size: np.ndarray | None) -> VolumeProperties:
        a, b, c = cls.natural_size if size is None else np.asarray(size)
        volume = 0.25 * np.pi * a * b * c
        moments = [b * b / 16 + c * c / 12, a * a / 16 + c * c / 12, (a * a + b * b) / 16]
        return VolumeProperties(volume, np.zeros(3), volume * np.diag(moments))


class Disk(Cylinder):
    """A flat disk about z."""

    name = "disk"
    title = "Disk"
    natural_size = (1.0, 1.0, 0.06)


class Ellipsoid(Shape):
    """An ellipsoid."""

    name = "ellipsoid"
    title = "Ellipsoid"

    @classmethod
    def solid(cls) -> Polyhedron:
        angles = np.linspace(0.0, np.pi, 23)
        profile = [(0.5 * float(np.sin(a)), -0.5 * float(np.cos(a))) for a in angles[1:-1]]
        return lathe([(0.0, -0.5), *profile, (0.0, 0.5)])

    @classmethod
    def volume_properties(cls, size: np.ndarray | None) -> VolumeProperties:
        a, b, c = np.ones(3) if size is None else np.asarray(size)
        volume = np.pi / 6.0 * a * b * c
        return VolumeProperties(
            volume, np.zeros(3), volume / 20.0 * np.diag([b * b + c * c, a * a + c * c, a * a + b * b])
        )


class Satellite(Shape):
    """A satellite: a bus, two panels along y on booms, and an antenna along z."""

    name = "satellite"
    title = "Satellite"

    @classmethod
    def solid(cls) -> Polyhedron:
        bus = make_box([-0.5, -0.5, -0.6], [0.5, 0.5, 0.6])
        sides = []
        for sign in (-1.0, 1.0):
            boom = sorted((0.5 * sign, 0.9 * sign))
            panel = sorted((0.9 * sign, 2.9 * sign))
            sides.append(make_box([-0.05, boom[0], -0.05], [0.05, boom[1], 0.05]))
            sides.append(make_box([-0.45, panel[0], -0.03], [0.45, panel[1], 0.03]))
        dish = lathe([(0.06, 0.6), (0.06, 0.75), (0.4, 0.95), (0.4, 0.98), (0.05, 0.83)], 32)
        return merge_polyhedra(bus, *sides, dish)


class THandle(Shape):
    """A T-handle: a stem along x and a crossbar along y, like the wing nut that turned over on Salyut 7."""

    name = "t_handle"
    title = "T-handle"

    @classmethod
    def solid(cls) -> Polyhedron:
        """Return the handle with a cube at the joint, so that the round bars touch it without overlapping."""
        half, stem, arm = 0.012, 0.05, 0.05
        bar = 0.011
        cube = make_box([-half] * 3, [half] * 3)
        right = align_axis(1, lathe([(bar, half), (bar, arm)], 28))
        left = align_axis(1, lathe([(bar, -arm), (bar, -half)], 28))
        shaft = align_axis(0, lathe([(bar, half), (bar, stem)], 28))
        return merge_polyhedra(cube, right, left, shaft)


_TOP_PROFILE = (
    (0.0, 0.0), (0.012, 0.02), (0.05, 0.12), (0.16, 0.24), (0.28, 0.33), (0.32, 0.38), (0.31, 0.43),
    (0.22, 0.48), (0.08, 0.51), (0.035, 0.55), (0.03, 0.74), (0.04, 0.77), (0.03, 0.8), (0.0, 0.81),
)  # fmt: skip


class Top(Shape):
    """A spinning top about z with its tip below."""

    name = "top"
    title = "Top"

    @classmethod
    def solid(cls) -> Polyhedron:
        return lathe(_TOP_PROFILE)


SHAPES: Registry[type[Shape]] = Registry(__name__, Shape)
