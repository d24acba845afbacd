"""Example typed formulations with correct equations, which the user can modify."""

from quatviz.base.errors import phrase
from quatviz.physics.typed_formulations.definition import TypedFormulation

_EULER = "omega' = solve(J, n - cross(omega, J @ omega))"
_MODIFIED_RODRIGUES = "s' = ((1 - dot(s, s))*omega + 2*cross(s, omega) + 2*s*dot(s, omega))/4"
_CAYLEY_KLEIN = """\
alpha_re' = -(beta_im*omega[0] + beta_re*omega[1] + alpha_im*omega[2])/2
beta_im' = (alpha_re*omega[0] + beta_re*omega[2] - alpha_im*omega[1])/2
beta_re' = (alpha_re*omega[1] + alpha_im*omega[0] - beta_im*omega[2])/2
alpha_im' = (alpha_re*omega[2] + beta_im*omega[1] - beta_re*omega[0])/2"""
_BAUMGARTE = """\
a = solve(J, n - cross(omega, J @ omega))
error = dot(p_rate, p_rate) + 2*alpha*dot(p, p_rate) + beta**2*(dot(p, p) - 1)/2
p' = p_rate
p_rate' = product(p, [0, a])/2 - p*error"""

TEMPLATES: tuple[tuple[str, TypedFormulation], ...] = (
    (
        phrase("Newton–Euler with a quaternion"),
        TypedFormulation("my_newton_euler", rates=f"{_EULER}\np' = product(p, [0, omega])/2"),
    ),
    (
        phrase("Rodrigues parameters"),
        TypedFormulation(
            "my_rodrigues",
            rates=f"{_EULER}\nr' = (omega + cross(r, omega) + r*dot(r, omega))/2\nsingular = 1/sqrt(1 + dot(r, r))",
            start="r = p[1:]/p[0]",
            attitude="p = [1, r]/sqrt(1 + dot(r, r))",
        ),
    ),
    (
        phrase("Modified Rodrigues parameters"),
        TypedFormulation(
            "my_modified_rodrigues",
            rates=f"{_EULER}\n{_MODIFIED_RODRIGUES}",
            start="s = where(p[0] < 0, -p[1:], p[1:])/(1 + abs(p[0]))",
            attitude="p = [1 - dot(s, s), 2*s]/(1 + dot(s, s))",
        ),
    ),
    (
        phrase("Cayley–Klein parameters"),
        TypedFormulation(
            "my_cayley_klein",
            rates=f"{_EULER}\n{_CAYLEY_KLEIN}",
            start="alpha_re = p[0]\nbeta_im = p[1]\nbeta_re = p[2]\nalpha_im = p[3]",
            attitude="p = [alpha_re, beta_im, beta_re, alpha_im]",
        ),
    ),
    (
        phrase("Quaternion with Baumgarte's stabilization"),
        TypedFormulation(
            "my_baumgarte",
            rates=_BAUMGARTE,
            numbers={"alpha": 5.0, "beta": 5.0},
        ),
    ),
)
"""Pairs of title and definition of the example formulations, in the order of the menu."""
