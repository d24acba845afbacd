"""What a file holds before anybody says what it means: columns of numbers by name."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

LARGEST = 1_000_000_000
"""Bytes of a file that is read."""
MOST_NUMBERS = 100_000_000
"""In all columns together: ten million rows of ten."""

_UNIT = re.compile(r"\s*[\[({<]\s*([^\[\](){}<>]*?)\s*[\])}>]\s*$|\s*/\s*(s|ms|us|ns|deg|rad)\s*$")


@dataclass(frozen=True)
class Found:
    """A part of a file: its columns (n,), each computed when it is asked for, and what its format says of them.

    `says` are fields of `motion.reading.Reading`; `parts` the names of all that the file holds, where those are several; `part` the
    one that this is; `title` what kind of file it is; `remarks` what was left out."""

    columns: Mapping[str, np.ndarray]
    says: Mapping[str, Any] = field(default_factory=dict)
    part: str = ""
    parts: tuple[str, ...] = ()
    title: str = ""
    remarks: tuple[str, ...] = ()


def split_unit(name: str) -> tuple[str, str]:
    """The name of a column and the unit behind it, empty where there is none.

    >>> split_unit("Gyroscope x (rad/s)"), split_unit("t[ms]"), split_unit("q_w")
    (('Gyroscope x', 'rad/s'), ('t', 'ms'), ('q_w', ''))
    """
    found = _UNIT.search(name)
    # What is in brackets behind a name may count it, as in q[0].
    unit = "" if found is None else (found[1] or found[2] or "")
    if found is None or not re.search(r"[^\W\d_]|[°µ%]", unit) or re.fullmatch(r"[wxyz]", unit):
        return name.strip(), ""
    return name[: found.start()].strip(), unit
