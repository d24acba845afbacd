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
from quatviz.base.latex import MalformedFormula, refuse_complex_formula, refuse_complex_tree
from quatviz.files.files import write_text
from quatviz.files.limits import read_limited

log = logging.getLogger(__name__)

# ziamath opens its font by a function that Python 3.11 and 3.12 call deprecated. The filter holds for the whole process:
# `warnings.catch_warnings` is not safe in threads, and formulae are typeset in one.
warnings.filterwarnings("ignore", "path is deprecated", DeprecationWarning, r"ziamath\.")

FONT_SIZE = 100.0
"""The type size at which formulae are typeset."""
PLACEHOLDER_COLOR = "#010203"
"""A colour to be replaced by that of the theme."""
LATEX_REPLACEMENTS = (
    (re.compile(r"(\\det|\\operatorname\{\w+\})\s+(?=[A-Za-z\\])"), r"\1\,"),
    (re.compile(r"([=(\[,](?:\\[,;]|\\q?quad|\s)*)([-+])(?!\})(?:\\,)?\s*"), r"\1{\2}"),
    (re.compile(r"\\[lr]vert\b\s*"), "|"),
)
"""What the typesetter does otherwise than TeX: functions right beside what they are taken of, signs with room on both
sides, bars longer than what stands between them."""
_MAX_WIDTH, _MAX_HEIGHT = 200.0, 40.0
"""Of a formula, in heights of its letters: a picture of one that is raised by a million would take all memory."""
_MAX_FILE_BYTES = 1 << 28
"""Bytes of a book: ten thousand formulae."""
VIEW_BOX = re.compile(r'viewBox="(\S+) (\S+) (\S+) (\S+)"')


class FormulaCache:
    """The SVG text of every formula that was typeset, now or at an earlier start, kept in one file behind its checksum."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._svg_by_formula = _load_cache(path)
        self._saved_count = len(self._svg_by_formula)

    def missing_formulae(self, formulae: Iterable[str]) -> list[str]:
        """Which of these have yet to be typeset."""
        return [latex for latex in dict.fromkeys(formulae) if latex not in self._svg_by_formula]

    def render(self, latex: str) -> str:
        """One second for the first formula, which imports the typesetter and reads its font; some 30 ms for each further
        one; nothing for one that is in the book."""
        if latex not in self._svg_by_formula:
            self._svg_by_formula[latex] = _typeset(latex)
        return self._svg_by_formula[latex]

    def render_all(self, formulae: Sequence[str], report_progress: Callable[[float], None]) -> None:
        """In a thread: one by one, so that `report_progress` can end it between two, and kept. Where one is malformed the
        others are drawn all the same, before its fault is raised."""
        errors = []
        for index, latex in enumerate(formulae):
            report_progress(index / len(formulae))
            try:
                self.render(latex)
            except Exception as error:
                errors.append(error)
        self.save()
        if errors:
            raise errors[0]

    def save(self) -> None:
        """Write what is new to the file; where that cannot be, it is typeset again at the next start."""
        if len(self._svg_by_formula) == self._saved_count:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            content = json.dumps(self._svg_by_formula, ensure_ascii=False)
            write_text(self.path, f"{_checksum(content)}\n{content}", durable=False)
            self._saved_count = len(self._svg_by_formula)
        except (OSError, InputError) as error:
            log.info("formulae are not kept: %s", error)


@cache
def formula_cache() -> FormulaCache:
    """The book of this machine, for this typesetter's version and what is changed for it."""
    changes = sha256(
        repr([(pattern.pattern, replacement) for pattern, replacement in LATEX_REPLACEMENTS]).encode()
    ).hexdigest()[:8]
    return FormulaCache(resources.cache_folder() / f"formulae-{version('ziamath')}-{changes}.book")


def _load_cache(path: Path) -> dict[str, str]:
    """What a file holds; nothing where it is not there, or not what was written."""
    try:
        checksum, _, content = read_limited(path, _MAX_FILE_BYTES).decode().partition("\n")
    except (OSError, ValueError):
        return {}
    return dict(json.loads(content)) if checksum == _checksum(content) else {}


def _checksum(content: str) -> str:
    return sha256(content.encode()).hexdigest()


def _typeset(latex: str) -> str:
    refuse_complex_formula(latex)
    import ziamath
    from ziamath.zmath import tex2mml

    ziamath.config.svg2 = False  # paths where they stand: Qt draws no symbols
    for pattern, replacement in LATEX_REPLACEMENTS:
        latex = pattern.sub(replacement, latex)
    try:
        formula = ElementTree.fromstring(tex2mml(latex))
        refuse_complex_tree(formula)
        formula.set("mathcolor", PLACEHOLDER_COLOR)
        svg = str(ziamath.Math(formula, size=FONT_SIZE).svg())
    except MalformedFormula:
        raise
    except Exception as error:  # each of its parts complains in its own way, most without a word
        raise MalformedFormula(f"no formula that can be typeset ({type(error).__name__}: {error})") from error
    box = VIEW_BOX.search(svg)
    if (
        box is None
        or not float(box[3]) < _MAX_WIDTH * FONT_SIZE
        or not float(box[4]) < _MAX_HEIGHT * FONT_SIZE
    ):
        raise MalformedFormula("a formula larger than a page")
    return svg
