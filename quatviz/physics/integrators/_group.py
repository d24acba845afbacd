"""What integrators share that move p apart from what stands beside it. Not an integrator."""

import math

from quatviz.base.errors import InputError, phrase
from quatviz.physics.formulations import make_formulation
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.kernels.algebra import combined4, dot3, product
from quatviz.physics.kernels.binder import inline


@inline
def apply_rotation_vector(p, theta):
    """p exp(theta) as p + p (exp(theta) - 1): rounding errors of the sum are random, those of a product by the same
    quaternion in every step would add up."""
    square = dot3(theta, theta)
    angle = math.sqrt(square)
    quarter = math.sin(0.25 * angle)
    scale = 0.5 if angle == 0.0 else 2.0 * quarter * math.cos(0.25 * angle) / angle
    change = (-2.0 * quarter * quarter, scale * theta[0], scale * theta[1], scale * theta[2])
    return combined4(1.0, p, 1.0, product(p, change))


def require_group_state(formulation: Formulation) -> None:
    """`InputError` for a form whose p does not stand beside a vector."""
    if not formulation.on_group:
        raise InputError(
            "integrator",
            expected=phrase(
                "a formulation whose state is p beside omega or h, such as {one} or {other}",
                one=make_formulation("newton_euler").titled_id,
                other=make_formulation("hamilton").titled_id,
            ),
            found=phrase(
                "{id}, whose state is {names}",
                id=formulation.titled_id,
                names=", ".join(formulation.component_names),
            ),
            remedy=phrase(
                "choose one of these formulations, or {other}", other=INTEGRATORS["rk4"].display_name()
            ),
            topic="errors#integrators",
        )
