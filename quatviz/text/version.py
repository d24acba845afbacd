"""The version at the head of a text that quatviz reads: of a preset, a session, a lesson."""

from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import shown


def refuse_version(given: object, key: str, known: int, *, topic: str = "") -> None:
    """Refuse a text whose `key` says another version than the `known` one, or none (`given` is None)."""
    if type(given) is int and given == known:  # True is an int that equals 1
        return
    raise InputError(
        expected=phrase("{key} = {version}, the version of the text", key=key, version=known),
        found="no such key" if given is None else shown(given),
        remedy=phrase(
            "write {key} = {version} before all else; a later version needs a later quatviz",
            key=key,
            version=known,
        ),
        key=key,
        topic=topic,
    )
