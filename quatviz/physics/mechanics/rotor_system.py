"""Body and rotors as one system in NumPy: its inertia, momentum and energy, and the speeds and torques of the rotors.

With the unit axes a_k, the axial inertia I_k, the speeds W_k relative to the body and the axial momenta
h_k = I_k (a_k.omega + W_k),

    H = J* omega + s + sum h_k a_k        T = 1/2 omega.J0 omega + sum h_k^2 / (2 I_k)
    h_k' = tau_k - c_k W_k                J* omega' = n - omega x H - sum h_k' a_k

where the sums of H and omega' run over the rotors whose momentum is integrated, J* is J without I_k a_k a_k^T of all rotors but
those of constant speed, s is the sum of I_k W_k a_k over these and of h_k a_k over those of constant momentum, and J0 is J without
I_k a_k a_k^T of all rotors. A rotor of constant momentum without inertia, the limit of a small and fast one, has a constant
energy, which is left out.
"""

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from quatviz.base.expression import Expression
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import conjugate, multiply, normalize
from quatviz.physics.mechanics.rotor import SPEED_MARGIN, Rotor


class RotorSystem:
    """A body with its rotors. Arrays (n, m) have a column for each of the m rotors, arrays (n, k) one for each of the k rotors
    whose momentum is integrated, both in the order of the body."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.rotors: Sequence[Rotor] = body.rotors
        self.state_indices = [number for number, rotor in enumerate(body.rotors) if rotor.has_state]
        """Numbers of the rotors whose momentum is integrated."""
        self.axes = np.array([rotor.unit_axis for rotor in body.rotors]).reshape(-1, 3)
        """Unit axes (m, 3), body."""
        self.inertias = np.array([rotor.inertia or np.nan for rotor in body.rotors])
        """Axial inertias (m,) [kg m^2], NaN where none is given."""

    @cached_property
    def effective_inertia(self) -> np.ndarray:
        """J* (3, 3) [kg m^2]: what resists omega' while no rotor is given a torque."""
        return self._inertia_without(lambda rotor: rotor.law != "constant_speed")

    @cached_property
    def carrier_inertia(self) -> np.ndarray:
        """J0 (3, 3) [kg m^2], without any rotor's turn about its axis."""
        return self._inertia_without(lambda rotor: True)

    @cached_property
    def stored_momentum(self) -> np.ndarray:
        """s (3,) [kg m^2/s, body], the part of H that neither omega nor the integrated momenta have."""
        momentum = np.zeros(3)
        for rotor in self.rotors:
            if rotor.law == "constant_speed":
                momentum += rotor.moment * rotor.speed * rotor.unit_axis
            elif rotor.law == "constant_momentum":
                momentum += (rotor.momentum or 0.0) * rotor.unit_axis
        return momentum

    @cached_property
    def control_directions(self) -> np.ndarray:
        """Rows (m, 3) that divide a torque on the body among the rotors of the law `attitude_control`, by the pseudoinverse of
        their axes: the sum of a_k (row_k.n) is n as far as these axes reach; zeros for other rotors."""
        controlled = [number for number, rotor in enumerate(self.rotors) if rotor.law == "attitude_control"]
        directions = np.zeros_like(self.axes)
        if controlled:
            directions[controlled] = np.linalg.pinv(self.axes[controlled].T)
        return directions

    @cached_property
    def friction_matrix(self) -> np.ndarray:
        """F (3, 3) [N m s], the sum of c_k a_k a_k^T."""
        friction = np.array([rotor.friction for rotor in self.rotors])
        matrix: np.ndarray = (self.axes.T * friction) @ self.axes
        return matrix

    def initial_momenta(self, omega: np.ndarray) -> np.ndarray:
        """h_k (k,) [kg m^2/s] of the integrated momenta at t = 0, for omega (3,) [rad/s, body]."""
        return np.array(
            [
                rotor.moment * (rotor.unit_axis @ omega + rotor.speed)
                for rotor in self.rotors
                if rotor.has_state
            ]
        )

    def momenta(self, omega: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Axial momenta h_k (n, m) [kg m^2/s] of all rotors, for omega (n, 3) and the integrated ones (n, k)."""
        momenta = np.empty((len(omega), len(self.rotors)))
        momenta[:, self.state_indices] = states
        for number, rotor in enumerate(self.rotors):
            if rotor.law == "constant_speed":
                momenta[:, number] = rotor.moment * (omega @ rotor.unit_axis + rotor.speed)
            elif rotor.law == "constant_momentum":
                momenta[:, number] = rotor.momentum or 0.0
        return momenta

    def speeds(self, omega: np.ndarray, momenta: np.ndarray) -> np.ndarray:
        """W_k (n, m) [rad/s] relative to the body; NaN without inertia."""
        return momenta / self.inertias - omega @ self.axes.T

    def angular_momentum(self, omega: np.ndarray, momenta: np.ndarray) -> np.ndarray:
        """H (n, 3) [kg m^2/s, body] of the whole."""
        return omega @ self.carrier_inertia + momenta @ self.axes

    def kinetic_energy(self, omega: np.ndarray, momenta: np.ndarray) -> np.ndarray:
        """T (n,) [J] of the whole."""
        carrier = 0.5 * np.einsum("ni,ij,nj->n", omega, self.carrier_inertia, omega)
        return carrier + np.nansum(momenta**2 / (2.0 * self.inertias), axis=1) + 0.0 * momenta.sum(axis=1)

    def speed_motor_work(self, omega: np.ndarray) -> np.ndarray:
        """Work (n,) [J], up to a constant, of the motors that hold a constant speed: I W a.omega each, for their torque is
        I a.omega'."""
        work = np.zeros(len(omega))
        for rotor in self.rotors:
            if rotor.law == "constant_speed":
                work += rotor.moment * rotor.speed * (omega @ rotor.unit_axis)
        return work

    def torques(
        self, t: np.ndarray, p: np.ndarray, omega: np.ndarray, momenta: np.ndarray, load_torque: np.ndarray
    ) -> np.ndarray:
        """Motor torques tau_k (n, m) [N m] on the rotors, at times (n,) [s], p (n, 4), omega (n, 3) and momenta (n, m), with the
        torque of the loads (n, 3) [N m, body]."""
        torques = self._motor_torques(t, p, omega, self.speeds(omega, momenta))
        fixed_speed = [number for number, rotor in enumerate(self.rotors) if rotor.law == "constant_speed"]
        if fixed_speed:
            omega_rate = self.omega_rate(t, p, omega, momenta, load_torque)
            torques[:, fixed_speed] = self.inertias[fixed_speed] * (omega_rate @ self.axes[fixed_speed].T)
        return torques

    def torque_on_body(
        self, t: np.ndarray, p: np.ndarray, omega: np.ndarray, momenta: np.ndarray
    ) -> np.ndarray:
        """Torque of the rotors (n, 3) [N m, body] on a body with the inertia J*: -omega x (s + sum h_k a_k) - sum h_k' a_k."""
        rate = self.omega_rate(t, p, omega, momenta, np.zeros_like(omega))
        inertia = self.effective_inertia
        return rate @ inertia + np.cross(omega, omega @ inertia)

    def omega_rate(
        self, t: np.ndarray, p: np.ndarray, omega: np.ndarray, momenta: np.ndarray, load_torque: np.ndarray
    ) -> np.ndarray:
        """omega' (n, 3) [rad/s^2, body] at times (n,) [s], p (n, 4), omega (n, 3) and momenta (n, m), with the torque of the loads
        (n, 3) [N m, body]."""
        speeds = self.speeds(omega, momenta)
        friction = np.array([rotor.friction for rotor in self.rotors])
        momentum_rates = self._motor_torques(t, p, omega, speeds)
        momentum_rates -= np.where(friction > 0.0, friction * speeds, 0.0)
        moment = load_torque - np.cross(omega, self.angular_momentum(omega, momenta))
        moment -= momentum_rates @ self.axes
        return np.linalg.solve(self.effective_inertia, moment.T).T

    def _motor_torques(
        self, t: np.ndarray, p: np.ndarray, omega: np.ndarray, speeds: np.ndarray
    ) -> np.ndarray:
        """Torques (n, m) [N m] of the motors of rotors whose momentum is integrated; zeros for others."""
        torques = np.zeros_like(speeds)
        for number, rotor in enumerate(self.rotors):
            if rotor.has_motor:
                torques[:, number] = self._motor_torque(number, rotor, t, p, omega, speeds[:, number])
        return torques

    def _motor_torque(
        self, number: int, rotor: Rotor, t: np.ndarray, p: np.ndarray, omega: np.ndarray, speed: np.ndarray
    ) -> np.ndarray:
        """Torque (n,) [N m] of a motor with limits, at the speed (n,) [rad/s] relative to the body."""
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
        """H (3,) [kg m^2/s, body] for omega (3,) and the integrated momenta (k,)."""
        momentum: np.ndarray = self.effective_inertia @ omega + self.stored_momentum
        return momentum + states @ self.axes[self.state_indices]

    def _inertia_without(self, is_left_out: Callable[[Rotor], bool]) -> np.ndarray:
        inertia = self.body.inertia.copy()
        for rotor in self.rotors:
            if is_left_out(rotor):
                inertia -= rotor.axial_inertia
        return inertia


def change_body(
    previous: RotorSystem, system: RotorSystem, omega: np.ndarray, momenta: np.ndarray, keeps_momentum: bool
) -> tuple[np.ndarray, np.ndarray]:
    """The rotation with which a body with rotors takes over from another one.

    Parameters
    ----------
    previous, system
        The body until now and the one that takes over, with as many integrated momenta.
    omega, momenta
        Angular velocity (3,) [rad/s, body] and integrated momenta (k,) [kg m^2/s] of the previous one.
    keeps_momentum
        True if the momenta are kept, of the whole and of each rotor; False for omega and the speeds relative to the body.

    Returns
    -------
    tuple of numpy.ndarray
        omega (3,) and the integrated momenta (k,). A rotor with another initial speed than before has that speed.
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
