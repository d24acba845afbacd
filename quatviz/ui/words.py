"""How names and units of the engine are written for people."""

from __future__ import annotations

from quatviz.core.errors import Refusal
from quatviz.formulations.base import Formulation
from quatviz.ui.tr import tr, translated

_SPOKEN = {"dt": "time step", "J0": "J₀", "alpha": "α", "beta": "β"}
_KEYS = {"Left": "←", "Right": "→", "-": "−", "PgUp": "Page Up", "PgDown": "Page Down"}
_POWERS = {"^2": "²", "^3": "³"}


def unit_text(unit: str) -> str:
    """ "kg m^2/s" as "kg m²/s"."""
    for plain, raised in _POWERS.items():
        unit = unit.replace(plain, raised)
    return unit


def in_words(name: str) -> str:
    """ "centre_of_mass" as "centre of mass", for the middle of a sentence."""
    return tr(_SPOKEN.get(name, name.replace("_", " ")))


def spoken(name: str) -> str:
    """ "centre_of_mass" as "Centre of mass"."""
    words = in_words(name)
    return words if len(words) == 1 else words[:1].upper() + words[1:]


def within(title: str) -> str:
    """A title, "Reverse time", as the middle of a sentence has it: "reverse time"."""
    return tr(title[:1].lower() + title[1:])


def keys_text(keys: str) -> str:
    """ "Shift+Left" as "Shift ←"."""
    if len(keys) == 1:
        return _KEYS.get(keys, keys)
    return " ".join(
        _KEYS[key] if key in ("Left", "Right") else tr(_KEYS.get(key, key)) for key in keys.split("+")
    )


def number_text(value: float) -> str:
    """The shortest digits that read back as `value`."""
    return repr(float(value)).removesuffix(".0")


def short_number(value: float) -> str:
    """A number for a heading: four digits."""
    return f"{value:.4g}"


def formulation_text(kind: type[Formulation], variant: str) -> str:
    """What people read for one variant of a formulation."""
    return f"{tr(kind.title)}: {in_words(variant)}" if variant else tr(kind.title)


def refusal_text(refusal: Refusal, key: str = "") -> str:
    """A refusal as lines under the field `key`; one that is about something else says what it is about."""
    refusal = translated(refusal)
    lines = [
        tr("Expected {expected}.", expected=refusal.expected),
        tr("Found {found}.", found=refusal.found),
        tr("Try: {remedy}.", remedy=refusal.remedy),
    ]
    if refusal.key != key:
        lines.insert(0, f"{refusal.key or refusal.place}:")
    return unit_text("\n".join(lines))
