"""The SVG text of formulae, typeset once for all themes, sizes and starts, and kept on disk."""

import json
import logging
import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from xml.etree import ElementTree

from quatviz.base import resources
from quatviz.base.errors import InputError
from quatviz.base.latex import Malformed, refuse_endless, refuse_endless_tree
from quatviz.files.files import write_text
from quatviz.files.limits import read_limited

log = logging.getLogger(__name__)

SIZE = 100.0
"""The type size at which formulae are typeset."""
INK = "#010203"
"""A colour to be replaced by that of the theme."""
OTHERWISE = (
    (re.compile(r"(\\det|\\operatorname\{\w+\})\s+(?=[A-Za-z\\])"), r"\1\,"),
    (re.compile(r"([=(\[,](?:\\[,;]|\\q?quad|\s)*)([-+])(?!\})(?:\\,)?\s*"), r"\1{\2}"),
    (re.compile(r"\\[lr]vert\b\s*"), "|"),
)
"""What the typesetter does otherwise than TeX: functions right beside what they are taken of, signs with room on both
sides, bars longer than what stands between them."""
_WIDEST, _HIGHEST = 200.0, 40.0
"""Of a formula, in heights of its letters: a picture of one that is raised by a million would take all memory."""
_LARGEST = 1 << 28
"""Bytes of a book: ten thousand formulae."""
VIEW_BOX = re.compile(r'viewBox="(\S+) (\S+) (\S+) (\S+)"')


class Book:
    """The SVG text of every formula that was typeset, now or at an earlier start, kept in one file behind its checksum."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._drawn = _read(path)
        self._kept = len(self._drawn)

    def lacks(self, formulae: Iterable[str]) -> list[str]:
        """Which of these have yet to be typeset."""
        return [latex for latex in dict.fromkeys(formulae) if latex not in self._drawn]

    def draw(self, latex: str) -> str:
        """One second for the first formula, which imports the typesetter and reads its font; some 30 ms for each further
        one; nothing for one that is in the book."""
        if latex not in self._drawn:
            self._drawn[latex] = _typeset(latex)
        return self._drawn[latex]

    def draw_all(self, formulae: Sequence[str], told: Callable[[float], None]) -> None:
        """In a thread: one by one, so that `told` can end it between two, and kept. Where one is malformed the others are
        drawn all the same, before its fault is raised."""
        faults = []
        for number, latex in enumerate(formulae):
            told(number / len(formulae))
            try:
                self.draw(latex)
            except Exception as fault:
                faults.append(fault)
        self.keep()
        if faults:
            raise faults[0]

    def keep(self) -> None:
        """Write what is new to the file; where that cannot be, it is typeset again at the next start."""
        if len(self._drawn) == self._kept:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            held = json.dumps(self._drawn, ensure_ascii=False)
            write_text(self.path, f"{_checksum(held)}\n{held}", lasting=False)
            self._kept = len(self._drawn)
        except (OSError, InputError) as fault:
            log.info("formulae are not kept: %s", fault)


@cache
def book() -> Book:
    """The book of this machine, for this typesetter's version and what is changed for it."""
    changes = sha256(repr([(found.pattern, better) for found, better in OTHERWISE]).encode()).hexdigest()[:8]
    return Book(resources.cache_folder() / f"formulae-{version('ziamath')}-{changes}.book")


def _read(path: Path) -> dict[str, str]:
    """What a file holds; nothing where it is not there, or not what was written."""
    try:
        checksum, _, held = read_limited(path, _LARGEST).decode().partition("\n")
    except (OSError, ValueError):
        return {}
    return dict(json.loads(held)) if checksum == _checksum(held) else {}


def _checksum(held: str) -> str:
    return sha256(held.encode()).hexdigest()


def _typeset(latex: str) -> str:
    refuse_endless(latex)
    with warnings.catch_warnings():
        # It opens its own font by a function that Python 3.11 and 3.12 call deprecated, and 3.13 no longer does.
        warnings.filterwarnings("ignore", "path is deprecated", DeprecationWarning)
        import ziamath
        from ziamath.zmath import tex2mml

    ziamath.config.svg2 = False  # paths where they stand: Qt draws no symbols
    for pattern, better in OTHERWISE:
        latex = pattern.sub(better, latex)
    try:
        formula = ElementTree.fromstring(tex2mml(latex))
        refuse_endless_tree(formula)
        formula.set("mathcolor", INK)
        drawn = str(ziamath.Math(formula, size=SIZE).svg())
    except Malformed:
        raise
    except Exception as fault:  # each of its parts complains in its own way, most without a word
        raise Malformed(f"no formula that can be typeset ({type(fault).__name__}: {fault})") from fault
    box = VIEW_BOX.search(drawn)
    if box is None or not float(box[3]) < _WIDEST * SIZE or not float(box[4]) < _HIGHEST * SIZE:
        raise Malformed("a formula larger than a page")
    return drawn
