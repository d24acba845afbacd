"""Conversion of CCSDS attitude ephemeris messages from XML (CCSDS 505.0-B) to key-value notation (CCSDS 504.0-B)."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree

from quatviz.base.errors import InputError, phrase

_TOPIC = "recordings#attitude-ephemeris-messages"
_QUATERNION = ("Q1", "Q2", "Q3", "QC")
_REST = (
    *("rotationAngles/rotation1", "rotationAngles/rotation2", "rotationAngles/rotation3", "ANGLE_1", "ANGLE_2", "ANGLE_3"),
    *("rotationRates/rotation1", "rotationRates/rotation2", "rotationRates/rotation3"),
    *("X_RATE", "Y_RATE", "Z_RATE", "ANGLE_1_DOT", "ANGLE_2_DOT", "ANGLE_3_DOT", "ANGVEL_X", "ANGVEL_Y", "ANGVEL_Z"),
    *("SPIN_ALPHA", "SPIN_DELTA", "SPIN_ANGLE", "SPIN_ANGLE_VEL", "NUTATION", "NUTATION_PER", "NUTATION_PHASE"),
    *("MOMENTUM_ALPHA", "MOMENTUM_DELTA", "NUTATION_VEL"),
)  # fmt: skip
"""XML elements of an attitude state, except the quaternion, in the order in which key-value notation lists
their numbers."""
_UNITS = ("", "deg", "deg/s", "s", "1/s", "n/a")
"""Units that the standard allows for the elements of a state."""


def key_value_notation(data: bytes, source: str) -> bytes:
    """Return an XML message in key-value notation.

    Raises
    ------
    InputError
        If the data are no attitude ephemeris message, have no attitude states, or declare entities, which are never
        expanded.
    """
    if re.search(rb"<!(DOCTYPE|ENTITY)", data):
        raise _refusal(source, "XML without a document type", "<!DOCTYPE")
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        raise _refusal(source, "XML", str(error)) from None
    messages = [element for element in root.iter() if _tag(element) == "aem"]
    if not messages:
        raise _refusal(source, phrase("the element {name}", name="<aem>"), f"<{_tag(root)}>")
    lines = [f"CCSDS_AEM_VERS = {messages[0].get('version', '1.0')}"]
    for segment in (element for element in messages[0].iter() if _tag(element) == "segment"):
        lines += _segment_lines(segment, source)
    if not any(_tag(element) == "attitudeState" for element in messages[0].iter()):
        raise _refusal(
            source,
            phrase("elements {name} with an epoch and an attitude", name="<attitudeState>"),
            phrase("no such element"),
        )
    return ("\n".join(lines) + "\n").encode()


def _segment_lines(segment: ElementTree.Element, source: str) -> Iterator[str]:
    metadata: dict[str, str] = {}
    for element in segment.iter():
        if _tag(element) == "metadata":
            metadata = {_tag(child): _text(child) for child in element if _tag(child) != "COMMENT"}
    yield "META_START"
    yield from (f"{key} = {value}" for key, value in metadata.items() if key.isupper() and value)
    yield "META_STOP"
    yield "DATA_START"
    is_scalar_first = metadata.get("QUATERNION_TYPE", "LAST").upper() == "FIRST"
    quaternion = ("QC", "Q1", "Q2", "Q3") if is_scalar_first else _QUATERNION
    order = (*quaternion, *(f"{name}_DOT" for name in quaternion), *_REST)
    for state in (element for element in segment.iter() if _tag(element) == "attitudeState"):
        values = dict(_values(state, source))
        numbers = " ".join(values[name] for name in order if name in values)
        yield f"{values.get('EPOCH', '')} {numbers}"
    yield "DATA_STOP"


def _values(state: ElementTree.Element, source: str) -> Iterator[tuple[str, str]]:
    """Yield the name and value of each element of an attitude state."""
    parents = {child: parent for parent in state.iter() for child in parent}
    for element in state.iter():
        if len(element) or not _text(element):
            continue
        if element.get("units", "") not in _UNITS:
            raise _refusal(
                source,
                phrase("one of the units {names}", names=", ".join(_UNITS[1:])),
                repr(element.get("units")),
            )
        name = _tag(element)
        yield f"{_tag(parents[element])}/{name}" if name.startswith("rotation") else name, _text(element)


def _tag(element: ElementTree.Element) -> str:
    """Return the name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def _text(element: ElementTree.Element) -> str:
    return " ".join((element.text or "").split())


def _refusal(source: str, expected: str, actual: str) -> InputError:
    return InputError(
        source,
        expected=expected,
        found=actual,
        remedy="see CCSDS 505.0-B, or ask the author of the file",
        topic=_TOPIC,
    )
