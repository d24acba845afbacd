"""The torque of a central field on a body that is not a point: the nearer end is pulled more."""

import math
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import Numbers, is_zero_vector, parameter
from quatviz.physics.kernels.forces import symmetric_components
from quatviz.physics.loads.base import Load
from quatviz.physics.loads.gravity_gradient.kernel import gradient, torque
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import rotation_matrix

EARTH_GM = 3.986004418e14
"""G M of the Earth [m^3/s^2]; IAU 2015 nominal value, WGS 84."""
_ORTHOGONALITY_TOLERANCE = 1e-9
"""How far from a right angle, as a cosine, rounding may put the direction from the orbit's normal."""


@dataclass(frozen=True, eq=False)
class GravityGradient(Load):
    """n = 3 mu/R^3 r x J r, for a unit vector r from the attracting centre to the body.

    With `orbit = "fixed"` r stays where it is in space, and the energy is conserved; with "circular" it turns about `normal`
    at the rate sqrt(mu/R^3) of that orbit, beginning at `direction`. V = 1/2 (3 mu/R^3) r^T J r, but for
    a constant: to second order in the body's size over R. Hughes, Spacecraft Attitude Dynamics, 8.1.

    >>> import quatviz as qv
    >>> pull = qv.GravityGradient(direction=[0.0, 0.0, 1.0]).bind(qv.Body(inertia=[30.0, 20.0, 10.0]))
    >>> turned = np.array([[np.cos(0.05), 0.0, np.sin(0.05), 0.0]])  # by 0.1 rad about y
    >>> (1e6 * pull.torque(np.zeros(1), turned, np.zeros((1, 3)))).round(3).tolist()  # [1e-6 N m, body]
    [[0.0, -7.629, 0.0]]
    """

    name: ClassVar[str] = "gravity_gradient"
    sort_order = 70
    action_text = r"$3 \frac{\mu}{R^3} r \times J r$, $r$ the direction from the attracting centre"
    potential_text = r"$\tfrac32 \frac{\mu}{R^3} r \cdot J r$"
    help = r"""
    `distance` is $R$, `gravitational_parameter` is $\mu$ (the Earth's if left out), `direction` points from the attracting
    centre to the body, in space. With `orbit = "fixed"` it stays there, and the energy is constant. With `"circular"` it
    goes round `normal` at the rate $\sqrt{\mu/R^3}$, beginning at `direction`: then the energy is not constant, but the
    energy minus that rate times $h$ along the normal is. The torque is right to second order in the size of the body over
    $R$.
    """
    torque_kernel = torque
    gradient_kernel = gradient

    gravitational_parameter: float = parameter(
        unit="m^3/s^2", default=EARTH_GM, minimum=0.0, explanation="G M of the attracting body; the Earth's."
    )
    distance: float = parameter(
        unit="m", default=6.778e6, above=0.0, explanation="R, from the centre of the attracting body."
    )
    direction: Numbers = parameter(
        shape=(3,), default=(1.0, 0.0, 0.0), explanation="From that centre to the body at t = 0, in space."
    )
    orbit: str = parameter(
        default="fixed",
        choices=("fixed", "circular"),
        explanation="Whether the body stays there or goes round.",
    )
    normal: Numbers = parameter(
        shape=(3,),
        default=(0.0, 0.0, 1.0),
        explanation="Axis of a circular orbit in space, by the right-hand rule.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("direction", "normal"):
            if is_zero_vector(getattr(self, name)):
                raise self._parameter_error(name, "a direction", "zeros", "give any length but zero")
        cosine = float(_unit(self.direction) @ _unit(self.normal))
        if self.orbit == "circular" and abs(cosine) > _ORTHOGONALITY_TOLERANCE:
            perpendicular = self.direction - _unit(self.normal) * float(_unit(self.normal) @ self.direction)
            remedy = phrase(
                "write direction = [{numbers}]", numbers=", ".join(f"{x:.12g}" for x in perpendicular)
            )
            angle = math.degrees(math.acos(max(-1.0, min(1.0, cosine))))
            found = phrase("{angle:.6g} degrees", angle=angle)
            raise self._parameter_error(
                "direction", "a right angle between direction and normal", found, remedy
            )

    @property
    def conserves_energy(self) -> bool:
        return self.orbit == "fixed"

    @property
    def strength(self) -> float:
        """3 mu/R^3 [1/s^2]."""
        return 3.0 * self.gravitational_parameter / self.distance**3

    @property
    def orbital_rate(self) -> float:
        """sqrt(mu/R^3) [rad/s], or 0 where the body stays."""
        return math.sqrt(self.strength / 3.0) if self.orbit == "circular" else 0.0

    @classmethod
    def samples(cls) -> tuple[Self, ...]:
        return (
            cls(
                gravitational_parameter=0.4,
                distance=1.2,
                direction=[1, 2, 0],
                orbit="circular",
                normal=[2, -1, 3],
            ),
        )

    @property
    def is_zero(self) -> bool:
        return not self.gravitational_parameter

    def body_remark(self, body: Body) -> str:
        """Say that the field has no torque about a pivot but that of its gradient."""
        if body.about != "pivot" or self.is_zero:
            return ""
        return phrase(
            "The gravity gradient acts on a body about its centre of mass, but this one turns about a pivot, where the field pulls "
            'at the centre of mass too: write about = "centre_of_mass", or add the load gravity'
        )

    def reference_torque(self, t: float, A: np.ndarray, omega: np.ndarray, J: np.ndarray) -> np.ndarray:
        a, k = (v / np.linalg.norm(v) for v in (self.direction, self.normal))
        if self.orbit == "circular":  # about the orbit's normal by Rodrigues' formula
            angle = t * np.sqrt(self.gravitational_parameter / self.distance**3)
            a = a * np.cos(angle) + np.cross(k, a) * np.sin(angle) + k * (k @ a) * (1.0 - np.cos(angle))
        r = A.T @ a
        return 3.0 * self.gravitational_parameter / self.distance**3 * np.cross(r, J @ r)

    def row(self, body: Body) -> tuple[float, ...]:
        a = _unit(self.direction)
        b = np.cross(_unit(self.normal), a)
        return (
            self.strength,
            *symmetric_components(body.inertia),
            *a.tolist(),
            *b.tolist(),
            self.orbital_rate,
        )

    def torque_on(self, body: Body, t: np.ndarray, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
        r = self._in_body(t, p)
        return self.strength * np.cross(r, r @ body.inertia)

    def vertical(self, t: float) -> np.ndarray:
        return self._in_space(np.array([t]))[0]

    def potential_on(self, body: Body, t: np.ndarray, p: np.ndarray) -> np.ndarray:
        r = self._in_body(t, p)
        return 0.5 * self.strength * np.einsum("...i,ij,...j->...", r, body.inertia, r)

    def _in_body(self, t: np.ndarray, p: np.ndarray) -> np.ndarray:
        """A^T r (n, 3), with A = G L^T off the sphere too."""
        return np.einsum("...ij,...i->...j", rotation_matrix(p), self._in_space(t))

    def _in_space(self, t: np.ndarray) -> np.ndarray:
        """r (n, 3) at times (n,) [s]."""
        angle = self.orbital_rate * np.asarray(t)[..., None]
        a = _unit(self.direction)
        r: np.ndarray = np.cos(angle) * a + np.sin(angle) * np.cross(_unit(self.normal), a)
        return r

    def _parameter_error(self, key: str, expected: str, found: str, remedy: str) -> InputError:
        place = f"{type(self).__name__}.{key}"
        return InputError(place, expected=expected, found=found, remedy=remedy, key=key)


def _unit(v: np.ndarray) -> np.ndarray:
    unit: np.ndarray = np.asarray(v) / np.linalg.norm(v)
    return unit
