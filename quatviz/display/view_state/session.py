"""Sessions: a preset with all edits, and the view state of its window.

A session can be a value, a TOML text, or a short text that can be pasted into an e-mail. It is plain data, never
code. A preset is a session without a view state.
"""

import base64
import binascii
import hashlib
import re
import zlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import refuse_unknown_keys
from quatviz.display.view_state.choices import SEQUENCE_CHOICE
from quatviz.display.view_state.session_v1 import FIRST_VERSION, view_state_from_v1
from quatviz.display.view_state.view_state import (
    SESSION_SCOPES,
    UNDOABLE_FIELDS,
    ViewState,
    toml_tables,
    with_undoable_part,
)
from quatviz.files.files import file_signature
from quatviz.files.limits import MAX_TEXT_BYTES, refuse_too_large_to_read, refuse_version
from quatviz.files.preset import Preset
from quatviz.files.preset_edits import origin_name
from quatviz.files.preset_reading import (
    ORIGIN_KEY,
    format_preset,
    preset_from_tables,
    read_document,
    read_text_file,
    session_preset_from_tables,
)
from quatviz.files.schema import SCREEN, TRANSIENT, schema_error
from quatviz.files.toml_text import toml_pairs


@dataclass(frozen=True)
class Session:
    """A preset and its view state. If a session has no view state, it is shown in the view state of the
    previous run."""

    preset: Preset
    view_state: ViewState | None = None
    is_proposed: bool = False
    """True if the view state is a proposal of a preset. Only its choices are then applied, and the run starts
    at t = 0."""
    signature: tuple[int, int] | None = field(default=None, compare=False)
    """Signature (`files.files.file_signature`) that the file had before it was read; None if the session was not read
    from a file."""

    def applied_to(self, current: ViewState) -> ViewState:
        """Return the view state of this session in a window whose present view state is `current`.

        A session without a view state keeps `current`, except for the Euler sequence and for splitter widths that a
        preset or lesson had requested.
        """
        if self.view_state is None:
            options = {
                name: option for name, option in current.options.items() if name != SEQUENCE_CHOICE.name
            }
            return replace(current, options=options, division=())
        if self.is_proposed:
            return with_undoable_part(replace(current, cameras={}), self.view_state)
        return self.view_state.merged_with(current, (SCREEN, TRANSIENT))


VERSION = 2
"""Version of the session format. Version 1 is read by `quatviz.display.view_state.session_v1`."""


def parse_session(text: str, source_name: str = "<session>", folder: Path | None = None) -> Session:
    """Parse the text of a session or a preset.

    Raises
    ------
    InputError
        If the text is invalid, as in `preset_text.parse_preset`.
    """
    return read_document(text, source_name, lambda document: session_from_document(document, folder))


def read_session(path: str | Path) -> Session:
    """Read a session or preset file.

    Raises
    ------
    InputError
        If the text is invalid. The error names the file and the line.
    """
    path = Path(path)
    signature = file_signature(path)
    session = parse_session(read_text_file(path), str(path), path.parent)
    return replace(session, preset=replace(session.preset, name=path.stem, path=path), signature=signature)


def format_session(session: Session) -> str:
    """Format a session as TOML. `parse_session` returns an equal one, except for fields that belong to the screen."""
    text = format_preset(session.preset)
    if session.view_state is None:
        return text
    head = "" if session.is_proposed else _session_head(session.preset)
    return f"{head}{text}\n" + toml_tables(session.view_state.to_table(SESSION_SCOPES), "look")


def _session_head(preset: Preset) -> str:
    """Return the lines before the text of the preset."""
    origin = origin_name(preset)
    return toml_pairs({"session": VERSION, **({ORIGIN_KEY: origin} if origin else {})})


def session_from_document(document: dict[str, Any], folder: Path | None = None) -> Session:
    """Return the session or preset in parsed TOML tables."""
    version, view, view_table = (document.pop(key, None) for key in ("session", "view", "look"))
    if version is None and view is None:
        proposed_state = None if view_table is None else ViewState.from_table(view_table, "look")
        refuse_unknown_keys(
            {} if view_table is None else view_table, UNDOABLE_FIELDS, "look"
        )  # A preset must not set times or cameras.
        return Session(preset_from_tables(document, folder), proposed_state, view_table is not None)
    if version == FIRST_VERSION and type(version) is int and view_table is None:
        return Session(
            preset_from_tables(document, folder), None if view is None else view_state_from_v1(view)
        )
    refuse_version(version, "session", VERSION)
    if view is not None:
        raise schema_error("view", "a table [look]", view)
    view_state = (
        None
        if view_table is None
        else ViewState().merged_with(ViewState.from_table(view_table, "look"), SESSION_SCOPES)
    )
    return Session(session_preset_from_tables(document, folder), view_state)


SHORT_TEXT_PREFIX = "quatviz1:"
"""Prefix of the short text of a session; the number is its format version."""
_ANY_PREFIX = re.compile(r"quatviz(\d{1,9}):")
_CHECKSUM_LENGTH = 8
_SOURCE_NAME = phrase("the pasted run")


def to_short_text(session: Session) -> str:
    """Return the short text of a session: the prefix `quatviz1:`, the compressed session text in URL-safe
    base 64, a colon, and a checksum.

    Raises
    ------
    InputError
        If the run has parts of a script, or if its text is too large to be read again.
    """
    text = format_session(session)
    refuse_too_large_to_read(text, "the text of the run")
    packed = zlib.compress(text.encode(), 9)
    return f"{SHORT_TEXT_PREFIX}{base64.urlsafe_b64encode(packed).decode().rstrip('=')}:{_checksum(packed)}"


def from_short_text(text: str) -> Session:
    """Parse the short text of a session, or a pasted TOML text. White space inside the short text is ignored."""
    if len(text) > MAX_TEXT_BYTES:
        raise _short_text_error(
            phrase("{count} characters", count=len(text)),
            phrase("at most {largest} characters", largest=MAX_TEXT_BYTES),
        )
    prefix = _ANY_PREFIX.match(text.lstrip())
    if prefix is None:
        if "format" in text and "=" in text:
            return parse_session(text, _SOURCE_NAME)
        raise _short_text_error(
            "another text" if text.strip() else "nothing",
            phrase("text that begins with {head}", head=SHORT_TEXT_PREFIX),
        )
    if prefix[0] != SHORT_TEXT_PREFIX:
        raise _short_text_error(
            prefix[0],
            phrase("text that begins with {head}", head=SHORT_TEXT_PREFIX),
            "a newer version needs a newer quatviz",
        )
    body, _, checksum = "".join(text.split()).removeprefix(SHORT_TEXT_PREFIX).partition(":")
    try:
        packed = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise _short_text_error("other characters", "letters, digits, - and _") from None
    if checksum != _checksum(packed):
        raise _short_text_error(
            "another checksum", "the checksum at its end, which shows that nothing is missing"
        )
    return parse_session(_decompress(packed), _SOURCE_NAME)


def _decompress(packed: bytes) -> str:
    """Decompress a text of at most `MAX_TEXT_BYTES`, so that no input can fill the memory."""
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(packed, MAX_TEXT_BYTES + 1)
    except zlib.error:
        raise _short_text_error("another encoding", "a compressed text") from None
    if len(data) > MAX_TEXT_BYTES or not unpacker.eof:
        raise _short_text_error(
            "a longer text" if len(data) > MAX_TEXT_BYTES else "an incomplete text",
            phrase("a complete text of at most {largest} bytes after decompression", largest=MAX_TEXT_BYTES),
        )
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise _short_text_error("bytes that are not UTF-8", "a compressed text") from None


def _checksum(packed: bytes) -> str:
    return hashlib.sha256(packed).hexdigest()[:_CHECKSUM_LENGTH]


def _short_text_error(
    actual: str, expected: str, remedy: str = "copy the whole text of the run again"
) -> InputError:
    return InputError(
        _SOURCE_NAME, expected=expected, found=actual, remedy=remedy, topic="sessions#a-run-as-text"
    )
