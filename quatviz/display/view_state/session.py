"""A session: a preset with everything that was done to it, and how a window showed it. As a value, as text, and as one
short word that survives being pasted anywhere: plain data, never code. A preset is a session without a look."""

import base64
import binascii
import hashlib
import re
import zlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import refuse_unknown
from quatviz.display.view_state.choices import SEQUENCE
from quatviz.display.view_state.scope import MOMENT, ROOM
from quatviz.display.view_state.session_v1 import FIRST, look_of_first
from quatviz.display.view_state.view_state import CHOSEN, IN_SESSION, Look, toml_tables, with_chosen
from quatviz.files.limits import LARGEST, refuse_version
from quatviz.files.preset import Preset
from quatviz.files.preset_reading import format_preset, preset_of, read_document, read_text
from quatviz.files.schema import refusal


@dataclass(frozen=True)
class Session:
    """What is saved, recovered and copied; without a look it is shown as what was shown before."""

    preset: Preset
    look: Look | None = None
    proposed: bool = False
    """Whether the look is how a preset wants to be seen first: it decides what is chosen, and begins the run anew."""

    def shown(self, now: Look) -> Look:
        """How it is shown in a window that showed a run as `now`; one without a look has angles of a sequence of its own all the
        same, whatever a preset or a lesson before it wanted to show, and no division of the window that another run wanted."""
        if self.look is None:
            options = {name: one for name, one in now.options.items() if name != SEQUENCE.name}
            return replace(now, options=options, division=())
        if self.proposed:
            return with_chosen(replace(now, cameras={}), self.look)
        return self.look.taking(now, (ROOM, MOMENT))


VERSION = 2
"""Of a session's text; the first version had a view, `quatviz.display.view_state.session_v1`."""


def parse_session(text: str, place: str = "<session>", folder: Path | None = None) -> Session:
    """The session, or the preset, that `text` describes; `InputError` as `preset_text.parse_preset`."""
    return read_document(text, place, lambda document: session_of(document, folder))


def read_session(path: str | Path) -> Session:
    """The session or preset in the file `path`. `InputError` names the file and the line."""
    path = Path(path)
    session = parse_session(read_text(path), str(path), path.parent)
    return replace(session, preset=replace(session.preset, name=path.stem, path=path))


def format_session(session: Session) -> str:
    """The text of a session, such that `parse_session` gives an equal one but for what belongs to a room."""
    text = format_preset(session.preset)
    if session.look is None:
        return text
    head = "" if session.proposed else f"session = {VERSION}\n"
    return f"{head}{text}\n" + toml_tables(session.look.to_table(IN_SESSION), "look")


def session_of(document: dict[str, Any], folder: Path | None = None) -> Session:
    """The session, or the preset, that a text's tables describe."""
    given, view, look = (document.pop(key, None) for key in ("session", "view", "look"))
    if given is None and view is None:
        first = None if look is None else Look.from_table(look, "look")
        refuse_unknown({} if look is None else look, CHOSEN, "look")  # no preset says where its run is
        return Session(preset_of(document, folder), first, look is not None)
    if given == FIRST and type(given) is int and look is None:
        return Session(preset_of(document, folder), None if view is None else look_of_first(view))
    refuse_version(given, "session", VERSION)
    if view is not None:
        raise refusal("view", "a table [look]", view)
    kept = None if look is None else Look().taking(Look.from_table(look, "look"), IN_SESSION)
    return Session(preset_of(document, folder), kept)


HEAD = "quatviz1:"
"""What such a word begins with; the number is its version."""
_ANY_HEAD = re.compile(r"quatviz(\d{1,9}):")
_CHECK = 8
_PLACE = phrase("the pasted run")


def to_short(session: Session) -> str:
    """`quatviz1:`, the compressed text in the letters of URLs, a colon, and a check sum."""
    packed = zlib.compress(format_session(session).encode(), 9)
    return f"{HEAD}{base64.urlsafe_b64encode(packed).decode().rstrip('=')}:{_check(packed)}"


def from_short(word: str) -> Session:
    """The session in such a word, whatever white space an e-mail put into it, or in a pasted TOML text."""
    if len(word) > LARGEST:
        raise _no_word(
            phrase("{count} characters", count=len(word)),
            phrase("at most {largest} characters", largest=LARGEST),
        )
    head = _ANY_HEAD.match(word.lstrip())
    if head is None:
        if "format" in word and "=" in word:
            return parse_session(word, _PLACE)
        raise _no_word(
            "another text" if word.strip() else "nothing", phrase("a text that begins with {head}", head=HEAD)
        )
    if head[0] != HEAD:
        raise _no_word(
            head[0],
            phrase("a text that begins with {head}", head=HEAD),
            "a later version needs a later quatviz",
        )
    body, _, check = "".join(word.split()).removeprefix(HEAD).partition(":")
    try:
        packed = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise _no_word("letters that do not belong there", "letters, digits, - and _") from None
    if check != _check(packed):
        raise _no_word("another check sum", "the check sum at its end, which tells that nothing is lost")
    return parse_session(_unpacked(packed), _PLACE)


def _unpacked(packed: bytes) -> str:
    """At most `LARGEST` bytes come out, whatever went in."""
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(packed, LARGEST + 1)
    except zlib.error:
        raise _no_word("something else", "a compressed text") from None
    if len(data) > LARGEST or not unpacker.eof:
        raise _no_word(
            "more, or a part of one", phrase("a compressed text of at most {largest} bytes", largest=LARGEST)
        )
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise _no_word("bytes that are not UTF-8", "a compressed text") from None


def _check(packed: bytes) -> str:
    return hashlib.sha256(packed).hexdigest()[:_CHECK]


def _no_word(found: str, expected: str, remedy: str = "copy the run again, the whole of it") -> InputError:
    return InputError(_PLACE, expected=expected, found=found, remedy=remedy, topic="sessions#a-run-as-text")
