"""Body and rotors as one system in NumPy: its inertia, momentum and energy, and the speeds and torques of the rotors.

With the unit axes a_k, the axial inertias I_k, the speeds W_k relative to the body and the axial momenta h_k = I_k
(a_k.omega + W_k),

    H = J* omega + s + sum h_k a_k        T = 1/2 omega.J0 omega + sum h_k^2 / (2 I_k)
    h_k' = tau_k - c_k W_k                J* omega' = n - omega x H - sum h_k' a_k

The sums in H and in omega' run over the rotors whose momentum is integrated. J* is J without I_k a_k a_k^T of all
rotors except those of constant speed. s is the sum of I_k W_k a_k over the rotors of constant speed and of h_k a_k over
those of constant momentum. J0 is J without I_k a_k a_k^T of all rotors. A rotor of constant momentum without inertia,
the limit of a small and fast one, has a constant energy, which is left out.
"""

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from quatviz.base.expression import Expression
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import conjugate, multiply, normalize
from quatviz.physics.mechanics.rotor import SPEED_MARGIN, Rotor


class RotorSystem:
    """A body with its rotors.

    Arrays (n, m) have a column for each of the m rotors; arrays (n, k) have a column for each of the k rotors whose
    momentum is integrated. Both follow the order of `body.rotors`.
    """

    def __init__(self, body: Body) -> None:
        self.body = body
        self.rotors: Sequence[Rotor] = body.rotors
        self.state_indices = [number for number, rotor in enumerate(body.rotors) if rotor.has_state]
        """Indices of the rotors whose momentum is integrated."""
        self.axes = np.array([rotor.unit_axis for rotor in body.rotors]).reshape(-1, 3)
        """Unit axes (m, 3), body components."""
        self.inertias = np.array([rotor.inertia or np.nan for rotor in body.rotors])
        """Axial inertias (m,) [kg m^2]; NaN if none is given."""

    @cached_property
    def effective_inertia(self) -> np.ndarray:
        """J* (3, 3) [kg m^2]: J without the axial inertias of the rotors, except those of constant speed."""
        return self._inertia_without(lambda rotor: rotor.law != "constant_speed")

    @cached_property
    def carrier_inertia(self) -> np.ndarray:
        """J0 (3, 3) [kg m^2]: J without the axial inertias of all rotors."""
        return self._inertia_without(lambda rotor: True)

    @cached_property
    def stored_momentum(self) -> np.ndarray:
        """s (3,) [kg m^2/s, body]: the constant part of H, due to the rotors of constant speed or momentum."""
        momentum = np.zeros(3)
        for rotor in self.rotors:
            if rotor.law == "constant_speed":
                momentum += rotor.moment * rotor.speed * rotor.unit_axis
            elif rotor.law == "constant_momentum":
                momentum += (rotor.momentum or 0.0) * rotor.unit_axis
        return momentum

    @cached_property
    def control_directions(self) -> np.ndarray:
        """Rows (m, 3) that divide a body torque n among the rotors of the law `attitude_control`.

        Rotor k contributes the torque row_k.n about its axis a_k. The rows are the pseudoinverse of the axes of these
        rotors, so that the sum of a_k (row_k.n) is the projection of n onto the span of the axes. The rows of other
        rotors are zero.
        """
        controlled = [number for number, rotor in enumerate(self.rotors) if rotor.law == "attitude_control"]
        directions = np.zeros_like(self.axes)
        if controlled:
            directions[controlled] = np.linalg.pinv(self.axes[controlled].T)
        return directions

    def initial_momenta(self, omega: np.ndarray) -> np.ndarray:
        """Return the integrated momenta h_k (k,) [kg m^2/s] at t = 0, for omega (3,) [rad/s, body]."""
        return np.array(
            [
                rotor.moment * (rotor.unit_axis @ omega + rotor.speed)
                for rotor in self.rotors
                if rotor.has_state
            ]
        )

    def momenta(self, omega: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Return the axial momenta h_k (n, m) [kg m^2/s] of all rotors, for omega (n, 3) and the integrated momenta
        (n, k).
        """
        momenta = np.empty((len(omega), len(self.rotors)))
        momenta[:, self.state_indices] = states
        for number, rotor in enumerate(self.rotors):
            if rotor.law == "constant_speed":
                momenta[:, number] = rotor.moment * (omega @ rotor.unit_axis + rotor.speed)
            elif rotor.law == "constant_momentum":
                momenta[:, number] = rotor.momentum or 0.0
        return momenta

    def speeds(self, omega: np.ndarray, momenta: np.ndarray) -> np.ndarray:
        """Return the speeds W_k (n, m) [rad/s] relative to the body; NaN for rotors without inertia."""
        return momenta / self.inertias - omega @ self.axes.T

    def angular_momentum(self, omega: np.ndarray, momenta: np.ndarray) -> np.ndarray:
        """Return the angular momentum H (n, 3) [kg m^2/s, body] of body and rotors."""
        return omega @ self.carrier_inertia + momenta @ self.axes

    def kinetic_energy(self, omega: np.ndarray, momenta: np.ndarray) -> np.ndarray:
        """Return the kinetic energy T (n,) [J] of body and rotors."""
        carrier = 0.5 * np.einsum("ni,ij,nj->n", omega, self.carrier_inertia, omega)
        return carrier + np.nansum(momenta**2 / (2.0 * self.inertias), axis=1) + 0.0 * momenta.sum(axis=1)

    def speed_motor_work(self, omega: np.ndarray) -> np.ndarray:
        """Return the work (n,) [J], up to a constant, of the motors that hold a constant speed.

        The work of each motor is I W a.omega, since its torque is I a.omega'.
        """
        work = np.zeros(len(omega))
        for rotor in self.rotors:
            if rotor.law == "constant_speed":
                work += rotor.moment * rotor.speed * (omega @ rotor.unit_axis)
        return work

    def torques(
        self, t: np.ndarray, p: np.ndarray, omega: np.ndarray, momenta: np.ndarray, load_torque: np.ndarray
    ) -> np.ndarray:
        """Return the motor torques tau_k (n, m) [N m] on the rotors.

        Parameters
        ----------
        t
            Times (n,) [s].
        p
            Euler parameters (n, 4).
        omega
            Angular velocities (n, 3) [rad/s, body].
        momenta
            Axial momenta (n, m) [kg m^2/s].
        load_torque
            Torque of the loads (n, 3) [N m, body], on which the motors that hold a constant speed depend.
        """
        torques = self.motor_torques(t, p, omega, momenta)
        fixed_speed = [number for number, rotor in enumerate(self.rotors) if rotor.law == "constant_speed"]
        if fixed_speed:
            omega_rate = self.omega_rate(t, p, omega, momenta, load_torque)
            torques[:, fixed_speed] = self.inertias[fixed_speed] * (omega_rate @ self.axes[fixed_speed].T)
        return torques

    def torque_on_body(
        self, t: np.ndarray, p: np.ndarray, omega: np.ndarray, momenta: np.ndarray
    ) -> np.ndarray:
        """Return the torque of the rotors (n, 3) [N m, body] on a body of inertia J*: -omega x (s + sum h_k a_k) - sum
        h_k' a_k.
        """
        rate = self.omega_rate(t, p, omega, momenta, np.zeros_like(omega))
        inertia = self.effective_inertia
        return rate @ inertia + np.cross(omega, omega @ inertia)

    def omega_rate(
        self, t: np.ndarray, p: np.ndarray, omega: np.ndarray, momenta: np.ndarray, load_torque: np.ndarray
    ) -> np.ndarray:
        """Return omega' (n, 3) [rad/s^2, body] under the torque of the loads (n, 3) [N m, body]; other arguments as for
        `torques`.
        """
        momentum_rates = self.motor_torques(t, p, omega, momenta) - self.friction_torques(omega, momenta)
        moment = load_torque - np.cross(omega, self.angular_momentum(omega, momenta))
        moment -= momentum_rates @ self.axes
        return np.linalg.solve(self.effective_inertia, moment.T).T

    def friction_torques(self, omega: np.ndarray, momenta: np.ndarray) -> np.ndarray:
        """Return the friction torques c_k W_k (n, m) [N m] of the bearings on the body; zeros without friction."""
        friction = np.array([rotor.friction for rotor in self.rotors])
        return np.where(friction > 0.0, friction * self.speeds(omega, momenta), 0.0)

    def motor_torques(
        self, t: np.ndarray, p: np.ndarray, omega: np.ndarray, momenta: np.ndarray
    ) -> np.ndarray:
        """Return the motor torques (n, m) [N m] of the rotors whose law is `motor` or `attitude_control`.

        They are zero for other rotors. The arguments are those of `torques`.
        """
        speeds = self.speeds(omega, momenta)
        torques = np.zeros_like(speeds)
        for number, rotor in enumerate(self.rotors):
            if rotor.has_motor:
                torques[:, number] = self._motor_torque(number, rotor, t, p, omega, speeds[:, number])
        return torques

    def _motor_torque(
        self, number: int, rotor: Rotor, t: np.ndarray, p: np.ndarray, omega: np.ndarray, speed: np.ndarray
    ) -> np.ndarray:
        """Return the torque (n,) [N m] of a motor with limits, at the speed (n,) [rad/s] relative to the body."""
        if rotor.law == "motor":
            given = rotor.torque
            torque = given.evaluate(t) if isinstance(given, Expression) else np.full(len(t), given)
        else:
            error = multiply(conjugate(normalize(rotor.target)), normalize(p))
            sign = np.where(error[:, :1] < 0.0, -1.0, 1.0)
            requested = -rotor.stiffness * sign * error[:, 1:] - rotor.damping * omega
            torque = -(requested @ self.control_directions[number])
        if rotor.max_torque is not None:
            torque = np.clip(torque, -rotor.max_torque, rotor.max_torque)
        if rotor.max_speed is not None:
            reserve = np.clip((1.0 - np.abs(speed) / rotor.max_speed) / SPEED_MARGIN, 0.0, 1.0)
            torque = np.where(torque * speed > 0.0, torque * reserve, torque)
        return torque

    def total_momentum(self, omega: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Return the total angular momentum H (3,) [kg m^2/s, body] for omega (3,) and the integrated momenta (k,)."""
        momentum: np.ndarray = self.effective_inertia @ omega + self.stored_momentum
        return momentum + states @ self.axes[self.state_indices]

    def _inertia_without(self, is_left_out: Callable[[Rotor], bool]) -> np.ndarray:
        inertia = self.body.inertia.copy()
        for rotor, axis in zip(self.rotors, self.axes, strict=True):
            if is_left_out(rotor):
                inertia -= rotor.moment * np.outer(axis, axis)
        return inertia


def change_body(
    previous: RotorSystem, system: RotorSystem, omega: np.ndarray, momenta: np.ndarray, keeps_momentum: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return the angular velocity and the rotor momenta after one body with rotors is replaced by another.

    Parameters
    ----------
    previous, system
        The replaced body and the new one, with equally many integrated momenta.
    omega, momenta
        Angular velocity (3,) [rad/s, body] and integrated momenta (k,) [kg m^2/s] of the replaced body.
    keeps_momentum
        True to keep the total momentum and that of each rotor; False to keep omega and the speeds relative to the body.

    Returns
    -------
    tuple of numpy.ndarray
        omega (3,) and the integrated momenta (k,) of the new body. A rotor whose `speed` differs between the two bodies
        starts with the `speed` of the new body.
    """
    old_rotors, rotors = (
        [item.rotors[number] for number in item.state_indices] for item in (previous, system)
    )
    if keeps_momentum:
        inertia, momentum = system.effective_inertia, system.stored_momentum.copy()
        for rotor, old, kept in zip(rotors, old_rotors, momenta, strict=True):
            if rotor.speed == old.speed:
                momentum += kept * rotor.unit_axis
            else:
                inertia = inertia + rotor.axial_inertia
                momentum += rotor.moment * rotor.speed * rotor.unit_axis
        new_omega = np.linalg.solve(inertia, previous.total_momentum(omega, momenta) - momentum)
    else:
        new_omega = omega
    new_momenta = []
    for rotor, old, kept in zip(rotors, old_rotors, momenta, strict=True):
        if rotor.speed != old.speed:
            speed = rotor.speed
        elif keeps_momentum:
            new_momenta.append(kept)
            continue
        else:
            speed = kept / old.moment - old.unit_axis @ omega
        new_momenta.append(rotor.moment * (rotor.unit_axis @ new_omega + speed))
    return new_omega, np.array(new_momenta)
