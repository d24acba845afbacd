"""What a lane may do to stay on the constraint |p| = 1, by the names that people read."""

from quatviz.base.errors import Phrase, named

STABILISATIONS = {
    "none": "None",
    "renormalise": "Renormalisation",
    "project": "Projection",
    "baumgarte": "Baumgarte’s method",
}


def stabilisation_called(name: str, text: str = "") -> Phrase:
    """One of these within a sentence, which a window tells by its title; as `text` where people type it otherwise.

    >>> from quatviz.base.translation import told
    >>> stabilisation_called("project"), told(stabilisation_called("project"))
    ('project', 'Projection')
    """
    return named(text or name, STABILISATIONS.get(name, name))
