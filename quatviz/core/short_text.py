"""A run as one short word that survives being pasted anywhere, and back. Plain data, never code."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import zlib

from quatviz.core.errors import Refusal, phrase
from quatviz.core.session import Session
from quatviz.core.session_text import format_session, parse_session
from quatviz.core.text_limits import LARGEST

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
        raise _refusal(
            phrase("{count} characters", count=len(word)),
            phrase("at most {largest} characters", largest=LARGEST),
        )
    head = _ANY_HEAD.match(word.lstrip())
    if head is None:
        if "format" in word and "=" in word:
            return parse_session(word, _PLACE)
        raise _refusal(
            "another text" if word.strip() else "nothing", phrase("a text that begins with {head}", head=HEAD)
        )
    if head[0] != HEAD:
        raise _refusal(
            head[0],
            phrase("a text that begins with {head}", head=HEAD),
            "a later version needs a later quatviz",
        )
    body, _, check = "".join(word.split()).removeprefix(HEAD).partition(":")
    try:
        packed = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise _refusal("letters that do not belong there", "letters, digits, - and _") from None
    if check != _check(packed):
        raise _refusal("another check sum", "the check sum at its end, which tells that nothing is lost")
    return parse_session(_unpacked(packed), _PLACE)


def _unpacked(packed: bytes) -> str:
    """At most `LARGEST` bytes come out, whatever went in."""
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(packed, LARGEST + 1)
    except zlib.error:
        raise _refusal("something else", "a compressed text") from None
    if len(data) > LARGEST or not unpacker.eof:
        raise _refusal(
            "more, or a part of one", phrase("a compressed text of at most {largest} bytes", largest=LARGEST)
        )
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise _refusal("bytes that are not UTF-8", "a compressed text") from None


def _check(packed: bytes) -> str:
    return hashlib.sha256(packed).hexdigest()[:_CHECK]


def _refusal(found: str, expected: str, remedy: str = "copy the run again, the whole of it") -> Refusal:
    return Refusal(_PLACE, expected=expected, found=found, remedy=remedy, topic="sessions#a-run-as-text")
