"""The torque of a central gravity field on an extended body: the nearer end is attracted more strongly."""

import math
from dataclasses import dataclass
from functools import cached_property
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
"""Product G M of gravitational constant and mass of the Earth [m^3/s^2]; IAU 2015 nominal value, WGS 84."""
_MAX_ITERATIONS = 100
"""Largest number of iterations for Kepler's equation. Bisection alone would take 55."""
_ORTHOGONALITY_TOLERANCE = 1e-9
"""Largest cosine of the angle between the direction and the orbit's normal that passes as rounding of a right angle."""


@dataclass(frozen=True, eq=False)
class GravityGradient(Load):
    """Gravity gradient torque n = 3 mu/R^3 r x J r of an attracting center.

    mu is the gravitational parameter of the center, R its distance from the body, and r the unit vector from the
    center to the body. With `orbit = "fixed"` r is constant in space, and the energy is conserved. With "circular"
    r rotates about `normal` at the orbital rate sqrt(mu/R^3), starting at `direction`. With "elliptic" the body
    moves on a Kepler ellipse with the semi-major axis a = `distance`: R = a (1 - e cos E), where the eccentric
    anomaly E follows from Kepler's equation E - e sin E = M, and the mean anomaly M grows at the rate sqrt(mu/a^3).

    V = 1/2 (3 mu/R^3) r^T J r, up to a constant and to second order in the body's size over R. Hughes, Spacecraft
    Attitude Dynamics, 8.1; Beletsky, Motion of an Artificial Satellite about its Center of Mass, chapter 2.

    >>> import quatviz as qv
    >>> pull = qv.GravityGradient(direction=[0.0, 0.0, 1.0]).bind(qv.Body(inertia=[30.0, 20.0, 10.0]))
    >>> turned = np.array([[np.cos(0.05), 0.0, np.sin(0.05), 0.0]])  # by 0.1 rad about y
    >>> (1e6 * pull.torque(np.zeros(1), turned, np.zeros((1, 3)))).round(3).tolist()  # [1e-6 N m, body]
    [[0.0, -7.629, 0.0]]
    """

    name: ClassVar[str] = "gravity_gradient"
    sort_order = 70
    action_text = r"$3 \frac{\mu}{R^3} r \times J r$, $r$ the direction from the attracting center"
    potential_text = r"$\tfrac32 \frac{\mu}{R^3} r \cdot J r$"
    help = r"""
    `distance` is $R$, `gravitational_parameter` is $\mu$ (the Earth's if left out), `direction` points from the attracting
    center to the body at the start, in space. The torque is right to second order in the size of the body over $R$.

    - `orbit = "fixed"`: the direction stays, and the energy is constant.
    - `orbit = "circular"`: the direction rotates about `normal` at the rate $\sqrt{\mu/R^3}$. The energy minus that rate times
      $h$ along the normal is constant.
    - `orbit = "elliptic"`: `distance` is the semi-major axis $a$, and the body begins at the `true_anomaly`, counted from the
      pericenter. Its distance is $R = a(1 - e\cos E)$ with Kepler's equation $E - e\sin E = M$. Nothing is constant: the
      orbit drives a libration.

    The panel *Attitude in the orbit* shows pitch, roll and yaw relative to the orbital frame, which the 3D view draws.
    """
    torque_kernel = torque
    gradient_kernel = gradient

    gravitational_parameter: float = parameter(
        unit="m^3/s^2",
        default=EARTH_GM,
        minimum=0.0,
        explanation="G M of the attracting body, such as the Earth.",
    )
    distance: float = parameter(
        unit="m",
        default=6.778e6,
        above=0.0,
        explanation="R, from the center of the attracting body; the semi-major axis of an ellipse.",
    )
    direction: Numbers = parameter(
        shape=(3,),
        default=(1.0, 0.0, 0.0),
        explanation="Direction from the attracting center to the body at t = 0, in space.",
    )
    orbit: str = parameter(
        default="fixed",
        choices=("fixed", "circular", "elliptic"),
        explanation="Orbit of the body: fixed, circular or elliptic.",
    )
    normal: Numbers = parameter(
        shape=(3,),
        default=(0.0, 0.0, 1.0),
        explanation="Axis of the orbit in space, by the right-hand rule.",
    )
    eccentricity: float = parameter(
        default=0.0, minimum=0.0, span=(0.0, 0.9), explanation="e of an elliptic orbit, below 1."
    )
    true_anomaly: float = parameter(
        unit="rad",
        default=0.0,
        minimum=-2.0 * math.pi,
        maximum=2.0 * math.pi,
        explanation="Angle from the pericenter to the body at t = 0, on an elliptic orbit.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("direction", "normal"):
            if is_zero_vector(getattr(self, name)):
                raise self._parameter_error(name, "a direction", "zeros", "give any length but zero")
        if self.orbit != "fixed":
            self._refuse_oblique_direction()
        if not self.eccentricity < 1.0:
            raise self._parameter_error(
                "eccentricity",
                "a number below 1: an ellipse",
                f"{self.eccentricity:g}",
                "choose a smaller value",
            )
        if self.orbit != "elliptic" and (self.eccentricity or self.true_anomaly):
            key = "eccentricity" if self.eccentricity else "true_anomaly"
            raise self._parameter_error(
                key,
                phrase("0, because the orbit is {orbit}", orbit=self.orbit),
                f"{getattr(self, key):g}",
                'write orbit = "elliptic", or remove the key',
            )

    def _refuse_oblique_direction(self) -> None:
        """Refuse a direction that is not in the plane of the orbit."""
        cosine = float(_unit(self.direction) @ _unit(self.normal))
        if abs(cosine) <= _ORTHOGONALITY_TOLERANCE:
            return
        perpendicular = self.direction - _unit(self.normal) * float(_unit(self.normal) @ self.direction)
        remedy = phrase(
            "write direction = [{numbers}]", numbers=", ".join(f"{x:.12g}" for x in perpendicular)
        )
        angle = math.degrees(math.acos(max(-1.0, min(1.0, cosine))))
        found = phrase("{angle:.6g} degrees", angle=angle)
        raise self._parameter_error("direction", "a right angle between direction and normal", found, remedy)

    @property
    def conserves_energy(self) -> bool:
        return self.orbit == "fixed"

    @property
    def strength(self) -> float:
        """Factor 3 mu/R^3 [1/s^2], with R = a for an ellipse."""
        return 3.0 * self.gravitational_parameter / self.distance**3

    @property
    def orbital_rate(self) -> float:
        """Mean orbital rate sqrt(mu/R^3) [rad/s], with R = a for an ellipse; 0 for a fixed direction."""
        return 0.0 if self.orbit == "fixed" else math.sqrt(self.strength / 3.0)

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
            cls(
                gravitational_parameter=0.3,
                distance=1.1,
                direction=[0, 3, 1],
                orbit="elliptic",
                normal=[4, -1, 3],
                eccentricity=0.6,
                true_anomaly=-2.0,
            ),
        )

    @property
    def is_zero(self) -> bool:
        return not self.gravitational_parameter

    def body_remark(self, body: Body) -> str:
        """Return a remark if the body has a pivot: the field then also exerts the torque of the weight about
        it, which this load leaves out.
        """
        if body.about != "pivot" or self.is_zero:
            return ""
        return phrase(
            "The gravity gradient acts about the center of mass, but this body turns about a pivot, so that the weight acts too. "
            'Write about = "centre_of_mass", or add the load gravity'
        )

    def reference_torque(self, t: float, A: np.ndarray, omega: np.ndarray, J: np.ndarray) -> np.ndarray:
        a, k = (v / np.linalg.norm(v) for v in (self.direction, self.normal))
        angle, distance = 0.0, self.distance
        if self.orbit != "fixed":
            angle = t * np.sqrt(self.gravitational_parameter / self.distance**3)
        if self.orbit == "elliptic":  # Kepler's equation by bisection, which shares nothing with the kernel
            e, start = self.eccentricity, self.true_anomaly
            first = np.arctan2(np.sqrt(1.0 - e * e) * np.sin(start), e + np.cos(start))
            mean = first - e * np.sin(first) + angle
            lower, upper = mean - 1.0, mean + 1.0
            for _ in range(60):
                E = 0.5 * (lower + upper)
                lower, upper = (E, upper) if E - e * np.sin(E) < mean else (lower, E)
            distance = self.distance * (1.0 - e * np.cos(E))
            angle = np.arctan2(np.sqrt(1.0 - e * e) * np.sin(E), np.cos(E) - e) - start
        # Rotate about the orbit's normal by Rodrigues' formula.
        a = a * np.cos(angle) + np.cross(k, a) * np.sin(angle) + k * (k @ a) * (1.0 - np.cos(angle))
        r = A.T @ a
        return 3.0 * self.gravitational_parameter / distance**3 * np.cross(r, J @ r)

    def row(self, body: Body) -> tuple[float, ...]:
        first, second = self._plane_axes
        return (
            self.strength,
            *symmetric_components(body.inertia),
            *first.tolist(),
            *second.tolist(),
            self.orbital_rate,
            self.eccentricity,
            self._first_mean_anomaly,
        )

    @cached_property
    def _plane_axes(self) -> tuple[np.ndarray, np.ndarray]:
        """Unit vectors P and Q (3,) [space] in the plane of the orbit: P points to the pericenter, and Q is a
        quarter turn ahead of it in the direction of motion.
        """
        start, ahead = _unit(self.direction), np.cross(_unit(self.normal), _unit(self.direction))
        cosine, sine = math.cos(self.true_anomaly), math.sin(self.true_anomaly)
        return cosine * start - sine * ahead, sine * start + cosine * ahead

    @cached_property
    def _first_mean_anomaly(self) -> float:
        """Mean anomaly M [rad] at t = 0."""
        e = self.eccentricity
        E = math.atan2(math.sqrt(1.0 - e * e) * math.sin(self.true_anomaly), e + math.cos(self.true_anomaly))
        return E - e * math.sin(E)

    def torque_on(self, body: Body, t: np.ndarray, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
        strength, r = self._strength_and_direction(t, p)
        return strength[..., None] * np.cross(r, r @ body.inertia)

    def vertical(self, t: float) -> np.ndarray:
        return self._in_space(np.array([t]))[1][0]

    def orbital_frame(self, t: np.ndarray) -> np.ndarray | None:
        if self.orbit == "fixed":
            return None
        up = self._in_space(t)[1]
        normal = np.broadcast_to(_unit(self.normal), up.shape)
        return np.stack((np.cross(normal, up), normal, up), axis=-1)

    def potential_on(self, body: Body, t: np.ndarray, p: np.ndarray) -> np.ndarray:
        strength, r = self._strength_and_direction(t, p)
        return 0.5 * strength * np.einsum("...i,ij,...j->...", r, body.inertia, r)

    def _strength_and_direction(self, t: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return 3 mu/R^3 (n,) [1/s^2], and the direction r in body components, A^T r (n, 3), with A = G L^T
        off the sphere too.
        """
        scale, direction = self._in_space(t)
        return self.strength * scale, np.einsum("...ij,...i->...j", rotation_matrix(p), direction)

    def _in_space(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (a/R)^3 (n,) and the unit vector r (n, 3) [space] from the attracting center to the body, at
        times (n,) [s].
        """
        times = np.asarray(t)
        E = solve_kepler(self._first_mean_anomaly + self.orbital_rate * times, self.eccentricity)
        cosine, sine, e = np.cos(E), np.sin(E), self.eccentricity
        ratio = 1.0 / (1.0 - e * cosine)
        first, second = self._plane_axes
        along, across = ratio * (cosine - e), ratio * math.sqrt(1.0 - e * e) * sine
        return ratio**3, along[..., None] * first + across[..., None] * second

    def _parameter_error(self, key: str, expected: str, found: str, remedy: str) -> InputError:
        place = f"{type(self).__name__}.{key}"
        return InputError(place, expected=expected, found=found, remedy=remedy, key=key)


def _unit(v: np.ndarray) -> np.ndarray:
    unit: np.ndarray = np.asarray(v) / np.linalg.norm(v)
    return unit


def solve_kepler(mean_anomaly: np.ndarray, eccentricity: float) -> np.ndarray:
    """Return the eccentric anomaly of Kepler's equation E - e sin E = M.

    Parameters
    ----------
    mean_anomaly
        M (n,) [rad].
    eccentricity
        e, at least 0 and below 1.

    Returns
    -------
    np.ndarray
        E (n,) [rad], on the same revolution as M.

    Examples
    --------
    >>> solve_kepler(np.array([0.5, 7.0]), 0.0).tolist()
    [0.5, 7.0]
    >>> E = solve_kepler(np.array([0.5]), 0.9)
    >>> (E - 0.9 * np.sin(E)).round(12).tolist()
    [0.5]
    """
    M = np.asarray(mean_anomaly, float)
    if not eccentricity:
        return M
    reduced = M - 2.0 * np.pi * np.round(M / (2.0 * np.pi))
    # E - e sin E grows with E, so Newton's method within a bracket always converges.
    lower, upper = reduced - eccentricity, reduced + eccentricity
    E = reduced + np.copysign(0.85 * eccentricity, reduced)
    for _ in range(_MAX_ITERATIONS):
        residual = E - eccentricity * np.sin(E) - reduced
        lower, upper = np.where(residual < 0.0, E, lower), np.where(residual > 0.0, E, upper)
        proposal = E - residual / (1.0 - eccentricity * np.cos(E))
        outside = (proposal < lower) | (proposal > upper)
        following = np.where(outside, 0.5 * (lower + upper), proposal)
        if np.all(np.abs(following - E) <= 1e-15 * np.abs(following)):
            break
        E = following
    return M + (following - reduced)
