"""Methods that keep a lane on the constraint |p| = 1, with their titles."""

from quatviz.base.errors import Phrase, titled_name

STABILISATIONS = {
    "none": "None",
    "renormalise": "Renormalization",
    "project": "Projection",
    "baumgarte": "Baumgarte’s method",
}


def stabilisation_phrase(name: str, text: str = "") -> Phrase:
    """Return a stabilization for use in a sentence. The window shows its title; elsewhere the phrase reads `text`, or
    the name if `text` is empty.

    >>> from quatviz.base.translation import tr
    >>> stabilisation_phrase("project"), tr(stabilisation_phrase("project"))
    ('project', 'Projection')
    """
    return titled_name(text or name, STABILISATIONS.get(name, name))
