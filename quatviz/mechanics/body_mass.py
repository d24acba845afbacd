"""The inertia of a body from its shape: from density, or mass, and size."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from quatviz.base.errors import InputError
from quatviz.geometry.meshes import refuse_unclosed
from quatviz.geometry.polyhedron import Polyhedron
from quatviz.shapes import SHAPES, Mass

_ROUNDING = 1e-12


class Weighed(NamedTuple):
    """Mass [kg], density [kg/m^3], inertia about the centre of mass (3, 3) [kg m^2]."""

    mass: float
    density: float
    inertia: np.ndarray


def weighed(
    shape: str,
    size: np.ndarray | None,
    density: float | None,
    mass: float | None,
    mesh: Polyhedron | None = None,
) -> Weighed:
    """What a body of this shape weighs, with the density or else the mass that is given; `mesh` stands for a file's, which
    has a size of its own."""
    if (density is None and mass is None) or (size is None and mesh is None):
        raise InputError(
            "Body.inertia",
            expected="the key 'inertia': 3 rows of 3 numbers [kg m^2], or size and density (or mass) of the shape",
            found="no such key",
            remedy="add inertia = ... (about the fixed point: a full matrix, or three principal moments), or size and density",
            key="inertia",
        )
    found = mass_of_mesh(mesh, shape, size) if mesh is not None else SHAPES[shape].mass(size)
    if density is None:
        assert mass is not None
        density = mass / found.volume
    moments = density * found.inertia
    limit = _ROUNDING * np.abs(moments).max()
    return Weighed(density * found.volume, density, np.where(np.abs(moments) < limit, 0.0, moments))


def mass_of_mesh(mesh: Polyhedron, name: str, size: np.ndarray | None) -> Mass:
    """As `Shape.mass`, of a mesh stretched to `size`; refused unless its surface is closed."""
    stretched = mesh if size is None else mesh.scaled(np.asarray(size) / np.maximum(mesh.extents, 1e-300))
    refuse_unclosed(stretched, name)
    return Mass(*stretched.mass_properties())
