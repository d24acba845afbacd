"""Formulations of the equations of motion, one module or folder per family.

`quatviz.formulations()` maps the id of every formulation and variant to its title.

>>> import quatviz
>>> quatviz.formulations()["euler_angles/312"]
'Lagrange in Euler angles'
"""

import sys

from quatviz.base.errors import InputError, phrase, suggest_name
from quatviz.base.formatting import format_formulation
from quatviz.base.registry import CallableModule
from quatviz.base.translation import tr
from quatviz.physics.equations import Equation
from quatviz.physics.equations.rotor_terms import with_rotor_terms
from quatviz.physics.equations.shared_terms import TRANSLATION
from quatviz.physics.equations.symbols import Symbol, equation_symbols
from quatviz.physics.formulations._other_programs import FormulationRegistry
from quatviz.physics.formulations.base import Formulation, FormulationOptions
from quatviz.physics.mechanics.stabilisation import STABILISATIONS

FORMULATIONS = FormulationRegistry(__name__, Formulation)
sys.modules[__name__].__class__ = CallableModule


def listed() -> dict[str, str]:
    """Return the titles of all formulations by lane id. Each variant has a lane id of its own."""
    return {
        f"{name}/{variant}" if variant else name: formulation_class.title
        for name, formulation_class in FORMULATIONS.items()
        for variant in formulation_class.variants or ("",)
    }


def formulation_class(lane_id: str) -> type[Formulation]:
    """Return the formulation class of a lane id. All variants of a formulation have the same class.

    >>> formulation_class("euler_angles/321").has_multiplier
    False
    """
    return FORMULATIONS[lane_id.partition("/")[0]]


def lane_title(name: str) -> str:
    """Return the displayed title of a lane's name.

    For a lane id it is the title of the formulation, with the number that distinguishes lanes of equal id. A name that
    the user chose is returned unchanged.

    >>> lane_title("euler_angles/321 (2)"), lane_title("mine")
    ('Lagrange in Euler angles: 3-2-1 (2)', 'mine')
    >>> lane_title("hamilton, project")
    'Hamilton, reduced to h, Projection'
    """
    base_name, number, suffix = name.partition(" (")
    lane_id, *settings = base_name.split(", ")
    family, _, variant = lane_id.partition("/")
    if family not in FORMULATIONS or variant not in ("", *FORMULATIONS[family].variants):
        return name
    titles = [format_formulation(FORMULATIONS[family].title, variant)]
    titles += [tr(STABILISATIONS[setting]) if setting in STABILISATIONS else setting for setting in settings]
    return f"{', '.join(titles)}{number}{suffix}"


def make_formulation(lane_id: str, key: str = "", options: FormulationOptions | None = None) -> Formulation:
    """Return the formulation of a lane id, which is `name` or `name/variant`.

    If there is no such formulation, raise an `InputError` that lists the choices.

    >>> form = make_formulation("lagrange_full/split")
    >>> form.component_names
    ('e0', 'e1', 'e2', 'e3', 'e0_rate', 'e1_rate', 'e2_rate', 'e3_rate')
    >>> form.multiplier_terms
    ('2uᵀAᵀf',)
    """
    name, _, variant = lane_id.partition("/")
    own_family = options.family if options is not None else None
    family = FORMULATIONS.find(name, key) if own_family is None else own_family
    if variant and variant not in family.variants:
        raise InputError(
            key or "formulations",
            expected=phrase(
                "a variant of {name}: {variants}",
                name=name,
                variants=", ".join(family.variants) or phrase("no variants; write the name alone"),
            ),
            found=repr(lane_id),
            remedy=suggest_name(variant, family.variants, otherwise="correct the spelling"),
            key=key,
            topic="errors#names",
        )
    return family(variant, options)


def equations(lane_id: str, translates: bool = False, has_rotors: bool = False) -> tuple[Equation, ...]:
    """Return the equations of a lane for its card.

    Parameters
    ----------
    lane_id
        Id of the lane, `name` or `name/variant`.
    translates
        True if rotation and translation are coupled. The equation of the center of mass is then added.
    has_rotors
        True if the body has rotors. The equations then contain J* in place of J and the torque of the rotors as a
        separate term, and the equation of this torque is added.

    Returns
    -------
    tuple of Equation
        Empty for a plug-in without a card.

    Examples
    --------
    >>> [equation.words for equation in equations("hamilton")]
    ['the momentum', 'the attitude']
    >>> [equation.unit for equation in equations("hamilton", translates=True)]
    ['N m', '1/s', 'N']
    >>> [term.latex for term in equations("newton_euler", has_rotors=True)[0].right]
    ['n', 'n_r', '\\\\omega\\\\times J^{*}\\\\omega']
    """
    name, _, variant = lane_id.partition("/")
    if name not in FORMULATIONS:
        return ()
    family = FORMULATIONS[name]
    rotation = family.equations(variant)
    if has_rotors and not family.is_recorded:
        rotation = with_rotor_terms(rotation)
    return (*rotation, TRANSLATION) if translates and not family.has_closed_form else rotation


def symbols(lane_id: str, translates: bool = False, has_rotors: bool = False) -> tuple[Symbol, ...]:
    """Return the symbols in the equations of a lane and in its theory of λ, in order of appearance.

    The arguments are those of `equations`. A letter with two meanings, such as c, is listed once for each meaning.

    >>> [symbol.latex for symbol in symbols("newton_euler")]
    ['J', '\\\\omega', 'n', 'p', 'L']
    """
    shown = equations(lane_id, translates, has_rotors)
    own = FORMULATIONS[lane_id.partition("/")[0]].own_symbols() if shown else ()
    rotation = [equation for equation in shown if equation is not TRANSLATION]
    translation = [equation for equation in shown if equation is TRANSLATION]
    theory = make_formulation(lane_id).multiplier_terms or () if shown else ()
    return tuple(dict.fromkeys((*equation_symbols(rotation, own, theory), *equation_symbols(translation))))
