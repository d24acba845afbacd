"""Symbols of the equations on a card: their meaning, unit and frame.

A symbol that denotes a quantity takes its words from `QUANTITIES`. Symbols that only some formulations use are in the
`SYMBOLS` of their cards.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from quatviz.physics.equations.equation import BODY, SPACE, Equation
from quatviz.physics.observables.quantities import QUANTITIES


class Symbol(NamedTuple):
    """A symbol in LaTeX, with its meaning, its unit ("" for a pure number) and its frame ("" if it has none)."""

    latex: str
    meaning: str
    unit: str = ""
    frame: str = ""


def _quantity_symbol(latex: str, name: str, frame: str = "") -> Symbol:
    """Return the symbol of a quantity. `frame` replaces the frame of the quantity."""
    quantity = QUANTITIES[name]
    return Symbol(latex, quantity.title, quantity.unit, frame or quantity.frame)


_SHARED = (
    _quantity_symbol("p", "p", "body to space"),
    _quantity_symbol(r"\omega", "omega"),
    _quantity_symbol("h", "h"),
    _quantity_symbol("g", "canonical_momentum"),
    _quantity_symbol("n", "torque"),
    _quantity_symbol("T", "kinetic"),
    _quantity_symbol("V", "potential"),
    _quantity_symbol(r"\lambda", "lam"),
    _quantity_symbol("c", "centre"),
    Symbol("m", "Mass", "kg"),
    Symbol("J", "Inertia", "kg m²", BODY),
    Symbol("J^{*}", "Inertia without that of freely turning rotors about their axes", "kg m²", BODY),
    Symbol("A", "Matrix (3 × 3) of p that converts components", frame="body to space"),
    Symbol("L", "Matrix (3 × 4) of p: ω = 2 L p′", frame=BODY),
    Symbol("G", "Matrix (3 × 4) of p: ω in space = 2 G p′", frame=SPACE),
    Symbol("f", "Force at a body point", "N", SPACE),
    Symbol("u", "Body point at which f acts", "m", BODY),
    Symbol("H", "Matrix (4 × 4) of the body point at which f acts", "m", BODY),
    Symbol(r"n_{\mathrm{rest}}", "Torque of the loads that are not forces at body points", "N m", BODY),
    Symbol(r"n_{\mathrm{nc}}", "Torque of the loads without a potential", "N m", BODY),
    Symbol("n_r", "Torque of the rotors on the body", "N m", BODY),
    Symbol("h_r", "Angular momentum of the rotors that is not part of h", "kg m²/s", BODY),
    Symbol(r"\tau_k", "Torque of the motor of rotor k", "N m"),
    Symbol(r"\Omega_k", "Speed of rotor k relative to the body", "rad/s"),
    Symbol("c_k", "Friction of the bearing of rotor k", "N m s"),
    Symbol("a_k", "Unit vector along the axis of rotor k", frame=BODY),
)
AS_INTEGRATED = Symbol("u", "Euler parameters p as integrated; in uᵀf the body point at which f acts")
"""Symbol u of Udwadia and Schutte's equations."""
FREE_INERTIA = (
    AS_INTEGRATED,
    Symbol("M_u", "Mass matrix (4 × 4), 4 Eᵀ J₄ E", "kg m²"),
    Symbol("J_0", "Free moment of inertia, without effect on the motion", "kg m²"),
    Symbol("J_4", "Matrix (4 × 4) with J₀ and J on its diagonal", "kg m²", BODY),
    Symbol("E", "Matrix (4 × 4) with the rows uᵀ and L"),
)
"""Symbols of the mass matrix with the free moment J0."""

RING_SYMBOLS = (
    Symbol("J", "Inertia of the rotor", "kg m²", BODY),
    Symbol("J_m", "Inertia of the ring about the rotor’s center of mass", "kg m²", "ring"),
    Symbol("J_{m33}", "Moment of inertia of the ring about its axis", "kg m²"),
    Symbol("B", "Rotation matrix by β, from the rotor to the ring"),
    Symbol("P", "Matrix diag(1, 1, 0), which keeps the axes u and v of the ring"),
    Symbol("c", "Axis of the ring, (0, 0, 1)"),
    Symbol(r"\beta", "Angle of the ring relative to the rotor", "rad"),
    Symbol(r"\omega_m", "Angular velocity of the ring", "rad/s", "ring"),
    Symbol(r"\omega_{m3}", "Angular velocity of the ring about its axis", "rad/s", "ring"),
    Symbol("n_g", "Torque of the weight of the ring", "N m", "ring"),
    Symbol("C_d", "Damping coefficient", "kg/s"),
    Symbol("R", "Mean radius of the ring", "m"),
    Symbol(r"\mu", "Torque of the ring on the rotor about the axis", "N m"),
)
"""Symbols of the ring damper."""


def coordinate_symbols(meaning: str, unit: str = "") -> tuple[Symbol, ...]:
    """Return the symbols q, with the given meaning and unit, and S of equations in three coordinates."""
    return (Symbol("q", meaning, unit), Symbol("S", "Matrix (3 × 3) of q: ω = S q′", frame=BODY))


def equation_symbols(
    equations: Iterable[Equation], own: Iterable[Symbol] = (), more: Iterable[str] = ()
) -> tuple[Symbol, ...]:
    """Return the symbols of equations in their order of appearance.

    Parameters
    ----------
    equations
        Equations of a card.
    own
        Symbols of the card, which take precedence over the shared ones. Other symbols of the equations are omitted.
    more
        Further formulas of the card, such as the terms of λ.
    """
    known = {name: symbol for symbol in (*_SHARED, *own) for name in symbol_names(symbol.latex)}
    formulas = [term.latex for equation in equations for term in equation.terms]
    names = (name for latex in (*formulas, *more) for name in symbol_names(latex))
    return tuple(known[name] for name in dict.fromkeys(names) if name in known)


_NOT_SYMBOLS = frozenset(
    [
        r"\frac",
        r"\tfrac",
        r"\dot",
        r"\ddot",
        r"\textstyle",
        r"\sum",
        r"\partial",
        r"\times",
        r"\cdot",
        r"\left",
        r"\right",
    ]
)
_SYMBOL = re.compile(r"(\\[A-Za-z]+|[A-Za-z])(_\{\w+\}|_\w)?(@)?")


def symbol_names(latex: str) -> Iterator[str]:
    """Yield the symbols of a LaTeX formula, with their subscripts and without powers, transposes and dots.

    >>> list(symbol_names(r"4\\,L^{T}JL\\,\\ddot p")), list(symbol_names(r"\\omega\\times J^{*}\\omega_{m3}"))
    (['L', 'J', 'L', 'p'], ['\\\\omega', 'J^{*}', '\\\\omega_{m3}'])
    """
    text = re.sub(r"\\mathrm\{(\w+)\}", r"\1", latex.replace(r"\frac{d}{dt}", ""))
    text = re.sub(r"\^\{\*[^}]*\}", "@", text)
    text = re.sub(r"\{\}|\^\{[^}]*\}|\^.", "", text)
    for symbol, subscript, star in _SYMBOL.findall(text):
        if symbol not in _NOT_SYMBOLS:
            yield symbol + subscript + ("^{*}" if star else "")
