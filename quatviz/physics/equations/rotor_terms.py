"""Equations of a card for a body with rotors: J* (`physics.mechanics.rotor_system`) replaces J, and the
torque of the rotors becomes a separate term.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from quatviz.physics.equations.equation import BODY, Equation, Term, TermFunction

ROTOR_TORQUE = Equation(
    (Term(r"n_r", "torque of the rotors on the body", lambda at: at.rotor_torque),),
    (
        Term(
            r"\omega\times h_r",
            "gyroscopic torque of the rotors, with h_r = H − J*ω",
            lambda at: at.rotor_gyroscopic,
            sign=-1,
        ),
        Term(
            r"\textstyle\sum\tau_k a_k",
            "reaction of the motors, along the axes of the rotors",
            lambda at: at.motor_torque,
            sign=-1,
        ),
        Term(
            r"\textstyle\sum c_k\Omega_k a_k",
            "friction of the bearings, along the axes of the rotors",
            lambda at: at.bearing_friction,
        ),
    ),
    "N m",
    BODY,
    "the torque of the rotors, which accelerates them in return",
)
"""Equation for the torque that the rotors exert on the body, in terms of their momenta, motors and bearings. The
inertia of the body is J*."""

MOMENTUM_WORDS = {
    r"\dot h": "rate of h = J*ω in the body, which leaves out the momentum h_r of the rotors",
    r"\omega\times h": "h turns with the body",
}
"""Maps the LaTeX of each term that contains h = J*ω to its explanation on the card of a body with rotors.

An explanation is needed because the panel and the arrow named h show the total momentum of body and rotors.
"""


def with_rotor_terms(equations: Iterable[Equation]) -> tuple[Equation, ...]:
    """Return the equations of a formulation for a body with rotors, followed by `ROTOR_TORQUE`.

    A term that contains the torque of the rotors (see `Term.rotor_latex`) is divided into two terms, one for the
    loads and one for the rotors.
    """
    extended = [
        replace(equation, left=_split(equation.left), right=_split(equation.right)) for equation in equations
    ]
    return (*extended, ROTOR_TORQUE)


def _split(terms: Iterable[Term]) -> tuple[Term, ...]:
    parts: list[Term] = []
    for term in terms:
        words = MOMENTUM_WORDS.get(term.latex, term.words)
        own = replace(term, latex=_with_effective_inertia(term.latex), words=words)
        if term.rotor_latex:
            own = replace(own, value=_of_loads(term.value))
        parts.append(own)
        if term.rotor_latex:
            parts.append(_rotor_part(term))
    return tuple(parts)


def _of_loads(value: TermFunction) -> TermFunction:
    """Return a function that evaluates the term function `value` without the torque of the rotors."""
    return lambda at: value(at.without_rotor_torque)


def _rotor_part(term: Term) -> Term:
    return Term(
        _with_effective_inertia(term.rotor_latex),
        "effect of the torque of the rotors",
        lambda at: term.value(at) - term.value(at.without_rotor_torque),
        sign=term.sign,
    )


def _with_effective_inertia(latex: str) -> str:
    """Return a LaTeX formula with J replaced by J*. A J with an index is another quantity and is kept."""
    return re.sub(r"J(?!_)", r"J^{*}", latex).replace("J^{*}^{-1}", "J^{*-1}")
