"""Addition of rotors to the equations of any formulation that accepts loads.

The formulation's kernels are called with the torque of the rotors.

The state is that of the formulation, with J* for J, followed by the axial momenta h_k of the rotors whose law fixes
neither speed nor momentum. The torque -omega x (s + sum h_k a_k) - sum h_k' a_k enters as an additional constant load
in the body.
"""

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from quatviz.physics.formulations._kernels.extended import base_state, extended_kernels, extension
from quatviz.physics.formulations._kernels.rotor_rows import (
    AXIS,
    DIRECTION,
    FRICTION,
    FRICTION_PER_INERTIA,
    INVERSE_INERTIA,
    MAX_TORQUE,
    PROGRAM_START,
    PROGRAM_STOP,
    RESERVE_SLOPE,
    SPEED_RESERVE,
    TORQUE,
)
from quatviz.physics.kernels.algebra import L_times, combined3, cross, dot3, dot4, times_inertia
from quatviz.physics.kernels.binder import (
    Kernels,
    attitude,
    compile_source,
    compiler,
    inline,
    multiplier,
    noinline,
    overload,
    rhs,
)
from quatviz.physics.kernels.expression_kernel import value_at
from quatviz.physics.loads._kernels.packed import LoadsWithTorque


class RotorTable:
    """Rows of numbers of rotors and of the programs of their expressions, which kernels read by their address."""

    def __init__(self, rows: np.ndarray, system: Any) -> None:
        self.rows = np.ascontiguousarray(rows, dtype=np.float64)
        self.system = system
        """The `physics.mechanics.rotor_system.RotorSystem` that the rows describe, for code that reads states in
        NumPy."""

    @property
    def address(self) -> int:
        """Address of the numbers."""
        return int(self.rows.ctypes.data)

    @property
    def _numba_type_(self) -> Any:
        compiler()
        from quatviz.physics.formulations._kernels.rotor_table import TYPE

        return TYPE


class RotorParameters(NamedTuple):
    """Parameters of the kernels of a formulation with rotors. Each formulation derives a class of its own.

    Attributes
    ----------
    base
        Parameters of the formulation itself, with J* for J. Their loads are the external ones only.
    stored_momentum
        s (3,) [kg m^2/s, body] of the rotors without a state.
    inverse_inertias
        1/I_k (k,) [1/(kg m^2)] of the rotors with a state. Their number is part of the type.
    friction_matrix
        F (9), row-major [N m s], the sum of c_k a_k a_k^T.
    has_friction, has_motors, has_limits, has_controller
        True if any of these rotors has friction, a motor, a motor with a largest torque or speed, or the law
        `attitude_control`. A step omits the terms that are absent.
    controller
        K [N m], D [N m s] and the unit target (4) of the rotors that control the attitude.
    table, row_count
        The rows of these rotors, see `rotor_rows`, and their number including the programs.
    """

    base: Any
    stored_momentum: tuple[float, ...]
    inverse_inertias: tuple[float, ...]
    friction_matrix: tuple[float, ...]
    has_friction: bool
    has_motors: bool
    has_limits: bool
    has_controller: bool
    controller: tuple[float, ...]
    table: RotorTable
    row_count: int

    @staticmethod
    def extension_width(numba_type: Any) -> int:
        """Return the number of momenta in a state."""
        return len(numba_type[numba_type.fields.index("inverse_inertias")])


def numbers_of(table, rows):
    """Return the rows (rows, ROW_WIDTH) of a table (kernels only)."""


@overload(numbers_of, strict=False)
def _numbers_of(table, rows):
    from quatviz.physics.formulations._kernels.rotor_table import numbers_of as implementation

    return implementation


# --- torques


@inline
def commanded_torque(controller, p, omega):
    """Return the body torque (3) [N m] that a controller (K, D, target) demands (kernels only).

    The torque is -K sign(q0) q - D omega, where (q0, q) is the rotation from the target, for which q = -L(p) target.
    """
    target = (controller[2], controller[3], controller[4], controller[5])
    gain = controller[0] / math.sqrt(dot4(p, p))
    if dot4(p, target) < 0.0:
        gain = -gain
    return combined3(gain, L_times(p, target), -controller[1], omega)


@noinline
def programmed_torque(table, row, t):
    """Return the torque [N m] of a motor with an expression of time (kernels only)."""
    return value_at(table, int(table[row, PROGRAM_START]), int(table[row, PROGRAM_STOP]), t)


@inline
def limited_torque(table, row, torque, speed):
    """Return the torque [N m] that a motor can exert when `torque` [N m] is demanded, at a `speed` [rad/s] relative to
    the body (kernels only)."""
    largest = table[row, MAX_TORQUE]
    torque = min(max(torque, -largest), largest)
    reserve = table[row, SPEED_RESERVE] - abs(speed) * table[row, RESERVE_SLOPE]
    reserve = min(max(reserve, 0.0), 1.0)
    return torque * reserve if torque * speed > 0.0 else torque


@inline
def motor_torque(par, table, row, t, command, axis, omega, momentum):
    """Return the torque [N m] of a motor on its rotor. `command` (3) [N m] is the body torque that the controller
    demands (kernels only)."""
    torque = table[row, TORQUE]
    if table[row, PROGRAM_STOP] > 0.0:
        torque = programmed_torque(table, row, t)
    if par.has_controller:
        direction = (table[row, DIRECTION], table[row, DIRECTION + 1], table[row, DIRECTION + 2])
        torque -= dot3(direction, command)
    if par.has_limits:
        speed = momentum * table[row, INVERSE_INERTIA] - dot3(axis, omega)
        torque = limited_torque(table, row, torque, speed)
    return torque


@inline
def friction_rate(table, row, axis, omega, momentum):
    """Return -c_k W_k [N m] of a rotor (kernels only)."""
    return table[row, FRICTION] * dot3(axis, omega) - table[row, FRICTION_PER_INERTIA] * momentum


def rotor_torque(par, t, p, omega, momenta):
    """Return the torque on the body (3) [N m] and the rates of the momenta (k) [N m] (kernels only)."""


@overload(rotor_torque)
def _rotor_torque(par, t, p, omega, momenta):
    """Return the kernel for this number of rotors.

    The torque on the body is (s + sum h a) x omega + sum (c/I) h a - F omega - sum tau a with F = sum c a a^T. In this
    form the chain of dependent operations on omega is as short as possible.
    """
    rotors = range(len(momenta))
    if not rotors:
        return lambda par, t, p, omega, momenta: (cross(par.stored_momentum, omega), ())
    lines = ["table = numbers_of(par.table, par.row_count)"]
    stored = [[f"par.stored_momentum[{i}]"] for i in range(3)]
    friction, motors = [], []
    for k in rotors:
        lines.append(f"a{k} = (table[{k}, {AXIS}], table[{k}, {AXIS + 1}], table[{k}, {AXIS + 2}])")
        lines.append(f"r{k} = 0.0")
        friction.append(f"    r{k} = friction_rate(table, {k}, a{k}, omega, momenta[{k}])")
        friction.append(f"    b{k} = table[{k}, {FRICTION_PER_INERTIA}] * momenta[{k}]")
        motors.append(f"    m{k} = motor_torque(par, table, {k}, t, command, a{k}, omega, momenta[{k}])")
        motors.append(f"    r{k} += m{k}")
        for i in range(3):
            stored[i].append(f"momenta[{k}] * a{k}[{i}]")
    lines.append(f"n = cross(({', '.join(' + '.join(parts) for parts in stored)}), omega)")
    lines += ["if par.has_friction:", *friction]
    lines.append(f"    b = {_sum_along_axes('b', rotors)}")
    lines.append("    f = times_inertia(False, par.friction_matrix, omega)")
    lines.append("    n = (n[0] + b[0] - f[0], n[1] + b[1] - f[1], n[2] + b[2] - f[2])")
    lines += [
        "if par.has_motors:",
        "    command = commanded_torque(par.controller, p, omega) if par.has_controller else omega",
        *motors,
        f"    m = {_sum_along_axes('m', rotors)}",
        "    n = (n[0] - m[0], n[1] - m[1], n[2] - m[2])",
    ]
    lines.append(f"return n, ({''.join(f'r{k}, ' for k in rotors)})")
    scope = {
        "numbers_of": numbers_of,
        "cross": cross,
        "times_inertia": times_inertia,
        "friction_rate": friction_rate,
        "commanded_torque": commanded_torque,
        "motor_torque": motor_torque,
    }
    return compile_source("rotor_torque", "par, t, p, omega, momenta", lines, **scope)


def _sum_along_axes(name: str, rotors: Iterable[int]) -> str:
    """Return source text of the vector sum of {name}{k} a{k} over the rotors k."""
    sums = (" + ".join(f"{name}{k} * a{k}[{i}]" for k in rotors) for i in range(3))
    return f"({', '.join(sums)})"


def with_torque(base, n):
    """Return the parameters of a formulation with the body torque n (3) [N m] in addition to its loads
    (kernels only)."""


@overload(with_torque)
def _with_torque(base, n):
    fields = ", ".join("loads" if name == "loads" else f"base.{name}" for name in base.fields)
    lines = ["loads = Loads(True, base.loads, n)", f"return Base({fields})"]
    return compile_source("with_torque", "base, n", lines, Loads=LoadsWithTorque, Base=base.instance_class)


@inline
def loaded(par, t, y):
    """Return `(parameters, state, rates)`: the arguments for the formulation's own kernels, and the rates of the
    momenta (kernels only)."""
    base, momenta = base_state(par, y), extension(par, y)
    p, omega = attitude(par.base, base)
    n, rates = rotor_torque(par, t, p, omega, momenta)
    return with_torque(par.base, n), base, rates


# --- the kernels of a form with rotors


def rhs_with_rotors(par, t, y):
    """Return the derivative of the formulation's state under the torque of the rotors, and h_k' = tau_k - c_k W_k."""
    base_par, base, rates = loaded(par, t, y)
    return rhs(base_par, t, base) + rates


def multiplier_with_rotors(par, t, y):
    """Return lambda [J] of the formulation under the torque of the rotors."""
    base_par, base, _ = loaded(par, t, y)
    return multiplier(base_par, t, base)


def add_rotors(kernels: Kernels) -> Kernels:
    """Return the kernels of a formulation with rotors, from its own kernels, which must include `attitude`."""
    assert kernels.attitude is not None
    return extended_kernels(rhs_with_rotors, multiplier_with_rotors, kernels)
