"""Addition of a translation that is coupled to the rotation, for any formulation that accepts loads.

The state is that of the formulation, followed by the center of mass c (3) [m, space] and the linear momentum
m c' (3) [kg m/s, space]; eqs. S3(41, 43). Loads are evaluated at c once for each derivative and enter the
formulation's own equations as usual.
"""

from typing import Any, NamedTuple

from quatviz.physics.formulations._kernels.extended import base_state, extended_kernels, extension
from quatviz.physics.kernels.algebra import add3, combined3, dot4, to_body
from quatviz.physics.kernels.binder import (
    attitude,
    bind,
    compile_source,
    inline,
    multiplier,
    overload,
    rhs,
)
from quatviz.physics.kernels.forces import to_space
from quatviz.physics.loads._kernels.packed import (
    EvaluatedLoads,
    PackedLoads,
    called_at_center,
    symmetric_times,
)

WIDTH = 6
"""Number of components of the translation in a state: c and m c'."""


class TranslationParameters(NamedTuple):
    """Parameters of the kernels of a formulation with a coupled translation. One type serves all formulations.

    Attributes
    ----------
    base
        Parameters of the formulation itself, without loads.
    inverse_mass
        1/m [1/kg].
    loads
        The loads. Variable loads are evaluated with the center of mass at c.
    space_force, body_force
        Sum of the forces (3) [N, space] that are constant in space, and sum of the forces (3) [N, body] that are constant
        in the body.
    """

    base: Any
    inverse_mass: float
    loads: PackedLoads
    space_force: tuple[float, ...]
    body_force: tuple[float, ...]

    @staticmethod
    def extension_width(numba_type: Any) -> int:
        """Return the number of components that the translation appends to a state."""
        return WIDTH


def with_loads(base, loads):
    """Return the parameters `base` of a formulation with `loads` in place of its loads.

    The formulation may have rotors. Callable only from kernels.
    """


@overload(with_loads)
def _with_loads(base, loads):
    scope: dict[str, Any] = {}

    def constructor(parameters: Any, path: str) -> str:
        make = f"Make{len(scope)}"
        scope[make] = parameters.instance_class
        fields = {name: f"{path}.{name}" for name in parameters.fields}
        if "loads" in fields:
            fields["loads"] = "loads"
        else:
            fields["base"] = constructor(parameters[parameters.fields.index("base")], fields["base"])
        return f"{make}({', '.join(fields.values())})"

    return compile_source("with_loads", "base, loads", [f"return {constructor(base, 'base')}"], **scope)


@inline
def loads_at_center(par, t, p, omega, c):
    """Return the loads evaluated at a state with the center of mass at `c` (3) [m, space], and the force on
    the center of mass (3) [N, space]. Callable only from kernels.
    """
    loads = par.loads
    n, Q = loads.torque, symmetric_times(loads.work_matrix, p)
    n = add3(n, to_body(p, loads.space_torque))
    f = combined3(1.0, par.space_force, 1.0 / dot4(p, p), to_space(p, par.body_force))
    if loads.has_variable:
        extra = called_at_center(loads.variable_sum, loads.address, loads.row_count, t, p, omega, c)
        n, f = add3(n, extra[:3]), add3(f, extra[7:])
        Q = (Q[0] + extra[3], Q[1] + extra[4], Q[2] + extra[5], Q[3] + extra[6])
    return EvaluatedLoads(True, loads.is_tangent, n, Q), f


@inline
def loaded(par, t, y):
    """Return `(parameters, state, force)`: the arguments for the formulation's own kernels, and the force on
    the center of mass (3) [N, space]. Callable only from kernels.
    """
    base, moved = base_state(par, y), extension(par, y)
    p, omega = attitude(par.base, base)
    loads, force = loads_at_center(par, t, p, omega, moved[:3])
    return with_loads(par.base, loads), base, force


# --- the kernels of a form with translation


def rhs_with_translation(par, t, y):
    """Return the derivative of the formulation's state, followed by those of c and m c': c' = (m c')/m and (m
    c')' = f; eqs. S3(41, 43).
    """
    base_par, base, force = loaded(par, t, y)
    moved = extension(par, y)
    velocity = (
        par.inverse_mass * moved[3],
        par.inverse_mass * moved[4],
        par.inverse_mass * moved[5],
    )
    return rhs(base_par, t, base) + velocity + force


def multiplier_with_translation(par, t, y):
    """Return lambda [J] of the formulation under the loads at its center of mass."""
    base_par, base, _ = loaded(par, t, y)
    return multiplier(base_par, t, base)


KERNELS = extended_kernels(rhs_with_translation, multiplier_with_translation)
bind(TranslationParameters, KERNELS, __name__)
