"""Equation card of Hamilton's equations in h: the equations, divided into terms whose values are displayed."""

from quatviz.physics.equations.equation import BODY, EULER_PARAMETERS, Equation, Term
from quatviz.physics.equations.shared_terms import LT, p_rate_of

EQUATIONS = (
    Equation(
        (Term(r"\dot h", "rate of the angular momentum in the body", lambda at: at.J @ at.omega_rate, "h"),),
        (
            Term(r"\omega\times h", "h is constant in space while the body turns", lambda at: at.gyroscopic, "h", -1),
            Term(
                r"\tfrac12\,L\,\frac{\partial V}{\partial p}",
                "torque of the loads that have a potential",
                lambda at: 0.5 * at.L @ at.potential_gradient,
                "torque",
                -1,
            ),
            Term(
                r"n_{\mathrm{nc}}",
                "torque of the loads without a potential",
                lambda at: at.torque_without_potential,
                "torque", optional=True, rotor_latex="n_r",
            ),
        ),
        "N m",
        BODY,
        "the momentum",
    ),
    Equation(
        (Term(r"\dot p", "rate of the Euler parameters", lambda at: at.p_rate, "p"),),
        (Term(rf"\tfrac12\,{LT}J^{{-1}}h", "ω = J⁻¹h, converted to rates", p_rate_of, "omega"),),
        "1/s",
        EULER_PARAMETERS,
        "the attitude",
    ),
)  # fmt: skip


def equations(variant: str) -> tuple[Equation, ...]:
    return EQUATIONS
