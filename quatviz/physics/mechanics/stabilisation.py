"""What a lane may do to stay on the constraint |p| = 1, by the names that people read."""

from quatviz.base.errors import Phrase, titled_name

STABILISATIONS = {
    "none": "None",
    "renormalise": "Renormalisation",
    "project": "Projection",
    "baumgarte": "Baumgarte’s method",
}


def stabilisation_phrase(name: str, text: str = "") -> Phrase:
    """One of these within a sentence, which a window tells by its title; as `text` where people type it otherwise.

    >>> from quatviz.base.translation import tr
    >>> stabilisation_phrase("project"), tr(stabilisation_phrase("project"))
    ('project', 'Projection')
    """
    return titled_name(text or name, STABILISATIONS.get(name, name))
