"""The rigid body: its inertia, and the data from which it is drawn."""

import math
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from quatviz.base.array_equality import ArrayEquality
from quatviz.base.deprecation import FormerName
from quatviz.base.errors import InputError, phrase, suggest_name
from quatviz.base.parameters import (
    MIN_MAGNITUDE,
    Numbers,
    Parameterized,
    from_table,
    is_list,
    is_numeric,
    parameter,
    quote_value,
    validate,
)
from quatviz.physics.geometry.meshes import (
    MESH_SUFFIXES,
    is_mesh,
    read_preset_mesh,
    refuse_open_surface,
    refuse_outside_folder,
)
from quatviz.physics.geometry.polhodes import principal_moments
from quatviz.physics.geometry.polyhedron import Polyhedron
from quatviz.physics.mechanics.ring import Ring
from quatviz.physics.mechanics.rotor import CONTROLLER_PARAMETERS, Rotor
from quatviz.physics.shapes import SHAPES, VolumeProperties

_RELATIVE_TOLERANCE = 1e-9
"""Largest asymmetry of a given inertia, and largest violation of the triangle inequality, that are accepted as rounding
errors, relative to the largest moment.
"""
_SIGNIFICANT_DIGITS = 14
"""Number of significant digits to which computed masses and inertias are rounded.

The last two of float64's sixteen digits are rounding errors.
"""
_ZERO_TOLERANCE = 1e-12
"""Largest moment or product of a computed inertia that is set to zero, as a fraction of its largest moment."""


@dataclass(frozen=True, eq=False)
class Body(Parameterized, ArrayEquality):
    """A rigid body. Every array is read-only float64, in body components.

    `inertia` (3, 3) [kg m^2] is about the fixed point `about`; three principal moments are accepted too. Without
    `inertia`, mass and inertia are computed from `shape` and `size` with the `density` or the `mass`.

    With `about="pivot"`, `mass` and `centre_of_mass`, measured from the pivot, affect only the picture of the body: its
    weight acts through the load `gravity`. `shape` names one of `quatviz.shapes`, or a mesh file beside the preset;
    `size` stretches it.

    `ring`, a `Ring` or its table, is an arc that turns inside the body; only formulations that model it accept it.
    `rotors`, each a `Rotor` or its table, are wheels that turn in the body; `inertia` is that of the whole with the
    rotors locked.

    `InputError` is raised if the inertia is not symmetric and positive definite or breaks the triangle inequality. A
    planar body, for which equality holds, is accepted. If the mass is given, the inertia about the center of mass is
    checked too. The axial inertias of the rotors must not exceed the inertia of the body.

    >>> body = Body(inertia=[1.0, 2.0, 3.0])
    >>> body.inertia.shape, body.is_principal
    ((3, 3), True)
    """

    inertia: Numbers = parameter(
        unit="kg m^2",
        shape=(3, 3),
        default=None,
        symbols="J₁ J₂ J₃",
        explanation="inertia about the fixed point: a full matrix, or three principal moments",
    )
    about: str = parameter(
        default="centre_of_mass",
        choices=("centre_of_mass", "pivot"),
        explanation="the point of the body that stays fixed in space",
    )
    mass: float | None = parameter(unit="kg", default=None, above=0, explanation="mass of the body")
    centre_of_mass: Numbers = parameter(
        unit="m", shape=(3,), default=None, explanation="center of mass, from the pivot"
    )
    shape: str = parameter(default="ellipsoid", explanation="shape to draw: a name, or a mesh file")
    size: Numbers = parameter(
        unit="m",
        shape=(3,),
        default=None,
        above=0,
        explanation="lengths of the box around the shape, along the body axes",
    )
    density: float | None = parameter(
        unit="kg/m^3",
        default=None,
        above=0,
        explanation="density, from which mass and inertia of the shape follow",
    )
    ring: Any = None
    rotors: Any = ()
    folder: Path | None = field(default=None, init=False, compare=False, repr=False)
    """Folder of the preset, in which the mesh file is searched."""

    @np.errstate(over="ignore", invalid="ignore")
    def __post_init__(self) -> None:
        object.__setattr__(self, "inertia", as_matrix(self.inertia))
        validate(self)
        self._refuse_unknown_shape()
        if self.inertia is None:
            self._set_inertia_from_shape(None)
        if self.ring is not None and not isinstance(self.ring, Ring):
            object.__setattr__(self, "ring", from_table(Ring, self.ring, "ring"))
        _refuse_unphysical(self.inertia, "inertia", "Body.inertia", "check signs and units")
        self._symmetrize()
        object.__setattr__(self, "rotors", _as_rotors(self.rotors))
        _refuse_large_rotors(self.inertia, self.rotors)
        if self.about == "centre_of_mass" and self.centre_of_mass is not None and self.centre_of_mass.any():
            raise InputError(
                "Body.centre_of_mass",
                expected="no offset, since the body turns about its center of mass",
                found=quote_value(self.centre_of_mass),
                remedy='write about = "pivot", or remove the key',
                key="centre_of_mass",
            )
        if self.mass is not None and self.centre_of_mass is not None:
            _refuse_unphysical(
                self.inertia - self.mass * second_moment(self.centre_of_mass),
                "mass",
                "Body.mass",
                "inertia is about the pivot: make the mass smaller, or add mass x distance^2 to the inertia",
                suffix=phrase(" about the center of mass (parallel-axis theorem)"),
            )

    def with_folder(self, folder: Path | None) -> "Body":
        """Return a copy of the body whose mesh file is searched in `folder`."""
        copied = copy(self)
        object.__setattr__(copied, "folder", folder)
        return copied

    def with_mesh_inertia(self) -> "Body":
        """Return a copy of the body with mass and inertia of its mesh file, which lies beside its preset."""
        assert self.folder is not None
        mesh = read_preset_mesh(self.folder, self.shape)
        weighed_body = replace(self).with_folder(self.folder)
        weighed_body._set_inertia_from_shape(mesh)
        return weighed_body

    def _set_inertia_from_shape(self, mesh: Polyhedron | None) -> None:
        """Set inertia and mass from the shape. The inertia is moved to the pivot if the body turns about one."""
        if is_mesh(self.shape) and mesh is None:
            raise InputError(
                "Body.inertia",
                expected=phrase(
                    "the inertia, or the mesh file {shape} beside the preset file, from which the inertia is computed",
                    shape=self.shape,
                ),
                found="neither",
                remedy="give the inertia, or use geometry.meshes and mechanics.body.mass_of_mesh in a script",
                key="inertia",
            )
        properties = compute_mass_properties(self.shape, self.size, self.density, self.mass, mesh)
        inertia = properties.inertia
        if self.about == "pivot":
            if self.centre_of_mass is None:
                raise InputError(
                    "Body.centre_of_mass",
                    expected="the center of mass, to move the inertia of the shape to the pivot",
                    found="no such key",
                    remedy="add centre_of_mass = [x, y, z] (from the pivot [m, body])",
                    key="centre_of_mass",
                )
            inertia = inertia + properties.mass * second_moment(self.centre_of_mass)
        inertia.setflags(write=False)
        object.__setattr__(self, "inertia", inertia)
        object.__setattr__(self, "mass", properties.mass)

    def _refuse_unknown_shape(self) -> None:
        if is_mesh(self.shape):
            refuse_outside_folder(self.shape)
        elif self.shape not in SHAPES:
            raise InputError(
                "Body.shape",
                expected=phrase(
                    "one of {shapes}, or a file ending in {endings}",
                    shapes=", ".join(SHAPES),
                    endings=", ".join(MESH_SUFFIXES),
                ),
                found=repr(self.shape),
                remedy=suggest_name(self.shape, SHAPES, otherwise="choose one of these"),
                key="shape",
            )

    def _symmetrize(self) -> None:
        """Replace the inertia by its symmetric part, since the equations of motion hold for a symmetric J
        only.
        """
        symmetric = 0.5 * (self.inertia + self.inertia.T)
        symmetric.setflags(write=False)
        object.__setattr__(self, "inertia", symmetric)

    def principal(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the principal moments (3,) [kg m^2] and the principal axes as columns (3, 3), right-handed.

        `inertia = axes @ diag(moments) @ axes.T`. For a diagonal inertia the axes are the body axes in their own order;
        otherwise the moments ascend.
        """
        return principal_axes(self.inertia)

    @property
    def has_inner_motion(self) -> bool:
        """True if a ring or rotors turn inside the body, so that its angular momentum is not J omega alone."""
        return self.ring is not None or bool(self.rotors)

    @property
    def is_principal(self) -> bool:
        """True if the body axes are principal axes, that is, if the inertia is exactly diagonal."""
        return is_diagonal(self.inertia)

    @property
    def inverse_inertia(self) -> np.ndarray:
        """`J^-1` (3, 3) [1/(kg m^2)], exactly diagonal if the inertia is."""
        moments, axes = self.principal()
        return (axes / moments) @ axes.T

    @property
    def inertia_about_center(self) -> np.ndarray:
        """Inertia (3, 3) [kg m^2] about the center of mass if mass and center of mass are known, otherwise about the fixed
        point."""
        if self.mass is None or self.centre_of_mass is None:
            return np.asarray(self.inertia)
        return np.asarray(self.inertia - self.mass * second_moment(self.centre_of_mass))

    def with_rotors(self, rotors: Sequence[Rotor]) -> "Body":
        """Return a copy of the body with other rotors."""
        return replace(self, rotors=tuple(rotors)).with_folder(self.folder)

    def with_inertia(self, inertia: np.ndarray) -> "Body":
        """Return a copy of the body with another inertia (3, 3) [kg m^2].

        The matrix must be symmetric and positive definite. The triangle inequality is not checked: an inertia from
        which the axial inertias of rotors were subtracted need not be that of any mass distribution.
        """
        copied = copy(self)
        inertia = inertia.copy()
        inertia.setflags(write=False)
        object.__setattr__(copied, "inertia", inertia)
        return copied

    def initial_momentum(self, omega: np.ndarray) -> np.ndarray:
        """Return the angular momentum (3,) [kg m^2/s, body] of body and rotors at t = 0, for omega
        (3,) [rad/s, body]."""
        if not self.rotors:
            return np.asarray(self.inertia @ omega)
        inertia, momentum = self._inertia_and_rotor_momentum()
        return np.asarray(inertia @ omega + momentum)

    def initial_omega(self, h: np.ndarray) -> np.ndarray:
        """Return the angular velocity (3,) [rad/s, body] at t = 0 for the angular momentum h (3,) [kg m^2/s, body] of
        body and rotors.
        """
        if not self.rotors:
            return np.asarray(self.inverse_inertia @ h)
        inertia, momentum = self._inertia_and_rotor_momentum()
        return np.asarray(np.linalg.solve(inertia, h - momentum))

    def _inertia_and_rotor_momentum(self) -> tuple[np.ndarray, np.ndarray]:
        """Return a matrix (3, 3) [kg m^2] and a vector s (3,) [kg m^2/s] with h = matrix omega + s for the
        momentum h of body and rotors at t = 0.
        """
        inertia, momentum = self.inertia.copy(), np.zeros(3)
        for rotor in self.rotors:
            if rotor.law == "constant_momentum":
                inertia -= rotor.axial_inertia
                momentum += (rotor.momentum or 0.0) * rotor.unit_axis
            else:
                momentum += rotor.moment * rotor.speed * rotor.unit_axis
        return inertia, momentum

    beside = FormerName("beside", "with_folder")
    of_mesh = FormerName("of_mesh", "with_mesh_inertia")


def _as_rotors(rotors: Any) -> tuple[Rotor, ...]:
    """Convert a list of rotors or tables of rotors to rotors. Raise an `InputError` for anything else."""
    if not isinstance(rotors, (list, tuple)):
        raise InputError(
            "Body.rotors",
            expected="a list of rotors",
            found=quote_value(rotors),
            remedy="write [[rotors]] with two brackets on each side",
            key="rotors",
        )
    result = tuple(
        rotor if isinstance(rotor, Rotor) else from_table(Rotor, rotor, f"rotors[{number}]")
        for number, rotor in enumerate(rotors)
    )
    _refuse_several_controllers(result)
    return result


def _refuse_several_controllers(rotors: Sequence[Rotor]) -> None:
    """Refuse rotors with different controllers: a single controller divides its torque among all rotors."""
    controlled = [number for number, rotor in enumerate(rotors) if rotor.law == "attitude_control"]
    for number, name in ((number, name) for number in controlled[1:] for name in CONTROLLER_PARAMETERS):
        value, expected = (getattr(rotors[index], name) for index in (number, controlled[0]))
        if not np.array_equal(value, expected):
            raise InputError(
                f"Body.rotors[{number}].{name}",
                expected=phrase(
                    "{value}, as in the first wheel with attitude control: one controller drives all wheels",
                    value=quote_value(expected),
                ),
                found=quote_value(value),
                remedy="write the same number",
                key=f"rotors[{number}].{name}",
            )


def _refuse_large_rotors(inertia: np.ndarray, rotors: Sequence[Rotor]) -> None:
    """Refuse rotors whose axial inertia exceeds that of the whole body, J (3, 3) [kg m^2]."""
    remaining, smallest = inertia, _RELATIVE_TOLERANCE * np.linalg.eigvalsh(inertia)[2]
    for number, rotor in enumerate(rotors):
        previous, remaining = remaining, remaining - rotor.axial_inertia
        if np.linalg.eigvalsh(remaining)[0] > smallest:
            continue
        key = f"rotors[{number}].inertia"
        available = 1.0 / (rotor.unit_axis @ np.linalg.solve(previous, rotor.unit_axis))
        raise InputError(
            f"Body.{key}",
            expected=phrase(
                "less than {available:.6g} kg m^2: the inertia of the body about this axis, without that of the other rotors",
                available=available,
            ),
            found=f"{rotor.inertia:g} kg m^2",
            remedy="make it smaller, or the inertia of the body larger: it includes that of its rotors",
            key=key,
        )


def is_diagonal(matrix: np.ndarray) -> bool:
    """Return True if a matrix (k, k) is exactly diagonal."""
    return np.array_equal(matrix, np.diag(np.diagonal(matrix)))


def principal_axes(inertia: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the principal moments and axes of an inertia (3, 3) [kg m^2]; see `Body.principal`."""
    return (np.diagonal(inertia).copy(), np.eye(3)) if is_diagonal(inertia) else principal_moments(inertia)


def second_moment(c: np.ndarray) -> np.ndarray:
    """Return c.c I - c c^T (3, 3) [m^2], the inertia per mass that the parallel-axis theorem adds for an offset c
    (3,) [m].
    """
    return c @ c * np.eye(3) - np.outer(c, c)


def as_matrix(value: Numbers) -> Numbers:
    """Return the diagonal matrix (3, 3) of three numbers, and anything else unchanged.

    >>> as_matrix([1.0, 2.0, 3.0])
    [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]]
    """
    is_triple = isinstance(value, (list, tuple, np.ndarray)) and len(value) == 3
    if is_triple and is_numeric(value) and not any(map(is_list, value)):
        return [[value[i] if i == j else 0.0 for j in range(3)] for i in range(3)]
    return value


def _refuse_unphysical(inertia: np.ndarray, key: str, place: str, remedy: str, suffix: str = "") -> None:
    """Refuse an inertia (3, 3) [kg m^2] that no mass distribution has."""
    if not np.allclose(inertia, inertia.T, rtol=0, atol=_RELATIVE_TOLERANCE * np.abs(inertia).max()):
        raise InputError(
            place,
            expected=phrase("a symmetric inertia{suffix}", suffix=suffix),
            found=quote_value(inertia),
            remedy="write the same product of inertia on both sides of the diagonal",
            key=key,
        )
    moments = np.linalg.eigvalsh(inertia)
    if moments[0] <= max(_RELATIVE_TOLERANCE * moments[2], MIN_MAGNITUDE):
        raise InputError(
            place,
            expected=phrase("principal moments above zero [kg m^2]{suffix}", suffix=suffix)
            if moments[0] <= MIN_MAGNITUDE
            else phrase(
                "every principal moment above {least:g} times the largest{suffix}",
                suffix=suffix,
                least=_RELATIVE_TOLERANCE,
            ),
            found=phrase("principal moments {moments}", moments=_format_moments(moments)),
            remedy=remedy,
            key=key,
        )
    if moments[2] > (moments[0] + moments[1]) * (1 + _RELATIVE_TOLERANCE):
        raise InputError(
            place,
            expected=phrase(
                "the largest principal moment not to exceed the sum of the other two [kg m^2]{suffix}",
                suffix=suffix,
            ),
            found=f"{moments[2]:.9g} > {moments[0]:.9g} + {moments[1]:.9g}",
            remedy=remedy,
            key=key,
        )


def _format_moments(moments: np.ndarray) -> str:
    return ", ".join(f"{moment:.9g}" for moment in moments)


class MassProperties(NamedTuple):
    """Mass [kg], density [kg/m^3], and inertia (3, 3) [kg m^2] about the center of mass."""

    mass: float
    density: float
    inertia: np.ndarray


def compute_mass_properties(
    shape: str,
    size: np.ndarray | None,
    density: float | None,
    mass: float | None,
    mesh: Polyhedron | None = None,
) -> MassProperties:
    """Return the mass properties of a shape of uniform density.

    Parameters
    ----------
    shape
        Name of a shape, or of the file of `mesh`.
    size
        Lengths (3,) [m] of the box around the shape. They may be None for a mesh, which has its own size.
    density, mass
        Density [kg/m^3] and mass [kg]. The mass is used only if the density is None.
    mesh
        Surface from a mesh file, used in place of a named shape.

    Raises
    ------
    InputError
        If density and mass, or size and mesh, are both None, or if the result is not finite and positive.
    """
    if (density is None and mass is None) or (size is None and mesh is None):
        raise InputError(
            "Body.inertia",
            expected="the key 'inertia': 3 rows of 3 numbers [kg m^2], or size and density (or mass) of the shape",
            found="no such key",
            remedy="add inertia = ... (about the fixed point: a full matrix, or three principal moments), or size and density",
            key="inertia",
        )
    unit_properties = (
        mesh_volume_properties(mesh, shape, size)
        if mesh is not None
        else SHAPES[shape].volume_properties(size)
    )
    if density is None:
        assert mass is not None
        density = mass / unit_properties.volume if unit_properties.volume > 0.0 else math.inf
    moments = density * unit_properties.inertia
    if not np.isfinite(moments).all() or not density * unit_properties.volume > 0.0:
        raise InputError(
            "Body.size",
            expected="lengths and a density that give a finite mass and inertia",
            found=phrase("the volume {volume:g} m^3", volume=unit_properties.volume),
            remedy="check the units",
            key="size",
        )
    limit = _ZERO_TOLERANCE * np.abs(moments).max()
    moments = np.where(np.abs(moments) < limit, 0.0, moments)
    return MassProperties(
        _round_to_digits(density * unit_properties.volume), density, np.vectorize(_round_to_digits)(moments)
    )


def _round_to_digits(value: float) -> float:
    """Round away the last digits, which are rounding errors: 3.527279999999999 becomes 3.52728."""
    return float(f"{value:.{_SIGNIFICANT_DIGITS}g}")


def mesh_volume_properties(mesh: Polyhedron, name: str, size: np.ndarray | None) -> VolumeProperties:
    """Return the volume properties of a mesh stretched to `size` (3,) [m]. A surface that is not closed is refused."""
    stretched = mesh if size is None else mesh.scaled(np.asarray(size) / np.maximum(mesh.extents, 1e-300))
    refuse_open_surface(stretched, name)
    return VolumeProperties(*stretched.mass_properties())
