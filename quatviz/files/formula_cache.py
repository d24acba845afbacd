"""Cache of typeset formulas as SVG text, which fits all themes and sizes. The cache is stored in a file for later starts."""

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

# ziamath opens its font with a function that is deprecated in Python 3.11 and 3.12. The filter applies to the whole process
# because `warnings.catch_warnings` is not thread-safe and formulas are typeset in a thread.
warnings.filterwarnings("ignore", "path is deprecated", DeprecationWarning, r"ziamath\.")

FONT_SIZE = 100.0
"""Font size at which formulas are typeset [SVG units]."""
PLACEHOLDER_COLOR = "#010203"
"""Color in which formulas are typeset. It is replaced by the color of the theme when a formula is drawn."""
LATEX_REPLACEMENTS = (
    (re.compile(r"(\\det|\\operatorname\{\w+\})\s+(?=[A-Za-z\\])"), r"\1\,"),
    (re.compile(r"([=(\[,](?:\\[,;]|\\q?quad|\s)*)([-+])(?!\})(?:\\,)?\s*"), r"\1{\2}"),
    (re.compile(r"\\[lr]vert\b\s*"), "|"),
)
"""Patterns and replacements applied to LaTeX, where the typesetter differs from TeX.

They add missing space after function names and on both sides of signs, and reduce vertical bars that are too tall.
"""
_MAX_WIDTH, _MAX_HEIGHT = 200.0, 40.0
"""Largest width and height of a formula [font sizes]. Images of larger formulas could exhaust the memory."""
_MAX_FILE_BYTES = 1 << 28
"""Largest size of a cache file [bytes], enough for ten thousand formulas."""
VIEW_BOX = re.compile(r'viewBox="(\S+) (\S+) (\S+) (\S+)"')
"""Pattern of the view box in SVG text."""


class FormulaCache:
    """SVG text of every formula typeset so far, stored in one file with a checksum."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._svg_by_formula = _load_cache(path)
        self._saved_count = len(self._svg_by_formula)

    def missing_formulae(self, formulae: Iterable[str]) -> list[str]:
        """Return the formulas that are not in the cache yet, without duplicates."""
        return [latex for latex in dict.fromkeys(formulae) if latex not in self._svg_by_formula]

    def render(self, latex: str) -> str:
        """Return the SVG text of a formula.

        The first formula takes about a second, including the import of the typesetter and its font. Each further
        formula takes about 30 ms. Cached formulas are returned at once.
        """
        if latex not in self._svg_by_formula:
            self._svg_by_formula[latex] = _typeset(latex)
        return self._svg_by_formula[latex]

    def render_all(self, formulae: Sequence[str], report_progress: Callable[[float], None]) -> None:
        """Typeset formulas in a thread and save the cache.

        Parameters
        ----------
        formulae
            LaTeX of the formulas.
        report_progress
            Function that is called with the completed fraction, 0 to 1, before each formula. It may raise an
            exception to cancel.

        Raises
        ------
        MalformedFormula
            If any of the formulas is malformed. It is raised after all others are typeset.
        """
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
        """Write the cache file if there are new formulas. If writing fails, they are typeset again at the next
        start."""
        if len(self._svg_by_formula) == self._saved_count:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            content = json.dumps(self._svg_by_formula, ensure_ascii=False)
            write_text(self.path, f"{_checksum(content)}\n{content}", durable=False)
            self._saved_count = len(self._svg_by_formula)
        except (OSError, InputError) as error:
            log.info("the formula cache could not be written: %s", error)


@cache
def formula_cache() -> FormulaCache:
    """Return the cache of this machine for the installed typesetter and the current `LATEX_REPLACEMENTS`."""
    changes = sha256(
        repr([(pattern.pattern, replacement) for pattern, replacement in LATEX_REPLACEMENTS]).encode()
    ).hexdigest()[:8]
    return FormulaCache(resources.cache_folder() / f"formulae-{version('ziamath')}-{changes}.book")


def _load_cache(path: Path) -> dict[str, str]:
    """Return the SVG text of each formula in a cache file, or an empty mapping if the file is missing or
    damaged."""
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

    ziamath.config.svg2 = False  # write plain paths, since Qt does not draw SVG symbols
    for pattern, replacement in LATEX_REPLACEMENTS:
        latex = pattern.sub(replacement, latex)
    try:
        formula = ElementTree.fromstring(tex2mml(latex))
        refuse_complex_tree(formula)
        formula.set("mathcolor", PLACEHOLDER_COLOR)
        svg = str(ziamath.Math(formula, size=FONT_SIZE).svg())
    except MalformedFormula:
        raise
    except (
        Exception
    ) as error:  # the parts of the typesetter raise various exceptions, mostly without a message
        raise MalformedFormula(
            f"a formula that cannot be typeset ({type(error).__name__}: {error})"
        ) from error
    box = VIEW_BOX.search(svg)
    if (
        box is None
        or not float(box[3]) < _MAX_WIDTH * FONT_SIZE
        or not float(box[4]) < _MAX_HEIGHT * FONT_SIZE
    ):
        raise MalformedFormula("a formula larger than a page")
    return svg
